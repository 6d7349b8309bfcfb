package check

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/network"
)

// Class is a class of small networks.
type Class string

// Classes.
const (
	Connected Class = "connected"
	Trees     Class = "trees"
	Rings     Class = "rings"
	Complete  Class = "complete"
	Cubes     Class = "hypercubes"
)

// Classes lists them.
var Classes = []Class{Connected, Trees, Rings, Complete, Cubes}

// Assignments are the values from which nodes and edges get theirs, in every way.
type Assignments struct {
	Strengths []float64
	Lengths   []float64
}

// MaxNodes is the size of the largest network of which every execution can be explored.
const MaxNodes = 8

// MaxHunted is the size of the largest network on which executions are drawn at random.
const MaxHunted = 12

// MaxEventNodes is the size of the largest network of the event shape: the smallest mesh and torus have 9.
const MaxEventNodes = 9

// firstID is the ID of the first node: a ghost may have a smaller one.
const firstID = 2

// Networks lists the networks of a class with the given number of nodes: one for every graph up to isomorphism, every
// assignment of IDs, strengths and lengths that is not the same network again. Of strengths only the order
// counts, so that with levels 1 and 2 all nodes at 1 stands for all at 2. Rings come with labelled ports, once in each
// direction, and so do hypercubes, of which there are those of up to 4 nodes. At most 6 nodes.
func Networks(class Class, n int, a Assignments) []*caucus.Network {
	if class == Cubes {
		return cubes(n, a)
	}
	var out []*caucus.Network
	for _, edges := range graphs(class, n) {
		for _, s := range levels(n, a.Strengths) {
			vectors(len(edges), len(a.Lengths), func(d []int) {
				list := slices.Clone(edges)
				for k := range list {
					list[k].W = a.Lengths[d[k]]
				}
				net := build(n, list, s)
				if class != Rings {
					out = append(out, net)
					return
				}
				for _, second := range net.Nbr[:2] { // to the right of the first node
					oriented := *net
					oriented.Labels = orient(net, int(second))
					out = append(out, &oriented)
				}
			})
		}
	}
	return out
}

// Shapes counts the graphs of a class up to isomorphism.
func Shapes(class Class, n int) int {
	seen := map[uint32]bool{}
	for _, edges := range graphs(class, n) {
		seen[canonical(n, edges)] = true
	}
	return len(seen)
}

// graphs lists the graphs of a class on numbered nodes: the number is the rank of the node's ID, so no two of
// them are the same network.
func graphs(class Class, n int) [][]network.Edge {
	var pairs []network.Edge
	for a := range n {
		for b := a + 1; b < n; b++ {
			pairs = append(pairs, network.Edge{A: int32(a), B: int32(b)})
		}
	}
	var out [][]network.Edge
	for set := range uint32(1) << len(pairs) {
		switch m := bits.OnesCount32(set); {
		case m < n-1, class == Trees && m != n-1, class == Rings && (m != n || n < 3),
			class == Complete && m != len(pairs):
			continue
		}
		var edges []network.Edge
		for k, e := range pairs {
			if set&(1<<k) != 0 {
				edges = append(edges, e)
			}
		}
		if connected(n, edges) && (class != Rings || allOfDegree(2, n, edges)) {
			out = append(out, edges)
		}
	}
	return out
}

func connected(n int, edges []network.Edge) bool {
	reached := uint32(1)
	for range n {
		for _, e := range edges {
			if reached&(1<<e.A|1<<e.B) != 0 {
				reached |= 1<<e.A | 1<<e.B
			}
		}
	}
	return reached == 1<<n-1
}

func allOfDegree(d, n int, edges []network.Edge) bool {
	degree := make([]int, n)
	for _, e := range edges {
		degree[e.A]++
		degree[e.B]++
	}
	return !slices.ContainsFunc(degree, func(k int) bool { return k != d })
}

// canonical is the least adjacency matrix over all orders of the nodes.
func canonical(n int, edges []network.Edge) uint32 {
	least := uint32(math.MaxUint32)
	permutations(n, func(p []int) {
		code := uint32(0)
		for _, e := range edges {
			a, b := p[e.A], p[e.B]
			if a > b {
				a, b = b, a
			}
			code |= 1 << (b*(b-1)/2 + a)
		}
		least = min(least, code)
	})
	return least
}

func permutations(n int, visit func(p []int)) {
	p := make([]int, 0, n)
	var extend func()
	extend = func() {
		if len(p) == n {
			visit(p)
			return
		}
		for k := range n {
			if !slices.Contains(p, k) {
				p = append(p, k)
				extend()
				p = p[:len(p)-1]
			}
		}
	}
	extend()
}

// levels lists the choices of one level for each node in which no level is used unless all lower
// ones are.
func levels(n int, list []float64) [][]float64 {
	var out [][]float64
	vectors(n, len(list), func(d []int) {
		top := slices.Max(d)
		for k := range top {
			if !slices.Contains(d, k) {
				return
			}
		}
		s := make([]float64, n)
		for i := range s {
			s[i] = list[d[i]]
		}
		out = append(out, s)
	})
	return out
}

// vectors visits all choices of n digits below base.
func vectors(n, base int, visit func(d []int)) {
	d := make([]int, n)
	for {
		visit(d)
		k := 0
		for ; k < n; k++ {
			if d[k]++; d[k] < base {
				break
			}
			d[k] = 0
		}
		if k == n {
			return
		}
	}
}

func build(n int, edges []network.Edge, strengths []float64) *caucus.Network {
	g, _, _ := network.Build(n, edges) // edges join nodes below n
	net := FromGraph(g, g.Weight)
	net.Strengths = strengths
	return net
}

// orient labels the ports of a ring so that second lies to the right of the first node.
func orient(net *caucus.Network, second int) []caucus.Label {
	labels := make([]caucus.Label, len(net.Nbr))
	for at, next := 0, second; ; {
		for k := net.Off[at]; k < net.Off[at+1]; k++ {
			labels[k] = caucus.Left
			if int(net.Nbr[k]) == next {
				labels[k] = caucus.Right
			}
		}
		a, b := int(net.Nbr[net.Off[next]]), int(net.Nbr[net.Off[next]+1])
		if a == at {
			a = b
		}
		if at, next = next, a; at == 0 {
			return labels
		}
	}
}

// right is the neighbour of node i on its port that is labelled so.
func right(net *caucus.Network, i int) int {
	for k := net.Off[i]; k < net.Off[i+1]; k++ {
		if net.Labels[k] == caucus.Right {
			return int(net.Nbr[k])
		}
	}
	return -1
}

// FromGraph makes a network from a graph and the lengths of its edges, nil for 1; strengths are 1.
func FromGraph(g *network.Graph, lengths []float64) *caucus.Network {
	net := &caucus.Network{Off: g.Off, Nbr: g.Nbr, Dist: lengths, Labels: g.Labels}
	if lengths == nil {
		net.Dist = slices.Repeat([]float64{1}, len(g.Nbr))
	}
	for i := range g.Len() {
		net.IDs = append(net.IDs, caucus.ID(firstID+i))
		net.Strengths = append(net.Strengths, 1)
	}
	return net
}

// Describe writes a network as Parse reads it: its edges as ID-ID:length, the strengths in the order of the IDs, for a
// ring with labelled ports which node lies to the right of the first, and for a hypercube the nodes in the order of
// their places.
func Describe(net *caucus.Network) string {
	var words []string
	for i := range net.Len() {
		for k := net.Off[i]; k < net.Off[i+1]; k++ {
			if j := int(net.Nbr[k]); j > i {
				words = append(words, fmt.Sprintf("%d-%d:%s", net.IDs[i], net.IDs[j], number(net.Dist[k])))
			}
		}
	}
	if len(words) == 0 {
		words = append(words, fmt.Sprint(net.IDs[0]))
	}
	strengths := make([]string, net.Len())
	for i, s := range net.Strengths {
		strengths[i] = number(s)
	}
	text := strings.Join(words, " ") + " strengths=" + strings.Join(strengths, ",")
	if net.Labels == nil {
		return text
	}
	if _, ok := label(net).Dimension(); ok {
		text += " cube=" + joined(corners(net))
	} else if right(net, 0) >= 0 {
		text += fmt.Sprintf(" right=%d>%d", net.IDs[0], net.IDs[right(net, 0)])
	}
	return text
}

func joined(ids []caucus.ID) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = fmt.Sprint(id)
	}
	return strings.Join(words, ",")
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// draft is what the words of a network's text have said.
type draft struct {
	links     []link
	ids       []caucus.ID // of all ends of links, and of nodes alone
	strengths []float64
	turn      [2]caucus.ID // the second lies to the right of the first; 0: nothing is said
	cube      []caucus.ID  // in the order of their places
}

type link struct {
	a, b   caucus.ID
	length float64
}

func wrongNetwork(word, allowed string) error { return caucus.Wrong("network", word, allowed) }

// Parse reads a network as Describe writes it: "2-3:1 3-4:0.5 strengths=1,2,1". Lengths may be left out, for 1, and so
// may strengths. IDs are positive.
func Parse(text string) (*caucus.Network, error) {
	var d draft
	for _, word := range strings.Fields(text) {
		if err := d.read(word); err != nil {
			return nil, err
		}
	}
	slices.Sort(d.ids)
	d.ids = slices.Compact(d.ids)
	if len(d.ids) == 0 || len(d.ids) > MaxHunted {
		return nil, wrongNetwork(text, fmt.Sprintf("1 to %d nodes", MaxHunted))
	}
	if d.strengths != nil && len(d.strengths) != len(d.ids) {
		return nil, wrongNetwork(text, fmt.Sprintf("%d strengths, one for each node", len(d.ids)))
	}
	return d.network(text)
}

// read takes a word in.
func (d *draft) read(word string) error {
	name, list, named := strings.Cut(word, "=")
	switch {
	case !named:
		return d.readLink(word)
	case name == "strengths":
		for _, t := range strings.Split(list, ",") {
			x, err := strconv.ParseFloat(t, 64)
			if err != nil || !(x >= 0) || math.IsInf(x, 1) {
				return wrongNetwork(t, "strengths: finite numbers >= 0")
			}
			d.strengths = append(d.strengths, x)
		}
	case name == "right":
		if _, err := fmt.Sscanf(list, "%d>%d", &d.turn[0], &d.turn[1]); err != nil {
			return wrongNetwork(word, "right=2>3: node 3 lies to the right of node 2")
		}
	case name == "cube":
		for _, t := range strings.Split(list, ",") {
			id, err := strconv.ParseUint(t, 10, 32)
			if err != nil {
				return wrongNetwork(word, "cube= and the IDs of all nodes, in the order of their places")
			}
			d.cube = append(d.cube, caucus.ID(id))
		}
	default:
		return d.readLink(word)
	}
	return nil
}

// readLink takes in a link, as 2-3:1.5, or a node alone.
func (d *draft) readLink(word string) error {
	pair, length, given := strings.Cut(word, ":")
	l := link{length: 1}
	first, second, joined := strings.Cut(pair, "-")
	a, errA := strconv.ParseUint(first, 10, 32)
	b, errB := a, error(nil)
	if joined {
		b, errB = strconv.ParseUint(second, 10, 32)
	}
	if errA != nil || errB != nil || a == 0 || b == 0 || joined && a == b {
		return wrongNetwork(word, "edges such as 2-3:1.5 between IDs > 0, or one ID")
	}
	if given {
		var err error
		if l.length, err = strconv.ParseFloat(length, 64); err != nil || !(l.length >= 0) || math.IsInf(l.length, 1) {
			return wrongNetwork(word, "a finite length >= 0 after the colon")
		}
	}
	l.a, l.b = caucus.ID(a), caucus.ID(b)
	d.ids = append(d.ids, l.a, l.b)
	if joined {
		d.links = append(d.links, l)
	}
	return nil
}

// network makes what the draft says; its IDs are sorted.
func (d *draft) network(text string) (*caucus.Network, error) {
	var edges []network.Edge
	for _, l := range d.links {
		a, _ := slices.BinarySearch(d.ids, l.a)
		b, _ := slices.BinarySearch(d.ids, l.b)
		edges = append(edges, network.Edge{A: int32(a), B: int32(b), W: l.length})
	}
	g, _, err := network.Build(len(d.ids), edges)
	if err != nil {
		return nil, err
	}
	net := FromGraph(g, g.Weight)
	net.IDs = d.ids
	if d.strengths != nil {
		net.Strengths = d.strengths
	}
	if d.cube != nil {
		if net.Labels = dimensions(net, d.cube); net.Labels == nil {
			return nil, wrongNetwork(text, "cube= with the nodes of a hypercube, in the order of their places: "+
				"neighbours "+
				"differ in one bit of it")
		}
	}
	if d.turn[0] != 0 {
		a, okA := slices.BinarySearch(d.ids, d.turn[0])
		b, okB := slices.BinarySearch(d.ids, d.turn[1])
		if !okA || !okB || !slices.Contains(net.Nbr[net.Off[a]:net.Off[a+1]], int32(b)) ||
			network.CheckClass(g, caucus.Ring) != nil {
			return nil, wrongNetwork(text, "right= between two neighbours on a ring")
		}
		if net.Labels = orient(net, int(net.Nbr[0])); right(net, a) != b {
			net.Labels = orient(net, int(net.Nbr[1]))
		}
	}
	return net, nil
}

// world is what corrupt values may name: the network's own IDs, strengths and lengths, ghosts, the first of them
// with an ID smaller than the network's if there is one and a strength above all, and the given number of values of
// each counter.
func world(net *caucus.Network, ghosts, counter int) *caucus.World {
	w := &caucus.World{IDs: slices.Clone(net.IDs), Strengths: slices.Clone(net.Strengths),
		Dists: append([]float64{0}, net.Dist...), Counter: counter}
	for id := caucus.ID(1); ghosts > 0; id++ {
		if !slices.Contains(w.IDs, id) {
			w.IDs = append(w.IDs, id)
			ghosts--
		}
	}
	slices.Sort(w.Strengths)
	w.Strengths = slices.Compact(w.Strengths)
	if len(w.IDs) > len(net.IDs) {
		w.Strengths = append(w.Strengths, w.Strengths[len(w.Strengths)-1]+1)
	}
	slices.SortFunc(w.Dists, cmp.Compare[float64])
	w.Dists = slices.Compact(w.Dists)
	return w
}
