package operate

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/spf13/cobra"

	"caucus.example/caucus"
	"caucus.example/caucus/agent"
)

func newPublishCommand() *cobra.Command {
	var q Asking
	cmd := &cobra.Command{
		Use:   "publish FILE",
		Short: "Have a running leader tell its region something",
		Long: `Gives the leader of a region a directive, which it tells all its members: any 1 to 65536 bytes, from a file or, with -, from
the standard input. It replaces the one before. The agent that is asked has to act as leader and to have "region: true".
Members have it at /v1/directive.`,
		Args: cobra.ExactArgs(1),
		Example: `  caucus publish plan.json
  echo watch the north | caucus publish -`,
		RunE: func(cmd *cobra.Command, args []string) error {
			var d agent.Directive
			sent, err := q.post(cmd, args[0], agent.MaxDirective, "/v1/directive", agent.DirectiveSchema, &d)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "version=%d bytes=%d\n", d.Version, sent)
			return Failed(err)
		},
	}
	q.addFlags(cmd)
	return cmd
}

// post sends a file, or the standard input, of at most so many bytes, and reads what is answered.
func (q *Asking) post(cmd *cobra.Command, file string, most int, path, schema string, into any) (sent int, err error) {
	data, err := readPart(file, cmd.InOrStdin(), most)
	if err != nil {
		return 0, err
	}
	send := func(e *agent.Endpoint, ctx context.Context, path string) (*http.Response, error) {
		return e.Send(ctx, path, bytes.NewReader(data))
	}
	body, err := q.ask(cmd.Context(), send, path)
	if err != nil {
		return 0, err
	}
	_, err = q.read(body, schema, into)
	return len(data), err
}

// readPart reads a file, or the standard input for "-", of 1 to so many bytes.
func readPart(file string, in io.Reader, most int) ([]byte, error) {
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, Misuse(err)
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, int64(most)+1))
	switch {
	case err != nil:
		return nil, Failed(err)
	case len(data) == 0:
		return nil, Misuse(caucus.Wrong("FILE", "nothing", fmt.Sprintf("1 to %d bytes", most)))
	case len(data) > most:
		return nil, Misuse(caucus.Wrong("FILE", fmt.Sprintf("%d bytes or more", len(data)),
			fmt.Sprintf("1 to %d bytes", most)))
	}
	return data, nil
}
