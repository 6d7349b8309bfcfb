package registry

import (
	"math"
	"reflect"
	"slices"
	"testing"
	"time"
	"unsafe"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/region"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/internal/forget/inrounds"
	"caucus.example/caucus/network"
	"caucus.example/caucus/registry/internal/aggregate"
	"caucus.example/caucus/registry/internal/iot"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"caucus.example/caucus/story"
	"pgregory.net/rapid"
)

// counting are parameters under which Bounded Election counts less than by default, or not at all.
var counting = []map[string]string{{"radius": "5"}, {"radius": "5", "heartbeat": "0"},
	{"radius": "5", "heartbeat": "0", "hop-limit": "3"}, {"heartbeat": "9", "order": "sdi"}}

// ways are those of Mo et al. to choose a bid.
var ways = []map[string]string{nil, {"tie": "D"}, {"mabf-cmp": "le", "max-reach": "3"}, {"tie": "D", "mabf-cmp": "le"}}

// declared gives every algorithm of rounds, with and without the service above it.
func declared(t testing.TB) (names []string, algorithms []columns.Rounds) {
	t.Helper()
	for _, r := range slices.Concat(aggregate.Rounds, iot.Rounds) {
		given := []map[string]string{nil}
		switch r.Spec.Name {
		case "bounded":
			given = counting
		case "mo":
			given = ways
		}
		for _, g := range given {
			for _, variant := range []inrounds.Rounds{r, r.Region(region.Region{})} {
				args, err := variant.Spec.Resolve("", g)
				if err != nil {
					t.Fatal(err)
				}
				made, err := variant.Make(args)
				if err != nil {
					t.Fatal(err)
				}
				names, algorithms = append(names, variant.Spec.Name), append(algorithms, made.One)
			}
		}
	}
	return names, algorithms
}

// anyValue draws the fields of a value: few values, so that they meet, and now and then any.
func anyValue(t *rapid.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			anyValue(t, v.Field(i))
		}
	case reflect.Array:
		for i := range min(v.Len(), 3) {
			anyValue(t, v.Index(i))
		}
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Float64:
		v.SetFloat(rapid.OneOf(rapid.SampledFrom([]float64{0, 1, 2, -1, -2, 2.5, math.Inf(1), math.NaN()}),
			rapid.Float64()).Draw(t, "number"))
	case reflect.Int16:
		v.SetInt(int64(rapid.OneOf(rapid.Int16Range(-3, 3), rapid.Int16()).Draw(t, "size")))
	default:
		v.SetUint(rapid.OneOf(rapid.Uint64Range(0, 4), rapid.Uint64Range(60, 70), rapid.Uint64()).Draw(t, "count") &
			(1<<v.Type().Bits() - 1))
	}
}

// frank tells whether a simulator keeps one of state and message.
func frank(r columns.Rounds) bool {
	state, message := r.Types()
	by, ok := r.Algorithm().(caucus.Frank)
	return ok && by.Frank() && state == message
}

func addressOf(v any) unsafe.Pointer { return reflect.ValueOf(v).UnsafePointer() }

// What algorithms declare is true: with other rounds begun, at another time, with other random numbers, without what
// Selective ones do not read, and with the same number added to all counters, a round of any state on any messages is
// the same but for that number, and so is the outcome.
func timeless(t *rapid.T, name string, algorithm columns.Rounds) {
	var runs [2]columns.Rounds
	for i := range runs {
		runs[i] = algorithm.New()
	}
	anyValue(t, reflect.ValueOf(runs[0].State()).Elem())
	anyValue(t, reflect.ValueOf(runs[0].Export()).Elem())
	n := rapid.IntRange(0, 4).Draw(t, "messages")
	var slots []int
	var dist []float64
	var missed []uint8
	for s := range n {
		anyValue(t, reflect.ValueOf(runs[0].Message(s)).Elem())
		slots, dist = append(slots, s), append(dist, float64(rapid.IntRange(1, 3).Draw(t, "dist")))
		missed = append(missed, rapid.SampledFrom([]uint8{0, 0, 1, 3, 255}).Draw(t, "missed"))
	}
	if rapid.Bool().Draw(t, "all came") {
		missed = nil
	}
	relative, shifts := runs[0].Relative()
	shift := rapid.Uint64().Draw(t, "shift")
	scratch := runs[0].New()
	copyOf := func(to, from any) { reflect.ValueOf(to).Elem().Set(reflect.ValueOf(from).Elem()) }
	copyOf(runs[1].State(), runs[0].State())
	copyOf(runs[1].Export(), runs[0].Export())
	for s := range n {
		copyOf(runs[1].Message(s), runs[0].Message(s))
	}
	if shifts {
		relative.Rebase(addressOf(runs[1].State()), addressOf(runs[1].Export()), -shift)
		for s := range n {
			relative.Rebase(addressOf(scratch.State()), addressOf(runs[1].Message(s)), -shift)
		}
	}
	by, selects := runs[1].Selective()
	l := caucus.Local{ID: caucus.ID(rapid.IntRange(1, 4).Draw(t, "id")),
		Nonce:    rapid.Uint64Range(0, 3).Draw(t, "nonce"),
		Strength: float64(rapid.IntRange(0, 2).Draw(t, "strength")), Degree: n, Round: 7, Rand: caucus.NewRand(1, "a"),
		Known: caucus.Known{Nodes: 5, Diameter: rapid.IntRange(0, 4).Draw(t, "diameter")}}
	if selects {
		reader := caucus.Local{ID: l.ID, Strength: l.Strength}
		by.Keep(&reader, addressOf(runs[1].State()))
		for s := range n {
			by.Heed(&reader, addressOf(runs[1].Message(s)))
		}
	}
	var texts [2][2]string
	var outcomes [2]caucus.Outcome
	for i, r := range runs {
		r.Round(&l, slots, dist, missed)
		outcomes[i] = r.Outcome(&l)
		if i == 1 && shifts {
			relative.Rebase(addressOf(r.State()), addressOf(r.Export()), shift)
		}
		for j, v := range []any{r.State(), r.Export()} {
			x := story.ValueOf(v)
			texts[i][j] = x.Plain()
		}
		l.Round, l.Now, l.Rand = 100, time.Hour, caucus.NewRand(2, "b")
	}
	if frank(runs[0]) && texts[0][0] != texts[0][1] {
		t.Fatalf("%s: a round leaves\n%s\nin the state and says\n%s", name, texts[0][0], texts[0][1])
	}
	if texts[0] != texts[1] {
		t.Fatalf("%s: a round comes to\n%s\nand at another time, with %d more in all counters, to\n%s", name,
			texts[0], shift, texts[1])
	}
	for i := range outcomes {
		outcomes[i].Distance = float64(math.Float64bits(outcomes[i].Distance)) // NaN is NaN
	}
	if outcomes[0] != outcomes[1] {
		t.Fatalf("%s: outcome %+v, and with %d more in all counters %+v", name, outcomes[0], shift, outcomes[1])
	}
}

func TestTimeless(t *testing.T) {
	names, algorithms := declared(t)
	for k, name := range names {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { timeless(t, name, algorithms[k]) })
		})
	}
}

func FuzzTimeless(f *testing.F) {
	names, algorithms := declared(f)
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		k := rapid.IntRange(0, len(names)-1).Draw(t, "algorithm")
		timeless(t, names[k], algorithms[k])
	}))
}

// hurried shows an algorithm of events other clocks and round counters, and notes whether it draws.
type hurried struct {
	columns.Events
	calls *uint64
	drew  *bool
}

func (h hurried) New(n int) columns.Events { return hurried{h.Events.New(n), h.calls, h.drew} }

func (h hurried) Timeless() bool { return false }

func (h hurried) hurry(l *caucus.Local, call func() columns.Elected) columns.Elected {
	*h.calls++
	l.Round, l.Now = 7**h.calls, time.Duration(*h.calls)*time.Hour
	before := l.Rand
	now := call()
	*h.drew = *h.drew || l.Rand != before
	return now
}

func (h hurried) Wake(i int, l *caucus.Local, initiator bool) columns.Elected {
	return h.hurry(l, func() columns.Elected { return h.Events.Wake(i, l, initiator) })
}

func (h hurried) Receive(i int, l *caucus.Local, port int, slot int32) columns.Elected {
	return h.hurry(l, func() columns.Elected { return h.Events.Receive(i, l, port, slot) })
}

func (h hurried) Timer(i int, l *caucus.Local, timer int) columns.Elected {
	return h.hurry(l, func() columns.Elected { return h.Events.Timer(i, l, timer) })
}

// What algorithms of events declare is true: in a run with other clocks they draw nothing and do the same. The two that
// are random do not declare it, and draw.
func TestTimelessEvents(t *testing.T) {
	for _, f := range slices.Concat(allEvents...) {
		args, err := f.Spec.Resolve("", nil)
		if err != nil {
			t.Fatal(err)
		}
		ran := 0
		for _, text := range []string{"ring:9", "clique:7", "line:8", "grid:3x4", "torus:4x4", "hypercube:3"} {
			g, err := network.Generate(text, 1)
			if err != nil {
				t.Fatal(err)
			}
			cfg := sim.Config{Graph: g, Seed: 1, MaxEvents: 100_000, MaxRounds: 1000, StableFor: 20,
				Known: caucus.Known{Nodes: g.Len(), Diameter: g.Len(), Delay: 2e9}}
			algo, err := f.Make(args)
			if err != nil {
				t.Fatal(err)
			}
			plain, err := engine.RunEventColumns(t.Context(), algo, f.Spec, cfg)
			if err != nil {
				continue // a network that the algorithm does not take
			}
			ran++
			h := hurried{algo, new(uint64), new(bool)}
			other, err := engine.RunEventColumns(t.Context(), h, f.Spec, cfg)
			if err != nil {
				t.Fatal(err)
			}
			if *h.drew == algo.Timeless() {
				t.Errorf("%s on %s: timeless %v, draws %v", f.Spec.Name, text, algo.Timeless(), *h.drew)
			}
			if plain.TraceHash != other.TraceHash || plain.Messages != other.Messages {
				t.Errorf("%s on %s does something else at other times", f.Spec.Name, text)
			}
		}
		if ran == 0 {
			t.Errorf("%s ran on no network", f.Spec.Name)
		}
	}
}

// What a node says at the beginning is what it holds, too, and no algorithm of which that is so keeps it to itself.
func TestFrank(t *testing.T) {
	names, algorithms := declared(t)
	for k, a := range algorithms {
		r := a.New()
		r.Boot(&caucus.Local{ID: 3, Nonce: 5, Strength: 2, Degree: 1, Rand: caucus.NewRand(1, "a"),
			Known: caucus.Known{Nodes: 5, Diameter: 2}})
		state, says := story.ValueOf(r.State()), story.ValueOf(r.Export())
		if types, message := r.Types(); frank(r) != (types == message) {
			t.Errorf("%s: frank is %v, types are %v and %v", names[k], frank(r), types, message)
		}
		if frank(r) && state.Plain() != says.Plain() {
			t.Errorf("%s begins with the state %s and says %s", names[k], state.Plain(), says.Plain())
		}
	}
}

// All algorithms of rounds declare it.
func TestAllDeclare(t *testing.T) {
	names, algorithms := declared(t)
	for k, a := range algorithms {
		by, ok := a.Algorithm().(caucus.Timeless)
		if !ok || !by.Timeless() {
			t.Errorf("%s runs every node in every round of a simulation", names[k])
		}
	}
}
