package cmd

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caucus.example/caucus/internal/operate"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func everyCommand(root *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{root}
	for _, sub := range root.Commands() {
		list = append(list, everyCommand(sub)...)
	}
	return list
}

// A flag without a group would not be shown, and a name in a group that no verb has is left over.
func TestEveryFlagHasItsGroup(t *testing.T) {
	var grouped, used []string
	for _, g := range operate.FlagGroups {
		grouped = append(grouped, append(slices.Clone(g.Common), g.Rare...)...)
	}
	for _, cmd := range everyCommand(newRootCommand()) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			used = append(used, f.Name)
			if f.Name != "help" && f.Name != "version" && !slices.Contains(grouped, f.Name) {
				t.Errorf("%s --%s is in no group of help.go", cmd.CommandPath(), f.Name)
			}
		})
	}
	for i, name := range grouped {
		if !slices.Contains(used, name) {
			t.Errorf("help.go has --%s, which no verb has", name)
		}
		if slices.Contains(grouped[:i], name) {
			t.Errorf("help.go has --%s twice", name)
		}
	}
}

// ownWords are what is called by another word where it is written into a folder, or is a text instead of a file.
var ownWords = map[string]bool{"check replay": true, "tune output": true, "mo output": true,
	"bounded-election output": true, "rings output": true, "family output": true, "prasle output": true,
	"regions output": true, "pages output": true}

// The same name is the same kind of thing in all verbs, and results go to -o, --csv or --json.
func TestFlagsAgree(t *testing.T) {
	kinds := map[string]string{}
	for _, cmd := range everyCommand(newRootCommand()) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name == "output" && f.Shorthand != "o" {
				t.Errorf("%s --output has no -o", cmd.CommandPath())
			}
			usage, _ := pflag.UnquoteUsage(f)
			if ownWords[cmd.Name()+" "+f.Name] {
				return
			}
			if before, ok := kinds[f.Name]; ok && before != usage {
				t.Errorf("%s --%s takes a %q, elsewhere a %q", cmd.CommandPath(), f.Name, usage, before)
			}
			kinds[f.Name] = usage
		})
	}
}

func TestHelpAll(t *testing.T) {
	_, short, _ := caucusRun(t, "run", "--help")
	_, long, _ := caucusRun(t, "run", "--help=all")
	if strings.Contains(short, "--x-attribute") || !strings.Contains(long, "--x-attribute") {
		t.Error("--x-attribute is rare: help=all shows it, help does not")
	}
	if !strings.Contains(short, "caucus run --help=all shows ") || strings.Contains(long, "help=all shows ") {
		t.Error("the short help says that there is more")
	}
	if code, _, logs := caucusRun(t, "run", "--help=some"); code != exitMisuse ||
		!strings.Contains(logs, "--help=all") {
		t.Errorf("exit %d, %s", code, logs)
	}
}

func TestVersionVerb(t *testing.T) {
	code, text, _ := caucusRun(t, "version")
	if code != exitOK || !strings.HasPrefix(text, "caucus VERSION\ncommit ") || !strings.Contains(text, "\ngo1.") {
		t.Errorf("exit %d: %s", code, text)
	}
}

// What a shell asks for, and what packages hold.
func TestCompletion(t *testing.T) {
	for line, want := range map[string]string{
		"run --algo pras":                   "prasle-reliable\t",
		"check --daemon ce":                 "central",
		"up --profile l":                    "loopback",
		"run --topology geant2":             "geant2012",
		"run --timing a":                    "async",
		"run --algo bounded --param heart":  "heartbeat=3\t",
		"run --algo bounded --faithful art": "artefact",
		"list yo":                           "yo-yo-plain\t",
		"graph gen grid":                    "grid:\t",
		"tune --topology tr":                "tree:\t",
		"tune --algo ":                      "hardened\nunreliable\nreliable\n:",
		"sweep ":                            "yaml\nyml\n:8",
		"check --class rin":                 "rings",
		"reproduce bounded-election --set ": "",
		"run scenarios/":                    "yaml",
		"check --start c":                   "clean",
		"check --model m":                   "messages",
		"run --strength ra":                 "random",
		"run --ids d":                       "decreasing",
		"up --initiators o":                 "one",
		"check --replay x":                  "jsonl",
		"run --trace x":                     "parquet",
		"reproduce prasle --net u":          "udp",
		"view --lesson r":                   "rings",
		"graph convert --from g":            "graphml",
		"graph gen --to d":                  "dot",
		"up --kill l":                       "leader@",
	} {
		_, text, _ := caucusRun(t, append([]string{"__complete"}, strings.Split(line, " ")...)...)
		if !strings.Contains(text, want) {
			t.Errorf("%q completes to %q, want %q among it", line, text, want)
		}
	}
	if _, text, _ := caucusRun(t, "__complete", "run", "--tra"); !strings.Contains(text, "this .txt, .jsonl or") ||
		strings.Contains(text, "`") {
		t.Errorf("flags complete to %q", text)
	}
	dir := t.TempDir()
	if code, _, logs := caucusRun(t, "pages", "-o", dir); code != exitOK {
		t.Fatalf("exit %d: %s", code, logs)
	}
	for _, file := range []string{"man/man1/caucus-run.1", "man/man1/caucus-graph-gen.1", "completions/caucus.bash",
		"completions/_caucus", "completions/caucus.fish"} {
		if info, err := os.Stat(filepath.Join(dir, file)); err != nil || info.Size() < 500 {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func TestListFits(t *testing.T) {
	_, narrow, _ := caucusRun(t, "list")
	for line := range strings.Lines(narrow) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 120 {
			t.Errorf("%d letters: %s", n, line)
		}
	}
	if _, wide, _ := caucusRun(t, "list", "--wide"); !strings.Contains(wide, "SOURCE") || strings.Contains(wide, "…") {
		t.Errorf("--wide: %s", wide)
	}
}

// The program that only runs agents knows of every verb that it does not have.
func TestVerbsElsewhere(t *testing.T) {
	small := slices.Clone(operate.Elsewhere)
	for _, verb := range append(operate.Verbs(nil), operate.NewVersionCommand()) {
		small = append(small, verb.Name())
	}
	var all []string
	for _, verb := range newRootCommand().Commands() {
		all = append(all, verb.Name())
	}
	slices.Sort(small)
	slices.Sort(all)
	if !slices.Equal(small, all) {
		t.Errorf("the small program knows of %v, the full one has %v", small, all)
	}
}
