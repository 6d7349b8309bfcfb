package check

import (
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/fault"
)

// Link is one direction of an edge, by the IDs of its ends. Those that are bad are listed one by one; fault.Links says
// which they are.
type Link struct{ From, To caucus.ID }

// Heard is a network as its nodes hear it, for the round shape: without the directions that are Mute, and if the
// two-way rule holds without those whose other direction is. Neighbours are whom a node hears.
func (c *Config) Heard(net *caucus.Network) *caucus.Network {
	if len(c.Mute) == 0 {
		return net
	}
	return onlyLinks(net, func(from, to caucus.ID) bool {
		heard, hears := !slices.Contains(c.Mute, Link{from, to}), !slices.Contains(c.Mute, Link{to, from})
		return heard && !c.TwoWay || fault.TwoWay(heard, hears)
	})
}

// mutual is the part of a network that carries both ways. Right is what is right there: whom a node cannot tell
// that it exists is no neighbour.
func mutual(net *caucus.Network) *caucus.Network {
	return onlyLinks(net, func(from, to caucus.ID) bool {
		i, j := slices.Index(net.IDs, from), slices.Index(net.IDs, to)
		return slices.Contains(net.Nbr[net.Off[i]:net.Off[i+1]], int32(j))
	})
}

// onlyLinks keeps some links of a network, each by its sender and its receiver.
func onlyLinks(net *caucus.Network, keep func(from, to caucus.ID) bool) *caucus.Network {
	left := *net
	left.Off, left.Nbr, left.Dist, left.Labels = []int{0}, nil, nil, nil
	for i, to := range net.IDs {
		for k := net.Off[i]; k < net.Off[i+1]; k++ {
			if !keep(net.IDs[net.Nbr[k]], to) {
				continue
			}
			left.Nbr, left.Dist = append(left.Nbr, net.Nbr[k]), append(left.Dist, net.Dist[k])
			if net.Labels != nil {
				left.Labels = append(left.Labels, net.Labels[k])
			}
		}
		left.Off = append(left.Off, len(left.Nbr))
	}
	if len(left.Nbr) == len(net.Nbr) {
		return net
	}
	return &left
}

// marked tells for each link of a play, from and to, whether it is among some, or all are.
func (w *play) marked(links []Link, all bool) []bool {
	marks := make([]bool, len(w.to))
	for k := range marks {
		marks[k] = all || slices.Contains(links, Link{w.net.IDs[w.from[k]], w.net.IDs[w.to[k]]})
	}
	return marks
}

// receiver is the node whose entry of Nbr is the k-th.
func receiver(net *caucus.Network, k int) int {
	i := 0
	for net.Off[i+1] <= k {
		i++
	}
	return i
}
