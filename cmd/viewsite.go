package cmd

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/internal/view"
)

// write writes the page as a site.
func (f *viewFlags) write(cmd *cobra.Command, s *view.Server) error {
	if len(f.agents) > 0 {
		return misuse(caucus.Wrong("export", f.export, "without --agents: a page without a server asks nobody"))
	}
	if f.lesson != "" {
		return misuse(caucus.Wrong("export", f.export,
			"without --lesson: index.html?lesson="+f.lesson+" begins with it"))
	}
	if list, err := os.ReadDir(f.export); len(list) > 0 || err != nil && !errors.Is(err, os.ErrNotExist) {
		return misuse(caucus.Wrong("export", f.export, "a folder that is not there yet, or is empty"))
	}
	if len(s.Recorded) > 0 {
		return misuse(caucus.Wrong("export", f.export,
			"a run that the page can carry out, not one that has been recorded"))
	}
	made, err := scenario.Parse(filepath.Join(s.Begin.Folder, "scenario.yaml"), []byte(s.Begin.Scenario))
	if err != nil {
		return misuse(err)
	}
	if name, file := made.Outside(); name != "" {
		return misuse(caucus.Wrong(name, file, "nothing that is a file: a page without a server has none"))
	}
	program, err := os.Executable()
	if err != nil {
		return failed(err)
	}
	simulator, err := beside(program, view.Simulator)
	if err != nil {
		return failed(err)
	}
	s.Begin.Folder = "" // a page has no files
	if err := view.Site(f.export, simulator, s.Begin); err != nil {
		return failed(err)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "wrote %s: from any server of files, or as it is\n",
		filepath.Join(f.export, "index.html"))
	return nil
}

// beside reads a file that is installed with the program.
func beside(program, name string) ([]byte, error) {
	folder := filepath.Dir(program)
	places := []string{filepath.Join(folder, name), filepath.Join(folder, "..", "share", "caucus", name)}
	for _, place := range places {
		text, err := os.ReadFile(place)
		if err == nil || !errors.Is(err, os.ErrNotExist) {
			return text, err
		}
	}
	return nil, fmt.Errorf("found neither %s nor %s; packages bring it, and from the sources "+
		"\"go run ./internal/release -simulator %s\" makes it", places[0], places[1], places[0])
}
