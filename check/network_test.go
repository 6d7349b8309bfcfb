package check

import (
	"slices"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/network"
	"pgregory.net/rapid"
)

// Connected graphs (OEIS A001349 and, on numbered nodes, A001187), trees (A000055, A000272), and rings: one
// up to isomorphism, (n-1)!/2 on numbered nodes.
func TestCountsOfNetworks(t *testing.T) {
	one := Assignments{[]float64{1}, []float64{1}}
	for _, c := range []struct {
		class          Class
		n              int
		shapes, labels int
	}{
		{Connected, 1, 1, 1}, {Connected, 2, 1, 1}, {Connected, 3, 2, 4}, {Connected, 4, 6, 38},
		{Connected, 5, 21, 728},
		{Trees, 4, 2, 16}, {Trees, 5, 3, 125},
		{Rings, 2, 0, 0}, {Rings, 3, 1, 2 * 1}, {Rings, 4, 1, 2 * 3}, {Rings, 5, 1, 2 * 12}, // each in both directions
	} {
		if got := len(Networks(c.class, c.n, one)); got != c.labels {
			t.Errorf("%s of %d: %d networks, want %d", c.class, c.n, got, c.labels)
		}
		if got := Shapes(c.class, c.n); got != c.shapes {
			t.Errorf("%s of %d: %d shapes, want %d", c.class, c.n, got, c.shapes)
		}
	}
	// Two nodes: strengths 1 1, 1 2, 2 1 and either length.
	if got := len(Networks(Connected, 2, Assignments{[]float64{1, 2}, []float64{1, 5}})); got != 6 {
		t.Errorf("%d assignments, want 6", got)
	}
}

func TestDescribeParses(t *testing.T) {
	for _, class := range Classes {
		for _, net := range Networks(class, 4, Assignments{[]float64{1, 2.5}, []float64{0, 1}}) {
			text := Describe(net)
			back, err := Parse(text)
			if err != nil || Describe(back) != text {
				t.Fatalf("%q came back as %v, %v", text, back, err)
			}
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, says := range map[string]string{
		"":                      "1 to 12 nodes",
		"2-2":                   "2-2",
		"0-1":                   "0-1",
		"2-3:x":                 `"2-3:x"`,
		"2-3:-1":                `"2-3:-1"`,
		"2-3 strengths=1":       "2 strengths",
		"2-3 strengths=1,nan":   `"nan"`,
		"2-3 right=2>3":         "on a ring",
		"2-3 3-4 4-2 right=2>9": "neighbours",
		"2-3 3-4 4-2 right=x":   "right=2>3",
		"1-2 2-3 3-4 4-5 5-6 6-7 7-8 8-9 9-10 10-11 11-12 12-13": "1 to 12 nodes",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: error %v, should say %s", text, err, says)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("2-3:1 3-4:0.5 strengths=1,2,1")
	f.Add("2-3 3-4 4-2 right=2>3")
	f.Add("7")
	f.Fuzz(func(t *testing.T, text string) {
		net, err := Parse(text)
		if err != nil {
			return
		}
		if back, err := Parse(Describe(net)); err != nil || Describe(back) != Describe(net) {
			t.Fatalf("%q: %v", text, err)
		}
	})
}

func TestWorld(t *testing.T) {
	w := world(parse(t, "2-3:4 strengths=1,7"), 2, 3)
	want := caucus.World{IDs: []caucus.ID{2, 3, 1, 4}, Strengths: []float64{1, 7, 8}, Dists: []float64{0, 4},
		Counter: 3}
	if len(w.IDs) != 4 || w.IDs[2] != 1 || w.IDs[3] != 4 || len(w.Strengths) != 3 || w.Strengths[2] != 8 ||
		len(w.Dists) != 2 || w.Counter != want.Counter {
		t.Errorf("%+v, want %+v", w, want)
	}
}

// Tarjan's components on random graphs: two vertices are in one exactly if each reaches the other, and the length of
// the longest path out of an acyclic part is right.
func TestComponents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "n")
		out := make([][]uint32, n)
		reach := make([][]bool, n)
		for i := range n {
			reach[i] = make([]bool, n)
			reach[i][i] = true
			for _, j := range rapid.SliceOfN(rapid.IntRange(0, n-1), 0, 3).Draw(t, "edges") {
				out[i] = append(out[i], uint32(j))
				reach[i][j] = true
			}
		}
		for k := range n {
			for i := range n {
				for j := range n {
					reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
				}
			}
		}
		wrong := rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "wrong")
		component := make([]int, n)
		s := search{marks: newTable[uint32](new(store), uint64(n)),
			expand: func(v uint32) ([]uint32, uint32) { return out[v], 1 },
			base: func(v uint32) uint32 {
				if wrong[v] {
					return bad
				}
				return 0
			}}
		s.component = func(members []uint32) {
			for _, v := range members {
				component[v] = int(members[0]) + 1
				for w := range n {
					if s.inside(uint32(w)) != (reach[v][w] && reach[w][v]) {
						t.Fatalf("%d inside the component of %d: %v", w, v, s.inside(uint32(w)))
					}
				}
			}
		}
		for v := range n {
			s.from(uint32(v))
		}
		marks := s.marks.run(0, uint64(n))
		for v := range n {
			isBad := false
			for w := range n {
				isBad = isBad || reach[v][w] && wrong[w]
				if component[v] > 0 && component[w] > 0 && (component[v] == component[w]) != (reach[v][w] &&
					reach[w][v]) {
					t.Fatalf("%d and %d", v, w)
				}
			}
			if (marks[v]&bad != 0) != isBad || isBad != (component[v] > 0) {
				t.Fatalf("vertex %d: mark %x, bad %v", v, marks[v], isBad)
			}
			if want := longest(out, marks, uint32(v), 0); isBad && int(marks[v]&endless) != want &&
				(want <= n || marks[v]&endless != endless) {
				t.Fatalf("vertex %d: length %d, want %d", v, marks[v]&endless, want)
			}
		}
	})
}

// longest follows every path through bad vertices; more than the number of them is endless.
func longest(out [][]uint32, marks []uint32, v uint32, depth int) int {
	if marks[v]&bad == 0 || depth > len(out) {
		return 0
	}
	most := 0
	for _, to := range out[v] {
		most = max(most, 1+longest(out, marks, to, depth+1))
	}
	return most
}

// Hypercubes come in all orders of IDs that are not the same cube again, complete networks in one; both are read as
// they are written.
func TestCubes(t *testing.T) {
	one := Assignments{[]float64{1}, []float64{1}}
	for _, c := range []struct {
		class   Class
		n, want int
	}{{Cubes, 1, 0}, {Cubes, 2, 1}, {Cubes, 3, 0}, {Cubes, 4, 6}, {Cubes, 5, 0}, {Complete, 1, 1}, {Complete, 4, 1}} {
		nets := Networks(c.class, c.n, one)
		if len(nets) != c.want {
			t.Errorf("%s of %d: %d networks, want %d", c.class, c.n, len(nets), c.want)
		}
		seen := map[string]bool{}
		for _, net := range nets {
			text := Describe(net)
			again := parse(t, text)
			if seen[text] || Describe(again) != text || !slices.Equal(again.Labels, net.Labels) {
				t.Errorf("%s is read as %s, labels %v and %v", text, Describe(again), net.Labels, again.Labels)
			}
			seen[text] = true
			if g := (&network.Graph{Off: net.Off, Nbr: net.Nbr, Labels: net.Labels}); c.class == Cubes &&
				network.CheckLabels(g, caucus.Hypercube) != nil {
				t.Errorf("%s: %v", text, network.CheckLabels(g, caucus.Hypercube))
			}
		}
	}
	for _, text := range []string{"2-3 3-4 4-5 5-2 cube=2,4,3,5", "2-3 cube=2", "2-3 cube=2,x", "2-3 3-4 cube=2,3,4"} {
		if _, err := Parse(text); err == nil {
			t.Errorf("%s: read", text)
		}
	}
}
