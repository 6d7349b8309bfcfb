package operate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/agent"
	"caucus.example/caucus/registry"
	"github.com/spf13/cobra"
)

func newStatusCommand() *cobra.Command {
	var q Asking
	var asJSON, watch bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Ask a running agent for its leader and neighbours",
		Args:  cobra.NoArgs,
		Example: `  caucus status
  caucus status --addr 127.0.0.1:7401 --json
  caucus status --watch`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := cmd.OutOrStdout()
			if watch {
				return watchStatus(cmd.Context(), out, cmd.ErrOrStderr(), &q, asJSON)
			}
			return showStatus(cmd.Context(), out, &q, asJSON)
		},
	}
	q.addFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false,
		"print JSON, schema "+agent.StatusSchema+" or, of several groups, "+agent.GroupsSchema+
			"; one a line with --watch")
	cmd.Flags().BoolVar(&watch, "watch", false, "show all of it anew twice a second, until Ctrl-C")
	return cmd
}

// Asking says which agent is asked.
type Asking struct{ Addr, group, tokenFile, caFile string }

func (q *Asking) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&q.Addr, "addr", agent.DefaultHTTP,
		`the agent's http address (its log names it at the start): host:port,
https://host:port or unix:PATH`)
	cmd.Flags().StringVar(&q.group, "group", "", "which of the agent's groups is asked, if it has several")
	q.AddCredentials(cmd)
}

// AddCredentials is for verbs that have the address from elsewhere.
func (q *Asking) AddCredentials(cmd *cobra.Command) {
	cmd.Flags().StringVar(&q.tokenFile, "token-file", "", "file with the token that the agent wants")
	cmd.Flags().StringVar(&q.caFile, "ca-file", "", "certificates to trust instead of the system's (PEM)")
}

// get requests a path of the agent's HTTP endpoint.
func (q *Asking) get(ctx context.Context, path string) (body io.ReadCloser, err error) {
	return q.ask(ctx, (*agent.Endpoint).Get, path)
}

// order has the agent do something. What it answers is not looked at.
func (q *Asking) order(ctx context.Context, path string) error {
	body, err := q.ask(ctx, (*agent.Endpoint).Post, path)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, body)
	return Failed(errors.Join(err, body.Close()))
}

// ofGroup has a request name the group.
func (q *Asking) ofGroup(path string) string {
	switch {
	case q.group == "":
		return path
	case strings.Contains(path, "?"):
		return path + "&group=" + url.QueryEscape(q.group)
	}
	return path + "?group=" + url.QueryEscape(q.group)
}

type request = func(*agent.Endpoint, context.Context, string) (*http.Response, error)

func (q *Asking) ask(ctx context.Context, send request, path string) (body io.ReadCloser, err error) {
	e := agent.Endpoint{Addr: q.Addr}
	if q.tokenFile != "" {
		if e.Token, err = agent.ReadToken(q.tokenFile); err != nil {
			return nil, Misuse(err)
		}
	}
	if q.caFile != "" {
		if e.CA, err = os.ReadFile(q.caFile); err != nil {
			return nil, Misuse(err)
		}
	}
	answer, err := send(&e, ctx, q.ofGroup(path))
	var field *caucus.FieldError
	switch {
	case errors.As(err, &field):
		return nil, err
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, fs.ErrNotExist):
		return nil, Failed(fmt.Errorf("no agent answers at %s: is it running, and is this its http address?", q.Addr))
	case err != nil:
		return nil, Failed(err)
	case answer.StatusCode != http.StatusOK:
		text, _ := io.ReadAll(io.LimitReader(answer.Body, 200))
		answer.Body.Close()
		if q.group == "" && strings.HasPrefix(string(text), "group: ") {
			return nil, Misuse(fmt.Errorf("%s takes part in several groups, name one with --group: %s", q.Addr,
				strings.TrimSpace(string(text))))
		}
		line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
		if strings.HasPrefix(line, "<") {
			line = "is this the http address of an agent?"
		}
		return nil, Failed(fmt.Errorf("%s answers %s: %s", q.Addr, answer.Status, line))
	}
	return answer.Body, nil
}

// Statuses asks for the whole status of each group, or of the one that is named, as data too.
func (q *Asking) Statuses(ctx context.Context) (list []agent.Status, data []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	body, err := q.get(ctx, "/v1/status")
	if err != nil {
		return nil, nil, err
	}
	defer body.Close()
	if data, err = io.ReadAll(io.LimitReader(body, 16<<20)); err != nil {
		return nil, nil, Failed(err)
	}
	var answer struct {
		agent.Status
		Groups []agent.Status `json:"groups"`
	}
	err = json.Unmarshal(data, &answer)
	switch {
	case err == nil && answer.Schema == agent.GroupsSchema:
		return answer.Groups, data, nil
	case err == nil && answer.Schema == agent.StatusSchema:
		return []agent.Status{answer.Status}, data, nil
	}
	return nil, nil, q.strange(agent.StatusSchema)
}

// read reads an answer of a schema, and gives it as it came, too.
func (q *Asking) read(body io.ReadCloser, schema string, into any) (data []byte, err error) {
	defer body.Close()
	if data, err = io.ReadAll(io.LimitReader(body, 1<<20)); err != nil {
		return nil, Failed(err)
	}
	var head struct {
		Schema string `json:"schema"`
	}
	if json.Unmarshal(data, &head) != nil || head.Schema != schema || json.Unmarshal(data, into) != nil {
		return nil, q.strange(schema)
	}
	return data, nil
}

// strange is what is said of an answer that has another schema, or none.
func (q *Asking) strange(schema string) error {
	return Failed(fmt.Errorf("%s does not answer like a caucus agent of this version (want schema %s)", q.Addr, schema))
}

func showStatus(ctx context.Context, out io.Writer, q *Asking, asJSON bool) error {
	list, data, err := q.Statuses(ctx)
	if err != nil {
		return err
	}
	if asJSON {
		_, err = out.Write(data)
		return err
	}
	return printStatuses(out, list)
}

// printStatuses shows one status, or a line for each of several.
func printStatuses(out io.Writer, list []agent.Status) error {
	if len(list) != 1 {
		return printGroups(out, list)
	}
	return printStatus(out, &list[0], clockOf(&list[0]))
}

// clockOf is when a status was told, by the agent's clock, which need not be that of who asks.
func clockOf(s *agent.Status) time.Time {
	if s.Now.IsZero() {
		return time.Now()
	}
	return s.Now
}

// printGroups has a line for each group of an agent.
func printGroups(out io.Writer, list []agent.Status) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "GROUP\tROLE\tLEADER\tNEXT\tTERM\tFOR\tNEIGHBOURS\tFINDINGS\n")
	leads, wrong := 0, 0
	for i := range list {
		s := &list[i]
		now, live := clockOf(s), 0
		for _, n := range s.Neighbours {
			if n.Live && n.Hears {
				live++
			}
		}
		found := len(examine(s, now))
		if wrong += found; s.Leads() {
			leads++
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%v\t%d/%d\t%d\n", s.Group, s.Role, orDash(s.Leader),
			orDash(s.Next.Name), s.Term, now.Sub(s.Since).Round(time.Second), live, len(s.Neighbours), found)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "\ngroups=%d leads=%d findings=%d\n", len(list), leads, wrong)
	return err
}

func printStatus(out io.Writer, s *agent.Status, now time.Time) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "node\t%s (id %d) of group %s, strength %g, version %s\n", s.Name, s.ID, s.Group, s.Strength,
		orDash(s.Version))
	fmt.Fprintf(w, "leadership\t%v, for %v\n", s.Leadership, now.Sub(s.Since).Round(time.Second))
	fmt.Fprintf(w, "why\t%s\nnext\t%s\n", why(s), afterwards(&s.Next))
	if s.Distance >= 0 {
		fmt.Fprintf(w, "distance\t%g (%s)\n", s.Distance, s.Metric)
	}
	if len(s.Keys) > 0 {
		fmt.Fprintf(w, "keys\t%s\n", strings.Join(s.Keys, ", "))
	}
	if s.Unsealed == "accept" || s.Unsealed == "send" {
		fmt.Fprintf(w, "UNSEALED\tdatagrams that are not sealed are heard: anybody can send them\n")
	}
	if s.Unheard {
		fmt.Fprintf(w, "UNHEARD\tothers are heard, but none of them hears this node, so it does not lead\n")
	}
	if s.Withdrawn != "" {
		fmt.Fprintf(w, "WITHDRAWN\t%s: it leads only where there is nobody else, and does not act as leader\n",
			s.Withdrawn)
	}
	for _, c := range s.Checks {
		if !c.Passes {
			fmt.Fprintf(w, "CHECK FAILS\t%s, for %v: %s\n", c.Name, now.Sub(c.Since).Round(time.Second), c.Last)
		}
	}
	if s.Unleased {
		fmt.Fprintf(w, "NO LEASE\ta majority has not granted this node to act, so it does not\n")
	}
	if s.Short {
		fmt.Fprintf(w, "SHORT\t%s, so it does not act as leader\n", s.Lacks)
	}
	fmt.Fprintf(w, "rounds\t%d, one every %v, %d late\n", s.Counters.Rounds, s.Period, s.Counters.LateRounds)
	if m := s.Counters.Messages; m != (agent.MessageCounters{}) {
		fmt.Fprintf(w, "messages\t%d sent, %d received, %d lost\n", m.Sent, m.Received, m.Lost)
	}
	if s.Stale(now) {
		fmt.Fprintf(w, "STALE\t%s, last round %v ago: the above is of the past\n", s.State,
			now.Sub(s.LastRound).Round(time.Millisecond))
	}
	for _, d := range s.Duplicates {
		fmt.Fprintf(w, "DUPLICATE ID\t%d, instances %08x and %08x %s: give every node its own name or id\n", d.ID,
			d.Nonces[0], d.Nonces[1], d.Addr)
	}
	live := printNeighbours(w, s, now)
	printFindings(w, s, now)
	if err := w.Flush(); err != nil {
		return err
	}
	dropped := uint64(0)
	for _, n := range s.Counters.Dropped {
		dropped += n
	}
	_, err := fmt.Fprintf(out, "\nrole=%s leader=%s term=%d neighbours=%d/%d leader_changes=%d sent=%d received=%d "+
		"dropped=%d stale=%t\n",
		s.Role, orDash(s.Leader), s.Term, live, len(s.Neighbours), s.Counters.LeaderChanges, s.Counters.Sent,
		s.Counters.Received, dropped, s.Stale(now))
	return err
}

// printNeighbours lists the neighbours, and the last changes, and gives how many neighbours count.
func printNeighbours(w io.Writer, s *agent.Status, now time.Time) (live int) {
	fmt.Fprintf(w, "\nNEIGHBOUR\tADDRESS\tLIVE\tHEARD\tLENGTH\tLOSS IN, OUT\tRTT\tLEADER\n")
	for _, n := range s.Neighbours {
		heard, alive := "never", "no"
		if !n.Heard.IsZero() {
			heard = now.Sub(n.Heard).Round(time.Millisecond).String() + " ago"
		}
		if n.Live {
			alive = "one way"
		}
		if n.Live && n.Hears {
			live++
			alive = "yes"
		}
		switch {
		case n.Refused != "":
			alive = "refused"
		case n.Kept == "no":
			alive = "not kept"
		case n.Kept != "" && alive == "yes":
			alive = n.Kept
		}
		length := "?"
		if n.Length >= 0 {
			length = fmt.Sprintf("%.4g", n.Length)
		}
		loss, rtt := "-", "-"
		if n.Live {
			loss = fmt.Sprintf("%.0f %%", 100*n.Loss)
			if n.Theirs > 0 {
				loss += fmt.Sprintf(", %.0f %%", 100*n.Theirs)
			}
		}
		if n.RTT > 0 {
			rtt = n.RTT.Round(10 * time.Microsecond).String()
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", n.Name, n.Peer, alive, heard, length, loss, rtt,
			orDash(n.Leader))
	}
	for _, n := range s.Neighbours {
		if n.Refused != "" {
			fmt.Fprintf(w, "REFUSED\t%s: %s\n", n.Peer, n.Refused)
		}
	}
	if len(s.Changes) > 0 {
		fmt.Fprintf(w, "\nCHANGE\tROLE\tLEADER\tTERM\tREASON\n")
	}
	for _, c := range s.Changes {
		ago := now.Sub(c.At).Round(time.Millisecond).String() + " ago"
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\n", ago, c.Role, orDash(c.Leader), c.Term, c.Reason)
	}
	return live
}

// printFindings says what is wrong, and what to do.
func printFindings(w io.Writer, s *agent.Status, now time.Time) {
	found := examine(s, now)
	if len(found) > 0 {
		fmt.Fprintf(w, "\nWRONG\tWHAT TO DO\n")
	}
	for _, f := range found {
		fmt.Fprintf(w, "%s\t%s\n", f.What, f.Remedy)
	}
}

// why says why the leader is the leader: what has decided here, and what the algorithm goes by.
func why(s *agent.Status) string {
	reason := "start"
	if n := len(s.Changes); n > 0 {
		reason = s.Changes[n-1].Reason
	}
	if e, err := registry.Get(s.Algo); err == nil {
		return fmt.Sprintf("%s; %s elects %s", reason, s.Algo, e.Spec.Elects)
	}
	return reason
}

// afterwards says who would lead next, and how that is known.
func afterwards(n *agent.Next) string {
	if n.Name == "" {
		return orDash(n.How)
	}
	return fmt.Sprintf("%s, standing %g: %s, %d compared", n.Name, n.Standing, n.How, n.Among)
}

// watchStatus shows the status again and again: on a terminal in place of the last one.
func watchStatus(ctx context.Context, out, logs io.Writer, q *Asking, asJSON bool) error {
	clock := time.NewTicker(askEvery)
	defer clock.Stop()
	shown := NewScreen(out, false)
	for answered, silent := false, false; ; {
		list, data, err := q.Statuses(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && !answered:
			return err
		case err == nil && asJSON:
			var line bytes.Buffer
			_ = json.Compact(&line, data) // it has been read as JSON
			shown.print(line.String() + "\n")
		case !asJSON:
			shown.renew(statusText(list, err))
		case !silent:
			fmt.Fprint(logs, statusText(nil, err))
		}
		silent = err != nil
		if answered = true; shown.Broken != nil {
			return Failed(shown.Broken)
		}
		select {
		case <-clock.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// statusText is a screen of status, or why there is none.
func statusText(list []agent.Status, err error) string {
	if err != nil {
		return fmt.Sprintf("%s %v; it is asked again\n", time.Now().Format("15:04:05"), err)
	}
	var text strings.Builder
	_ = printStatuses(&text, list) // a builder takes all
	return text.String()
}
