package megamerger

import (
	"math"

	"caucus.example/caucus"
)

// Messages is 4m + 5n log2 n + n + 1.
func (Algorithm) Messages(n *caucus.Network, _ int) int {
	nodes := float64(n.Len())
	return int(float64(2*len(n.Nbr)) + 5*nodes*math.Log2(nodes) + nodes + 1)
}
