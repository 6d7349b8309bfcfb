package caucus

import "fmt"

// Patient is implemented by algorithms in which every node may stand still for a while with a leader that is gone.
// Patience is for how many rounds at most, for nodes that are told so much: whoever takes an outcome for the result
// has to have seen it unchanged for longer.
type Patient interface {
	Patience(Known) int
}

// Untold says what the nodes have to be told of their network and are not; nil if they know enough. The field is one
// of Known, as "known.nodes".
func (s *Spec) Untold(k Known) error {
	missing := func(field, what string) error {
		return &FieldError{Field: "known." + field, Found: "nothing",
			Allowed: what + ", which the algorithm " + s.Name + " needs"}
	}
	switch n := s.Needs; {
	case n.Nodes && k.Nodes <= 0:
		return missing("nodes", "the number of nodes")
	case n.Diameter && k.Diameter <= 0:
		return missing("diameter", "a bound on the diameter in hops")
	case n.Delay && k.Delay <= 0:
		return missing("delay", "a bound on how long a message travels, repetitions included")
	}
	return nil
}

// Has tells whether a port of a node with so many neighbours may have a label in networks of the class.
func (t Topology) Has(l Label, neighbours int) bool {
	k, dimension := l.Dimension()
	switch t {
	case Ring:
		return l == Left || l == Right
	case Mesh, Torus:
		return l >= North && l <= West
	case Hypercube:
		return dimension && k < neighbours
	}
	return l != Unlabelled && l.Opposite() != Unlabelled
}

// Directions names the labels of a node with so many neighbours in networks of the class.
func (t Topology) Directions(neighbours int) string {
	switch t {
	case Ring:
		return "one left, one right"
	case Mesh:
		return "at most one each of north, east, south, west"
	case Torus:
		return "one each of north, east, south, west"
	case Hypercube:
		return fmt.Sprintf("one each of dimension 0 to %d", neighbours-1)
	}
	return "a direction, each once"
}
