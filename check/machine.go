package check

import "caucus.example/caucus"

// A letter is what a node holds in one configuration: its state and its last export. A machine is an algorithm on
// one network with the letters numbered from 0 at each node: it knows for every node and every configuration the
// letter that the node would step to, and whether the result is right. The types of state and message
// are forgotten here.
//
// A configuration is one number, its key: the sum of the nodes' letters, each times the node's stride.
type machine struct {
	n      int // processes: the nodes, and in the message model the directions of the edges behind them
	nodes  int
	adj    []uint16 // neighbours of each node, by bit
	size   []uint64 // how many letters a node has, or may have
	stride []uint64

	// Complete machines know all letters and hold the steps in tables: the next letter of node i is
	// table[i][own[i][letter] + the sum over its neighbours k of heard[i][k][letter of k]].
	table [][]uint32
	own   [][]uint32
	heard [][][]uint32
	nbr   [][]int32

	// Others compute a step when it is first asked for, and find new letters on the way.
	step   func(i int, letters []uint32) uint32
	many   func(i int, keys []uint64, out []uint32) // the same for many configurations; nil: one by one
	growth any                                      // what knows the types of state and message

	bits []uint // of which powers of two sizes are, if all are such

	// moved, if set, says from the letter of the first node whether counters are to be shifted; rebase gives the
	// letters of a configuration whose counters are shifted so that the first node's is 0.
	moved  func(letter uint32) bool
	rebase func(letters []uint32)

	right func(letters []uint32) bool
	holds func(i int, letter uint32) pair // the state and message, by number, that a letter stands for
	start [][]uint32                      // letters of each node in the initial configurations: all their combinations
	list  []uint64                        // initial configurations that are no such combinations; nil: start says which
	fork  func(m machine) *machine        // a copy for another worker, who may use it at the same time
	every bool                            // start is every letter of a complete machine, so that keys are dense
}

// strides lays out the keys; false if they do not fit 64 bits.
func (m *machine) strides() bool {
	m.stride = make([]uint64, m.n)
	total := uint64(1)
	for i, s := range m.size {
		m.stride[i] = total
		if s > 1<<62/total {
			return false
		}
		total *= s
	}
	return true
}

// normal gives the key of the configuration that stands for all those that differ by a shift of the counters; what lies
// above the letters in a key stays.
func (m *machine) normal(key uint64, letters []uint32) uint64 {
	if m.rebase == nil || !m.moved(uint32(key%m.size[0])) {
		return key
	}
	m.letters(key, letters)
	m.rebase(letters)
	above := key / m.total() * m.total()
	for i, l := range letters {
		above += uint64(l) * m.stride[i]
	}
	return above
}

// total is the number of keys.
func (m *machine) total() uint64 { return m.stride[m.n-1] * m.size[m.n-1] }

func (m *machine) letters(key uint64, out []uint32) {
	if m.bits != nil {
		for i, b := range m.bits {
			out[i] = uint32(key & (1<<(b&63) - 1))
			key >>= b & 63
		}
		return
	}
	for i, size := range m.size {
		above := key / size
		out[i] = uint32(key - above*size)
		key = above
	}
}

func (m *machine) next(i int, letters []uint32) uint32 {
	if m.table == nil {
		return m.step(i, letters)
	}
	at := m.own[i][letters[i]]
	for k, j := range m.nbr[i] {
		at += m.heard[i][k][letters[j]]
	}
	return m.table[i][at]
}

// asked gives the letters that node i steps to in many configurations.
func (m *machine) asked(i int, keys []uint64, out []uint32) {
	if m.many != nil {
		m.many(i, keys, out)
		return
	}
	letters := make([]uint32, m.n)
	for k, key := range keys {
		m.letters(key, letters)
		out[k] = m.next(i, letters)
	}
}

// starts is how many initial configurations there are.
func (m *machine) starts() uint64 {
	if m.every {
		return m.total()
	}
	if m.list != nil {
		return uint64(len(m.list))
	}
	total := uint64(1)
	for _, s := range m.start {
		if uint64(len(s)) > 1<<62/total {
			return 1 << 62
		}
		total *= uint64(len(s))
	}
	return total
}

// startKey gives the key of initial configuration k.
func (m *machine) startKey(k uint64) uint64 {
	if m.every {
		return k
	}
	if m.list != nil {
		return m.list[k]
	}
	key := uint64(0)
	for i, s := range m.start {
		key += uint64(s[k%uint64(len(s))]) * m.stride[i]
		k /= uint64(len(s))
	}
	return key
}

func adjacency(net *caucus.Network) []uint16 {
	adj := make([]uint16, net.Len())
	for i := range adj {
		for _, j := range net.Nbr[net.Off[i]:net.Off[i+1]] {
			adj[i] |= 1 << j
		}
	}
	return adj
}
