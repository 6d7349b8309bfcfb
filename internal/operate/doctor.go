package operate

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"caucus.example/caucus/agent"
)

func newDoctorCommand() *cobra.Command {
	var q Asking
	asJSON := false
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Ask a running agent what is wrong, and say what to do",
		Long: `Reads the status of an agent and names what is wrong with it or around it, each with what to do. Exit code 1 if
there is anything.`,
		Args: cobra.NoArgs,
		Example: `  caucus doctor --addr 127.0.0.1:7401
  caucus doctor --json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, _, err := q.Statuses(cmd.Context())
			if err != nil {
				return err
			}
			d := diagnosis{Schema: "caucus.doctor/1", Node: list[0].Name, Findings: []finding{}}
			for i := range list {
				found := examine(&list[i], list[i].Now)
				for k := range found {
					found[k].Group = list[i].Group
				}
				d.Findings = append(d.Findings, found...)
			}
			if err := d.write(cmd.OutOrStdout(), asJSON, len(list) > 1); err != nil {
				return err
			}
			if len(d.Findings) > 0 {
				return Failed(fmt.Errorf("%s is not as it should be", d.Node))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, schema caucus.doctor/1")
	q.addFlags(cmd)
	return cmd
}

type diagnosis struct {
	Schema   string    `json:"schema"`
	Node     string    `json:"node"`
	Findings []finding `json:"findings"`
}

// finding is something wrong, and what to do.
type finding struct {
	Group  string `json:"group,omitempty"`
	What   string `json:"what"`
	Remedy string `json:"remedy"`
}

// write names the group of a finding where the agent has several.
func (d diagnosis) write(out io.Writer, asJSON, groups bool) error {
	if asJSON {
		return WriteJSON(out, d)
	}
	for _, f := range d.Findings {
		group := ""
		if groups {
			group = f.Group
		}
		fmt.Fprintf(out, "%s%s\n    %s\n", prefixed(group), f.What, f.Remedy)
	}
	_, err := fmt.Fprintf(out, "findings=%d\n", len(d.Findings))
	return err
}

// examine looks at what an agent says of itself.
func examine(s *agent.Status, now time.Time) (found []finding) {
	add := func(is bool, remedy, what string, values ...any) {
		if is {
			found = append(found, finding{What: fmt.Sprintf(what, values...), Remedy: remedy})
		}
	}
	add(s.Stale(now), "the machine is overloaded or was stopped; give the agent processor time, or a longer period",
		"its last round is %v old: its neighbours have given it up", now.Sub(s.LastRound).Round(time.Millisecond))
	add(s.Unheard, "let datagrams to the port of its peers through, and list it at its peers",
		"it hears others, but none of them hears it")
	add(s.Unleased, "a majority of the lease's members must be up and reached; after a start that takes one lease",
		"it must not act: it has no lease")
	add(s.Short, "more nodes must be up and reached, or min-neighbours and min-region smaller", "it must not act: %s",
		s.Lacks)
	add(s.Withdrawn != "", "mend the check, wait until the time is over, or change leads", "it must not act: %s",
		s.Withdrawn)
	add(s.Trouble != "", "make room in state-dir, or give the agent the right to write there",
		"terms cannot be kept: %s", s.Trouble)
	add(s.Undiscovered != "", "mend what discover names, or list the peers", "peers cannot be found: %s",
		s.Undiscovered)
	add(s.Unsealed == "accept" || s.Unsealed == "send",
		"when all nodes have keys, take \"unsealed\" out of their files",
		"datagrams that are not sealed are heard, so that its keys protect nothing")
	for _, c := range s.Checks {
		add(!c.Passes, "mend what it checks", "the check %s fails since %s: %s", c.Name, c.Since.Format(time.DateTime),
			c.Last)
	}
	for _, d := range s.Duplicates {
		add(true, "give every node a name or id of its own; a cloned machine has that of its model",
			"two nodes have the ID %d; the other one is at %s", d.ID, d.Addr)
	}
	for i := range s.Neighbours {
		examineNeighbour(&s.Neighbours[i], s, add)
	}
	late := s.Counters.LateRounds
	add(late*20 > s.Counters.Rounds && late > 10, "the machine is too slow for this period: take another profile",
		"%d of %d rounds were late", late, s.Counters.Rounds)
	unknown := s.Counters.Dropped["unknown-sender"]
	add(unknown > 10, "list the sender here, or this node no longer there; the log names it",
		"%d datagrams came from addresses that are no peers", unknown)
	if h := s.Hooks; h != nil {
		add(h.Failures > 0, "see the log; the last one was "+h.Last+": "+h.Result, "%d of %d hooks have failed",
			h.Failures, h.Runs)
	}
	return found
}

func examineNeighbour(n *agent.Neighbour, s *agent.Status, add func(bool, string, string, ...any)) {
	const lossy = 0.3
	switch {
	case n.Kept == "no": // silent by agreement, see max-neighbours
	case n.Refused != "":
		add(true, "make both the same, or put them into different groups; docs/agent.md says how to upgrade",
			"peer %s does not fit: %s", n.Peer, n.Refused)
	case n.Live && !n.Hears:
		add(true, "list this node there, and let datagrams there through",
			"peer %s is heard, but does not hear this node", n.Peer)
	case !n.Live && n.Heard.IsZero():
		add(true, "is it up, is this its address, do datagrams get through both ways?",
			"peer %s has never been heard", n.Peer)
	case !n.Live:
		add(true, "is it up, do datagrams get through?",
			"peer %s is silent since %s", n.Peer, n.Heard.Format(time.DateTime))
	case n.Loss > lossy:
		add(true, "mend the link, or take metric etx so that better ones are preferred",
			"%.0f %% of the datagrams of %s are lost", 100*n.Loss, n.Peer)
	case n.Period > 0 && n.Period != s.Period:
		add(true, "take the same profile everywhere once the change is over",
			"%s has the period %v, %v here", n.Peer, n.Period, s.Period)
	}
}
