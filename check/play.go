package check

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync/atomic"
	"unsafe"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/network"
	"caucus.example/caucus/story"
)

// play is one network with one set of initiators. A configuration is a row of numbers: for every node its state (0
// asleep, gone crashed, else number + 1) and its timers, then for every link, which is one direction of an edge, its
// queue, and at the end the faults that may still come.
type play struct {
	algo     columns.Events  // with one state: that of the node that is acting
	net      *caucus.Network // as the nodes of this play start
	promise  Promise
	start    uint16
	fifo     bool
	timed    bool
	together bool // initiators start in the same tick
	faults   Faults
	world    *caucus.World // of corrupt values
	anywhere bool          // it starts with any states

	states   *lexicon
	messages *lexicon
	state    unsafe.Pointer // of the node that is acting
	lists    sequences      // queues of messages and sets of timers
	older    aged
	from, to []int  // links, in the order of Nbr
	port     []int  // of the link at its receiver
	mute     []bool // links that carry nothing
	lossy    []bool // links that may lose what they carry
	locals   []caucus.Local
	relative columns.Relative
	related  bool     // relative is there
	corrupt  []uint32 // states of a corrupt node, by number
	starts   []uint32 // the first configurations

	every  bool // order of deliveries is explored
	offers offers
	rows   rowSet
	graph  graph
	parent []uint32 // by configuration: where it was first reached from; itself for the first ones
	tell   func(to uint32, e happening)
	listed func(e happening, do func() (sent int)) // told of steps instead of taking them
	views  map[uint16]*view
	known  [][]caucus.Outcome // by node and number of the state + 1
	seen   [][]bool
	now    []caucus.Outcome // see outcomes

	at        uint32 // that is being expanded
	row, then []uint32
	action    uint16
	rand      caucus.Rand // of this step
	change    string      // what the step has done to a final outcome
	calls     int
	l         caucus.Local
	sends     []columns.Send
	alarms    []caucus.Alarm
	err       error

	draws         bool
	left          bool // something has not been followed to its end
	worst         int
	unsafe, stuck *story.Story // what is chosen in an execution that goes wrong
}

const gone = math.MaxUint32

// errDraws says that a random stream is used in a way that cannot be followed.
var errDraws = errors.New("the algorithm draws numbers with too many values to try them all")

func newPlay(algo columns.Events, spec *caucus.Spec, cfg *Config, net *caucus.Network, start uint16) (*play, error) {
	w := &play{algo: algo.New(1), promise: promiseOf(spec), start: start, fifo: !cfg.Reorder || spec.Needs.FIFO,
		timed: spec.Needs.Delay || cfg.Timed, together: spec.Needs.Together, faults: cfg.Faults,
		world: world(net, cfg.Ghosts, cfg.Counter), anywhere: cfg.Start == Anywhere, every: cfg.everyOrder,
		views: map[uint16]*view{}}
	var errS, errM error
	stateType, messageType := algo.Types()
	w.states, errS = newLexicon(stateType)
	w.messages, errM = newLexicon(messageType)
	if errS != nil || errM != nil {
		return w, errors.Join(errS, errM)
	}
	w.state = address(w.algo.State(0))
	w.relative, w.related = w.algo.Relative()
	w.lists.number = map[string]uint32{}
	w.lists.of(nil)
	w.older.lists = &w.lists
	w.net = settled(net, spec, start)
	told := lengths(net)
	for i := range net.Len() {
		a, b := net.Off[i], net.Off[i+1]
		l := caucus.Local{ID: net.IDs[i], Strength: net.Strengths[i], Degree: b - a, Known: w.net.Known}
		if net.Labels != nil {
			l.Labels = net.Labels[a:b]
		}
		if told != nil {
			l.Lengths = told[a:b]
		}
		w.locals = append(w.locals, l)
		for k := a; k < b; k++ {
			j := int(net.Nbr[k])
			at, _ := slices.BinarySearch(net.Nbr[net.Off[j]:net.Off[j+1]], int32(i))
			w.from, w.to, w.port = append(w.from, i), append(w.to, j), append(w.port, at)
		}
	}
	w.mute, w.lossy = w.marked(cfg.Mute, false), w.marked(cfg.Lossy, cfg.Lossy == nil)
	w.known, w.seen = make([][]caucus.Outcome, net.Len()), make([][]bool, net.Len())
	w.rows.width = 2*net.Len() + len(w.to) + 1
	if w.anywhere || cfg.Faults.Corrupt > 0 {
		if err := w.domain(cfg.MaxStates); err != nil {
			return w, err
		}
	}
	w.ready(cfg.Start)
	return w, w.err
}

// settled is a network with its initiators and what its nodes are told.
func settled(net *caucus.Network, spec *caucus.Spec, start uint16) *caucus.Network {
	own := *net
	own.Initiators = make([]bool, net.Len())
	for i := range own.Initiators {
		own.Initiators[i] = start&(1<<i) != 0
	}
	if spec.Needs.Nodes {
		own.Known.Nodes = net.Len()
	}
	if spec.Needs.Diameter {
		own.Known.Diameter = max(1, diameter(net))
	}
	if spec.Needs.Delay {
		own.Known.Delay = DelayBound
	}
	return &own
}

// diameter is the longest way in hops between two nodes of one component.
func diameter(net *caucus.Network) (most int) {
	g := &network.Graph{Off: net.Off, Nbr: net.Nbr}
	for i := range net.Len() {
		most = max(most, network.Eccentricity(g, i))
	}
	return most
}

// lengths gives the lengths of edges as nodes are told them: nil when all are 1.
func lengths(net *caucus.Network) []float64 {
	if slices.ContainsFunc(net.Dist, func(d float64) bool { return d != 1 }) {
		return net.Dist
	}
	return nil
}

// domain numbers the states that a corrupt node may hold.
func (w *play) domain(limit int) error {
	states, _ := w.algo.Domain(w.world)
	if states.Len > uint64(min(limit, 1<<20)) {
		return errTooLarge{fmt.Sprintf("%d states in the domain", states.Len)}
	}
	for k := range states.Len {
		states.At(k, 0)
		w.corrupt = append(w.corrupt, w.states.number(w.state)+1)
	}
	slices.Sort(w.corrupt)
	w.corrupt = slices.Compact(w.corrupt)
	slices.Reverse(w.corrupt) // ghosts, which are named last, lead astray most
	return nil
}

// ready makes the row of the first configuration: all asleep; or, from anywhere, the moment at which every initiator
// has started and may hold any state.
func (w *play) ready(start Start) {
	w.row = make([]uint32, w.rows.width)
	w.row[w.rows.width-1] = budget(w.faults)
	if start == Clean {
		return
	}
	w.then = w.row
	w.rand = caucus.Chosen(0)
	for i := range w.locals {
		if w.net.Starts(i) {
			w.wake(i, true)
		}
	}
	w.then = nil // the steps to come must not write to the row that they start from
}

// begin makes the first configurations.
func (w *play) begin(limit int) error {
	if !w.anywhere {
		w.first(w.row)
		return nil
	}
	total := 1.0
	for range bits.OnesCount16(w.start) {
		total *= float64(len(w.corrupt))
	}
	if total > float64(limit) {
		return errTooLarge{fmt.Sprintf("%d states in the domain, and %d nodes that may hold any", len(w.corrupt),
			bits.OnesCount16(w.start))}
	}
	vectors(bits.OnesCount16(w.start), len(w.corrupt), func(d []int) {
		for i := range w.locals {
			if w.net.Starts(i) {
				w.row[2*i], d = w.corrupt[d[0]], d[1:]
			}
		}
		w.first(w.row)
	})
	return w.err
}

func (w *play) first(row []uint32) {
	if id := w.rows.number(row); int(id) == len(w.parent) {
		w.starts = append(w.starts, id)
		w.parent = append(w.parent, id)
	}
}

// budget packs the faults that may still come into one number.
func budget(f Faults) uint32 { return uint32(f.Crash) | uint32(f.Loss)<<8 | uint32(f.Corrupt)<<16 }

const (
	oneCrash   = 1
	oneLoss    = 1 << 8
	oneCorrupt = 1 << 16
)

// limits is when a search has to stop.
type limits struct {
	ctx      context.Context
	most     int // configurations
	explored *atomic.Int64
}

// explore finds all configurations, nearest first, and decides. What comes after a corruption is followed for one
// corruption after the other: there are many, and few of them need be looked at if one leads astray.
func (w *play) explore(lim limits) error {
	if err := w.follow(lim); err != nil || w.over() {
		return err
	}
	for id := uint32(0); int(id) < w.rows.count && w.faults.Corrupt > 0; id++ {
		var err error
		w.corruptions(id, func() bool {
			err = w.follow(lim.within(w.rows.count + maxAstray))
			if w.rows.count <= lim.most && errors.As(err, new(errTooLarge)) {
				w.leave()
				err = nil
			}
			return err == nil && !w.over()
		})
		if err != nil || w.over() {
			return err
		}
	}
	switch {
	case w.left:
		return errTooLarge{fmt.Sprintf("more than %d configurations after some corruption", maxAstray)}
	case w.stuck == nil:
		w.decide()
	}
	return nil
}

// maxAstray is how many configurations after one corruption are looked at: counters may grow for ever there, and
// another corruption may lead astray sooner.
const maxAstray = 1 << 12

func (l limits) within(most int) limits {
	l.most = min(l.most, most)
	return l
}

// leave gives up what has been found and not been expanded.
func (w *play) leave() {
	for w.left = true; len(w.graph.first) < w.rows.count; {
		w.graph.vertex()
	}
}

// follow expands what has been found and not been expanded.
func (w *play) follow(lim limits) error {
	for id := uint32(len(w.graph.first)); int(id) < w.rows.count; id++ {
		w.graph.vertex()
		w.expand(id)
		if w.err != nil {
			return w.err
		}
		w.look(id)
		switch {
		case w.over():
			return nil
		case w.rows.count > lim.most:
			return errTooLarge{"more configurations than the limit"}
		}
		if id%stopEvery == 0 {
			if lim.ctx.Err() != nil {
				return lim.ctx.Err()
			}
			lim.explored.Add(stopEvery)
		}
	}
	return nil
}

// over says that nothing worse can be found: what goes wrong without two leaders is only all there is to find where two
// leaders at a time prove nothing.
func (w *play) over() bool {
	return w.unsafe != nil ||
		w.stuck != nil && (w.promise != Ends || w.faults.Corrupt > 0 || w.anywhere || w.offers.on)
}

// spoiled says that a configuration comes after a corruption, where two leaders at a time prove nothing.
func (w *play) spoiled(id uint32) bool {
	row := w.rows.at(id)
	return w.anywhere || row[len(row)-1]/oneCorrupt < uint32(w.faults.Corrupt)
}

// expand finds the steps from a configuration.
func (w *play) expand(id uint32) {
	w.at, w.action = id, 0
	w.row = append(w.row[:0], w.rows.at(id)...)
	urgent, pending := w.due()
	offered := w.choose()
	for i := range w.locals {
		if offered.nodes>>i&1 == 0 {
			continue
		}
		if w.row[2*i] == 0 && w.net.Starts(i) {
			w.step(happening{node: i, what: story.Wake}, func() int { return w.wake(i, true) })
		}
		timers := w.lists.values[w.row[2*i+1]]
		for k, t := range timers {
			if slices.Contains(timers[:k], t) || w.timed && (urgent || leftOf(t) > 0) {
				continue
			}
			w.step(happening{node: i, what: story.Timer, value: w.value(t)}, func() int {
				w.then[2*i+1] = w.lists.without(w.row[2*i+1], k)
				return w.handle(i, func() { w.algo.Timer(0, &w.l, int(int32(w.value(t)))) })
			})
		}
	}
	for link, i := range w.to {
		if offered.nodes>>i&1 != 0 || i == offered.node && offered.ports>>w.port[link]&1 != 0 {
			w.deliver(link)
		}
	}
	if w.timed && pending {
		w.step(happening{what: story.Tick}, w.pass)
	}
	if left := w.row[len(w.row)-1]; left > 0 {
		w.fail(left)
	}
}

// value is the message or timer of an item.
func (w *play) value(it uint32) uint32 {
	if w.timed {
		return valueOf(it)
	}
	return it
}

// due looks at the clock: whether a message must arrive in this tick, and whether there is something that another tick
// brings nearer while nothing holds it up.
func (w *play) due() (urgent, pending bool) {
	if !w.timed {
		return false, false
	}
	n, hold := len(w.locals), false
	for link := range w.to {
		for _, m := range w.lists.values[w.row[2*n+link]] {
			pending = true
			urgent = urgent || leftOf(m) == 0
		}
	}
	for i := range n {
		hold = hold || w.row[2*i] == 0 && w.net.Starts(i) && w.together
		for _, t := range w.lists.values[w.row[2*i+1]] {
			pending = true
			hold = hold || leftOf(t) == 0
		}
	}
	return urgent, pending && !urgent && !hold
}

// deliver gives the receiver of a link its next message, or any if there is no order.
func (w *play) deliver(link int) {
	queue, i, at := w.queue(link), w.to[link], 2*len(w.locals)+link
	for k, m := range queue {
		if w.fifo && k > 0 || slices.Contains(queue[:k], m) {
			continue
		}
		w.step(happening{what: story.Message, node: i, link: link, value: w.value(m)}, func() int {
			w.then[at] = w.lists.without(w.row[at], k)
			return w.receive(i, w.port[link], w.value(m))
		})
	}
}

// receive gives a node a message.
func (w *play) receive(i, port int, message uint32) (sent int) {
	if w.then[2*i] == 0 {
		sent = w.wake(i, false)
	}
	return sent + w.handle(i, func() {
		slot := w.algo.Empty()
		w.messages.get(message, address(w.algo.Message(slot)))
		w.algo.Receive(0, &w.l, port, slot)
	})
}

func (w *play) queue(link int) []uint32 {
	return w.lists.values[w.row[2*len(w.locals)+link]]
}

// pass lets a tick pass.
func (w *play) pass() int {
	for i := range w.locals {
		w.then[2*i+1] = w.older.of(w.row[2*i+1])
	}
	for k := 2 * len(w.locals); k < len(w.then)-1; k++ {
		w.then[k] = w.older.of(w.row[k])
	}
	return 0
}

// fail makes the steps that are faults.
func (w *play) fail(left uint32) {
	n, last := len(w.locals), len(w.row)-1
	for i := range w.locals {
		if left%oneLoss > 0 && w.row[2*i] != gone && (w.row[2*i] != 0 || !w.net.Starts(i)) { // initiators live to start
			w.step(happening{node: i, what: story.Crash}, func() int {
				w.then[last] -= oneCrash
				w.then[2*i], w.then[2*i+1] = gone, 0
				for link, to := range w.to {
					if to == i {
						w.then[2*n+link] = 0
					}
				}
				return 0
			})
		}
	}
	for link := range w.to {
		for k, m := range w.queue(link) {
			if w.lossy[link] && left/oneLoss%256 > 0 && !slices.Contains(w.queue(link)[:k], m) {
				w.step(happening{node: w.to[link], link: link, what: story.Lost, value: w.value(m)}, func() int {
					w.then[last] -= oneLoss
					w.then[2*n+link] = w.lists.without(w.row[2*n+link], k)
					return 0
				})
			}
		}
	}
}

// corruptions gives one awake node any state of the domain, one by one as long as it is asked to go on.
func (w *play) corruptions(id uint32, on func() bool) {
	last := w.rows.width - 1
	for i := range w.locals {
		if row := w.rows.at(id); row[last]/oneCorrupt == 0 || row[2*i] == gone || row[2*i] == 0 {
			continue
		}
		for _, s := range w.corrupt {
			w.at = id
			w.row = append(w.row[:0], w.rows.at(id)...)
			w.step(happening{node: i, what: story.Corrupt, value: s - 1}, func() int {
				w.then[last] -= oneCorrupt
				w.then[2*i] = s
				return 0
			})
			if !on() {
				return
			}
		}
	}
}

// happening is a step: what happens to which node, the message or timer by number, and which result of how many the
// draws have.
type happening struct {
	what       string // as in a story
	node, link int
	value      uint32
	draw, of   uint64
}

// fault tells whether it is one of the network, which may or may not come.
func (e *happening) fault() bool { return e.what == story.Crash || e.what == story.Lost }

// step makes the configurations that a step leads to, one for every result of what is drawn in it.
func (w *play) step(e happening, do func() (sent int)) {
	if w.listed != nil {
		w.listed(e, do)
		return
	}
	for k := uint64(0); k < max(1, e.of) && w.err == nil; k++ {
		w.then = append(w.then[:0], w.row...)
		w.rand, w.change = caucus.Chosen(k), ""
		sent := do()
		count, rest := w.rand.Choices()
		if count == 0 && w.err == nil {
			w.err = errDraws
		}
		w.draws = w.draws || count > 1
		if e.of = max(e.of, count); rest == 0 && w.err == nil {
			e.draw = k
			if w.offers.on && w.tell == nil {
				w.watch(e.node)
			}
			w.note(e, sent)
		}
	}
	w.action++
}

// note takes in a configuration.
func (w *play) note(e happening, sent int) {
	if w.related {
		w.rebase()
	}
	to := w.rows.number(w.then)
	if w.tell != nil {
		w.tell(to, e)
		return
	}
	if int(to) == len(w.parent) {
		w.parent = append(w.parent, w.at)
	}
	if e.what == story.Corrupt {
		return // no way back to before it
	}
	w.graph.add(arrow{to: to, sent: uint8(min(sent, math.MaxUint8)), action: w.action,
		ticks: e.what == story.Tick, fault: e.fault()})
	if w.change != "" && w.unsafe == nil && !w.spoiled(w.at) {
		w.unsafe = w.trace(w.at, w.change)
		w.unsafe.Steps = append(w.unsafe.Steps, w.told(e))
		w.unsafe.Outcomes = slices.Clone(w.outcomes(to))
	}
}

func (w *play) wake(i int, initiator bool) int {
	w.show(i, 0)
	w.algo.Boot(0, &w.l)
	w.rand = w.l.Rand
	w.then[2*i] = w.states.number(w.state) + 1
	return w.handle(i, func() { w.algo.Wake(0, &w.l, initiator) })
}

// show fills in what node i is handed.
func (w *play) show(i, version int) {
	w.l = w.locals[i]
	w.l.Round, w.l.Now, w.l.Rand = shown[version].round, shown[version].now, w.rand
}

// handle runs a handler of node i on the configuration that is being made, and puts on the links what it sends.
func (w *play) handle(i int, call func()) (sent int) {
	before := w.then[2*i] - 1
	w.show(i, 0)
	w.states.get(before, w.state)
	call()
	after, rand, out := w.states.number(w.state), w.l.Rand, w.algo.Out()
	w.sends, w.alarms = append(w.sends[:0], out.Sends...), append(w.alarms[:0], out.Alarms...)
	if w.calls++; w.calls%crossCheckEvery == 1 {
		w.crossCheck(i, before, after, rand, call)
	}
	w.rand = rand
	for _, s := range w.sends {
		w.send(w.net.Off[i]+int(s.Port), s.Slot)
	}
	for _, a := range w.alarms {
		w.then[2*i+1] = w.lists.with(w.then[2*i+1], w.alarm(a), false)
	}
	if o := w.outcome(i, before+1); o.Final && after != before && w.outcome(i, after+1) != o {
		w.change = fmt.Sprintf("the outcome of %d was final and has changed", w.net.IDs[i])
	}
	w.then[2*i] = after + 1
	return len(w.sends)
}

// send puts the message in a slot on a link, and releases the slot.
func (w *play) send(link int, slot int32) {
	w.algo.Out().Slots.Release(slot)
	if w.mute[link] || w.then[2*w.to[link]] == gone {
		return
	}
	it := w.messages.number(address(w.algo.Message(slot)))
	if w.timed {
		if it >= 1<<valueBits {
			w.err = errTooLarge{"too many different messages"}
		}
		it = item(it, delayTicks)
	}
	k := 2*len(w.locals) + link
	w.then[k] = w.lists.with(w.then[k], it, w.fifo)
}

func (w *play) alarm(a caucus.Alarm) uint32 {
	if !w.timed {
		return uint32(a.Timer)
	}
	ticks := ticksOf(a.After)
	if !even(a.After) {
		w.err = fmt.Errorf("the algorithm sets a timer of %.4g times the bound on delays, and the checker knows "+
			"halves of it only", float64(a.After)/float64(DelayBound))
	}
	if ticks >= 1<<leftBits || a.Timer < 0 || a.Timer >= 1<<valueBits {
		w.err = errTooLong
	}
	return item(uint32(a.Timer), int(ticks))
}

// crossCheck runs a handler again with another clock and, the draws aside, other random numbers: it must do the same.
func (w *play) crossCheck(i int, before, after uint32, rand caucus.Rand, call func()) {
	drawn, rest := w.rand.Choices()
	count, _ := rand.Choices()
	w.show(i, 1)
	w.l.Rand = caucus.Chosen(rest + uint64(w.calls)*count/max(1, drawn)) // the same digits, and something above them
	w.states.get(before, w.state)
	call()
	out := w.algo.Out()
	same := func(a, b columns.Send) bool {
		return a.Port == b.Port && w.messages.equal(address(w.algo.Message(a.Slot)), address(w.algo.Message(b.Slot)))
	}
	if count > 0 && (w.states.number(w.state) != after || !slices.EqualFunc(w.sends, out.Sends, same) ||
		!slices.Equal(w.alarms, out.Alarms)) {
		w.err = errVolatile
	}
	for _, s := range out.Sends {
		out.Slots.Release(s.Slot)
	}
}

// rebase takes configurations for one that differ only by a number that all counters have more.
func (w *play) rebase() {
	n, origin := len(w.locals), uint64(math.MaxUint64)
	for i := range n {
		if k := w.then[2*i]; k != 0 && k != gone {
			origin = min(origin, w.relative.Origin(w.states.at(k-1), nil))
		}
	}
	for k := range w.to {
		for _, it := range w.lists.values[w.then[2*n+k]] {
			origin = min(origin, w.relative.Origin(nil, w.messages.at(w.value(it))))
		}
	}
	if origin == 0 || origin == math.MaxUint64 {
		return
	}
	for i := range n {
		if k := w.then[2*i]; k != 0 && k != gone {
			w.states.get(k-1, w.state)
			w.relative.Rebase(w.state, nil, origin)
			w.then[2*i] = w.states.number(w.state) + 1
		}
	}
	for k := 2 * n; k < len(w.then)-1; k++ {
		items := slices.Clone(w.lists.values[w.then[k]])
		for x, it := range items {
			slot := w.algo.Empty()
			m := address(w.algo.Message(slot))
			w.messages.get(w.value(it), m)
			w.relative.Rebase(nil, m, origin)
			items[x] = it - w.value(it) + w.messages.number(m)
			w.algo.Out().Slots.Release(slot)
		}
		if !w.fifo {
			slices.Sort(items)
		}
		w.then[k] = w.lists.of(items)
	}
}

// outcome reads the result off a state, by its number in a row.
func (w *play) outcome(i int, k uint32) caucus.Outcome {
	if k == gone {
		return caucus.Outcome{}
	}
	for int(k) >= len(w.known[i]) {
		w.known[i], w.seen[i] = append(w.known[i], caucus.Outcome{}), append(w.seen[i], false)
	}
	if !w.seen[i][k] {
		l := w.locals[i]
		l.Round, l.Now, l.Rand = shown[0].round, shown[0].now, caucus.Chosen(0)
		w.algo.Boot(0, &l)
		if k > 0 {
			w.states.get(k-1, w.state)
		}
		w.known[i][k], w.seen[i][k] = w.algo.Outcome(0, &l), true
	}
	return w.known[i][k]
}

// outcomes are those of all nodes in a configuration, until the next call.
func (w *play) outcomes(id uint32) []caucus.Outcome {
	w.now = w.now[:0]
	for i := range w.locals {
		w.now = append(w.now, w.outcome(i, w.rows.at(id)[2*i]))
	}
	return w.now
}

func (w *play) result() played {
	p := played{name: fmt.Sprintf("%s, %s", Describe(w.net), plural(bits.OnesCount16(w.start), "initiator")),
		configurations: w.rows.count,
		messages:       w.worst, draws: w.draws, unsafe: w.unsafe, stuck: w.stuck}
	if b, ok := w.algo.Algorithm().(caucus.Budgeter); ok && !w.faults.Any() && !w.anywhere {
		p.bound = b.Messages(w.net, bits.OnesCount16(w.start))
	}
	return p
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
