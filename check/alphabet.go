package check

import (
	"fmt"
	"math/bits"
)

// A key has room for so many bits of all letters, and for so many of one.
const (
	keyBits  = 62
	mostBits = 30
)

// alphabet numbers the letters as they are found. Its lock is the system's.
type alphabet struct {
	y     *system
	nodes []letters
	links bool // keys have more than letters of nodes
}

// letters are those of one node. Pairs that differ in nothing that this node or a neighbour reads are one letter, which
// stands for the first of them. A step that changes nothing that is read is none: it opens no way and closes none, and
// without others it cannot go on for ever.
type letters struct {
	bits   uint    // that a key has for one
	number *keyMap // of a pair
	read   rowSet  // letters by what is read of them: by the node, then by all who hear it
	pairs  []pair
	kept   []uint32   // by letter: what the node reads of its state
	heard  [][]uint32 // by neighbour, and by letters of that one: what the node reads of its message
}

func (a *alphabet) fail(what string) {
	a.y.mu.Lock()
	defer a.y.mu.Unlock()
	a.y.err = errTooLarge{what}
}

// letter numbers a pair; 0, with an error, when a key has no room for more.
func (a *alphabet) letter(i int, p pair) uint32 {
	l, of := &a.nodes[i], &a.y.nodes[i]
	key := uint64(p.state)<<32 | uint64(p.message)
	if k, ok := l.number.get(key); ok {
		return k
	}
	row := []uint32{a.y.kept(i, of.states.values[p.state]), p.message} // even if nobody hears it
	if a.y.algo.selects {
		row[1] = a.y.label(i, p.state, a.y.algo.crashes)
	}
	for _, r := range of.readers {
		row = append(row, a.y.heeded(r[0], r[1], of.messages.values[p.message]))
	}
	k := l.read.number(row)
	switch count := uint32(len(l.pairs)); {
	case k < count:
	case count >= 1<<l.bits-1:
		a.y.err = errCrowded{errTooLarge{fmt.Sprintf("%d letters of one node", count)}, a.roomier(i)}
		return 0
	default:
		l.pairs, l.kept = append(l.pairs, p), append(l.kept, row[0])
		for at, r := range of.readers {
			heard := &a.nodes[r[0]].heard[r[1]]
			*heard = append(*heard, row[2+at])
		}
	}
	l.number.put(key, k)
	return k
}

// roomier shares a key out anew when it has no bits for another letter of node i: every node gets those for twice as
// many letters as it has by now, and as much of the rest as any other; nil if there is none.
func (a *alphabet) roomier(i int) (room []uint) {
	left := keyBits - uint(a.y.above)
	for j := range a.nodes {
		l := &a.nodes[j]
		room = append(room, min(l.bits, uint(bits.Len(uint(len(l.pairs))))+1))
		left -= room[j]
	}
	if left == 0 || a.links {
		return nil
	}
	n := uint(len(room))
	for j := range room {
		room[j] = min(room[j]+left/n, mostBits)
	}
	room[i] = min(room[i]+left%n, mostBits)
	return room
}
