// Command release makes what is handed out, from this checkout: the program for every platform, and packages of it.
//
//	go run ./internal/release -o dist
//	go run ./internal/release -simulator simulator.js
package main

import (
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// platform is one for which the program is built; packages are for those that name their architecture as GOARCH does,
// which nfpm turns into the words of each kind of package.
type platform struct {
	os, arch, variant string
	packaged          bool
}

var platforms = []platform{
	{"linux", "amd64", "", true},
	{"linux", "arm64", "", true},
	{"linux", "arm", "GOARM=7", true},
	{"linux", "riscv64", "", true},
	{"linux", "mips", "GOMIPS=softfloat", false},
	{"linux", "mipsle", "GOMIPS=softfloat", false},
	{"darwin", "amd64", "", false},
	{"darwin", "arm64", "", false},
	{"windows", "amd64", "", false},
}

func (p platform) name() string {
	name := p.os + "-" + p.arch
	if p.variant == "GOARM=7" {
		name += "v7"
	}
	return name
}

var allowedVersion = regexp.MustCompile(`^[0-9]+(\.[0-9]+)*([~+.-][0-9A-Za-z.~+-]*)?$`)

func main() {
	out := flag.String("o", "dist", "folder for what is made")
	version := flag.String("version", "0.2.0~dev", "version of the packages")
	only := flag.String("only", "", "one platform, such as linux-amd64 (default: all)")
	page := flag.String("simulator", "", "make this file alone: the simulator of caucus view --export")
	flag.Parse()
	err := error(nil)
	if *page != "" {
		err = simulatorInto(*page)
	} else {
		err = release(*out, *version, *only)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func release(out, version, only string) error {
	if !allowedVersion.MatchString(version) {
		return fmt.Errorf("-version: found %q, allowed: numbers and dots, then ~, + or - and more, as in 0.2.0~rc1",
			version)
	}
	page, err := simulator()
	if err != nil {
		return err
	}
	var names []string
	fmt.Println("| platform | program, MB | agents only, MB | packages |")
	fmt.Println("|---|---|---|---|")
	done := false
	for _, p := range platforms {
		names = append(names, p.name())
		if only != "" && only != p.name() {
			continue
		}
		done = true
		if err := p.make(out, version, page); err != nil {
			return fmt.Errorf("%s: %w", p.name(), err)
		}
	}
	if !done {
		return fmt.Errorf("-only: found %q, allowed: %s", only, strings.Join(names, ", "))
	}
	return nil
}

// make builds the program for p and its packages, with the page's simulator, and prints a line about them.
func (p platform) make(out, version string, page []byte) error {
	stage := filepath.Join(out, p.name())
	program := filepath.Join(stage, "caucus")
	if p.os == "windows" {
		program += ".exe"
	}
	env := []string{"CGO_ENABLED=0", "GOOS=" + p.os, "GOARCH=" + p.arch, p.variant}
	if err := run(env, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, "./cmd/caucus"); err != nil {
		return err
	}
	small := filepath.Join(stage, "caucus-agent"+filepath.Ext(program))
	inline := "-gcflags="
	if strings.HasPrefix(p.arch, "mips") {
		inline = "-gcflags=all=-l" // its code is long: no function is copied into others
	}
	if err := run(env, "go", "build", "-tags=agent,nethttpomithttp2", "-trimpath", inline, "-ldflags=-s -w", "-o",
		small, "./cmd/caucus"); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(stage, "simulator.js"), page, 0o666); err != nil {
		return err
	}
	info, err := os.Stat(program)
	if err != nil {
		return err
	}
	agents, err := os.Stat(small)
	if err != nil {
		return err
	}
	made := "no"
	if p.packaged {
		err := pages(stage, "go", "run", "-trimpath", "-ldflags=-s -w", "./cmd/caucus")
		if err == nil {
			err = p.pack(stage, out, version, "deb", "rpm")
		}
		if err != nil {
			return err
		}
		made = "deb, rpm"
	}
	fmt.Printf("| %s | %.1f | %.1f | %s |\n", p.name(), float64(info.Size())/1e6, float64(agents.Size())/1e6, made)
	return nil
}

// pack makes packages, of these kinds, of the program and the pages in the stage.
func (p platform) pack(stage, out, version string, kinds ...string) error {
	arch := p.arch
	if p.variant == "GOARM=7" {
		arch = "arm7"
	}
	env := []string{"CAUCUS_STAGE=" + stage, "CAUCUS_ARCH=" + arch, "CAUCUS_VERSION=" + version,
		"SOURCE_DATE_EPOCH=" + committed()}
	for _, kind := range kinds {
		if err := run(env, "go", "tool", "-modfile=tools/go.mod", "nfpm", "package", "--config",
			"packaging/nfpm.yaml", "--packager", kind, "--target", out); err != nil {
			return err
		}
	}
	return nil
}

// committed is the time of the commit, in seconds since 1970, which stands in packages for that of their making, so
// that the same commit makes the same bytes.
func committed() string {
	said, err := exec.Command("git", "log", "-1", "--format=%ct").Output()
	if err != nil {
		return "0" // not from a checkout
	}
	return strings.TrimSpace(string(said))
}

// pages has the program of this machine, which is called so, write manual and completions, the same for every platform.
func pages(stage, name string, args ...string) error {
	folder := filepath.Join(stage, "pages")
	if err := run([]string{"CGO_ENABLED=0"}, name, append(args, "pages", "-o", folder)...); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(folder, "man", "man1", "*.1"))
	if err != nil || len(files) == 0 {
		return errors.Join(err, errors.New("no man pages"))
	}
	for _, f := range files {
		if err := squeeze(f); err != nil {
			return err
		}
	}
	return nil
}

// squeeze replaces a file by its gzip, without a time in it: the same program makes the same packages.
func squeeze(file string) (err error) {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(file + ".gz")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close(), os.Remove(file)) }()
	w, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, in)
	return errors.Join(err, w.Close())
}
