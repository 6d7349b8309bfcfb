package check

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"time"
	"unsafe"

	"caucus.example/caucus"
)

// system is an algorithm on a network, with the states and messages of every node numbered.
type system struct {
	algo  *numbered
	net   *caucus.Network
	nodes []process
	right func(outcomes []caucus.Outcome) bool
	want  []caucus.Outcome // of an oracle
	seen  map[caucus.Outcome]uint32
	err   error // what makes the algorithm unfit for the checker
	calls int
	// messages that may be lost: what a link has delivered last is a number of (message, lost since); see heard
	losses uint32
	missed []uint8
	above  int        // bits of a key that daemons put above the letters
	room   []uint     // bits of a key for the letters of each node; nil: as many for all
	mu     sync.Mutex // what several workers of one network take turns at: acting, reading outcomes, numbering letters
}

// failed is err, for those who may not be alone.
func (y *system) failed() error {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.err
}

// process is one node.
type process struct {
	local    caucus.Local
	nbr      []int32
	dist     []float64
	states   *pool
	messages *pool
	keeps    reading   // what it reads of its states,
	heeds    []reading // and of each neighbour's messages
	reader   caucus.Local
	readers  [][2]int // who hears it, and as which neighbour
	inbox    []uint32
	boot     [2]uint32 // state and message of a clean start

	l caucus.Local // what the algorithm is handed; here, since it would escape from a stack
	s uint32
}

// The clock, the round counter and the random stream that an algorithm is shown. It must not look: what
// it makes of them would be part of the configuration. Every so often a step is computed with the second ones,
// too, and must come out the same.
var (
	shown = [2]struct {
		round uint64
		now   time.Duration
		rand  caucus.Rand
	}{
		{1 << 20, 1 << 20 * time.Second, caucus.NewRand(1, "check")},
		{1<<20 + 7, 1<<20*time.Second + time.Minute, caucus.NewRand(2, "check")},
	}
)

const crossCheckEvery = 16

// errVolatile says that the configurations of an algorithm are more than states and messages.
var errVolatile = errors.New("the algorithm reads its clock, round counter or random stream: what it does next " +
	"depends on more than states and messages")

// errSelective says that what an algorithm shows to read is not all.
var errSelective = errors.New("the algorithm reads more of states or messages than its Keep and Heed leave")

func newSystem(algo *numbered, net *caucus.Network) (*system, error) {
	y := &system{algo: algo, net: net, seen: map[caucus.Outcome]uint32{}}
	y.chooseJudge()
	for i := range net.Len() {
		a, b := net.Off[i], net.Off[i+1]
		p := process{nbr: net.Nbr[a:b], dist: net.Dist[a:b], inbox: make([]uint32, b-a), states: new(pool),
			messages: new(pool), heeds: make([]reading, b-a)}
		p.local = caucus.Local{ID: net.IDs[i], Strength: net.Strengths[i], Degree: b - a}
		p.reader = caucus.Local{ID: p.local.ID, Strength: p.local.Strength}
		p.l = p.local
		s, m := algo.Boot(&p.l)
		p.boot = [2]uint32{p.states.number(s), p.messages.number(m)}
		y.nodes = append(y.nodes, p)
	}
	for i := range y.nodes {
		for k, j := range y.nodes[i].nbr {
			y.nodes[j].readers = append(y.nodes[j].readers, [2]int{i, k})
		}
	}
	return y, nil
}

// chooseJudge finds out what a right result is: what the algorithm's oracle or judge says, else
// that every node follows one that leads.
func (y *system) chooseJudge() {
	if o, ok := y.algo.algo.Algorithm().(caucus.Oracle); ok {
		if y.want = o.Expect(mutual(y.net)); y.want != nil {
			return
		}
	}
	if j, ok := y.algo.algo.Algorithm().(caucus.Judge); ok {
		y.right = func(outcomes []caucus.Outcome) bool { return j.Right(mutual(y.net), outcomes) }
		return
	}
	y.right = func(outcomes []caucus.Outcome) bool {
		for _, o := range outcomes {
			i := slices.Index(y.net.IDs, o.Leader)
			if i < 0 || outcomes[i].Role != caucus.Leader || outcomes[i].Leader != o.Leader {
				return false
			}
		}
		return true
	}
}

// asWanted compares an outcome with the oracle's.
func asWanted(o, want caucus.Outcome) bool {
	return o.Role == want.Role && o.Leader == want.Leader && (want.Distance < 0 || o.Distance == want.Distance)
}

// round lets node i act in state s with these messages, all by number.
func (y *system) round(i int, s uint32, msgs []uint32) (state, message uint32) {
	p := &y.nodes[i]
	for k, j := range p.nbr {
		p.inbox[k] = y.nodes[j].messages.values[msgs[k]]
	}
	return y.answer(p, p.states.values[s])
}

// answer lets a node act in a state, with the messages in its inbox.
func (y *system) answer(p *process, s uint32) (state, message uint32) {
	y.calls++
	st, m := y.act(p, 0, s)
	if y.calls%crossCheckEvery == 1 {
		if st2, m2 := y.act(p, 1, s); st != st2 || m != m2 {
			y.err = errVolatile
		}
	}
	return p.states.number(st), p.messages.number(m)
}

// read lets node i act on what it reads: of its state and of what it has heard, by the numbers of these. Every so often
// it has to come to the same with all that was there.
func (y *system) read(i int, own uint32, heard []uint32) (state, message uint32) {
	p := &y.nodes[i]
	for k, letter := range heard {
		said, missed := y.heard(letter)
		if p.inbox[k] = p.heeds[k].values[said]; y.losses > 0 {
			y.missed[k] = missed
		}
	}
	state, message = y.answer(p, p.keeps.values[own])
	if y.algo.selects && y.calls%crossCheckEvery == 1 {
		for k, letter := range heard {
			said, _ := y.heard(letter)
			p.inbox[k] = p.heeds[k].last[said]
		}
		if st, m := y.act(p, 0, p.keeps.last[own]); p.states.number(st) != state || p.messages.number(m) != message {
			y.err = errSelective
		}
	}
	return state, message
}

// kept numbers what node i reads of a state of its own, and heeded of a message of its k-th neighbour, both by value.
func (y *system) kept(i int, s uint32) uint32 {
	p := &y.nodes[i]
	return p.keeps.number(y.algo.kept(&p.reader, s), s)
}

func (y *system) heeded(i, k int, m uint32) uint32 {
	p := &y.nodes[i]
	return p.heeds[k].number(y.algo.heeded(&p.reader, m), m)
}

func (y *system) act(p *process, version int, s uint32) (state, message uint32) {
	in := caucus.Inbox[uint32]{Msgs: p.inbox, Dist: p.dist}
	if y.losses > 0 {
		in.Missed = y.missed[:len(p.nbr)]
	}
	y.show(p, version, s)
	m := y.algo.Round(&p.l, &p.s, in)
	if p.l.Rand != shown[version].rand {
		y.err = errVolatile
	}
	return p.s, m
}

// heard tells what is read of the message that a link has delivered last, and how many have been lost since.
func (y *system) heard(letter uint32) (message uint32, missed uint8) {
	return letter / (y.losses + 1), uint8(letter % (y.losses + 1))
}

// delivered is heard with the value of a message that is read so.
func (y *system) delivered(k int, letter uint32) (message uint32, missed uint8) {
	to, place := entry(y.net, k)
	said, missed := y.heard(letter)
	return y.nodes[to].heeds[place].met[said], missed
}

func (y *system) outcome(i int, s uint32) caucus.Outcome {
	p := &y.nodes[i]
	y.show(p, 0, p.states.values[s])
	return y.algo.Outcome(&p.l, &p.s)
}

func (y *system) lockedOutcome(i int, s uint32) caucus.Outcome {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.outcome(i, s)
}

// show fills in what a node in a state is handed.
func (y *system) show(p *process, version int, s uint32) {
	p.l.ID, p.l.Nonce, p.l.Strength, p.l.Degree = p.local.ID, 0, p.local.Strength, p.local.Degree
	p.s = s
	p.l.Round, p.l.Now, p.l.Rand = shown[version].round, shown[version].now, shown[version].rand
}

// domain numbers the values that a corrupted node may hold. They come back in rising order, those of a clean
// start included.
func (y *system) domain(w *caucus.World, most int) (states, messages [][]uint32, err error) {
	vs, vm := y.algo.Domain(w)
	if vs.Len > uint64(most) || vm.Len > uint64(most) {
		return nil, nil, errTooLarge{fmt.Sprintf("%d states and %d messages in the domain", vs.Len, vm.Len)}
	}
	for i := range y.nodes {
		p := &y.nodes[i]
		s, m := []uint32{p.boot[0]}, []uint32{p.boot[1]}
		for k := range vs.Len {
			s = append(s, p.states.number(vs.At(k)))
		}
		for k := range vm.Len {
			m = append(m, p.messages.number(vm.At(k)))
		}
		states, messages = append(states, distinct(s)), append(messages, distinct(m))
	}
	return states, messages, nil
}

func upTo(n int) []uint32 {
	out := make([]uint32, n)
	for i := range out {
		out[i] = uint32(i)
	}
	return out
}

// errTooLarge says that a set does not fit the limits.
type errTooLarge struct{ what string }

func (e errTooLarge) Error() string { return "too large: " + e.what }

// errCrowded says that a key has no room for more letters of a node.
type errCrowded struct {
	errTooLarge
	room []uint // the bits of every node with which there is more; nil if there are none
}

func (e errCrowded) Unwrap() error { return e.errTooLarge }

var errStopped = errors.New("interrupted")

// labels numbers for every node the results that its states stand for.
func (y *system) labels() [][]uint32 {
	out := make([][]uint32, len(y.nodes))
	for i := range y.nodes {
		for s := range y.nodes[i].states.values {
			out[i] = append(out[i], y.label(i, uint32(s), false))
		}
	}
	return out
}

// label numbers what a state of node i stands for: wrong or right where an oracle knows, else each outcome its own. As
// its own it is among letters where nodes may crash: who leads may, and then other outcomes are right.
func (y *system) label(i int, s uint32, own bool) uint32 {
	o := y.outcome(i, s)
	if y.want != nil && !own {
		if asWanted(o, y.want[i]) {
			return 1
		}
		return 0
	}
	label, ok := y.seen[o]
	if !ok {
		label = uint32(len(y.seen))
		y.seen[o] = label
	}
	return label
}

// rightOf gives the test of a configuration's result, for one worker.
func (y *system) rightOf(holds func(i int, letter uint32) pair) func(letters []uint32) bool {
	if y.want != nil {
		known := make([][]uint8, len(y.nodes)) // by state: 1 wrong, 2 right
		return func(letters []uint32) bool {
			for i, l := range letters {
				s := holds(i, l).state
				for int(s) >= len(known[i]) {
					known[i] = append(known[i], 0)
				}
				if known[i][s] == 0 {
					known[i][s] = 1
					if asWanted(y.lockedOutcome(i, s), y.want[i]) {
						known[i][s] = 2
					}
				}
				if known[i][s] == 1 {
					return false
				}
			}
			return true
		}
	}
	outcomes, _ := newLexicon(reflect.TypeFor[caucus.Outcome]())
	var values []caucus.Outcome
	byState := make([][]uint32, len(y.nodes)) // number of the outcome + 1
	verdicts := newKeyMap()
	const bits = 10
	now := make([]caucus.Outcome, len(y.nodes))
	return func(letters []uint32) bool {
		key := uint64(0)
		for i, l := range letters {
			s := holds(i, l).state
			for int(s) >= len(byState[i]) {
				byState[i] = append(byState[i], 0)
			}
			if byState[i][s] == 0 {
				o := y.lockedOutcome(i, s)
				if byState[i][s] = outcomes.number(unsafe.Pointer(&o)) + 1; outcomes.count > len(values) {
					values = append(values, o)
				}
			}
			o := byState[i][s] - 1
			now[i] = values[o]
			key = key<<bits | uint64(o)
		}
		if len(values) >= 1<<bits || len(letters)*bits > 64 { // keys are ambiguous
			return y.right(now)
		}
		v, ok := verdicts.get(key)
		if !ok {
			if y.right(now) {
				v = 1
			}
			verdicts.put(key, v)
		}
		return v == 1
	}
}
