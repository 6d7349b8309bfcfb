// Package frames tells a page of runs of the simulator, of what a checker has found, and of what there is to be run. It
// knows nothing of servers: what it tells goes to a page from one, into a file, or from a worker of the page itself.
package frames

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"path"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/energy"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/network/mobility"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/story"
)

// Limits of what a page is told of one run.
const (
	maxNodes   = 200_000
	maxRounds  = 10_000
	maxChanges = 20_000_000
	maxMoving  = 5_000 // nodes of a moving network, whose links are told in every period
)

// Request is a run that the page asks for.
type Request struct {
	Scenario string   `json:"scenario"` // text of a scenario file
	Folder   string   `json:"folder"`   // the files that it names are relative to this; only from the command line
	Algo     string   `json:"algo"`     // instead of the scenario's, "" for that
	Faults   []string `json:"faults"`   // what the reader has done, as lines of the scenario
	Rounds   int      `json:"rounds"`   // at most; 0: as the scenario says
	Choosing bool     `json:"choosing"` // the reader says which message arrives next, of an algorithm of events
	Chosen   string   `json:"chosen"`   // what has arrived by then, as a story in one line; then it is oldest first
}

// Play is a run about to be told.
type Play struct {
	*scenario.Run
	text    string // of the scenario with all that was done to it
	moves   mobility.Located
	nodes   nodes
	counts  bool    // events have no time of their own: each comes one later than the one before it
	counted counter // them
	changes int
	err     error
	out     *frames
	// of the period that is being told
	at      float64
	pending []change
}

// Prepare resolves a request.
func (q *Request) Prepare() (*Play, error) {
	s, err := scenario.Parse(path.Join(q.Folder, "scenario.yaml"), []byte(q.Scenario))
	if err != nil {
		return nil, err
	}
	if q.Algo != "" && q.Algo != s.Get("algo") {
		if err := s.Instead(q.Algo); err != nil {
			return nil, err
		}
	}
	for _, f := range q.Faults {
		if err := s.AddFault(f); err != nil {
			return nil, err
		}
	}
	if err := q.order(s); err != nil {
		return nil, err
	}
	r, err := s.Resolve()
	if err != nil {
		return nil, err
	}
	p := &Play{Run: r, text: r.YAML()}
	p.nodes = nodes{r.Config.Graph, func(id caucus.ID) int { return int(r.Place(id)) - 1 }}
	cfg := &r.Config
	p.counts = cfg.Scheduler != "" || cfg.Replay != nil
	cfg.Every, cfg.SizeOf = 1, r.Entry.SizeOf
	cfg.MaxRounds = cmp.Or(q.Rounds, cfg.MaxRounds, maxRounds)
	if n := cfg.Graph.Len(); n > maxNodes {
		return nil, caucus.Wrong("nodes", n, fmt.Sprintf("at most %d in a page", maxNodes))
	}
	if cfg.MaxRounds > maxRounds {
		cfg.MaxRounds = maxRounds
	}
	return p, p.follow()
}

// Record runs and gives the frames.
func (q *Request) Record(ctx context.Context) ([]byte, error) {
	p, err := q.Prepare()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = p.Tell(ctx, &out)
	return out.Bytes(), err
}

// order lets the reader say which message arrives next, where it is to.
func (q *Request) order(s *scenario.Scenario) error {
	if !q.Choosing {
		return nil
	}
	scheduler := string(sim.OldestFirst)
	if q.Chosen != "" {
		scheduler = ""
	}
	for _, o := range [][2]string{{"delays", string(sim.UnitDelay)}, {"scheduler", scheduler}, {"replay", q.Chosen}} {
		if err := s.Set(o[0], o[1]); err != nil {
			return err
		}
	}
	return nil
}

// follow takes a network of its own to tell where nodes are.
func (p *Play) follow() error {
	m := p.Config.Moving
	if m == nil {
		return nil
	}
	if n := p.Config.Graph.Len(); n > maxMoving {
		return caucus.Wrong("nodes", n, fmt.Sprintf("at most %d that move in a page", maxMoving))
	}
	net, err := m.New()
	if err != nil {
		return err
	}
	var ok bool
	if p.moves, ok = net.(mobility.Located); !ok {
		p.moves, err = p.arrange(net)
	}
	return err
}

// Tell runs and writes frames as the run goes on; a writer with a method Flush has it called when the page should know.
func (p *Play) Tell(ctx context.Context, w io.Writer) error {
	p.out = newFrames(w)
	if err := p.out.json(frameHead, p.head()); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	p.at = -1
	p.Config.Watch = p.watch
	if p.Entry.Spec.Shape == caucus.ShapeRounds {
		p.Config.Progress = p.period
		p.position(0)
	}
	result, err := p.Entry.Simulate(ctx, p.Args, p.Config)
	if err = cmp.Or(p.err, err); result == nil || err != nil {
		return cmp.Or(p.out.json(frameWrong, fmt.Sprint(err)), err)
	}
	p.flush()
	if err := p.out.json(frameEnd, p.end(result)); err != nil {
		return err
	}
	return p.out.flush()
}

// watch is told of every event, or of the changes of every period.
func (p *Play) watch(x *story.Step) bool {
	if p.changes++; p.changes > maxChanges {
		p.err = fmt.Errorf("more than %d changes, which a page cannot hold", maxChanges)
	}
	if p.Entry.Spec.Shape == caucus.ShapeEvents {
		if p.counts {
			x.Time = p.counted.next(x)
		}
		p.err = cmp.Or(p.err, p.out.event(x, p.nodes.change(x)))
	} else {
		if x.Time != p.at {
			p.flush()
			p.at = x.Time
		}
		p.pending = append(p.pending, p.nodes.change(x))
	}
	return p.err == nil
}

// period tells where nodes are after a round.
func (p *Play) period(round int) {
	p.flush()
	p.position(float64(round))
	p.err = cmp.Or(p.err, p.out.flush())
}

func (p *Play) flush() {
	if len(p.pending) > 0 {
		p.err = cmp.Or(p.err, p.out.changes(p.at, p.pending))
		p.pending = p.pending[:0]
	}
}

// clock is the time on the network's clock after so many periods.
func (p *Play) clock(periods float64) float64 {
	return p.Config.Moving.Begin + periods*cmp.Or(p.Config.Period, time.Second).Seconds()
}

// position tells where the nodes of a moving network are after so many periods, and who hears whom.
func (p *Play) position(periods float64) {
	if p.moves == nil {
		return
	}
	now := p.clock(periods)
	p.moves.Advance(now)
	p.err = cmp.Or(p.err, p.out.places(periods, p.moves, now))
}

func (p *Play) head() head {
	cfg := &p.Config
	n := cfg.Graph.Len()
	h := head{Scenario: p.text, Algo: p.Entry.Spec.Name, Shape: string(p.Entry.Spec.Shape), Title: cfg.Graph.Name,
		Moving: cfg.Moving != nil,
		Rooted: p.rooted(), Rounds: cfg.MaxRounds, Strengths: cfg.Strengths, Initiators: cfg.Initiators,
		Kinds: p.Entry.Spec.Kinds, FIFO: !cfg.NoFIFO, Bound: p.bound(), Counted: p.counts}
	for i := range n {
		h.Names = append(h.Names, p.Names.Name(caucus.ID(i+1)))
		h.IDs = append(h.IDs, fmt.Sprint(cfg.ID(i)))
	}
	for _, f := range cfg.Faults {
		h.Faults = append(h.Faults, faultLine{f.At, p.telling(&f)})
	}
	if cfg.Moving == nil {
		h.placed = placesOf(cfg.Graph)
		h.Edges, h.Lengths = pairs(cfg.Graph), lengths(cfg.Graph, cfg.Lengths)
	}
	if cfg.Moving == nil && h.Rooted == "" { // in the unit in which they are put elsewhere
		for i := range n {
			h.X[i], h.Y[i] = float32(cfg.Graph.X[i]), float32(cfg.Graph.Y[i])
		}
	}
	return h
}

// rooted says why nodes cannot be put elsewhere on the page; "" where they can.
func (p *Play) rooted() string {
	if p.Rooted() == "" && p.Config.Graph.Len() > maxMoving {
		return fmt.Sprintf("a page shows at most %d nodes that move", maxMoving)
	}
	return p.Rooted()
}

// telling says what a fault does, and to whom if these are few.
func (p *Play) telling(f *sim.Fault) string {
	text := string(f.Kind)
	switch {
	case f.Leaders:
		text += ", all leaders"
	case len(f.Nodes) > 3:
		text += fmt.Sprintf(", %d nodes", len(f.Nodes))
	default:
		for _, i := range f.Nodes {
			text += ", " + p.Names.Name(caucus.ID(i+1))
		}
	}
	return text
}

// bound is what a theorem says of the messages; 0: nothing.
func (p *Play) bound() int {
	cfg := &p.Config
	if p.Entry.Budget == nil || len(cfg.Faults) > 0 {
		return 0
	}
	initiators := len(cfg.Initiators)
	if cfg.Initiators == nil {
		initiators = cfg.Graph.Len()
	}
	return p.Entry.Budget(p.Args, p.Whole(), initiators)
}

func (p *Play) end(r *sim.Result) end {
	e := end{Trace: fmt.Sprintf("%016x", r.TraceHash), Rounds: r.Rounds, Settled: r.SettledAt,
		Converged: p.Rested(r.Converged, r.SettledAt, r.Rounds), Endless: p.Endless(),
		Messages: r.Messages, Bytes: r.Bytes, Time: r.Time, Kinds: r.Kinds, Charts: map[string][]float64{}}
	if p.counts {
		e.Time = float64(p.counted)
	}
	p.chart(r, e.Charts)
	return e
}

// chart gives what is counted by round. Of the energy it is what the nodes of a network draw whose messages all arrive,
// by the model of the scenario or that of a common radio.
func (p *Play) chart(r *sim.Result, charts map[string][]float64) {
	model, period := cmp.Or(p.Energy, &energy.CC2420), cmp.Or(p.Config.Period, time.Second).Seconds()
	payload := float64(r.Bytes) / float64(max(1, r.Messages))
	var before sim.Sample
	joules := 0.0
	for _, s := range r.Samples {
		sent := float64(s.Messages - before.Messages)
		joules += model.Joules(energy.Use{Seconds: float64(s.Live*(s.Round-before.Round)) * period,
			Sent: sent, Received: sent, Payload: payload})
		for name, v := range map[string]float64{"round": float64(s.Round), "messages": float64(s.Messages),
			"bytes": float64(s.Bytes), "instability": s.Instability, "joules": joules} {
			charts[name] = append(charts[name], v)
		}
		before = s
	}
}
