package operate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"caucus.example/caucus"
	"caucus.example/caucus/agent"
)

func newHandOverCommand() *cobra.Command {
	q := Asking{}
	during, wait := time.Minute, 10*time.Second
	cmd := &cobra.Command{
		Use:   "hand-over NODE",
		Short: "Have a node lead for a while",
		Long: `Asks an agent, which may be any of the region, to have the node of that name lead for a while, and waits
until it does. It stands above all others for that time, also above one that does not give way (preempt: no).
Afterwards, or when it ends, the election is as before; --for 0 has it so at once. A node that must not lead, by a
check or "leads: false", cannot be chosen.`,
		Args: cobra.ExactArgs(1),
		Example: `  caucus hand-over pump-2
  caucus hand-over pump-2 --for 2h
  caucus hand-over pump-2 --for 0`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if during < 0 || during > agent.MaxHandOver {
				return Misuse(caucus.Wrong("for", during, fmt.Sprint("0 to ", agent.MaxHandOver)))
			}
			began := time.Now()
			err := q.order(cmd.Context(),
				"/v1/hand-over?to="+url.QueryEscape(args[0])+"&for="+url.QueryEscape(during.String()))
			if err != nil {
				return err
			}
			if during == 0 {
				_, err := fmt.Fprintln(cmd.OutOrStdout(), "handed-over=false")
				return Failed(err)
			}
			if err := q.awaitLeader(cmd.Context(), args[0], wait); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "handed-over=true leader=%s after=%v for=%v\n", args[0],
				time.Since(began).Round(time.Millisecond), during)
			return Failed(err)
		},
	}
	cmd.Flags().DurationVar(&during, "for", during, "how long, at most 24h; 0 leaves it to the election again")
	cmd.Flags().DurationVar(&wait, "wait", wait, "for how long to wait until the node leads")
	q.addFlags(cmd)
	return cmd
}

// awaitLeader asks until the agent follows the node, with a term, or the time is over.
func (q *Asking) awaitLeader(ctx context.Context, name string, wait time.Duration) error {
	for end := time.Now().Add(wait); ; {
		body, err := q.get(ctx, "/v1/leader")
		if err != nil {
			return err
		}
		var now agent.Leadership
		err = json.NewDecoder(body).Decode(&now)
		if err = errors.Join(err, body.Close()); err != nil {
			return Failed(err)
		}
		if now.Leader == name && now.Term > 0 {
			return nil
		}
		if time.Now().After(end) {
			return Failed(fmt.Errorf("%s does not lead after %v, but %q: is it there, within the radius, and may it "+
				"lead?", name, wait, now.Leader))
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return Failed(ctx.Err())
		}
	}
}
