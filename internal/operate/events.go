package operate

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"caucus.example/caucus/agent"
)

func newEventsCommand() *cobra.Command {
	var q Asking
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "events",
		Short: "Tell what changes at a running agent, a line each",
		Long: `Asks an agent twice a second, and tells what it may do now and at every change, with the reason; neighbours that
come, go, or do not fit; and checks that begin to fail or to pass. It goes on until Ctrl-C, and while the agent does
not answer: when it does again that is told, too. An agent remembers ten changes of what it may do: of more than that
between two questions the last ten are told, and how many are not.`,
		Args: cobra.NoArgs,
		Example: `  caucus events
  caucus events --group water --json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f := follower{q: &q, out: cmd.OutOrStdout(), asJSON: asJSON, groups: map[string]*seen{}}
			return f.run(cmd.Context())
		},
	}
	q.addFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, schema "+eventSchema+", one a line")
	return cmd
}

const eventSchema = "caucus.event/1"

// event is one line of `caucus events`.
type event struct {
	Schema string    `json:"schema"`
	Time   time.Time `json:"time"` // by the clock of the agent, if it is from there
	Group  string    `json:"group,omitempty"`
	What   string    `json:"what"` // stance, missed, neighbour, check, group or agent
	Name   string    `json:"name"` // of the neighbour, the check or the agent
	Now    string    `json:"now"`
	Reason string    `json:"reason,omitempty"`
}

// seen is what has been told of a group.
type seen struct {
	nonce      uint32
	until      uint64    // changes up to that number,
	at         time.Time // of which the last was then
	neighbours map[string]string
	checks     map[string]string
}

// follower tells the changes between one status and the next.
type follower struct {
	q      *Asking
	out    io.Writer
	asJSON bool
	groups map[string]*seen
	many   bool // groups
}

// askEvery is how often the status is asked for where somebody watches.
const askEvery = time.Second / 2

// run asks until ctx is done. An agent that has never answered, or refuses to, is an error.
func (f *follower) run(ctx context.Context) error {
	clock := time.NewTicker(askEvery)
	defer clock.Stop()
	for answered, silent := false, false; ; {
		list, _, err := f.q.Statuses(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && !answered:
			return err
		case err != nil && !silent:
			silent, err = true, f.tell(event{Time: time.Now(), What: "agent", Name: f.q.Addr, Now: "silent",
				Reason: err.Error()})
		case err != nil:
			err = nil
		default:
			if silent {
				err = f.tell(event{Time: time.Now(), What: "agent", Name: f.q.Addr, Now: "answers"})
			}
			answered, silent = true, false
			for _, e := range f.news(list) {
				err = errors.Join(err, f.tell(e))
			}
		}
		if err != nil {
			return Failed(err)
		}
		select {
		case <-clock.C:
		case <-ctx.Done():
			return nil
		}
	}
}

func (f *follower) tell(e event) error {
	e.Schema = eventSchema
	if !f.many {
		e.Group = ""
	}
	if f.asJSON {
		return json.NewEncoder(f.out).Encode(e)
	}
	name := e.Name
	if e.What == "neighbour" || e.What == "check" {
		name = e.What + " " + name
	}
	reason := ""
	if e.Reason != "" {
		reason = " (" + e.Reason + ")"
	}
	_, err := fmt.Fprintf(f.out, "%s %s%s: %s%s\n", e.Time.Format("15:04:05.000"), prefixed(e.Group), name, e.Now,
		reason)
	return err
}

// news is what is other than at the last time, in the order in which it happened, at the groups together.
func (f *follower) news(list []agent.Status) (news []event) {
	f.many = f.many || len(list) > 1
	gone := maps.Clone(f.groups)
	for i := range list {
		news = append(news, f.compare(&list[i])...)
		delete(gone, list[i].Group)
	}
	for group := range gone {
		news = append(news, event{Time: time.Now(), Group: group, What: "group", Name: group, Now: "left",
			Reason: "it is none of this agent's any more"})
		delete(f.groups, group)
	}
	slices.SortStableFunc(news, func(a, b event) int {
		return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.Group, b.Group))
	})
	return news
}

// compare is what is other at one of the groups.
func (f *follower) compare(s *agent.Status) (news []event) {
	old := f.groups[s.Group]
	first := old == nil
	if first || old.nonce != s.Nonce { // another life
		old = &seen{nonce: s.Nonce}
	}
	next := &seen{nonce: s.Nonce, neighbours: map[string]string{}, checks: map[string]string{}}
	f.groups[s.Group] = next
	news = next.changes(s, old, first)
	differs := func(what, name, now, reason string, before, after map[string]string) {
		after[name] = now + reason
		if was, known := before[name]; was != after[name] && (known || now != "silent" && now != "passes") {
			news = append(news, event{Time: clockOf(s), What: what, Name: name, Now: now, Reason: reason})
		}
	}
	for i := range s.Neighbours {
		now, reason := linkState(&s.Neighbours[i])
		differs("neighbour", s.Neighbours[i].Peer, now, reason, old.neighbours, next.neighbours)
	}
	for name := range old.neighbours {
		if _, there := next.neighbours[name]; !there {
			news = append(news, event{Time: clockOf(s), What: "neighbour", Name: name, Now: "no peer any more"})
		}
	}
	for _, c := range s.Checks {
		if c.Passes {
			differs("check", c.Name, "passes", "", old.checks, next.checks)
		} else {
			differs("check", c.Name, "fails", c.Last, old.checks, next.checks)
		}
	}
	for i := range news {
		news[i].Group = s.Group
	}
	return news
}

// changes are those of what a node may do since the last that was told; of one that is asked for the first time, the
// last. An agent of an earlier version does not number them.
func (next *seen) changes(s *agent.Status, old *seen, first bool) (news []event) {
	next.until, next.at = old.until, old.at
	for k, c := range s.Changes {
		if last := k == len(s.Changes)-1; first && !last ||
			c.Number <= old.until && (c.Number > 0 || !c.At.After(old.at)) {
			continue
		}
		if missed := c.Number - next.until - 1; c.Number > next.until+1 && !first {
			news = append(news, event{Time: c.At, What: "missed", Name: s.Name, Now: Plural(int(missed), "change") +
				" not shown", Reason: "an agent remembers the last ten"})
		}
		now := c.Role
		if c.Leader != "" {
			now = fmt.Sprintf("%s, leader %s, term %d", c.Role, c.Leader, c.Term)
		}
		news = append(news, event{Time: c.At, What: "stance", Name: s.Name, Now: now, Reason: c.Reason})
		next.until, next.at = c.Number, c.At
	}
	return news
}

// linkState is what a neighbour is at present, and why.
func linkState(n *agent.Neighbour) (now, reason string) {
	switch {
	case n.Refused != "":
		return "refused", n.Refused
	case n.Live && n.Hears:
		return "live", ""
	case n.Live:
		return "one way", "it does not hear this node"
	}
	return "silent", ""
}
