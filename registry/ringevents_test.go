package registry

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/algotest"
	"caucus.example/caucus/algo/rings/alltheway"
	"caucus.example/caucus/algo/rings/asfar"
	"caucus.example/caucus/algo/rings/control"
	"caucus.example/caucus/algo/rings/itairodeh"
	"caucus.example/caucus/algo/rings/minmaxplus"
	"caucus.example/caucus/algo/rings/stages"
	"caucus.example/caucus/algo/rings/stagesfbk"
	"caucus.example/caucus/algo/rings/stepwise"
	"caucus.example/caucus/algo/rings/unistages"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"pgregory.net/rapid"
)

// ringAlgorithm is an algorithm for rings and what the tests do with its types.
type ringAlgorithm struct {
	spec     *caucus.Spec
	domain   func(*testing.T, *caucus.World)
	scramble func(args caucus.Args, cfg sim.Config, fifo bool) (*sim.Result, error)
	record   func(t *testing.T, args caucus.Args, cfg sim.Config) string
}

var ringAlgorithms = []ringAlgorithm{
	onRing(&alltheway.Spec, alltheway.FromArgs),
	onRing(&alltheway.Bidirectional, alltheway.BidirectionalFromArgs),
	onRing(&asfar.Spec, asfar.FromArgs),
	onRing(&asfar.Bidirectional, asfar.BidirectionalFromArgs),
	onRing(&asfar.Probabilistic, asfar.ProbabilisticFromArgs),
	onRing(&control.Spec, control.FromArgs),
	onRing(&stages.Spec, stages.FromArgs),
	onRing(&stagesfbk.Spec, stagesfbk.FromArgs),
	onRing(&stepwise.AlternateSpec, stepwise.AlternateFromArgs),
	onRing(&unistages.Spec, unistages.FromArgs),
	onRing(&stepwise.UniAlternateSpec, stepwise.UniAlternateFromArgs),
	onRing(&stepwise.MinMaxSpec, stepwise.MinMaxFromArgs),
	onRing(&minmaxplus.Spec, minmaxplus.FromArgs),
	onRing(&stepwise.BiMinMaxSpec, stepwise.BiMinMaxFromArgs),
	onRing(&itairodeh.Spec, itairodeh.FromArgs),
}

func onRing[S any, M comparable, A caucus.Events[S, M]](spec *caucus.Spec,
	make func(caucus.Args) (A, error)) ringAlgorithm {
	return ringAlgorithm{
		spec: spec,
		domain: func(t *testing.T, w *caucus.World) {
			args, err := spec.Resolve("", nil)
			if err != nil {
				t.Fatal(err)
			}
			algo, err := make(args)
			if err != nil {
				t.Fatal(err)
			}
			states, messages := algo.Domain(w)
			roundTrip(t, states.Len, messages)
			survive[S, M](t, algo, w)
		},
		scramble: func(args caucus.Args, cfg sim.Config, fifo bool) (*sim.Result, error) {
			algo, err := make(args)
			if err != nil {
				return nil, err
			}
			return scramble[S, M](algo, cfg, fifo)
		},
		record: func(t *testing.T, args caucus.Args, cfg sim.Config) string {
			algo, err := make(args)
			if err != nil {
				t.Fatal(err)
			}
			r := &recorder[S, M]{Events: algo, kinds: spec.Kinds}
			if _, err := engine.RunEvents[S, M](context.Background(), r, spec, cfg); err != nil {
				t.Fatal(err)
			}
			return r.table(t)
		},
	}
}

func TestRingTableIsComplete(t *testing.T) {
	var names []string
	for _, e := range ringAlgorithms {
		names = append(names, e.spec.Name)
	}
	for _, e := range All {
		if e.Spec.Needs.Topology == caucus.Ring && !slices.Contains(names, e.Spec.Name) {
			t.Errorf("%s is missing in ringAlgorithms", e.Spec.Name)
		}
	}
}

// survive hands corrupt states and messages to the handlers: wrong is allowed, panic is not.
func survive[S, M any](t *testing.T, algo caucus.Events[S, M], w *caucus.World) {
	states, messages := algo.Domain(w)
	rapid.Check(t, func(t *rapid.T) {
		l := &caucus.Local{ID: w.IDs[0], Degree: 2, Known: caucus.Known{Nodes: rapid.IntRange(0, 5).Draw(t, "n")}}
		if rapid.Bool().Draw(t, "labels") {
			l.Labels = []caucus.Label{caucus.Right, caucus.Left}
		}
		s := states.At(rapid.Uint64Range(0, states.Len-1).Draw(t, "state"))
		m := messages.At(rapid.Uint64Range(0, messages.Len-1).Draw(t, "message"))
		var out caucus.Outbox[M]
		port := rapid.IntRange(0, 3).Draw(t, "port")
		algo.Receive(l, &s, port, m, &out)
		algo.Timer(l, &s, 0, &out)
		algo.Receive(l, &s, port, m, &out)
		algo.Wake(l, &s, false, &out)
		algo.Outcome(l, &s)
		if k := algo.Kind(&m); k < 0 {
			t.Fatalf("kind %d", k)
		}
	})
}

// scramble runs an election in which chance picks the next message of all that are under way, or, to keep the order of
// links, the link whose oldest message is next.
func scramble[S, M any](algo caucus.Events[S, M], cfg sim.Config, fifo bool) (*sim.Result, error) {
	type event struct {
		to, port int // port -1 is a wake-up, -2 a timer
		msg      M
	}
	g, n := cfg.Graph, cfg.Graph.Len()
	states, awake := make([]S, n), make([]bool, n)
	var pending []event
	for _, i := range cfg.Initiators {
		pending = append(pending, event{to: i, port: -1})
	}
	rand := caucus.NewRand(cfg.Seed, "scramble")
	local := func(i int) *caucus.Local {
		l := &caucus.Local{ID: cfg.IDs[i], Degree: 2, Known: cfg.Known, Rand: caucus.NewRand(rand.Uint64(), "node")}
		if g.Labels != nil {
			l.Labels = g.Labels[g.Off[i]:g.Off[i+1]]
		}
		return l
	}
	r := &sim.Result{}
	for ; len(pending) > 0; r.Messages++ {
		if r.Messages > 100_000 {
			return nil, fmt.Errorf("no end after %d events", r.Messages)
		}
		k := rand.IntN(len(pending))
		if fifo {
			k = slices.IndexFunc(pending, func(v event) bool {
				return v.to == pending[k].to &&
					v.port == pending[k].port
			})
		}
		v := pending[k]
		pending = slices.Delete(pending, k, k+1)
		i := v.to
		var out caucus.Outbox[M]
		if !awake[i] {
			awake[i] = true
			algo.Wake(local(i), &states[i], v.port == -1, &out)
		}
		switch {
		case v.port >= 0:
			algo.Receive(local(i), &states[i], v.port, v.msg, &out)
		case v.port == -2:
			algo.Timer(local(i), &states[i], 0, &out)
		}
		for _, s := range out.Sends {
			j := int(g.Nbr[g.Off[i]+s.Port])
			pending = append(pending, event{to: j, port: g.Port(j, i) - g.Off[j], msg: s.Msg})
		}
		for range out.Alarms {
			pending = append(pending, event{to: i, port: -2})
		}
	}
	r.Converged = true
	for i := range n {
		r.Outcomes = append(r.Outcomes, algo.Outcome(local(i), &states[i]))
	}
	return r, nil
}

// Property: under a scheduler that picks any message, an algorithm elects as it promises, if links keep the order or it
// does not say that they must.
func TestRingsScrambled(t *testing.T) {
	for _, e := range ringAlgorithms {
		t.Run(e.spec.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				args, cfg := scrambled(t, e.spec, rapid.OneOf(rapid.IntRange(3, 6), rapid.IntRange(10, 30)).Draw(t,
					"n"))
				r, err := e.scramble(args, cfg, e.spec.Needs.FIFO)
				if err == nil {
					err = elected(r, cfg.IDs, e.spec)
				}
				if err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

func scrambled(t *rapid.T, spec *caucus.Spec, n int) (caucus.Args, sim.Config) {
	choice := map[string]string{}
	for _, p := range spec.Params {
		choice[p.Name] = rapid.SampledFrom(p.Choices).Draw(t, p.Name)
	}
	args, err := spec.Resolve("", choice)
	if err != nil {
		t.Fatal(err)
	}
	g, err := network.Generate("ring:"+strconv.Itoa(n), 1)
	if err != nil {
		t.Fatal(err)
	}
	if !spec.Needs.Labels {
		g.Labels = nil
	}
	cfg := sim.Config{Graph: g, IDs: drawIDs(t, n), Known: caucus.Known{Nodes: n}, Seed: rapid.Uint64().Draw(t, "seed")}
	for i := range n {
		if rapid.IntRange(0, 3).Draw(t, "sleeps") > 0 {
			cfg.Initiators = append(cfg.Initiators, i)
		}
	}
	if cfg.Initiators == nil {
		cfg.Initiators = []int{0}
	}
	return args, cfg
}

// What says that links must keep the order means it: without, some election ends wrong or never (two envelopes of
// min-max-plus that have overtaken others can chase each other for ever).
func TestRingsNeedTheOrder(t *testing.T) {
	for _, e := range ringAlgorithms {
		if !e.spec.Needs.FIFO {
			continue
		}
		args, err := e.spec.Resolve("", nil)
		if err != nil {
			t.Fatal(err)
		}
		if !failsUnordered(t, e, args, 12) && !failsUnordered(t, e, args, 64) {
			t.Errorf("%s says it needs the order of links, but elects without it", e.spec.Name)
		}
	}
}

// failsUnordered looks for an election on a ring of n without order that goes wrong.
func failsUnordered(t *testing.T, e ringAlgorithm, args caucus.Args, n int) bool {
	g, err := network.Generate(fmt.Sprintf("ring:%d", n), 1)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(300) {
		cfg := sim.Config{Graph: g, Seed: seed}
		rand := caucus.NewRand(seed, "ids")
		for i := range n {
			cfg.IDs = append(cfg.IDs, caucus.ID(100*rand.IntN(1000)+i+1))
			if i == 0 || seed%2 == 0 || rand.IntN(2) == 0 {
				cfg.Initiators = append(cfg.Initiators, i)
			}
		}
		r, err := e.scramble(args, cfg, false)
		if err == nil {
			err = elected(r, cfg.IDs, e.spec)
		}
		if err != nil {
			t.Logf("%s, n = %d, seed %d: %v", e.spec.Name, n, seed, err)
			return true
		}
	}
	return false
}

// Each file of testdata/rings is a small election on a ring with unit delays: what to run, a line "---", and everything
// that happens. Lines above:
//
//	algo NAME, options NAME=VALUE …, seed N
//	ids ID1 ID2 …              going right
//	initiators I1 I2 …         by place from 1; default all
func TestRingTranscripts(t *testing.T) {
	algotest.Transcripts(t, "testdata/rings/*.txt", len(ringAlgorithms), recordRing)
}

func recordRing(t *testing.T, input string) string {
	var e *ringAlgorithm
	options := map[string]string{}
	cfg := sim.Config{Seed: 1}
	algotest.Lines(t, input, func(kind string, f []string) error {
		if kind == "algo" {
			for k := range ringAlgorithms {
				if ringAlgorithms[k].spec.Name == f[0] {
					e = &ringAlgorithms[k]
				}
			}
			return nil
		}
		for _, word := range f {
			if kind == "options" {
				name, value, _ := strings.Cut(word, "=")
				options[name] = value
				continue
			}
			x, err := strconv.Atoi(word)
			switch {
			case err != nil:
				return fmt.Errorf("%s: %w", kind, err)
			case kind == "ids":
				cfg.IDs = append(cfg.IDs, caucus.ID(x))
			case kind == "initiators":
				cfg.Initiators = append(cfg.Initiators, x-1)
			case kind == "seed":
				cfg.Seed = uint64(x)
			default:
				return fmt.Errorf("unknown word %q", kind)
			}
		}
		return nil
	})
	if e == nil {
		t.Fatal("no such algorithm")
	}
	args, err := e.spec.Resolve("", options)
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Graph, err = network.Generate(fmt.Sprintf("ring:%d", len(cfg.IDs)), 1); err != nil {
		t.Fatal(err)
	}
	cfg.Known.Nodes = len(cfg.IDs)
	return e.record(t, args, cfg)
}

// recorder writes down what its algorithm is told and does.
type recorder[S, M any] struct {
	caucus.Events[S, M]
	kinds []string
	rows  []string
}

func (r *recorder[S, M]) Wake(l *caucus.Local, s *S, initiator bool, out *caucus.Outbox[M]) {
	r.Events.Wake(l, s, initiator, out)
	what := "woken"
	if initiator {
		what = "starts"
	}
	r.row(l, s, what, out)
}

func (r *recorder[S, M]) Receive(l *caucus.Local, s *S, port int, m M, out *caucus.Outbox[M]) {
	r.Events.Receive(l, s, port, m, out)
	r.row(l, s, r.message(l, port, &m), out)
}

func (r *recorder[S, M]) Timer(l *caucus.Local, s *S, timer int, out *caucus.Outbox[M]) {
	r.Events.Timer(l, s, timer, out)
	r.row(l, s, "timer", out)
}

func (r *recorder[S, M]) row(l *caucus.Local, s *S, what string, out *caucus.Outbox[M]) {
	var sent []string
	for k := range out.Sends {
		sent = append(sent, r.message(l, out.Sends[k].Port, &out.Sends[k].Msg))
	}
	o := r.Outcome(l, s)
	role := o.Role.String()
	if o.Final {
		role += " of " + strconv.Itoa(int(o.Leader))
	}
	r.rows = append(r.rows, fmt.Sprintf("%g\t%d\t%s\t%s\t%s\t", l.Now.Seconds(), l.ID, what, strings.Join(sent, ", "),
		role))
}

// message gives side, kind and fields that are not zero.
func (r *recorder[S, M]) message(l *caucus.Local, port int, m *M) string {
	words := []string{map[caucus.Label]string{caucus.Left: "left", caucus.Right: "right"}[l.Labels[port]]}
	if len(r.kinds) > 0 {
		words = append(words, r.kinds[r.Kind(m)])
	}
	v := reflect.ValueOf(*m)
	for k := range v.NumField() {
		f := v.Type().Field(k)
		if f.Name == "_" || f.Name == "Kind" || v.Field(k).IsZero() {
			continue
		}
		word := fmt.Sprint(v.Field(k))
		if f.Name != "ID" {
			word = strings.ToLower(f.Name) + "=" + word
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func (r *recorder[S, M]) table(t *testing.T) string {
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "time\tID\thears\tsays\tis\t")
	for _, row := range r.rows {
		fmt.Fprintln(w, row)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(b.String()) {
		lines = append(lines, strings.TrimRight(line, " \n")+"\n")
	}
	return strings.Join(lines, "")
}
