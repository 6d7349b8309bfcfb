package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/agent"
	"caucus.example/caucus/fault"
	"caucus.example/caucus/internal/fleet"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/internal/scenario"
)

// How long `up` waits, in periods.
const (
	quietPeriods    = 10   // without a change until a fleet counts as settled
	patiencePeriods = 1000 // until a fleet that does not agree has failed
)

// trial watches one fleet: it settles, a node is killed, it settles again.
type trial struct {
	up      *up
	fleet   *fleet.Fleet
	view    *fleet.View
	started time.Time
	settled time.Duration // from the start to the last change; -1 not yet
	kill    *killing
	counts  agent.Counters
	asked   int // nodes whose counters are in counts
	alone   int // nodes with live neighbours, none of which they hear and are heard by
	elapsed time.Duration
}

// killing is what happened to the region of a node that was killed.
type killing struct {
	Node    string   `json:"node"`
	At      float64  `json:"at_s"`    // since the start
	Led     bool     `json:"led"`     // it was a leader
	Members []string `json:"members"` // of its region, itself included
	// Reelected, in milliseconds: from the kill to the last change of a leader; -1 if the fleet
	// had not settled at the end.
	Reelected float64 `json:"reelected_ms"`
	Periods   float64 `json:"periods"` // the same in periods
	Heirs     []heir  `json:"heirs"`

	node    int
	members []int
	moment  time.Time
}

// heir is a leader that members of the killed node's region follow now.
type heir struct {
	Leader  string `json:"leader"`
	Members int    `json:"members"`
}

var errNotAgreed = errors.New("the fleet did not agree in time")

func newTrial(u *up, f *fleet.Fleet) *trial {
	return &trial{up: u, fleet: f, view: fleet.NewView(u.ids), started: time.Now(), settled: -1}
}

// watch returns nil when all is done, ctx's error on Ctrl-C, or why the fleet failed.
func (t *trial) watch(ctx context.Context) error {
	redraw := time.NewTicker(200 * time.Millisecond)
	defer redraw.Stop()
	check := time.NewTicker(max(t.up.period/4, 2*time.Millisecond))
	defer check.Stop()
	for ctx.Err() == nil { // however much else there is to do
		select {
		case <-ctx.Done():
		case c := <-t.fleet.Changes():
			t.view.Apply(c)
			if c.Ended && c.Err != nil {
				return c.Err
			}
		case node := <-t.up.doomed:
			if !t.view.HasEnded(node) {
				t.end(node, time.Now())
				t.up.screen.Line(fmt.Sprintf("%7.2fs  killed %s, from the page", time.Since(t.started).Seconds(),
					t.name(node)))
			}
		case <-redraw.C:
			t.up.screen.Live(t.table)
		case now := <-check.C:
			if err := t.up.screen.Broken; err != nil {
				return err
			}
			if done, err := t.advance(now); done || err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// advance takes the next step once its time has come.
func (t *trial) advance(now time.Time) (done bool, err error) {
	since, settled := t.settledSince(now)
	switch {
	case t.kill != nil && settled:
		t.rate(since)
		return true, nil
	case t.kill != nil:
		return false, t.impatient(now, t.kill.moment)
	case settled && t.settled < 0:
		t.settled = since.Sub(t.started)
		t.up.screen.Line(fmt.Sprintf("%7.2fs  settled: %s", t.settled.Seconds(),
			plural(len(t.view.Regions()), "region")))
		if !t.up.once { // else it follows at once
			t.up.screen.Static(t.table(now))
		}
	}
	if t.settled < 0 {
		return false, t.impatient(now, t.started)
	}
	if t.up.once {
		t.up.screen.Line(fmt.Sprintf("          nobody is killed: %s: %s", t.up.sim.Entry.Spec.Name,
			t.up.sim.Entry.Replaces()))
		return true, nil
	}
	if t.up.victim != "" && settled && now.Sub(t.started) >= t.up.when {
		t.strike()
	}
	return false, nil
}

// settledSince tells whether and since when the fleet has settled. A message may take long enough for a fleet of an
// event algorithm to look as if nothing were to come; and such algorithms elect one leader, unless a death has parted
// the network.
func (t *trial) settledSince(now time.Time) (since time.Time, settled bool) {
	since, settled = t.view.Settled(now, max(quietPeriods*t.up.period, 2*t.up.known.Delay))
	if t.kill == nil && t.up.sim.Entry.Spec.Shape == caucus.ShapeEvents {
		settled = settled && len(t.view.Regions()) == 1
	}
	return since, settled
}

func (t *trial) impatient(now, since time.Time) error {
	if now.Sub(since) > max(patiencePeriods*t.up.period, time.Minute) {
		if e := t.up.sim.Entry; t.kill != nil && t.kill.Led && e.Replaces() != "" {
			return fmt.Errorf("%w, which is no surprise: %s: %s", errNotAgreed, e.Spec.Name, e.Replaces())
		}
		return errNotAgreed
	}
	return nil
}

// end kills a node. Its end may take a moment to show, in which the fleet would still look settled.
func (t *trial) end(node int, at time.Time) {
	t.fleet.Kill(node)
	t.view.Apply(fleet.Change{Node: node, At: at, Ended: true})
}

// strike kills the victim.
func (t *trial) strike() {
	k := &killing{Reelected: -1, Periods: -1, node: -1}
	regions := t.view.Regions()
	if t.up.victim == "leader" {
		k.node = regions[0].Leader
	} else {
		id, _ := t.up.sim.Names.ID(t.up.victim)
		k.node = int(id) - 1
	}
	k.Node = t.name(k.node)
	for _, r := range regions {
		for _, m := range r.Members {
			if m == k.node {
				k.members, k.Led = r.Members, r.Leader == k.node
			}
		}
	}
	for _, m := range k.members {
		k.Members = append(k.Members, t.name(m))
	}
	k.moment = time.Now()
	k.At = k.moment.Sub(t.started).Seconds()
	t.end(k.node, k.moment)
	t.kill = k
	role := "a follower"
	if k.Led {
		role = fmt.Sprintf("leader of %d", len(k.members))
	}
	t.up.screen.Line(fmt.Sprintf("%7.2fs  killed %s, %s", k.At, k.Node, role))
}

// rate measures how long the region took.
func (t *trial) rate(since time.Time) {
	k := t.kill
	took := max(0, since.Sub(k.moment))
	k.Reelected = float64(took.Microseconds()) / 1000
	k.Periods = float64(took) / float64(t.up.period)
	text := ""
	for _, r := range t.view.Regions() {
		h := heir{Leader: t.name(r.Leader)}
		for _, m := range r.Members {
			for _, old := range k.members {
				if m == old {
					h.Members++
				}
			}
		}
		if h.Members > 0 {
			k.Heirs = append(k.Heirs, h)
			text += fmt.Sprintf(" %s %d,", h.Leader, h.Members)
		}
	}
	if text == "" {
		text = " nobody is left,"
	}
	t.up.screen.Line(fmt.Sprintf("%7.2fs  re-elected in %.0f ms (%.1f periods):%s", since.Sub(t.started).Seconds(),
		k.Reelected, k.Periods, text[:len(text)-1]))
}

// collect asks the live nodes for their counters, as many of them as there is time for.
func (t *trial) collect(within time.Duration) {
	t.elapsed = time.Since(t.started)
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	var alone []int
	defer func() { t.alone = t.remain(ctx, alone) }()
	for i := range t.up.ids {
		if ctx.Err() != nil {
			return
		}
		s, err := t.fleet.Status(ctx, i)
		if err != nil {
			continue // the one that was killed
		}
		t.asked++
		if t.isolated(i, s) {
			alone = append(alone, i)
		}
		t.counts.Rounds += s.Counters.Rounds
		t.counts.Sent += s.Counters.Sent
		t.counts.SentBytes += s.Counters.SentBytes
		t.counts.LateRounds += s.Counters.LateRounds
		t.counts.Emulated.Add(s.Counters.Emulated)
		t.counts.Messages.Add(s.Counters.Messages)
	}
}

// remain counts the nodes that stay isolated. On a machine that stalls for a moment neighbours look silent though
// nothing is wrong with their links: whoever is alone is asked again, until a fleet would count as settled.
func (t *trial) remain(ctx context.Context, alone []int) int {
	ctx, cancel := context.WithTimeout(ctx, quietPeriods*t.up.period)
	defer cancel()
	for len(alone) > 0 && ctx.Err() == nil {
		select {
		case <-time.After(t.up.period):
		case <-ctx.Done():
		}
		alone = slices.DeleteFunc(alone, func(i int) bool {
			s, err := t.fleet.Status(ctx, i)
			return err == nil && !t.isolated(i, s)
		})
	}
	return len(alone)
}

// isolated tells whether a node has live neighbours, but links to none of them that carry both ways. It leads itself
// then, as everybody does where nothing arrives; that is no agreement.
func (t *trial) isolated(i int, s *agent.Status) bool {
	for _, n := range s.Neighbours {
		if n.Live && n.Hears {
			return false
		}
	}
	for _, e := range t.up.config.Edges[i] {
		if !t.view.HasEnded(e.To) {
			return true
		}
	}
	return false
}

func (t *trial) agreed() bool { return t.view.Agreed() && t.alone == 0 }

func (t *trial) name(node int) string {
	if node < 0 {
		return "?"
	}
	return t.up.config.Agents[node].Name
}

// row is one region, for people and programs.
type row struct {
	Leader   string   `json:"leader"`
	Members  []string `json:"members"`
	Farthest float64  `json:"farthest"`
	Term     uint64   `json:"term"`
	Age      float64  `json:"age_s"`
}

func (t *trial) rows(now time.Time) []row {
	var rows []row
	for _, r := range t.view.Regions() {
		x := row{Leader: t.name(r.Leader), Farthest: r.Farthest, Term: r.Term}
		for _, m := range r.Members {
			x.Members = append(x.Members, t.name(m))
		}
		if !r.Since.IsZero() {
			x.Age = now.Sub(r.Since).Seconds()
		}
		rows = append(rows, x)
	}
	return rows
}

// report ends the verb with the last table, the key=value line and the exit code.
func (t *trial) report(verdict error) error {
	interrupted := errors.Is(verdict, context.Canceled)
	if interrupted {
		verdict = nil
	}
	if verdict == nil && t.alone > 0 && !interrupted {
		verdict = fmt.Errorf("%w: %d nodes hear none of their neighbours, so that each leads itself",
			errNotAgreed, t.alone)
	}
	now := time.Now()
	if t.up.flags.json {
		if err := t.json(now, interrupted); err != nil {
			return failed(err)
		}
		return failed(verdict)
	}
	t.up.screen.Finish(t.table(now))
	line := fmt.Sprintf("agreed=%t agents=%d live=%d regions=%d interrupted=%t", t.agreed(),
		len(t.up.ids), t.view.Live(), len(t.view.Regions()), interrupted)
	if k := t.kill; k != nil {
		line += fmt.Sprintf(" killed=%s reelected_ms=%.1f periods=%.2f", scenario.Quote(k.Node), k.Reelected, k.Periods)
	}
	if t.up.links != nil {
		line += fmt.Sprintf(" emulated_lost=%d", t.counts.Emulated.Lost+t.counts.Emulated.Overflowed)
	}
	if m := t.counts.Messages; t.up.sim.Entry.Spec.Shape == caucus.ShapeEvents {
		line += fmt.Sprintf(" messages=%d delivered=%d undelivered=%d", m.Sent, m.Received, m.Lost)
	}
	line += fmt.Sprintf(" datagrams=%d bytes=%d late_rounds=%d seconds=%.2f", t.counts.Sent, t.counts.SentBytes,
		t.counts.LateRounds, t.elapsed.Seconds())
	t.up.screen.Line(line)
	if verdict == nil {
		verdict = t.up.screen.Broken
	}
	return failed(verdict)
}

// csv has the columns that run --csv has, and the term of the leadership; nodes that have ended follow nobody.
func (t *trial) csv(w io.Writer) error {
	table := results.Table{
		Columns: results.Columns("name:text id:whole role:text leader:text distance:real strength:real term:whole"),
		Rows: func(row func(...any)) {
			for i, c := range t.up.config.Agents {
				cells := []any{c.Name, uint64(c.ID), nil, nil, nil, c.Strength, nil}
				if l := t.view.Lead(i); !t.view.HasEnded(i) && l.Role != "" {
					cells[2], cells[3], cells[6] = l.Role, l.Leader, l.Term
					if l.Distance >= 0 {
						cells[4] = l.Distance
					}
				}
				row(cells...)
			}
		}}
	return table.CSV(w)
}

func (t *trial) json(now time.Time, interrupted bool) error {
	options := map[string]string{}
	for _, o := range t.up.options() {
		options[o.Name] = o.Value
	}
	enc := json.NewEncoder(t.up.screen.Out)
	enc.SetIndent("", "  ")
	settled := -1.0
	if t.settled >= 0 {
		settled = t.settled.Seconds()
	}
	return enc.Encode(struct {
		Schema      string                `json:"schema"`
		Version     string                `json:"version"`
		Options     map[string]string     `json:"options"`
		Settled     float64               `json:"settled_s"`
		Agreed      bool                  `json:"agreed"`
		Interrupted bool                  `json:"interrupted"`
		Killed      *killing              `json:"killed"`
		Regions     []row                 `json:"regions"`
		Live        int                   `json:"live"`
		Datagrams   uint64                `json:"datagrams"`
		Bytes       uint64                `json:"bytes"`
		LateRounds  uint64                `json:"late_rounds"`
		Messages    agent.MessageCounters `json:"messages"` // of an event algorithm
		Emulated    fault.Counts          `json:"emulated"` // what the links did to the datagrams
		Seconds     float64               `json:"seconds"`
	}{"caucus.up/1", version(), options, settled, t.agreed(), interrupted, t.kill, t.rows(now), t.view.Live(),
		t.counts.Sent, t.counts.SentBytes, t.counts.LateRounds, t.counts.Messages, t.counts.Emulated,
		t.elapsed.Seconds()})
}
