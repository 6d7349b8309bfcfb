package operate

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/spf13/cobra"

	"caucus.example/caucus/agent"
)

func newAskCommand() *cobra.Command {
	var q Asking
	cmd := &cobra.Command{
		Use:   "ask FILE",
		Short: "Ask the leader of a running agent's region",
		Long: `Has an agent ask the leader of its region, and prints the answer as it is. The request is any 1 to 350 bytes, from a file or,
with -, from the standard input. The agent has to have "region: true"; at the leader "answer" says what answers. The leader
does what it is asked at most once. Without an answer within 5 s, or if the leader changes meanwhile, it may have done so.`,
		Args:    cobra.ExactArgs(1),
		Example: `  echo may I | caucus ask -`,
		RunE: func(cmd *cobra.Command, args []string) error {
			data, err := readPart(args[0], cmd.InOrStdin(), agent.MaxRequest)
			if err != nil {
				return err
			}
			send := func(e *agent.Endpoint, ctx context.Context, path string) (*http.Response, error) {
				return e.Send(ctx, path, bytes.NewReader(data))
			}
			body, err := q.ask(cmd.Context(), send, "/v1/ask")
			if err != nil {
				return err
			}
			defer body.Close()
			var a agent.Answer
			if err := json.NewDecoder(io.LimitReader(body, 1<<20)).Decode(&a); err != nil ||
				a.Schema != agent.AnswerSchema {
				return Failed(fmt.Errorf("%s does not answer like a caucus agent of this version (want schema %s)",
					q.Addr, agent.AnswerSchema))
			}
			_, err = cmd.OutOrStdout().Write(a.Data)
			return Failed(err)
		},
	}
	q.addFlags(cmd)
	return cmd
}
