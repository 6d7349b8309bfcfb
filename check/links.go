package check

import (
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/fault"
)

// over tells whether one of some links goes from one node to another of a network.
func over(links []fault.Links, from, to int) bool {
	return slices.ContainsFunc(links, func(l fault.Links) bool { return l.Have(from, to) })
}

// Heard is a network as its nodes hear it, for the round shape: without the directions that are Mute, and if the
// two-way rule holds without those whose other direction is. Neighbours are whom a node hears.
func (c *Config) Heard(net *caucus.Network) *caucus.Network {
	if len(c.Mute) == 0 {
		return net
	}
	return onlyLinks(net, func(from, to int) bool {
		heard, hears := !over(c.Mute, from, to), !over(c.Mute, to, from)
		return heard && !c.TwoWay || fault.TwoWay(heard, hears)
	})
}

// mutual is the part of a network that carries both ways. Right is what is right there: whom a node cannot tell
// that it exists is no neighbour.
func mutual(net *caucus.Network) *caucus.Network {
	return onlyLinks(net, func(from, to int) bool {
		return slices.Contains(net.Nbr[net.Off[from]:net.Off[from+1]], int32(to))
	})
}

// onlyLinks keeps some links of a network, each by its sender and its receiver.
func onlyLinks(net *caucus.Network, keep func(from, to int) bool) *caucus.Network {
	left := *net
	left.Off, left.Nbr, left.Dist, left.Labels = []int{0}, nil, nil, nil
	for to := range net.IDs {
		for k := net.Off[to]; k < net.Off[to+1]; k++ {
			if !keep(int(net.Nbr[k]), to) {
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
func (w *play) marked(links []fault.Links, all bool) []bool {
	marks := make([]bool, len(w.to))
	for k := range marks {
		marks[k] = all || over(links, w.from[k], w.to[k])
	}
	return marks
}

// receiver is the node whose entry of Nbr is the k-th.
func receiver(net *caucus.Network, k int) int {
	to, _ := entry(net, k)
	return to
}

// entry is the receiver, and which of its entries the k-th is.
func entry(net *caucus.Network, k int) (to, place int) {
	for net.Off[to+1] <= k {
		to++
	}
	return to, k - net.Off[to]
}
