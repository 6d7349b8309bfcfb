package engine

import (
	"sync"
	"sync/atomic"

	"caucus.example/caucus"
)

// crowd counts how many nodes name each leader, and so the distinct leaders, while workers change it at the same time.
// A nil one counts nothing.
type crowd struct {
	index    map[caucus.ID]int // node of an ID; nil while IDs are 1 to n
	by       []int32           // by node
	distinct atomic.Int64      // of the nodes

	lock   sync.Mutex
	ghosts map[caucus.ID]int // those who are no node
}

func newCrowd(n int, ids []caucus.ID) *crowd {
	c := &crowd{by: make([]int32, n), ghosts: make(map[caucus.ID]int)}
	if ids != nil {
		c.index = make(map[caucus.ID]int, n)
		for i, id := range ids {
			c.index[id] = i
		}
	}
	return c
}

// move takes a node from one leader to another.
func (c *crowd) move(from, to caucus.ID) {
	if c != nil && from != to {
		c.add(from, -1)
		c.add(to, 1)
	}
}

func (c *crowd) add(leader caucus.ID, by int32) {
	if leader == caucus.None {
		return
	}
	i, ok := int(leader)-1, uint64(leader) <= uint64(len(c.by))
	if c.index != nil {
		i, ok = c.index[leader]
	}
	if !ok {
		c.lock.Lock()
		defer c.lock.Unlock()
		if c.ghosts[leader] += int(by); c.ghosts[leader] == 0 {
			delete(c.ghosts, leader)
		}
		return
	}
	switch now := atomic.AddInt32(&c.by[i], by); {
	case now == 1 && by > 0:
		c.distinct.Add(1)
	case now == 0:
		c.distinct.Add(-1)
	}
}

func (c *crowd) count() int { return int(c.distinct.Load()) + len(c.ghosts) }
