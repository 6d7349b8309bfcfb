package operate

import (
	"fmt"
	"net/url"

	"github.com/spf13/cobra"
)

func newJoinCommand() *cobra.Command {
	return newPeersCommand("join ADDR", "Give a running agent another peer", "/v1/join", "joined",
		`Asks an agent to take another node, "host:port", for a peer, as if its configuration had it. The other one has
to have this node for a peer, too: run it at both. With state-dir it is kept beyond the end of the agent.`,
		"  caucus join 10.0.0.7:7400\n  caucus join pump-7.example:7400 --addr unix:/run/caucus/http.sock")
}

func newForgetCommand() *cobra.Command {
	return newPeersCommand("forget PEER", "Have a running agent forget a peer", "/v1/forget", "forgotten",
		`Asks an agent to forget a peer that was added by join, or found, by its address or name. Those of its
configuration are changed there; one that was found comes back if it is found again.`,
		"  caucus forget 10.0.0.7:7400\n  caucus forget pump-7")
}

// newPeersCommand makes a verb that changes the peers of an agent.
func newPeersCommand(use, short, path, done, long, example string) *cobra.Command {
	q := Asking{}
	cmd := &cobra.Command{
		Use: use, Short: short, Long: long, Example: example, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := q.order(cmd.Context(), path+"?peer="+url.QueryEscape(args[0])); err != nil {
				return err
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s=%s\n", done, args[0])
			return Failed(err)
		},
	}
	q.addFlags(cmd)
	return cmd
}
