package registry

import (
	"testing"

	"caucus"
	"caucus/algo/bounded"
	"caucus/algo/collect"
	"caucus/algo/decay"
	"caucus/algo/gradient"
	"caucus/algo/mo"
	"caucus/algo/recursive"
	"caucus/algo/sparse"
	"caucus/algo/waves"
	"caucus/wire"
	"pgregory.net/rapid"
)

// What an algorithm may send, its corrupted messages included, must survive the wire: a world of the
// tests is the checker's, so its Domain must not be empty either.
func TestDomains(t *testing.T) {
	election, err := bounded.New(bounded.Default(3))
	if err != nil {
		t.Fatal(err)
	}
	w := &caucus.World{IDs: []caucus.ID{1, 2, 99}, Strengths: []float64{0, 1, 2.5}, Dists: []float64{0, 0.1, 3}, Counter: 3}
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
}

// domain round-trips the messages of the algorithm with its default parameters.
func domain[S any, M comparable, A caucus.Rounds[S, M]](t *testing.T, w *caucus.World, spec *caucus.Spec, make func(caucus.Args) (A, error)) {
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
