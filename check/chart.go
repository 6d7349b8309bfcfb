package check

import "math/bits"

// chart keeps where the steps of configurations lead. A growing machine is slow to ask, and every key is one of
// millions in a hash table: so all configurations are found first, breadth first and many together, that the memory
// which one needs is on its way while others are looked at. If all are charted, one search decides them by number; what
// is not charted, for want of memory or under another daemon, is asked for when it is needed. That is exact: a row
// holds what asking would give, and nothing that is decided depends on the order in which configurations have been
// found.
type chart struct {
	// for each configuration what is known of it, then the number to which the step of every enabled node leads
	rows  *table[uint32]
	shift uint   // rows have 1<<shift entries
	most  uint64 // rows that there is memory for
	first uint64 // configurations that are initial: they have the lowest numbers, in order
}

// The first entry of a row: that it is there, whether the result is wrong, and below them which nodes are enabled.
const (
	charted = 1 << 31
	astray  = 1 << 30
)

// newChart gives the central daemon a chart: others have too many steps, or one, and then this costs more than it
// spares. Without one, rows is nil.
func newChart(memory *store, m *machine, daemon Daemon, size uint64) (c chart) {
	if memory.chart == 0 || m.every || daemon != Central {
		return c
	}
	c.shift = uint(bits.Len(uint(m.n)))
	c.most = min(size, uint64(memory.chart/(perConfiguration+4<<c.shift)))
	c.rows = newTable[uint32](memory, c.most<<c.shift)
	return c
}

// row is that of a configuration; nil if there is none.
func (c *chart) row(v uint32) []uint32 {
	if uint64(v) >= c.most {
		return nil
	}
	at := uint64(v) << c.shift
	page := c.rows.peek(at >> pageBits)
	if page == nil || page[at%pageSize]&charted == 0 {
		return nil
	}
	return page[at%pageSize:][:1<<c.shift]
}

// batch is some configurations that are charted, or keys that are numbered, together.
type batch struct {
	keys   []uint64
	next   []uint32 // the letters to which nodes step: those of the first node, then those of the second
	to     []uint64 // keys of all steps, in the order of the configurations
	ids    []uint32
	places []uint32 // for those who find ids
}
