package registry

import (
	"context"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/algotest"
	"caucus.example/caucus/algo/graphs/complete"
	"caucus.example/caucus/algo/graphs/flood"
	"caucus.example/caucus/algo/graphs/hyperelect"
	"caucus.example/caucus/algo/graphs/megamerger"
	"caucus.example/caucus/algo/graphs/mesh"
	"caucus.example/caucus/algo/graphs/saturation"
	"caucus.example/caucus/algo/graphs/torus"
	"caucus.example/caucus/algo/graphs/yoyo"
	"caucus.example/caucus/algo/iot/brogo"
	"caucus.example/caucus/algo/iot/minfind"
	"caucus.example/caucus/algo/iot/prasle"
	"caucus.example/caucus/algo/iot/wbs"
	"caucus.example/caucus/algo/kit/rank"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
)

// Each file of testdata/events is a small run of an algorithm of the event shape with unit delays: what to run, a line
// "---", and every message that a node receives, at what time, from whom, and what the node then sends to whom; in the
// end what every node knows. Lines above:
//
//	algo NAME
//	network GENERATOR or edges A-B …
//	ids ID …, initiators NODE …    default: 1 to n, all
//
// Nodes are called by their IDs.
func TestEventTranscripts(t *testing.T) {
	run := map[string]func(*testing.T, sim.Config) string{
		"elect-min":       script[saturation.State, saturation.Msg](&saturation.MinSpec, saturation.MinFromArgs),
		"elect-root":      script[saturation.State, saturation.Msg](&saturation.RootSpec, saturation.RootFromArgs),
		"mesh":            script[mesh.State, mesh.Msg](&mesh.Spec, mesh.FromArgs),
		"torus":           script[torus.State, torus.Msg](&torus.Spec, torus.FromArgs),
		"hyper-elect":     script[hyperelect.State, hyperelect.Msg](&hyperelect.Spec, hyperelect.FromArgs),
		"complete-elect":  script[complete.State, complete.Msg](&complete.Spec, complete.FromArgs),
		"flood":           script[flood.State, flood.Msg](&flood.Spec, flood.FromArgs),
		"flood-changes":   script[flood.State, flood.Msg](&flood.ChangesSpec, flood.ChangesFromArgs),
		"yo-yo":           script[yoyo.State, yoyo.Msg](&yoyo.Spec, yoyo.FromArgs),
		"yo-yo-plain":     script[yoyo.State, yoyo.Msg](&yoyo.PlainSpec, yoyo.PlainFromArgs),
		"prasle-reliable": script[prasle.Node, rank.Pair](&prasle.ReliableSpec, prasle.ReliableFromArgs),
		"minfind":         script[minfind.State, rank.Pair](&minfind.Spec, minfind.FromArgs),
		"wbs":             script[wbs.State, wbs.Msg](&wbs.Spec, wbs.FromArgs),
		"brogo":           script[brogo.State, brogo.Msg](&brogo.Spec, brogo.FromArgs),
		"mega-merger":     script[megamerger.State, megamerger.Msg](&megamerger.Spec, megamerger.FromArgs),
	}
	algotest.Transcripts(t, "testdata/events/*.txt", 10, func(t *testing.T, input string) string {
		algo, cfg := parseEvents(t, input)
		if run[algo] == nil {
			t.Fatalf("unknown algorithm %q", algo)
		}
		return run[algo](t, cfg)
	})
}

func parseEvents(t *testing.T, input string) (algo string, cfg sim.Config) {
	number := func(text string) int {
		x, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	var edges []network.Edge
	nodes := 0
	algotest.Lines(t, input, func(word string, f []string) (err error) {
		switch word {
		case "algo":
			algo = f[0]
		case "network":
			cfg.Graph, err = network.Generate(f[0], 1)
		case "edges":
			for _, pair := range f {
				a, b, _ := strings.Cut(pair, "-")
				edges = append(edges, network.Edge{A: int32(number(a) - 1), B: int32(number(b) - 1)})
				nodes = max(nodes, number(a), number(b))
			}
		case "ids":
			for _, id := range f {
				cfg.IDs = append(cfg.IDs, caucus.ID(number(id)))
			}
		case "initiators":
			for _, i := range f {
				cfg.Initiators = append(cfg.Initiators, number(i)-1)
			}
		default:
			err = fmt.Errorf("unknown word %q", word)
		}
		return err
	})
	if cfg.Graph == nil {
		g, _, err := network.Build(nodes, edges)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Graph = g
	}
	n := cfg.Graph.Len()
	if cfg.IDs == nil {
		for i := range n {
			cfg.IDs = append(cfg.IDs, caucus.ID(i+1))
		}
	}
	cfg.Known.Nodes = n
	for i := range n {
		for _, d := range network.Hops(cfg.Graph, i) {
			cfg.Known.Diameter = max(cfg.Known.Diameter, int(d))
		}
	}
	return algo, cfg
}

// script runs an algorithm with its default parameters and writes down what is received and sent.
func script[S, M any, A caucus.Events[S, M]](spec *caucus.Spec, make func(caucus.Args) (A, error)) func(*testing.T,
	sim.Config) string {
	return func(t *testing.T, cfg sim.Config) string {
		args, err := spec.Resolve("", nil)
		if err != nil {
			t.Fatal(err)
		}
		algo, err := make(args)
		if err != nil {
			t.Fatal(err)
		}
		w := writer[S, M]{Events: algo, spec: spec, cfg: &cfg, node: map[caucus.ID]int{}, text: new(strings.Builder)}
		for i, id := range cfg.IDs {
			w.node[id] = i
		}
		r, err := engine.RunEvents(context.Background(), w, spec, cfg)
		if err != nil {
			t.Fatal(err)
		}
		for i, o := range r.Outcomes {
			fmt.Fprintf(w.text, "%d: %s of %d", cfg.IDs[i], o.Role, o.Leader)
			if o.Parent > 0 {
				fmt.Fprintf(w.text, ", towards %d", w.neighbour(cfg.IDs[i], int(o.Parent)-1))
			}
			w.text.WriteString("\n")
		}
		return w.text.String()
	}
}

// writer is an algorithm that writes down what passes.
type writer[S, M any] struct {
	caucus.Events[S, M]
	spec *caucus.Spec
	cfg  *sim.Config
	node map[caucus.ID]int
	text *strings.Builder
}

func (w writer[S, M]) neighbour(id caucus.ID, port int) caucus.ID {
	g := w.cfg.Graph
	return w.cfg.IDs[g.Nbr[g.Off[w.node[id]]+port]]
}

func (w writer[S, M]) Wake(l *caucus.Local, s *S, initiator bool, out *caucus.Outbox[M]) {
	w.Events.Wake(l, s, initiator, out)
	how := "wakes"
	if initiator {
		how = "starts"
	}
	w.write(l, how, out)
}

func (w writer[S, M]) Receive(l *caucus.Local, s *S, port int, m M, out *caucus.Outbox[M]) {
	w.Events.Receive(l, s, port, m, out)
	w.write(l, fmt.Sprintf("<- %d %s", w.neighbour(l.ID, port), w.show(&m)), out)
}

func (w writer[S, M]) Timer(l *caucus.Local, s *S, timer int, out *caucus.Outbox[M]) {
	w.Events.Timer(l, s, timer, out)
	w.write(l, "timer", out)
}

func (w writer[S, M]) write(l *caucus.Local, what string, out *caucus.Outbox[M]) {
	fmt.Fprintf(w.text, "%4g  %d %s", l.Now.Seconds(), l.ID, what)
	for k, send := range out.Sends {
		sep := "; "
		if k == 0 {
			sep = "  => "
		}
		fmt.Fprintf(w.text, "%s%d %s", sep, w.neighbour(l.ID, send.Port), w.show(&send.Msg))
	}
	w.text.WriteString("\n")
}

// show writes the kind of a message and those of its fields that are not zero.
func (w writer[S, M]) show(m *M) string {
	text := "tells"
	if kinds := w.spec.Kinds; len(kinds) > 0 {
		text = kinds[w.Kind(m)]
	}
	v := reflect.ValueOf(*m)
	for k := range v.NumField() {
		switch f := v.Type().Field(k); {
		case !f.IsExported() || f.Name == "Kind" || v.Field(k).IsZero():
		case v.Field(k).Kind() == reflect.Bool:
			text += " " + strings.ToLower(f.Name)
		default:
			text += fmt.Sprintf(" %v", v.Field(k))
		}
	}
	return text
}
