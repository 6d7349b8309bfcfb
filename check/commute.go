package check

import (
	"slices"

	"caucus.example/caucus"
)

// stride is what a delivery does to its receiver.
type stride struct {
	state uint32
	out   []uint32 // what it sends, by port: lists of messages
	sent  int
	plain bool // it draws nothing, sets no timer and changes nothing that was final
}

// arrival is a message that comes to a node.
type arrival struct{ port, message uint32 }

type strideKey struct {
	node, state uint32
	arrival
}

// stride carries a delivery out, apart from any configuration.
func (w *play) stride(i int, state uint32, a arrival) *stride {
	key := strideKey{uint32(i), state, a}
	if x, ok := w.offers.strides[key]; ok {
		return x
	}
	then, rand, change := w.then, w.rand, w.change
	w.then = make([]uint32, w.rows.width)
	w.then[2*i], w.rand, w.change = state, caucus.Chosen(0), ""
	x := &stride{sent: w.receive(i, int(a.port), a.message)}
	draws, _ := w.rand.Choices()
	x.state, x.plain = w.then[2*i], draws == 1 && w.then[2*i+1] == 0 && w.change == ""
	out := w.then[2*len(w.locals):]
	x.out = slices.Clone(out[w.net.Off[i]:w.net.Off[i+1]])
	w.then, w.rand, w.change = then, rand, change
	w.offers.strides[key] = x
	return x
}

// commute says that it makes no difference to anybody which of two messages comes first to a node: its state afterwards
// is the same, and so is what has gone over each of its links.
func (w *play) commute(i int, state uint32, a, b arrival) bool {
	onA, onB := w.stride(i, state, a), w.stride(i, state, b)
	ab, ba := w.stride(i, onA.state, b), w.stride(i, onB.state, a)
	plain := onA.plain && onB.plain && ab.plain && ba.plain
	if !plain || ab.state != ba.state || onA.sent+ab.sent != onB.sent+ba.sent {
		return false
	}
	for p := range onA.out {
		if w.lists.joined(onA.out[p], ab.out[p]) != w.lists.joined(onB.out[p], ba.out[p]) {
			return false
		}
	}
	return true
}

// scene is what matters to a node while deliveries to it wait: by port, the message that waits; or else what is on the
// link and the state of its sender.
type scene struct {
	state         uint32
	queue, sender [MaxEventNodes - 1]uint32
}

type postponed struct {
	node  int
	ports uint16 // whose deliveries wait
	scene
}

// patience says whether deliveries may wait, or what keeps them from it.
type patience struct {
	pass  int
	may   bool
	ports uint16 // if not: they and another one, whose message cannot wait either; 0 if they cannot at all
}

// maxScenes bounds the search for what may come meanwhile.
const maxScenes = 1 << 7

// wait says whether the first messages on some links of a node may wait for whatever else happens, and come before it
// as well: whether each of them commutes with all that may come to the node over its other links until then.
func (w *play) wait(i int, ports uint16) *patience {
	n, in := len(w.locals), w.offers.in[i]
	key := postponed{i, ports, scene{state: w.row[2*i]}}
	var waits []arrival
	for p, link := range in {
		key.queue[p], key.sender[p] = w.row[2*n+link], w.row[2*w.from[link]]
		if ports>>p&1 != 0 {
			waits = append(waits, arrival{uint32(p), w.queue(link)[0]})
			key.queue[p], key.sender[p] = w.queue(link)[0], 0
		}
	}
	if known, ok := w.offers.waits[key]; ok && (!known.may || known.pass == w.offers.pass) {
		return known // more that may come does not help what cannot wait
	}
	x := &patience{pass: w.offers.pass, may: true}
	w.offers.waits[key] = x
	seen := map[scene]bool{key.scene: true}
	for todo := []scene{key.scene}; len(todo) > 0 && x.may; todo = todo[1:] {
		at := todo[0]
		w.meanwhile(i, ports, at, func(b arrival, then scene) {
			if !x.may {
				return
			}
			for _, a := range waits {
				if !w.commute(i, at.state, a, b) {
					x.may, x.ports = false, 0
					if w.row[2*n+in[b.port]] != 0 {
						x.ports = ports | 1<<b.port
					}
					return
				}
			}
			if !seen[then] {
				seen[then], todo = true, append(todo, then)
			}
			x.may = x.may && len(seen) <= maxScenes
		})
	}
	return x
}

// carried is what a link carries next, and what its sender holds then.
type carried struct{ list, sender uint32 }

// meanwhile lists what may come next to a node over links whose deliveries do not wait.
func (w *play) meanwhile(i int, ports uint16, at scene, visit func(arrival, scene)) {
	for p, link := range w.offers.in[i] {
		if ports>>p&1 != 0 {
			continue
		}
		cargo := []carried{{at.queue[p], at.sender[p]}}
		if at.queue[p] == 0 {
			cargo = w.next(link, at.sender[p])
		}
		for _, c := range cargo {
			a := arrival{uint32(p), w.lists.values[c.list][0]}
			then := at
			then.state = w.stride(i, at.state, a).state
			then.queue[p], then.sender[p] = w.lists.without(c.list, 0), c.sender
			visit(a, then)
		}
	}
}
