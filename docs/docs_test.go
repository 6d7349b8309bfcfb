package docs

// Every command in the documents is run, and what they show is compared with what it prints.

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var commands = flag.Bool("commands", false, "run the commands of the documents, which takes minutes")

// limit is how long one command may take.
const limit = 4 * time.Minute

// block is a fenced block of a document, with what the comments above it say.
type block struct {
	where, kind string // "docs/x.md:12"; console or another
	lines       []string
	notRun      string // why its commands are not run
	with        string // what is added to its commands here, to make them short
	varies      bool   // what is shown differs from run to run
}

var (
	fence     = regexp.MustCompile("^```(\\w*)$")
	directive = regexp.MustCompile(`^<!-- (not run|run with|varies)(?:: (.*))? -->$`)
)

// blocks reads the fenced blocks of a document. Above one may stand <!-- not run: WHY -->, <!-- run with: ARGUMENTS -->
// or, above what a command prints, <!-- varies -->.
func blocks(t *testing.T, file string) []block {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []block
	var next block
	open := false
	for i, line := range strings.Split(string(text), "\n") {
		switch m := fence.FindStringSubmatch(line); {
		case open && m != nil:
			open = false
			list = append(list, next)
			next = block{}
		case open:
			next.lines = append(next.lines, line)
		case m != nil:
			open = true
			next.where, next.kind = fmt.Sprintf("%s:%d", file, i+1), m[1]
		case strings.TrimSpace(line) == "":
		default:
			d := directive.FindStringSubmatch(line)
			if d == nil {
				next = block{} // a comment belongs to the block right below it
				if len(list) > 0 && list[len(list)-1].kind != "" {
					list = append(list, block{}) // what follows text is not the output of a command
				}
				continue
			}
			switch d[1] {
			case "not run":
				next.notRun = d[2]
			case "run with":
				next.with = d[2]
			case "varies":
				next.varies = true
			}
		}
	}
	if open {
		t.Errorf("%s: a block is not closed", file)
	}
	return list
}

// documents are all of them, seen from this folder.
func documents(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob("*.md")
	if err != nil || len(list) < 10 {
		t.Fatalf("%d documents, %v", len(list), err)
	}
	return append(list, "../README.md", "../CONTRIBUTING.md")
}

// A block that is not run says why, and there are few of them.
func TestDirectives(t *testing.T) {
	all, left := 0, 0
	for _, file := range documents(t) {
		for _, b := range blocks(t, file) {
			if b.kind != "console" {
				continue
			}
			all++
			if b.notRun != "" {
				left++
				if len(b.notRun) < 10 {
					t.Errorf("%s: not run: %q is no reason", b.where, b.notRun)
				}
			}
		}
	}
	if all < 40 || left*4 > all {
		t.Errorf("%d of %d blocks of commands are not run", left, all)
	}
}

func TestCommands(t *testing.T) {
	if !*commands {
		t.Skip("go test ./docs -commands runs them; the checks before a change lands do")
	}
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, "caucus"), "../cmd/caucus").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	path := bin + string(os.PathListSeparator) + os.Getenv("PATH")
	for _, file := range documents(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel() // a document has a folder of its own, and its agents ports that no other names
			runDocument(t, file, path)
		})
	}
}

// runDocument runs the commands of one document one after the other in one folder.
func runDocument(t *testing.T, file, path string) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"scenarios", "examples", "docs", "cmd", "go.mod", "go.sum"} {
		if err := os.Symlink(filepath.Join(root, name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	printed := ""
	for _, b := range blocks(t, file) {
		switch {
		case b.kind == "console" && b.notRun != "":
			printed = ""
		case b.kind == "console":
			printed = ""
			for _, command := range joined(b.lines) {
				in := dir
				if strings.HasPrefix(command, "go ") || strings.HasPrefix(command, "cd ") {
					in = root
				}
				printed = carryOut(t, b, command+suffix(command, b.with), in, path)
				if rest, ok := strings.CutPrefix(command, "cd "); ok {
					root = filepath.Join(root, rest) // for the commands below it, as in a shell
					dir = root
				}
			}
		case b.where == "":
			printed = ""
		case (b.kind == "" || b.kind == "text") && printed != "" && !b.varies:
			compare(t, b, printed)
			printed = ""
		}
	}
}

// joined puts lines that end in a backslash together and drops comments.
func joined(lines []string) []string {
	var list []string
	text := ""
	for _, line := range lines {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if cut, more := strings.CutSuffix(line, "\\"); more {
			text += cut
			continue
		}
		if text += line; strings.TrimSpace(text) != "" {
			list = append(list, text)
		}
		text = ""
	}
	return list
}

func suffix(command, with string) string {
	if with == "" || !strings.HasPrefix(command, "caucus ") {
		return ""
	}
	return " " + with
}

// mayFail are commands that end with 1 or 3 by what they find, as a check that is violated.
var mayFail = regexp.MustCompile(`caucus check|caucus tune|--scheduler|--unsafe|--replay`)

func carryOut(t *testing.T, b block, command, dir, path string) (stdout string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	c := exec.CommandContext(ctx, "bash", "-c", command)
	c.Dir, c.Env = dir, append(os.Environ(), "PATH="+path, "NO_COLOR=1")
	var out, logs strings.Builder
	c.Stdout, c.Stderr = &out, &logs
	began := time.Now()
	err := c.Run()
	took := time.Since(began)
	var exit *exec.ExitError
	code := 0
	if e, ok := err.(*exec.ExitError); ok {
		exit = e
		code = exit.ExitCode()
	}
	switch {
	case ctx.Err() != nil:
		t.Errorf("%s: %s: longer than %v", b.where, command, limit)
	case err != nil && !(mayFail.MatchString(command) && (code == 1 || code == 3)) && !strings.Contains(command, "# exits"):
		t.Errorf("%s: %s: %v\n%s", b.where, command, err, tail(logs.String()))
	case out.Len() == 0 && logs.Len() == 0 && !strings.Contains(command, "build") && !strings.HasPrefix(command, "cd ") && !strings.HasPrefix(command, "printf"):
		t.Errorf("%s: %s: printed nothing", b.where, command)
	}
	t.Logf("%5.1f s  %s", took.Seconds(), command)
	return out.String()
}

func tail(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-8):], "\n")
}

// compare holds what is shown against what was printed. "…" on a line of its own stands for lines that are left out.
func compare(t *testing.T, b block, printed string) {
	t.Helper()
	got := normal(strings.Split(strings.TrimRight(printed, "\n"), "\n"))
	want := normal(b.lines)
	for len(want) > 0 && want[len(want)-1] == "" {
		want = want[:len(want)-1]
	}
	if at := index(want, "…"); at >= 0 && len(got) >= len(want) {
		got = append(append(append([]string{}, got[:at]...), "…"), got[len(got)-(len(want)-at-1):]...)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s shows something else than the command prints (-shown +printed):\n%s", b.where, diff)
	}
}

func index(lines []string, line string) int {
	for i, l := range lines {
		if l == line {
			return i
		}
	}
	return -1
}

var (
	versions = regexp.MustCompile(`^(caucus) \S+ (\w)`)
	spaces   = regexp.MustCompile(` {2,}`)
	lastWord = regexp.MustCompile(` \S+$`)
)

// normal takes out of what a command prints what differs from machine to machine: the version, and the seconds that a
// check took, the last column of its tables.
func normal(lines []string) []string {
	out := make([]string, len(lines))
	timed := false
	for i, line := range lines {
		line = versions.ReplaceAllString(strings.TrimRight(line, " "), "$1 VERSION $2")
		narrow := spaces.ReplaceAllString(line, " ")
		switch {
		case strings.HasSuffix(line, " SECONDS"):
			timed = true
			line = narrow
		case timed && len(strings.Fields(line)) > 7:
			line = lastWord.ReplaceAllString(narrow, "")
		default:
			timed = false
		}
		out[i] = line
	}
	return out
}
