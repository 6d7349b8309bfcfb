package engine

import "sync"

// crew is a fixed set of goroutines that run the parts of one job together. The
// caller is member 0, so a crew of one starts none.
type crew struct {
	size  int
	job   func(member int)
	start []chan struct{}
	done  sync.WaitGroup
}

func newCrew(size int) *crew {
	c := &crew{size: size, start: make([]chan struct{}, size)}
	for m := 1; m < size; m++ {
		c.start[m] = make(chan struct{})
		go c.serve(m)
	}
	return c
}

func (c *crew) serve(member int) {
	for range c.start[member] {
		c.job(member)
		c.done.Done()
	}
}

// run calls job once for each member, at the same time, and returns when all are
// done. A job kept from call to call costs no allocation.
func (c *crew) run(job func(member int)) {
	c.job = job
	c.done.Add(c.size - 1)
	for m := 1; m < c.size; m++ {
		c.start[m] <- struct{}{}
	}
	job(0)
	c.done.Wait()
}

// close ends the goroutines.
func (c *crew) close() {
	for m := 1; m < c.size; m++ {
		close(c.start[m])
	}
}
