package operate

import (
	"fmt"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"caucus.example/caucus"
	"caucus.example/caucus/agent"
)

func newResignCommand() *cobra.Command {
	q := Asking{}
	during := time.Minute
	cmd := &cobra.Command{
		Use:   "resign",
		Short: "Keep a running agent from leading for a while",
		Long: `Asks an agent not to lead for a while. If it leads others take over, as if it were the weakest; where there is nobody else
nobody acts. --for 0 ends that. To keep a node from leading for good write "leads: false" into its configuration.`,
		Args: cobra.NoArgs,
		Example: `  caucus resign
  caucus resign --for 10m --addr unix:/run/caucus/http.sock
  caucus resign --for 0`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if during < 0 || during > agent.MaxResign {
				return Misuse(&caucus.FieldError{Field: "for", Found: during.String(),
					Allowed: fmt.Sprint("0 to ", agent.MaxResign)})
			}
			if err := q.order(cmd.Context(), "/v1/resign?for="+url.QueryEscape(during.String())); err != nil {
				return err
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "resigned=%t for=%v\n", during > 0, during)
			return Failed(err)
		},
	}
	cmd.Flags().DurationVar(&during, "for", during, "how long, at most 24h; 0 to lead again")
	q.addFlags(cmd)
	return cmd
}
