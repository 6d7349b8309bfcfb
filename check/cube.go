package check

import (
	"math/bits"
	"slices"

	"caucus.example/caucus"
)

// cubes lists the hypercubes of n nodes, labelled by dimension, with every order of IDs in which the first node has
// place 0: the others are the same network again.
func cubes(n int, a Assignments) (out []*caucus.Network) {
	if n < 2 || n > 4 || n&(n-1) != 0 {
		return nil
	}
	permutations(n, func(place []int) { // of each node
		if place[0] != 0 {
			return
		}
		for _, net := range Networks(Connected, n, a) {
			ids := make([]caucus.ID, n)
			for i, k := range place {
				ids[k] = net.IDs[i]
			}
			if net.Labels = dimensions(net, ids); net.Labels != nil {
				out = append(out, net)
			}
		}
	})
	return out
}

// dimensions labels the ports of a hypercube whose nodes are listed in the order of their places; nil if it is none.
func dimensions(net *caucus.Network, cube []caucus.ID) []caucus.Label {
	labels := make([]caucus.Label, len(net.Nbr))
	for i, id := range net.IDs {
		at := slices.Index(cube, id)
		if at < 0 || len(cube) != net.Len() || net.Off[i+1]-net.Off[i] != bits.Len(uint(net.Len()))-1 {
			return nil
		}
		for k := net.Off[i]; k < net.Off[i+1]; k++ {
			across := uint(at ^ slices.Index(cube, net.IDs[net.Nbr[k]]))
			if bits.OnesCount(across) != 1 {
				return nil
			}
			labels[k] = caucus.Dimension(bits.TrailingZeros(across))
		}
	}
	return labels
}

// label is that of some port.
func label(net *caucus.Network) caucus.Label {
	if len(net.Labels) == 0 {
		return caucus.Label(0)
	}
	return net.Labels[0]
}

// corners lists the nodes of a labelled hypercube in the order of their places, the first node's being 0.
func corners(net *caucus.Network) []caucus.ID {
	out := make([]caucus.ID, net.Len())
	seen := make([]bool, net.Len())
	var visit func(i, place int)
	visit = func(i, place int) {
		if seen[i] || place >= len(out) {
			return
		}
		seen[i], out[place] = true, net.IDs[i]
		for k := net.Off[i]; k < net.Off[i+1]; k++ {
			if d, ok := net.Labels[k].Dimension(); ok {
				visit(int(net.Nbr[k]), place^1<<d)
			}
		}
	}
	visit(0, 0)
	return out
}
