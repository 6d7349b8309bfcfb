package operate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"caucus.example/caucus/internal/seal"
)

func newKeygenCommand() *cobra.Command {
	out := "-"
	cmd := &cobra.Command{
		Use:   "keygen",
		Short: "Draw a key for a group",
		Long: `Draws a key that seals the datagrams of a group: the same file, read by key-file, belongs to each of its nodes. A file that
is there already is not replaced. How keys are changed is in docs/security.md.`,
		Args: cobra.NoArgs,
		Example: `  caucus keygen
  caucus keygen -o group.key`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			key := seal.NewKey()
			text := fmt.Sprintf("# %v of a group of caucus agents; the first key of a file is for sending\n%s\n", key,
				key.Text())
			if out == "-" {
				_, err := fmt.Fprint(cmd.OutOrStdout(), text)
				return err
			}
			f, err := os.OpenFile(out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
			if errors.Is(err, fs.ErrExist) {
				return Misuse(fmt.Errorf("%s: is there already, and others may depend on it", out))
			}
			if err != nil {
				return Failed(err)
			}
			_, err = f.WriteString(text)
			if err = errors.Join(err, f.Close()); err != nil {
				return Failed(err)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "key=%v file=%s\n", key.ID, out)
			return err
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", out, "`file`, for nobody else to read; - is standard output")
	return cmd
}
