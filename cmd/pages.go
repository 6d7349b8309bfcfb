package cmd

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

// newPagesCommand is for those who make packages: it is not shown.
func newPagesCommand() *cobra.Command {
	folder := ""
	cmd := &cobra.Command{
		Use:     "pages -o FOLDER",
		Short:   "Write man pages and shell completions, for packages",
		Hidden:  true,
		Args:    cobra.NoArgs,
		Example: "  caucus pages -o /tmp/pages",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if folder == "" {
				return misuse(fmt.Errorf("no folder: give -o FOLDER"))
			}
			return failed(writePages(cmd.Root(), folder))
		},
	}
	cmd.Flags().StringVarP(&folder, "output", "o", "", "`folder` for man/ and completions/, made if it is not there")
	return cmd
}

func writePages(root *cobra.Command, folder string) error {
	man, completions := filepath.Join(folder, "man", "man1"), filepath.Join(folder, "completions")
	for _, dir := range []string{man, completions} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	if err := eachVerb(root, func(verb *cobra.Command) error {
		return writeFile(filepath.Join(man, manName(verb)+".1"), func(w io.Writer) error { return writeMan(verb, w) })
	}); err != nil {
		return err
	}
	for name, write := range map[string]func(io.Writer) error{
		"caucus.bash": func(w io.Writer) error { return root.GenBashCompletionV2(w, true) },
		"_caucus":     root.GenZshCompletion,
		"caucus.fish": func(w io.Writer) error { return root.GenFishCompletion(w, true) },
	} {
		if err := writeFile(filepath.Join(completions, name), write); err != nil {
			return err
		}
	}
	return nil
}
