package bounded

import (
	"math"

	"caucus.example/caucus"
)

// The heartbeat ends candidacies whose leader is gone. In Algorithm 1 one without support dies only by growing longer
// than the radius, at least one edge length a round, so after floor(radius/length)+1 rounds. With the heartbeat a
// leader counts its rounds, and whoever follows it wants to see that counter advance. It stands around Algorithm 1 in
// four places of Round: next, echo, outdated and settle.

// beat is the age that a candidacy gains in a round without news of its leader. Passing the candidacy on adds 1, so
// that even a ghost that runs round a cycle at full speed, always one step ahead of its own end, is stale after a
// bounded number of hops.
const beat = 16

// A follower waits heartbeat rounds for news, and one more for every hop between the leader and the neighbour that it
// depends on, since each hop may hold news back by a period. That delays no re-election: a copy without news counts
// only if it comes from fewer hops away than the node's own, so followers give up in the order of their hops, each in
// the round after those it depends on, and waiting is only for what got late on the way.
const mostPatience = 15 * beat

// maxAhead is how far ahead a heartbeat may be to count as news. Counters modulo 2^16 have no greatest: without a
// limit three corrupt copies of one ghost, each ahead of the next, would keep each other young for ever. Now it takes
// a circle of 2^16/64 of them. A node that has missed more gives up the candidacy and takes it anew.
const maxAhead = 64

// listener hears, during one round, of the candidacy that the node has held so far.
type listener struct {
	e        *Election
	me, held *Candidacy
	in       *caucus.Inbox[Candidacy]
	beat     uint16 // the node's own counter
	news     uint16 // how far the latest heartbeat among the copies of held is ahead
	copied   int    // index of the nearest copy that may support it, -1 for none
	bits     uint64 // of its distance: bits of floats >= 0 order as they do
	passes   uint8  // age that this round adds without news
	fresh    uint8  // age below which a candidacy is taken up
	refuted  bool   // the leader of held has another strength now
}

func (e *Election) listen(l *caucus.Local, me, held *Candidacy, in *caucus.Inbox[Candidacy]) listener {
	h := listener{e: e, me: me, held: held, in: in, beat: held.Seq + 1, copied: -1, bits: math.MaxUint64}
	if h.passes, h.fresh = beat, e.fresh; l.Early {
		h.passes, h.fresh = 0, beat
	}
	return h
}

// News is a later beat of the leader from fewer hops away.
func (e *Election) News(s, m *Candidacy) bool {
	ahead := m.Seq - s.Seq
	return e.stale != 0 && m.same(s) && ahead > 0 && ahead <= maxAhead && m.Hops < s.Hops
}

// freshness is the age below which a candidacy is taken up. A neighbour that acts once in every round, but twice in
// a row now and then, has missed a beat each time it does: if that were too old, whoever always acts right after
// would never follow. Two beats are not missed each time, however far away the leader. Whoever takes up what has
// missed one counts a beat more for itself, or copies of a dead leader could be handed to and fro for as many
// rounds as a beat has parts. It is less than the age at which those next to a leader give it up, and a beat in
// early rounds, which add none.
func freshness(heartbeat int) uint8 { return uint8(min(max(heartbeat-1, 1), 2) * beat) }

// next gives the next message, from k on, that Algorithm 1 has to look at. It keeps from it the copies of the candidacy
// that the node holds, which settle judges together, and those of others whose sender has no fresh news of their
// leader either. Early rounds carry one twice as many hops, but none that has missed a beat anywhere, and so is older
// than its way is long: such copies go round after their leader has stood back, each passed on for the news that
// it is not. Most messages are copies of what is held: what it needs for them is at hand in variables of its own.
func (h *listener) next(k int) int {
	if h.e.stale == 0 {
		return k
	}
	return h.listenOn(k)
}

// listenOn is next with the heartbeat on.
func (h *listener) listenOn(k int) int {
	e, held, msgs, missed := h.e, h.held, h.in.Msgs, h.in.Missed
	lengths, mine := h.in.Dist[:len(msgs)], held.Lead == h.me.Lead && held.Nonce == h.me.Nonce
	news, copied, nearest := h.news, h.copied, h.bits
	for ; k < len(msgs); k++ {
		m := &msgs[k]
		age := m.Age
		if missed != nil {
			age = late(age, missed[k])
		}
		if mine || !m.same(held) {
			h.refuted = h.refuted || m.refutes(held)
			if age < h.fresh || h.passes == 0 && age <= min(m.Hops, 2*beat-1) || m.Lead == h.me.Lead {
				break
			}
			continue
		}
		d := m.Dist + e.Length(lengths[k])
		if !e.within(m, d) {
			continue
		}
		// Which of the neighbours has news and which is nearest is as good as random: written for conditional moves.
		ahead := m.Seq - held.Seq
		if ahead > maxAhead {
			ahead = 0
		}
		news = max(news, ahead)
		if age >= beat && ahead == 0 && m.Hops >= held.Hops {
			continue // it may have its support from here
		}
		bits := math.Float64bits(d)
		if bits < nearest {
			copied = k
		}
		nearest = min(nearest, bits)
	}
	h.news, h.copied, h.bits = news, copied, nearest
	return k
}

// late is the age of a message that has gone on ageing while so many after it failed to come.
func late(age, missed uint8) uint8 { return older(age, beat*min(missed, 15)) }

// echo hears the node's own candidacy. One ahead of it is left from before a restart or a corruption: it is
// overtaken, so that followers see an advance.
func (h *listener) echo(m *Candidacy) {
	if int16(m.Seq-h.beat) >= 0 {
		h.beat = m.Seq + 1
	}
}

// settle keeps the candidacy held so far if it is better than the best of the others and its leader has been heard in
// time; else the node supports the best. On links that are known to lose messages it waits longer (Local.Patience);
// where they lose none that delays no re-election, for the reason given at mostPatience.
func (h *listener) settle(links int, best offer) {
	s := h.held
	if h.refuted {
		h.take(best)
		return
	}
	if h.passes == 0 && h.copied < 0 && int(s.Age) < max(h.e.stale, min(links, 15)*beat) && h.e.less(s, s.Dist, best) {
		return
	}
	if dist := math.Float64frombits(h.bits); h.copied >= 0 && h.e.less(s, dist, best) {
		age, hops, patience := uint8(0), h.in.Msgs[h.copied].Hops, max(h.e.stale, min(links, 15)*beat)
		if h.news == 0 {
			age = older(s.Age, h.passes)
		}
		if hops < s.Hops {
			patience = min(patience+int(hops)*beat, mostPatience)
		}
		if int(age) < patience {
			s.Dist, s.Seq, s.Age, s.Hops = dist, s.Seq+h.news, age, older(hops, 1)
			return
		}
	}
	h.take(best)
}

// take supports the best of the others.
func (h *listener) take(best offer) {
	s := h.held
	s.Val, s.Dist, s.Lead, s.Nonce = best.Val, best.dist, best.Lead, best.Nonce
	switch {
	case !h.e.counts:
		s.Seq, s.Age, s.Hops = 0, 0, 0
	case best.from < 0:
		s.Seq, s.Age, s.Hops = h.beat, 0, 0
	default:
		age := best.Age
		if h.in.Missed != nil {
			age = late(age, h.in.Missed[best.from])
		}
		if age >= beat {
			age = older(age, h.passes)
		}
		s.Seq, s.Age, s.Hops = best.Seq, older(age, 1), older(best.Hops, 1)
	}
}

// outdated tells whether a candidacy is of a leader that is a neighbour, and has another strength now. What it says
// itself is later than every copy: without that the copies of its former strength would support each other after it has
// become weaker, as those of a dead leader do.
func (h *listener) outdated(c *Candidacy) bool {
	if h.e.stale == 0 {
		return false
	}
	for k := range h.in.Msgs { // by place: this is asked for every better candidacy
		if h.in.Msgs[k].refutes(c) {
			return true
		}
	}
	return false
}

// refutes tells whether this is what the leader itself says, and not what the copy does.
func (c *Candidacy) refutes(copied *Candidacy) bool {
	return c.Hops == 0 && c.Lead == copied.Lead && c.Nonce == copied.Nonce && c.Val != copied.Val
}

func (c *Candidacy) same(d *Candidacy) bool {
	return c.Lead == d.Lead && c.Val == d.Val && c.Nonce == d.Nonce
}

// older adds without leaving the range of a byte.
func older(age, by uint8) uint8 {
	if age > math.MaxUint8-by {
		return math.MaxUint8
	}
	return age + by
}
