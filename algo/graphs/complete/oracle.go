package complete

import "caucus.example/caucus"

// Messages is 4n·H(n/2) + n - 1.
func (Algorithm) Messages(n *caucus.Network, _ int) int {
	harmonic := 0.0
	for k := range n.Len() / 2 {
		harmonic += 1 / float64(k+1)
	}
	return int(4*float64(n.Len())*harmonic+1e-9) + n.Len() - 1
}
