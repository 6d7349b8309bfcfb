package check

import (
	"fmt"
	"math/bits"
	"os"
	"reflect"
	"slices"
	"sync"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/algo/aggregate/waves"
	"pgregory.net/rapid"
)

// A report is the same on any number of workers, and with a memory that most configurations do not fit, the rest being
// in files that are gone afterwards: complete and growing machines, with and without cycles, with counters that are
// shifted.
func TestWorkersAndSpillAgree(t *testing.T) {
	t.Parallel()
	plain, err := bounded.New(bounded.Config{Radius: 2})
	if err != nil {
		t.Fatal(err)
	}
	beat, err := bounded.New(bounded.Config{Radius: 2, Clamp: true, Heartbeat: 3, Nonce: true})
	if err != nil {
		t.Fatal(err)
	}
	three, four := parse(t, "2-3 3-4 strengths=1,2,1"), parse(t, "2-3 3-4 4-5")
	classical := Config{Networks: []*caucus.Network{three}, Daemons: Classical, Ghosts: 1, Counter: 1}
	spill := t.TempDir()
	ways := []struct {
		workers int
		memory  int64
		spill   string
	}{{1, 0, ""}, {5, 0, ""}, {3, 1 << 16, spill}}
	if raced { // which takes ten times as long: .ci/run runs the rest without
		ways, classical.Daemons = ways[:2], []Daemon{Synchronous, Distributed}
	}
	agree := func(name string, cfg Config, rounds func(cfg Config) (*Report, error)) {
		t.Helper()
		var first *Report
		for _, c := range ways {
			cfg.Workers, cfg.MaxMemory, cfg.Spill, cfg.MaxStates = c.workers, c.memory, c.spill, 1<<18
			rep, err := rounds(cfg)
			if err != nil {
				t.Fatal(err)
			}
			for k := range rep.Rows {
				rep.Rows[k].Seconds = 0
			}
			if first == nil {
				first = rep
			}
			if !reflect.DeepEqual(rep, first) {
				t.Errorf("%s: %d workers, %d bytes:\n%+v\nbut before\n%+v", name, c.workers, c.memory, rep.Rows,
					first.Rows)
			}
		}
		if files, err := os.ReadDir(spill); err != nil || len(files) > 0 {
			t.Errorf("left in the directory: %v %v", files, err)
		}
		if n := first.Rows[0].Configurations; n < 1000 {
			t.Errorf("%s: only %d configurations", name, n)
		}
	}
	agree("bounded", classical, func(cfg Config) (*Report, error) { return Rounds(t.Context(), plain, cfg) })
	for _, b := range broken {
		cfg := classical
		cfg.Networks = []*caucus.Network{parse(t, "2-3 3-4")}
		if !raced {
			cfg.Daemons = Daemons
		}
		if b.name != "right" && b.name != "forgotten filter" && b.name != "dropped tie rule" {
			continue
		}
		agree(b.name, cfg, func(cfg Config) (*Report, error) { return Rounds(t.Context(), b.algo, cfg) })
	}
	if raced {
		return
	}
	heart := classical
	heart.Daemons = []Daemon{Synchronous, Phased, Paced}
	agree("heartbeat", heart, func(cfg Config) (*Report, error) { return Rounds(t.Context(), beat, cfg) })
	waving := classical
	waving.Networks = []*caucus.Network{three, four}
	agree("waves", waving, func(cfg Config) (*Report, error) { return Rounds(t.Context(), waves.Waves{}, cfg) })
}

// Files are used when the heap is, and a directory that does not exist is an error, not a verdict.
func TestSpill(t *testing.T) {
	y, err := systemOf[cell, cell](fixture{hops: reach, rule: least(smaller, true, false)}, parse(t, "2-3 3-4"))
	if err != nil {
		t.Fatal(err)
	}
	never := func() bool { return false }
	m, _, err := y.complete(world(y.net, 1, 3), 1<<24, never)
	if err != nil {
		t.Fatal(err)
	}
	memory := &store{heap: 1 << 16, dir: t.TempDir()}
	defer memory.close()
	x, ok := exploreWith(m, Distributed, 1<<24, new(crew), memory, never)
	if !ok || memory.failed() != nil || memory.spilled() == 0 || x.result.configurations != m.total() {
		t.Errorf("%v: %v, %d bytes spilled, %d of %d configurations", ok, memory.failed(), memory.spilled(),
			x.result.configurations, m.total())
	}
	_, err = Rounds(t.Context(), fixture{hops: reach, rule: least(smaller, true, false)},
		Config{Networks: []*caucus.Network{y.net}, Ghosts: 1, MaxMemory: 1 << 16, Spill: "/no/such/directory"})
	if err == nil {
		t.Error("no error where nothing can be spilled")
	}
}

// Workers that number the same keys agree on the numbers, which are dense.
func TestKeyTable(t *testing.T) {
	const keys = 50000
	table := newKeyTable(&store{}, keys)
	var got [3][]uint32
	var wait sync.WaitGroup
	for w := range got {
		wait.Go(func() {
			for k := range uint64(keys) {
				id, ok := table.number(mix(k * uint64(1+2*(w%2)) % keys))
				if !ok {
					t.Error("full")
				}
				got[w] = append(got[w], id)
			}
		})
	}
	wait.Wait()
	seen := make([]bool, keys)
	for k, id := range got[0] {
		if seen[id] || table.key(id) != mix(uint64(k)) || got[2][k] != id || got[1][k] != got[0][3*k%keys] {
			t.Fatalf("key %d has number %d", k, id)
		}
		seen[id] = true
	}
	alone, plain := newKeyTable(&store{}, keys), map[uint64]uint32{}
	for k := range uint64(keys) {
		key := mix(k % 999 * k)
		if _, ok := plain[key]; !ok {
			plain[key] = uint32(len(plain))
		}
		if id, _ := alone.number(key); id != plain[key] {
			t.Fatalf("key %d has number %d", k, id)
		}
	}
	if _, ok := table.number(1 << 63); ok {
		t.Error("more keys than fit")
	}
}

func TestWays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SliceOfN(rapid.Uint64Range(1, 9), 1, 5).Draw(t, "letters")
		struck := rapid.IntRange(0, len(letters)).Draw(t, "struck")
		want := uint64(0)
		for set := range 1 << len(letters) {
			if n := bits.OnesCount(uint(set)); struck > 0 && n != struck || struck == 0 && n != len(letters) {
				continue
			}
			product := uint64(1)
			for i, l := range letters {
				if set&(1<<i) != 0 {
					product *= l
				}
			}
			want += product
		}
		if got := ways(letters, struck); got != want {
			t.Fatalf("%v, %d struck: %d, not %d", letters, struck, got, want)
		}
	})
	if got := ways([]uint64{1 << 40, 1 << 40}, 0); got != 1<<62 {
		t.Errorf("%d", got)
	}
}

// No symmetry is left to make use of: with the order of IDs kept, no two networks are the same, and none is the same as
// itself in another way. The order must be kept: in which places of one path the least IDs are says how long it takes.
func TestNoSymmetry(t *testing.T) {
	total, shapes := 0, 0
	for n := 1; n <= 4; n++ {
		seen := map[string]bool{}
		for _, net := range Networks(Connected, n, Assignments{Strengths: []float64{1}, Lengths: []float64{1}}) {
			// the only map that keeps the order of two rising lists is place by place
			if !slices.IsSorted(net.IDs) || seen[Describe(net)] {
				t.Errorf("%s twice, or not in order", Describe(net))
			}
			seen[Describe(net)] = true
		}
		total, shapes = total+len(seen), shapes+Shapes(Connected, n)
	}
	if total != 44 || shapes != 10 {
		t.Errorf("%d networks of %d shapes", total, shapes)
	}
	right := fixture{hops: reach, rule: least(smaller, true, false)}
	for text, want := range map[string]int{"2-3 3-4": 2, "2-3 2-4": 1} {
		rep := check2(t, right, Config{Networks: []*caucus.Network{parse(t, text)}, Daemons: []Daemon{Synchronous},
			Start: Clean})
		if got := rep.Rows[0].Rounds.N; got != want {
			t.Errorf("%s: %d rounds, want %d", text, got, want)
		}
	}
}

// With one or two nodes struck, executions begin where nodes follow the least ID, but for what those nodes hold.
func TestStruck(t *testing.T) {
	net := parse(t, "2-3 3-4")
	right := fixture{hops: reach, rule: least(smaller, true, false)}
	y, err := systemOf[cell, cell](right, net)
	if err != nil {
		t.Fatal(err)
	}
	start, err := y.candid(world(net, 1, 3), 1<<10)
	if err != nil {
		t.Fatal(err)
	}
	rest := []cell{{Lead: 2}, {Lead: 2, Hops: 1}, {Lead: 2, Hops: 2}}
	// 12 letters at each node, one of them the right one
	for struck, want := range map[int]int{1: 3 * 11, 2: 3 * 11 * 11} {
		m, err := y.disturbed(start, struck, 1<<10)
		if err != nil {
			t.Fatal(err)
		}
		apart := 0
		letters := make([]uint32, m.n)
		for k := range m.starts() {
			m.letters(m.startKey(k), letters)
			wrong := 0
			for i, l := range letters {
				if p := m.holds(i, l); y.algo.states.value(y.nodes[i].states.values[p.state]) != rest[i] {
					wrong++
				}
			}
			if wrong > struck {
				t.Fatalf("%d nodes are wrong, %d struck", wrong, struck)
			}
			if wrong == struck {
				apart++
			}
		}
		if apart != want {
			t.Errorf("%d struck: %d configurations, want %d", struck, apart, want)
		}
	}
	// Where all nodes at once make too many initial configurations, fewer are corrupted.
	rep, err := Rounds(t.Context(), waves.Waves{}, Config{Networks: []*caucus.Network{net}, Ghosts: 1, MaxStates: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rep.Rows {
		if fmt.Sprint(row.Froms) != fmt.Sprint(map[From]int{{Counter: 1, Reduced: Plausible, Struck: 1}: 1}) ||
			row.Fair.Holds != 1 {
			t.Errorf("%s: %v %+v", row.Daemon, row.Froms, row.Fair)
		}
	}
	// Who asks for so many nodes at most gets no more, however many fit, and who asks for all gets every configuration.
	for corrupted, want := range map[int]int{1: 1, 2: 2, 3: 0} {
		rep, err := Rounds(t.Context(), right, Config{Networks: []*caucus.Network{net}, Ghosts: 1, Corrupted: corrupted,
			Daemons: []Daemon{Central}})
		if err != nil {
			t.Fatal(err)
		}
		for from := range rep.Rows[0].Froms {
			if from.Struck != want || (from.Reduced == "") != (want == 0) {
				t.Errorf("%d corrupted: from %+v", corrupted, from)
			}
		}
	}
}
