package registry

import (
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/algo/aggregate/collect"
	"caucus.example/caucus/algo/aggregate/decay"
	"caucus.example/caucus/algo/aggregate/gradient"
	"caucus.example/caucus/algo/aggregate/mo"
	"caucus.example/caucus/algo/aggregate/recursive"
	"caucus.example/caucus/algo/aggregate/sparse"
	"caucus.example/caucus/algo/aggregate/waves"
	"caucus.example/caucus/algo/graphs/complete"
	"caucus.example/caucus/algo/graphs/flood"
	"caucus.example/caucus/algo/graphs/hyperelect"
	"caucus.example/caucus/algo/graphs/megamerger"
	"caucus.example/caucus/algo/graphs/mesh"
	"caucus.example/caucus/algo/graphs/saturation"
	"caucus.example/caucus/algo/graphs/torus"
	"caucus.example/caucus/algo/graphs/yoyo"
	"caucus.example/caucus/algo/iot/brogo"
	"caucus.example/caucus/algo/iot/bully"
	"caucus.example/caucus/algo/iot/minfind"
	"caucus.example/caucus/algo/iot/prasle"
	"caucus.example/caucus/algo/iot/topk"
	"caucus.example/caucus/algo/iot/wbs"
	"caucus.example/caucus/algo/kit/rank"
	"caucus.example/caucus/internal/wire"
	"pgregory.net/rapid"
)

// What an algorithm may send, its corrupted messages included, must survive the wire: a world of the
// tests is the checker's, so its Domain must not be empty either.
func TestDomains(t *testing.T) {
	election, err := bounded.New(bounded.Default(3))
	if err != nil {
		t.Fatal(err)
	}
	w := &caucus.World{IDs: []caucus.ID{1, 2, 99}, Strengths: []float64{0, 1, 2.5}, Dists: []float64{0, 0.1, 3},
		Counter: 3}
	t.Run("bounded", func(t *testing.T) {
		states, messages := election.Domain(w)
		roundTrip(t, states.Len, messages)
	})
	domain[mo.Bid, mo.Bid](t, w, &mo.Spec, mo.FromArgs)
	domain[gradient.Mark, gradient.Mark](t, w, &gradient.Spec, gradient.FromArgs)
	domain[collect.Report, collect.Report](t, w, &collect.Spec, collect.FromArgs)
	domain[decay.Claim, decay.Claim](t, w, &decay.Spec, decay.FromArgs)
	domain[sparse.Vote, sparse.Vote](t, w, &sparse.Spec, sparse.FromArgs)
	domain[waves.Place, waves.Place](t, w, &waves.Spec, waves.FromArgs)
	domain[recursive.Memory, recursive.Claims](t, w, &recursive.Spec, recursive.FromArgs)
	for _, e := range ringAlgorithms {
		t.Run(e.spec.Name, func(t *testing.T) { e.domain(t, w) })
	}
	domain[prasle.Claim, prasle.Claim](t, w, &prasle.Spec, prasle.FromArgs)
	domain[topk.View, topk.View](t, w, &topk.Spec, topk.FromArgs)
	eventDomain[prasle.Node, rank.Pair](t, w, &prasle.ReliableSpec, prasle.ReliableFromArgs)
	eventDomain[minfind.State, rank.Pair](t, w, &minfind.Spec, minfind.FromArgs)
	eventDomain[bully.State, bully.Msg](t, w, &bully.Spec, bully.FromArgs)
	eventDomain[wbs.State, wbs.Msg](t, w, &wbs.Spec, wbs.FromArgs)
	eventDomain[brogo.State, brogo.Msg](t, w, &brogo.Spec, brogo.FromArgs)
	eventDomain[saturation.State, saturation.Msg](t, w, &saturation.MinSpec, saturation.MinFromArgs)
	eventDomain[saturation.State, saturation.Msg](t, w, &saturation.RootSpec, saturation.RootFromArgs)
	eventDomain[mesh.State, mesh.Msg](t, w, &mesh.Spec, mesh.FromArgs)
	eventDomain[torus.State, torus.Msg](t, w, &torus.Spec, torus.FromArgs)
	eventDomain[hyperelect.State, hyperelect.Msg](t, w, &hyperelect.Spec, hyperelect.FromArgs)
	eventDomain[complete.State, complete.Msg](t, w, &complete.Spec, complete.FromArgs)
	eventDomain[flood.State, flood.Msg](t, w, &flood.Spec, flood.FromArgs)
	eventDomain[flood.State, flood.Msg](t, w, &flood.ChangesSpec, flood.ChangesFromArgs)
	eventDomain[yoyo.State, yoyo.Msg](t, w, &yoyo.Spec, yoyo.FromArgs)
	eventDomain[yoyo.State, yoyo.Msg](t, w, &yoyo.PlainSpec, yoyo.PlainFromArgs)
	eventDomain[megamerger.State, megamerger.Msg](t, w, &megamerger.Spec, megamerger.FromArgs)
}

// eventDomain round-trips the messages of the algorithm and shows any message to any state: no
// panic, whatever came before.
func eventDomain[S any, M comparable, A caucus.Events[S, M]](t *testing.T, w *caucus.World, spec *caucus.Spec,
	make func(caucus.Args) (A, error)) {
	t.Run(spec.Name, func(t *testing.T) {
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
		rapid.Check(t, func(t *rapid.T) {
			degree := rapid.IntRange(1, 4).Draw(t, "degree")
			l := caucus.Local{ID: 2, Degree: degree, Known: caucus.Known{Nodes: 3, Diameter: 2}}
			for p := range degree {
				l.Labels = append(l.Labels, caucus.Dimension(p))
			}
			s := states.At(rapid.Uint64Range(0, states.Len-1).Draw(t, "state"))
			var out caucus.Outbox[M]
			if rapid.Bool().Draw(t, "wakes") {
				s = algo.Boot(&l)
				algo.Wake(&l, &s, rapid.Bool().Draw(t, "initiator"), &out)
			}
			for range 4 {
				m := messages.At(rapid.Uint64Range(0, messages.Len-1).Draw(t, "message"))
				algo.Receive(&l, &s, rapid.IntRange(0, degree-1).Draw(t, "port"), m, &out)
				algo.Outcome(&l, &s)
				if k := algo.Kind(&m); k < 0 || k >= max(1, len(spec.Kinds)) {
					t.Fatalf("kind %d of %v", k, spec.Kinds)
				}
			}
		})
	})
}

// domain round-trips the messages of the algorithm with its default parameters.
func domain[S any, M comparable, A caucus.Rounds[S, M]](t *testing.T, w *caucus.World, spec *caucus.Spec,
	make func(caucus.Args) (A, error)) {
	t.Run(spec.Name, func(t *testing.T) {
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
		for k := range min(states.Len, 1000) {
			s := states.At(k)
			algo.Outcome(&caucus.Local{ID: 1}, &s)
		}
	})
}

func roundTrip[M comparable](t *testing.T, states uint64, messages caucus.Values[M]) {
	if states == 0 || messages.Len == 0 {
		t.Fatalf("%d states and %d messages in the domain", states, messages.Len)
	}
	codec, err := wire.NewCodec[M]()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		m := messages.At(rapid.Uint64Range(0, messages.Len-1).Draw(t, "message"))
		b, err := codec.Encode(&m)
		if err != nil {
			t.Fatal(err)
		}
		back, err := codec.Decode(b)
		if err != nil || back != m {
			t.Fatalf("%+v came back as %+v, %v", m, back, err)
		}
	})
}
