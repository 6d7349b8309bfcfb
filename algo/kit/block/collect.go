package block

import "caucus.example/caucus"

// Collect is block C: it merges local with what the node's children have collected, a child
// being a neighbour that names the node as its parent. With one parent per node and parents nearer to the
// root than their children, the root holds the merger of all nodes, each counted once, after as
// many rounds as the tree is deep; while parents change, sums may be wrong in either direction.
//
// merge is commutative and associative; the order is that of the inbox.
func Collect[M, V any](in caucus.Inbox[M], me caucus.ID, local V, read func(m *M) (parent caucus.ID, v V),
	merge func(a, b V) V) V {
	for k := range in.Msgs {
		if parent, v := read(&in.Msgs[k]); parent == me {
			local = merge(local, v)
		}
	}
	return local
}
