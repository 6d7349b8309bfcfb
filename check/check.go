// Package check explores every execution of an algorithm on small networks, and decides what a
// test can only sample: whether every fair execution from every configuration comes to the right result and keeps
// it, and how long that takes at worst.
//
// An algorithm runs unchanged: the checker calls the same methods as the simulator and the agent. What is right
// comes with the algorithm (caucus.Oracle, caucus.Judge); what a corrupted node may hold does, too (Domain).
//
// # Rounds
//
// The model is the shared-state model of the theory of self-stabilisation: a configuration is the state and the last
// export of every node, and in a step the nodes that a daemon picks read the exports of their neighbours.
// Local.Round, Local.Now and Local.Rand are fixed; an algorithm that makes use of them is refused. Nonces are 0.
//
// Legitimate are the configurations from which no wrong result can be reached any more, whatever
// the daemon does. They are closed by definition; that there are some is what the check
// of closure asks for. An algorithm converges if every execution gets there. It does not if there
// is a cycle that the daemon may stay in for ever outside, which is found by strongly connected components:
// no abstraction, sampling or bound on the depth is involved.
package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/fault"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/story"
)

// Start says where executions begin.
type Start string

// Starts.
const (
	Anywhere Start = "any"   // every configuration of the domain
	Clean    Start = "clean" // every node as it boots
)

// Model says how exports get to the neighbours.
type Model string

// Models. In the message model the daemon delivers the last message of a node to one neighbour at a time, when it
// likes; the central daemon is the only one there is, and the weakly fair one delivers on every link again and again. A
// round is over when every node has acted and every link has delivered.
const (
	Shared   Model = "shared" // a step reads the neighbours' exports
	Messages Model = "messages"
)

// inRounds tells whether the steps of a daemon count by whole rounds in which nodes act one by one.
func (d Daemon) inRounds() bool { return d == Paced || d == Phased }

// Config says what to check.
type Config struct {
	Networks []*caucus.Network // connected or not, of at most MaxHunted nodes; MaxEventNodes of events
	Daemons  []Daemon          // nil: Classical
	Start    Start             // "": Anywhere
	// round shape, shared model, Anywhere: most nodes that are corrupt at the start, the others hold what they come to
	// from a clean one; 0: any number
	Corrupted  int
	Model      Model         // "": Shared
	Ghosts     int           // IDs of no node that corrupt values may name
	Counter    int           // values of every counter in the domain; fewer are used where that is too large; 0: 3
	Faults     Faults        // steps of executions, next to the daemon's
	Lossy      []fault.Links // the only ones that may lose one of Faults.Loss; nil: all
	Mute       []fault.Links // nothing ever comes over these
	TwoWay     bool          // round shape: a neighbour counts only if the link carries both ways
	Initiators int           // event shape: most initiators of an execution; 0: any number
	// event shape: messages of a link may overtake each other unless the algorithm needs FIFO
	Reorder bool
	// event shape: delays have a bound, although the algorithm does not know it; what needs one has it anyway
	Timed     bool
	Walks     int    // random executions of a network that is too large; 0: 2000
	Seed      uint64 // of these
	MaxStates int    // most configurations of one network; 0: 1<<24
	MaxMemory int64  // bytes for all workers together; 0: 4 GiB
	Workers   int    // 0: all cores
	// directory for files that take what does not fit MaxMemory; "": networks that do not are not decided
	Spill    string
	Progress func(Progress) // if set, called about twice a second

	memory     int64 // of one network
	everyOrder bool  // event shape: nothing is left out, for tests
}

// few tells whether fewer nodes of a network than all may be corrupt at the start.
func (c *Config) few(net *caucus.Network) bool { return c.Corrupted > 0 && c.Corrupted < net.Len() }

// Progress is how far a check is.
type Progress struct {
	Networks, Of   int
	Configurations int64 // explored so far, over all daemons
	Elapsed        time.Duration
}

// Report is the result of a check.
type Report struct {
	Networks int
	Right    Legitimacy
	Rows     []Row     // by daemon, for the round shape
	Events   *EventRow // for the event shape
}

// Legitimacy says what counts as a right result.
type Legitimacy string

// Legitimacies.
const (
	ByOracle Legitimacy = "the one result that the algorithm's oracle computes with the whole network in view"
	ByJudge  Legitimacy = "what the algorithm promises of all outcomes together, tested with the whole network in view"
	ByLeader Legitimacy = "every node names a node that leads: the algorithm promises no more for these parameters"
)

// From says from which configurations a network was explored.
type From struct {
	Counter int // values of every counter; 0 for a clean start
	// every combination of what nodes can hold after so many rounds of all, from any; 0: every combination
	After   int
	Reduced Reduction // if that is too large: every combination of these only
	// Struck, if that is too large, too, is how many nodes at a time hold them. The others hold, all together, what
	// they come to in the synchronous execution from a clean start. 0: all nodes are corrupted.
	Struck int
}

// Reduction says what nodes hold at the start when the whole domain is too large.
type Reduction string

// Reductions.
const (
	Candid Reduction = "candid" // any value of the domain as the state and the message of the same node
	// what one step makes of any state of the domain when all neighbours say the same, whatever it is
	Plausible Reduction = "plausible"
)

// Row is what holds under one daemon, over all networks that could be decided.
type Row struct {
	Daemon         Daemon
	Networks       int    // decided
	Hunted         int    // of these, those too large to decide but for a counterexample that a random walk came to
	Undecided      int    // too large
	Why            string // the reasons, of how many networks each if there are several
	Hunt           Hunt   // of those that are undecided
	Configurations int64
	Legitimate     int64
	Froms          map[From]int // how many networks were explored from where
	Hits           map[From]int // likewise what corrupted nodes could hold, where corruptions are steps
	Silent         bool         // legitimate executions come to rest: in the end nothing changes any more

	// Leaders is the least and the greatest number of leaders in the right result, where an oracle gives it.
	Leaders [2]int

	Closed int   // networks with legitimate configurations, of those that are not hunted
	Fair   Claim // convergence under the weakly fair daemon
	Unfair Claim // convergence under the unfair daemon
	// Steps and Rounds are counted from the last fault on if there are faults.
	Steps  Worst // the most steps of the unfair daemon until the result is right for good
	Rounds Worst // the most rounds, in each of which every node acts
	// Bound compares Rounds of the synchronous daemon with the algorithm's theorem.
	Bound   int // for a network with the most rounds; 0: no theorem
	Beyond  int // networks with more rounds than the bound
	Seconds float64
}

// Hunt is what the walks have met that have found nothing.
type Hunt struct {
	Networks int
	Walks    int     // of all networks
	Steps    int     // of the longest walk
	Met      int64   // different configurations, of all networks
	Full     bool    // there may have been more: memory was used up
	Of       float64 // the decimal logarithm of how many the largest network may begin with; 0: it starts clean
}

func (h *Hunt) add(more Hunt) {
	if more.Walks == 0 {
		return
	}
	h.Networks++
	h.Walks, h.Steps, h.Met = h.Walks+more.Walks, max(h.Steps, more.Steps), h.Met+more.Met
	h.Full, h.Of = h.Full || more.Full, max(h.Of, more.Of)
}

// Hopeless is on how many networks no configuration is legitimate.
func (r *Row) Hopeless() int { return r.Networks - r.Hunted - r.Closed }

// Claim is a property of all networks of a row and the least of them on which it fails.
type Claim struct {
	Holds, Fails   int // networks
	Counterexample *Counterexample
}

// Worst is a greatest length and where it occurs; N is -1 when there is none.
type Worst struct {
	N       int
	Network string
}

// Counterexample is an execution that never comes to the right result.
type Counterexample struct {
	Network string
	Trace   *story.Story
}

func (c *Config) fill() {
	if c.Daemons == nil {
		c.Daemons = Classical
	}
	if c.Model == Messages {
		c.Daemons = []Daemon{Central}
	}
	if c.Start == "" {
		c.Start = Anywhere
	}
	if c.Counter == 0 {
		c.Counter = 3
	}
	if c.Walks == 0 {
		c.Walks = defaultWalks
	}
	if c.MaxStates == 0 {
		c.MaxStates = 1 << 24
	}
	if c.MaxMemory == 0 {
		c.MaxMemory = 4 << 30
	}
	if c.Workers == 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	c.memory = c.MaxMemory / int64(c.atATime())
	c.MaxStates = min(c.MaxStates, maxVertices)
	if c.Spill == "" {
		c.MaxStates = min(c.MaxStates, int(c.memory/2/perConfiguration))
	}
}

// defaultWalks is how many executions a hunt makes.
const defaultWalks = 2000

// atATime is how many networks are looked at together; workers that are left over help with these.
func (c *Config) atATime() int { return max(1, min(c.Workers, len(c.Networks))) }

// found is what one network gives under one daemon.
type found struct {
	exploration
	from     From
	hits     From // what corrupted nodes held; zero if none were
	bound    int
	want     []caucus.Outcome
	hopeless bool // on some stage nothing is legitimate
	hunted   bool // a counterexample has been found, the rest is undecided
	hunt     Hunt // what has been met without finding one
	crashes  int
	fair     *story.Story
	free     *story.Story
	err      error // too large
	took     time.Duration
}

// Rounds checks an algorithm of the round shape. Networks that are too large for the limits are counted as
// undecided. An error means that the algorithm cannot be checked at all; or it is ctx's, and the report is on what was
// decided before that ended.
func Rounds[S, M any](ctx context.Context, algo caucus.Rounds[S, M], cfg Config) (*Report, error) {
	return RoundColumns(ctx, columns.OfRounds(algo), columns.OfNodes(algo), cfg)
}

// RoundColumns is Rounds for an algorithm whose types are forgotten.
func RoundColumns(ctx context.Context, algo columns.Rounds, many columns.Nodes, cfg Config) (*Report, error) {
	cfg.fill()
	if err := cfg.checkFaults(); err != nil {
		return nil, err
	}
	r := &run{ctx: ctx, algo: algo, many: many, cfg: cfg, results: make([][]found, len(cfg.Networks)),
		began: time.Now(), letterings: letterings{most: cfg.MaxStates, of: map[string]*lettering{}}}
	r.letterings.stop = r.ended
	r.crew.idle.Store(int32(cfg.Workers - cfg.atATime()))
	for _, net := range cfg.Networks {
		if net.Len() < 1 || net.Len() > MaxHunted {
			return nil, caucus.Wrong("network", Describe(net), fmt.Sprintf("1 to %d nodes", MaxHunted))
		}
	}
	err := inParallel(ctx, &cfg, r.work, func() Progress {
		return Progress{int(r.finished.Load()), len(cfg.Networks), r.explored.Load(), time.Since(r.began)}
	})
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	return r.report(), err
}

// inParallel runs the workers and reports their progress meanwhile.
func inParallel(ctx context.Context, cfg *Config, work func() error, progress func() Progress) error {
	var wait sync.WaitGroup
	errs := make([]error, cfg.atATime())
	for w := range errs {
		wait.Go(func() { errs[w] = work() })
	}
	ticks, over := time.NewTicker(time.Second/2), make(chan struct{})
	defer ticks.Stop()
	go func() {
		wait.Wait()
		close(over)
	}()
	for {
		select {
		case <-ticks.C:
			if cfg.Progress != nil {
				cfg.Progress(progress())
			}
			continue
		case <-over:
		}
		break
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return errors.Join(errs...)
}

type run struct {
	ctx        context.Context
	algo       columns.Rounds
	many       columns.Nodes // the same, for the simulator
	cfg        Config
	next       atomic.Int64
	finished   atomic.Int64
	explored   atomic.Int64
	crew       crew
	spent      atomic.Int64 // bytes of networks that are done, since garbage was collected
	letterings letterings
	results    [][]found // by network and daemon
	began      time.Time
}

// work takes one network after the other.
func (r *run) work() error {
	defer r.crew.give() // to those that are not ready yet
	for {
		k := int(r.next.Add(1)) - 1
		if k >= len(r.cfg.Networks) {
			return nil
		}
		results, err := r.check(r.cfg.Networks[k])
		r.results[k] = results
		if err != nil {
			r.next.Store(int64(len(r.cfg.Networks))) // the others may stop, too
			return err
		}
		r.finished.Add(1)
	}
}

func (r *run) stop() bool {
	r.explored.Add(stopEvery)
	return r.ctx.Err() != nil
}

func (r *run) ended() bool { return r.ctx.Err() != nil }

// check explores one network under every daemon. With an error come the results so far.
func (r *run) check(net *caucus.Network) ([]found, error) {
	net = r.cfg.Heard(net)
	var o *origins
	if net.Len() <= MaxNodes {
		var err error
		if o, err = r.origins(net); err != nil {
			return nil, err
		}
	}
	var out []found
	for _, d := range r.cfg.Daemons {
		began := time.Now()
		f, err := r.decide(o, net, d)
		f.err, f.took = err, time.Since(began)
		if err != nil && !errors.As(err, new(errTooLarge)) {
			f.err = errStopped
			return append(out, f), err
		}
		if b, ok := r.algo.Algorithm().(caucus.Bounder); ok && err == nil &&
			r.cfg.Start == Anywhere && !r.cfg.Faults.Any() && r.cfg.Mute == nil {
			f.bound = b.Bound(net, world(net, r.cfg.Ghosts, f.from.Counter))
		}
		out = append(out, f)
	}
	return out, nil
}

// decide explores a network under one daemon. Where it is too large, a hunt may still find that something goes wrong.
func (r *run) decide(o *origins, net *caucus.Network, d Daemon) (f found, err error) {
	err = errTooLarge{fmt.Sprintf("%d nodes; what can be decided has up to %d", net.Len(), MaxNodes)}
	if o != nil {
		f, err = o.largest(d)
	}
	if !errors.As(err, new(errTooLarge)) || r.cfg.Faults.Any() || r.cfg.few(net) { // a hunt corrupts any number
		return f, err
	}
	hunted, failed := r.hunt(net, d)
	switch {
	case errors.As(failed, new(errTooLarge)):
		return f, err
	case failed != nil || hunted.hunted:
		return hunted, failed
	}
	return hunted, err
}

// under explores a network under one daemon, with faults that leave as much as fits the limits.
func (r *run) under(d Daemon, y *system, m *machine, from From) (f found, err error) {
	for _, hits := range r.hits(y.net, m) {
		c := r.course(y, m, from, d)
		c.hits = hits
		if f, err = c.run(); !errors.As(err, new(errTooLarge)) {
			return f, err
		}
	}
	return f, err
}

// hits lists what corrupted nodes may hold, the largest domain first.
func (r *run) hits(net *caucus.Network, m *machine) []From {
	if r.cfg.Faults.Corrupt == 0 || m.every {
		return []From{{}}
	}
	var list []From
	counters := r.counters(net)
	for _, reduced := range []Reduction{"", Candid, Plausible} {
		for _, counter := range counters {
			list = append(list, From{Counter: counter, Reduced: reduced})
		}
	}
	return list
}

// report adds the networks up.
func (r *run) report() *Report {
	rep := &Report{Networks: len(r.cfg.Networks), Right: legitimacy(r.algo.Algorithm(), r.cfg.Networks)}
	for k, d := range r.cfg.Daemons {
		row := Row{Daemon: d, Froms: map[From]int{}, Hits: map[From]int{}, Silent: true}
		whys := map[string]int{}
		for i, net := range r.cfg.Networks {
			f := found{err: errStopped}
			if k < len(r.results[i]) {
				f = r.results[i][k]
			}
			if row.add(Describe(net), &f); f.err != nil {
				whys[f.err.Error()]++
			}
		}
		row.Why = reasons(whys)
		rep.Rows = append(rep.Rows, row)
	}
	return rep
}

// reasons lists why networks are undecided, what holds for most of them first.
func reasons(whys map[string]int) string {
	list := slices.SortedFunc(maps.Keys(whys), func(a, b string) int {
		return cmp.Or(cmp.Compare(whys[b], whys[a]), cmp.Compare(a, b))
	})
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	var text []string
	others := 0
	for k, why := range list {
		if k < 3 {
			text = append(text, fmt.Sprintf("%s (%d)", why, whys[why]))
		} else {
			others += whys[why]
		}
	}
	if others > 0 {
		text = append(text, fmt.Sprintf("others (%d)", others))
	}
	return strings.Join(text, "; ")
}

func legitimacy(algo any, networks []*caucus.Network) Legitimacy {
	if o, ok := algo.(caucus.Oracle); ok && len(networks) > 0 && o.Expect(networks[len(networks)-1]) != nil {
		return ByOracle
	}
	if _, ok := algo.(caucus.Judge); ok {
		return ByJudge
	}
	return ByLeader
}

func (row *Row) add(name string, f *found) {
	row.Seconds += f.took.Seconds()
	if f.err != nil {
		row.Undecided++
		row.Hunt.add(f.hunt)
		return
	}
	row.Networks++
	row.Configurations += int64(f.configurations)
	row.Fair.add(name, f.fair, f.exploration.fair == nil)
	row.Unfair.add(name, f.free, f.unfair == nil)
	if f.hunted {
		row.Hunted++
		row.Steps.N, row.Rounds.N = -1, -1
		return
	}
	row.Legitimate += int64(f.legitimate)
	row.Froms[f.from]++
	if f.hits != (From{}) {
		row.Hits[f.hits]++
	}
	row.Silent = row.Silent && f.silent && !f.hopeless
	if !f.hopeless {
		row.Closed++
	}
	if f.want != nil {
		n := 0
		for _, o := range f.want {
			if o.Role == caucus.Leader {
				n++
			}
		}
		if row.Leaders == [2]int{} {
			row.Leaders = [2]int{n, n}
		}
		row.Leaders = [2]int{min(row.Leaders[0], n), max(row.Leaders[1], n)}
	}
	if f.exploration.fair != nil {
		row.Steps.N, row.Rounds.N = -1, -1
		return
	}
	if row.Daemon == Synchronous && f.bound > 0 {
		if f.rounds > f.bound {
			row.Beyond++
		}
		if f.rounds >= row.Rounds.N {
			row.Bound = f.bound
		}
	}
	if row.Daemon.inRounds() {
		f.steps = -2 // it has no steps of its own
	}
	row.Steps.add(f.steps, name)
	row.Rounds.add(f.rounds, name)
}

func (w *Worst) add(n int, name string) {
	switch {
	case w.N == -1, w.N < 0 && n != -1:
	case n < 0, n > w.N:
		w.N, w.Network = n, name
	}
}

// add counts; of several counterexamples the shortest is kept.
func (c *Claim) add(name string, t *story.Story, holds bool) {
	if holds {
		c.Holds++
		return
	}
	c.Fails++
	if c.Counterexample == nil || shorter(t, c.Counterexample.Trace) == t {
		t.Network = name
		c.Counterexample = &Counterexample{name, t}
	}
}
