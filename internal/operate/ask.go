package operate

import (
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
			var a agent.Answer
			if _, err := q.post(cmd, args[0], agent.MaxRequest, "/v1/ask", agent.AnswerSchema, &a); err != nil {
				return err
			}
			_, err := cmd.OutOrStdout().Write(a.Data)
			return Failed(err)
		},
	}
	q.addFlags(cmd)
	return cmd
}
