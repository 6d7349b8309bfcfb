package caucus_test

import (
	"math"
	"strings"
	"testing"

	"caucus.example/caucus"
)

func TestNames(t *testing.T) {
	plain, err := caucus.NewNames(nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	named, err := caucus.NewNames([]string{"Wien", "new york", "ÅÄÖ"}, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		table *caucus.Names
		id    caucus.ID
		name  string
	}{
		{plain, 0, "-"}, {plain, 1, "1"}, {plain, 3, "3"}, {plain, 4, "#4"},
		{named, 0, "-"}, {named, 1, "Wien"}, {named, 2, "new york"}, {named, 3, "ÅÄÖ"}, {named, 99, "#99"},
	} {
		if got := c.table.Name(c.id); got != c.name {
			t.Errorf("Name(%d) = %q, want %q", c.id, got, c.name)
		}
		id, ok := c.table.ID(c.name)
		if want := c.id >= 1 && c.id <= 3; ok != want || ok && id != c.id {
			t.Errorf("ID(%q) = %d, %v", c.name, id, ok)
		}
	}
	for _, name := range []string{"", "0", "01", "+1", "4", "x", "-1"} {
		if id, ok := plain.ID(name); ok {
			t.Errorf("ID(%q) = %d, want none", name, id)
		}
	}
}

func TestShown(t *testing.T) {
	for name, want := range map[string]string{
		"Köln 1 <b>\"x\"": "Köln 1 <b>\"x\"", // prints, so it stays
		"a\nb":            `"a\nb"`,
		"tab\there":       `"tab\there"`,
		"\x1b[31mred":     `"\x1b[31mred"`,
		"\xff":            `"\xff"`,
	} {
		if got := caucus.Shown(name); got != want {
			t.Errorf("%q is shown as %s, want %s", name, got, want)
		}
	}
}

func TestNamesRefused(t *testing.T) {
	for _, c := range []struct {
		names []string
		n     int
		want  string
	}{
		{[]string{"a", "b", "a"}, 3, `nodes 1 and 3 are both called "a"; names must be distinct`},
		{[]string{"a", ""}, 2, "node 2 has an empty name"},
		{[]string{"a"}, 2, "1 names for 2 nodes"},
	} {
		if _, err := caucus.NewNames(c.names, c.n); err == nil || err.Error() != c.want {
			t.Errorf("%q: %v, want %s", c.names, err, c.want)
		}
	}
}

var spec = caucus.Spec{
	Name: "demo",
	Params: []caucus.Param{
		{Name: "radius", Kind: caucus.KindLength, Default: "inf", Open: true},
		{Name: "beats", Kind: caucus.KindInt, Default: "3", Max: 15},
		{Name: "share", Kind: caucus.KindNumber, Default: "0.5", Max: 1},
		{Name: "order", Kind: caucus.KindChoice, Default: "sid", Choices: []string{"sid", "sdi"}},
		{Name: "clamp", Kind: caucus.KindSwitch, Default: "on"},
	},
	Faithful: map[string]map[string]string{"paper": {"order": "sdi", "clamp": "off"}},
}

func TestResolve(t *testing.T) {
	a, err := spec.Resolve("paper", map[string]string{"radius": "1e3", "clamp": "on"})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(a.Pairs(), " "), "radius=1e3 beats=3 share=0.5 order=sdi clamp=on"; got != want {
		t.Errorf("resolved %s, want %s", got, want)
	}
	if a.Number("radius") != 1000 || a.Int("beats") != 3 || a.Text("order") != "sdi" || !a.On("clamp") {
		t.Error("readers disagree with Pairs")
	}
	a, _ = spec.Resolve("", nil)
	if !math.IsInf(a.Number("radius"), 1) {
		t.Errorf("default radius %g, want +Inf", a.Number("radius"))
	}
}

func TestResolveRefuses(t *testing.T) {
	for _, c := range []struct{ faithful, name, value, want string }{
		{"", "radius", "0", `radius: found "0", allowed: a length > 0, or inf`},
		{"", "radius", "-1", `radius: found "-1", allowed: a length > 0, or inf`},
		{"", "radius", "NaN", `radius: found "NaN", allowed: a length > 0, or inf`},
		{"", "radius", "-inf", `radius: found "-inf", allowed: a length > 0, or inf`},
		{"", "radius", "far", `radius: found "far", allowed: a length > 0, or inf`},
		{"", "beats", "2.5", `beats: found "2.5", allowed: an integer >= 0 and <= 15`},
		{"", "beats", "16", `beats: found "16", allowed: an integer >= 0 and <= 15`},
		{"", "beats", "inf", `beats: found "inf", allowed: an integer >= 0 and <= 15`},
		{"", "share", "1.5", `share: found "1.5", allowed: a number >= 0 and <= 1`},
		{"", "order", "dsi", `order: found "dsi", allowed: sid, sdi; did you mean "sdi"?`},
		{"", "clamp", "yes", `clamp: found "yes", allowed: on, off`},
		{"", "order", "sdd", `order: found "sdd", allowed: sid, sdi; did you mean "sid"?`},
		{"", "radus", "1",
			`parameter of demo: found "radus", allowed: radius, beats, share, order, clamp; did you mean "radius"?`},
		{"papr", "beats", "1", `faithful: found "papr", allowed: paper; did you mean "paper"?`},
		{"", "speed", "1", `parameter of demo: found "speed", allowed: radius, beats, share, order, clamp`},
		{"book", "beats", "1", `faithful: found "book", allowed: paper`},
	} {
		_, err := spec.Resolve(c.faithful, map[string]string{c.name: c.value})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s=%s: %v\nwant %s", c.name, c.value, err, c.want)
		}
	}
}

// Streams must differ by seed, name and coordinate, and a stream must repeat itself.
func TestRandStreams(t *testing.T) {
	seen := map[uint64]string{}
	for _, c := range []struct {
		label string
		r     caucus.Rand
	}{
		{"base", caucus.NewRand(1, "phase")}, {"seed", caucus.NewRand(2, "phase")},
		{"name", caucus.NewRand(1, "phasf")},
		{"at 0", caucus.NewRand(1, "phase", 0)}, {"at 1", caucus.NewRand(1, "phase", 1)},
		{"at 0 1", caucus.NewRand(1, "phase", 0, 1)}, {"at 1 0", caucus.NewRand(1, "phase", 1, 0)},
	} {
		first := c.r
		x := first.Uint64()
		if other, ok := seen[x]; ok {
			t.Errorf("streams %q and %q begin alike", other, c.label)
		}
		seen[x] = c.label
		again := c.r
		if y := again.Uint64(); y != x {
			t.Errorf("stream %q is not repeatable", c.label)
		}
		if first.Uint64() == x {
			t.Errorf("stream %q repeats its first draw", c.label)
		}
	}
	if caucus.NewRand(7, "a").At(3) != caucus.NewRand(7, "a", 3) {
		t.Error("At and NewRand's coordinates disagree")
	}
}

// The mean of 100,000 uniform draws has a standard deviation of 1/sqrt(12·100,000) = 0.0009;
// each of 10 cells of IntN holds 10,000 ± 95.
func TestRandUniform(t *testing.T) {
	r := caucus.NewRand(42, "uniform")
	sum := 0.0
	var cells [10]int
	for range 100_000 {
		x := r.Float64()
		if x < 0 || x >= 1 {
			t.Fatalf("Float64 drew %g", x)
		}
		sum += x
		cells[r.IntN(10)]++
	}
	if mean := sum / 100_000; math.Abs(mean-0.5) > 5*0.0009 {
		t.Errorf("mean %g", mean)
	}
	for i, c := range cells {
		if c < 10_000-500 || c > 10_000+500 {
			t.Errorf("IntN(10) drew %d %d times of 100,000", i, c)
		}
	}
}

// The numbers of the values are those of the fields in a mixed radix, the first field changing fastest, and every
// combination of fields has one.
func TestEvery(t *testing.T) {
	w := &caucus.World{IDs: []caucus.ID{7, 9}, Strengths: []float64{0, 2.5, 3}, Dists: []float64{1, 4}, Counter: 3}
	type value struct {
		lead     caucus.ID
		strength float64
		dist     float64
		from     caucus.ID
		hops     int
		out      bool
		word     string
	}
	words := caucus.Values[string]{Len: 3, At: func(k uint64) string { return []string{"a", "b", "c"}[k] }}
	v := caucus.Every(w, func(p *caucus.Pick) value {
		return value{p.AnyID(), p.Strength(), p.Dist(), p.ID(), p.Below(p.Counter), p.Bool(), caucus.PickOf(p, words)}
	})
	if want := uint64(3 * 3 * 2 * 2 * 3 * 2 * 3); v.Len != want {
		t.Fatalf("%d values, want %d", v.Len, want)
	}
	for k, want := range map[uint64]value{
		0:         {caucus.None, 0, 1, 7, 0, false, "a"},
		1:         {7, 0, 1, 7, 0, false, "a"},
		2:         {9, 0, 1, 7, 0, false, "a"},
		3:         {caucus.None, 2.5, 1, 7, 0, false, "a"},
		v.Len - 1: {9, 3, 4, 9, 2, true, "c"},
	} {
		if got := v.At(k); got != want {
			t.Errorf("value %d is %v, want %v", k, got, want)
		}
	}
	seen := map[value]bool{}
	for k := range v.Len {
		seen[v.At(k)] = true
	}
	if len(seen) != int(v.Len) {
		t.Errorf("%d different values of %d", len(seen), v.Len)
	}
	none := caucus.Every(&caucus.World{}, func(p *caucus.Pick) value {
		return value{lead: p.ID(), word: caucus.PickOf(p, words)}
	})
	if none.Len != 0 {
		t.Errorf("%d values of a world without IDs", none.Len)
	}
}

func TestSendAll(t *testing.T) {
	var out caucus.Outbox[int]
	out.SendAll(3, 1, 7)
	out.SendAll(2, -1, 8)
	want := []caucus.Send[int]{{Port: 0, Msg: 7}, {Port: 2, Msg: 7}, {Port: 0, Msg: 8}, {Port: 1, Msg: 8}}
	if len(out.Sends) != len(want) {
		t.Fatalf("sent %v", out.Sends)
	}
	for i := range want {
		if out.Sends[i] != want[i] {
			t.Errorf("send %d is %v, want %v", i, out.Sends[i], want[i])
		}
	}
}

func TestMissed(t *testing.T) {
	for _, c := range []struct {
		periods float64
		want    uint8
	}{
		{math.NaN(), 0}, {-1, 0}, {0, 0}, {1, 0}, {1.49, 0}, {1.5, 1}, {2.4, 1}, {2.5, 2}, {100.5, 100}, {255.4, 254},
		{256, 255}, {math.Inf(1), 255},
	} {
		if got := caucus.Missed(c.periods); got != c.want {
			t.Errorf("Missed(%g) = %d, want %d", c.periods, got, c.want)
		}
	}
}

// All results of two draws, one within a branch of the other: each number below the count that nothing is left of
// stands for one.
func TestChosen(t *testing.T) {
	draw := func(r *caucus.Rand) [2]int {
		first := r.IntN(3)
		if first == 1 {
			return [2]int{first, r.IntN(2)}
		}
		return [2]int{first, -1}
	}
	seen := map[[2]int]bool{}
	for k, most := uint64(0), uint64(1); k < most; k++ {
		r := caucus.Chosen(k)
		result := draw(&r)
		count, rest := r.Choices()
		if most = max(most, count); rest == 0 {
			if seen[result] {
				t.Errorf("%v twice", result)
			}
			seen[result] = true
		}
	}
	if len(seen) != 4 || !seen[[2]int{1, 1}] {
		t.Errorf("results %v, want 0, 1 with 0 and 1, and 2", seen)
	}
	for name, draw := range map[string]func(r *caucus.Rand){
		"a real number":     func(r *caucus.Rand) { r.Float64() },
		"too many":          func(r *caucus.Rand) { r.IntN(1 << 17) },
		"too many together": func(r *caucus.Rand) { r.IntN(1 << 9); r.IntN(1 << 9) },
		"then a small one":  func(r *caucus.Rand) { r.Uint64(); r.IntN(2) },
	} {
		r := caucus.Chosen(5)
		draw(&r)
		if count, _ := r.Choices(); count != 0 {
			t.Errorf("%s: %d results", name, count)
		}
	}
}
