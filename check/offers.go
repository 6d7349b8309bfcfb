package check

import (
	"errors"
	"math/bits"
	"slices"
)

// offers says which steps a search takes from a configuration. Deliveries at different nodes commute: each changes its
// receiver, takes the first message of a link and adds behind the last ones of others. It is therefore enough to take
// all steps of some nodes, if nothing that the others can do meanwhile comes to these but behind what is there (a
// persistent set); or some deliveries to one node, if they commute with all that may come to it meanwhile. What is left
// out is the same as something that is taken, but for the order: every complete execution has its like, with as many
// messages and the same end (docs/decisions/020-one-order-of-many.md).
//
// What nodes can do meanwhile is what they have been seen to do from where they are: the search learns it, and begins
// anew until it learns nothing more.
type offers struct {
	on      bool
	in      [][]int // by node and port: the link to it
	deeds   []map[uint32][]deed
	pass    int
	learnt  bool          // something, in this pass
	cargo   [][][]carried // by link and state; nil: not known
	strides map[strideKey]*stride
	waits   map[postponed]*patience
	out     []uint32
}

// choice is what is offered: all steps of some nodes, and deliveries to one from some ports.
type choice struct {
	nodes uint16
	node  int
	ports uint16
}

var everything = choice{nodes: 1<<MaxHunted - 1}

// deed is what a node has been seen to do in a state: what it has sent, by port, and what it holds then.
type deed struct {
	out  []uint32
	to   uint32
	pass int // in which that was learnt; the passes after it count on it
}

// orderless says that the order of deliveries is all that there is besides them: where messages do not overtake each
// other, no tick passes for all at once, no fault may come in between, and what is promised is an end.
func (w *play) orderless() bool {
	return !w.every && w.fifo && !w.timed && !w.faults.Any() && !w.anywhere && !w.related && w.promise != Lasts
}

// search decides, if it can, by some of the orders of deliveries. What goes wrong in one of them is looked for in all,
// and the nearest case of it told; so is what is too large, which may go wrong at once. Where draws may lead round for
// ever, the orders that are left out count.
func (w *play) search(lim limits) error {
	if !w.orderless() {
		return w.explore(lim)
	}
	err := w.inOneOrder(lim)
	holds := err == nil && w.stuck == nil && w.unsafe == nil && w.worst >= 0
	if holds || err != nil && !errors.As(err, new(errTooLarge)) {
		return err
	}
	stuck, unsafe := w.stuck, w.unsafe
	w.offers, w.stuck, w.unsafe = offers{}, nil, nil
	w.anew()
	if err = w.explore(lim); err != nil && w.stuck == nil && w.unsafe == nil {
		w.stuck, w.unsafe = stuck, unsafe
	}
	return err
}

// inOneOrder explores what is offered, in stretches, and begins anew where the last one has taught something.
func (w *play) inOneOrder(lim limits) error {
	w.offers = offers{on: true, in: make([][]int, len(w.locals)), deeds: make([]map[uint32][]deed, len(w.locals)),
		strides: map[strideKey]*stride{}, waits: map[postponed]*patience{}}
	o := &w.offers
	for i := range o.in {
		o.in[i] = make([]int, w.locals[i].Degree)
		o.deeds[i] = map[uint32][]deed{}
	}
	for link, to := range w.to {
		o.in[to][w.port[link]] = link
	}
	for stretch := firstStretch; ; {
		o.pass++
		o.learnt, o.cargo = false, make([][][]carried, len(w.to))
		err := w.follow(lim.within(stretch))
		for ; err != nil && !o.learnt && w.rows.count <= lim.most && errors.As(err, new(errTooLarge)); stretch *= 2 {
			err = w.follow(lim.within(2 * stretch))
		}
		switch {
		case w.unsafe != nil || w.stuck != nil || w.rows.count > lim.most:
			return err
		case err != nil && !errors.As(err, new(errTooLarge)):
			return err
		case !o.learnt:
			w.decide()
			return err
		}
		w.anew()
	}
}

const firstStretch = 1 << 8

// anew forgets the configurations but for the first.
func (w *play) anew() {
	first := slices.Clone(w.rows.at(w.starts[0]))
	w.rows, w.graph, w.parent, w.starts = rowSet{width: w.rows.width}, graph{}, nil, nil
	w.first(first)
}

// choose picks what to offer: as few steps as possible.
func (w *play) choose() choice {
	if !w.offers.on || w.tell != nil {
		return everything
	}
	best, least := everything, w.steps(everything)
	for i := range w.locals {
		if w.steps(choice{nodes: 1 << i}) == 0 {
			continue
		}
		if c := (choice{nodes: w.closed(i, 0)}); w.steps(c) < least {
			best, least = c, w.steps(c)
		}
	}
	for i := range w.locals {
		for ports := w.filled(i); ports != 0 && least > 1 && !w.moves(i); ports &= ports - 1 {
			if c := w.some(i, ports&-ports); c.ports != 0 && w.steps(c) < least {
				best, least = c, w.steps(c)
			}
		}
	}
	return best
}

// filled are the ports of a node at which a message has come.
func (w *play) filled(i int) (ports uint16) {
	for p, link := range w.offers.in[i] {
		if w.row[2*len(w.locals)+link] != 0 {
			ports |= 1 << p
		}
	}
	return ports
}

// moves says that a node may start or let a timer fire, whatever comes to it.
func (w *play) moves(i int) bool { return w.row[2*i] == 0 && w.net.Starts(i) || w.row[2*i+1] != 0 }

// steps counts those of a choice.
func (w *play) steps(c choice) int {
	count := bits.OnesCount16(c.ports)
	for i := range w.locals {
		if c.nodes>>i&1 != 0 {
			count += bits.OnesCount16(w.filled(i)) + len(w.lists.values[w.row[2*i+1]])
			if w.row[2*i] == 0 && w.net.Starts(i) {
				count++
			}
		}
	}
	return count
}

// closed adds to some nodes one of which all steps are taken, and those of which something may come to it over links
// that are empty.
func (w *play) closed(i int, nodes uint16) uint16 {
	if nodes>>i&1 != 0 {
		return nodes
	}
	nodes |= 1 << i
	for _, link := range w.offers.in[i] {
		if from := w.from[link]; w.row[2*len(w.locals)+link] == 0 && len(w.next(link, w.row[2*from])) > 0 {
			nodes = w.closed(from, nodes)
		}
	}
	return nodes
}

// some is the least choice of deliveries to a node that has those from some ports; none if there is no such.
func (w *play) some(i int, ports uint16) choice {
	for ports != 0 {
		x := w.wait(i, ports)
		if x.may {
			break
		}
		ports = x.ports
	}
	return choice{node: i, ports: ports}
}

// next lists what a link may carry next from a state of its sender on.
func (w *play) next(link int, state uint32) []carried {
	o, i := &w.offers, w.from[link]
	for int(state) >= len(o.cargo[link]) {
		o.cargo[link] = append(o.cargo[link], nil)
	}
	if list := o.cargo[link][state]; list != nil {
		return list
	}
	port, list := link-w.net.Off[i], []carried{}
	seen := map[uint32]bool{state: true}
	for todo := []uint32{state}; len(todo) > 0; todo = todo[1:] {
		for _, d := range o.deeds[i][todo[0]] {
			switch c := (carried{d.out[port], d.to}); {
			case d.pass == o.pass:
			case c.list != 0 && !slices.Contains(list, c):
				list = append(list, c)
			case c.list == 0 && !seen[d.to]:
				seen[d.to], todo = true, append(todo, d.to)
			}
		}
	}
	o.cargo[link][state] = list
	return list
}

// learn notes what a node can do.
func (w *play) learn(i int, from, to uint32, out []uint32) {
	o := &w.offers
	if !slices.ContainsFunc(o.deeds[i][from], func(d deed) bool { return d.to == to && slices.Equal(d.out, out) }) {
		o.deeds[i][from] = append(o.deeds[i][from], deed{slices.Clone(out), to, o.pass})
		o.learnt = true
	}
}

// watch learns from a step of the search.
func (w *play) watch(i int) {
	o := &w.offers
	o.out = o.out[:0]
	for link := w.net.Off[i]; link < w.net.Off[i+1]; link++ {
		k := 2*len(w.locals) + link
		o.out = append(o.out, w.lists.of(w.lists.values[w.then[k]][len(w.lists.values[w.row[k]]):]))
	}
	w.learn(i, w.row[2*i], w.then[2*i], o.out)
}
