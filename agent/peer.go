package agent

import (
	"cmp"
	"maps"
	"net/netip"
	"slices"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/fault"
	"caucus.example/caucus/internal/seal"
	"caucus.example/caucus/internal/wire"
)

// peer is a configured neighbour-to-be and what was last heard from it.
type peer struct {
	Peer
	slot         int // of its message, see protocol
	addrs        []netip.AddrPort
	moves        []netip.AddrPort // that it has shown besides, see stranger
	challenge    challenge
	lookupFailed bool

	claims claims // at the hub

	// in a group with keys
	life    *seal.Life  // that has answered a challenge
	trial   *seal.Life  // that has not yet
	doubt   challenge   // of a life that has to prove itself
	window  seal.Window // of life
	replays int         // datagrams of the past in a row

	live    bool     // heard within the expiry
	via     *segment // for all of which its datagrams are; nil: none of them has come
	listed  bool     // the last of these says that this node's arrive there
	hears   bool     // hears this node, as its last datagram says
	holds   bool     // has the base of this node's messages, as its last datagram says
	told    told
	deaf    bool          // hears nobody
	wait    time.Duration // between its datagrams, as it says
	pace    *wire.Pace    // of news of its leader, if periods differ there
	census  *wire.Census  // nil: it takes part in none
	about   *wire.About   // what the present instance says of itself; nil: nothing yet
	refused string        // difference that keeps it from belonging together with this node
	refusal string        // that as reason for dropping
	warned  string        // difference that has been logged
	loss    float64       // share of its datagrams that get lost

	expected   int            // datagrams that loss is of
	theirs     float64        // share of this node's datagrams that arrive there, as it says; 0: it has not
	saidArrive uint8          // what it was told of its own
	etx        float64        // length; 0: not measured
	ask        asking         // while it is silent
	called     string         // what it calls itself; "" if it has not
	chosen     bool           // by this node, of its own accord, and
	before     bool           // the round before; see sparse.go
	chose      bool           // this node
	tried      time.Time      // chosen since then without counting; zero: it counts, or did when it was chosen last
	addr       netip.AddrPort // where the last datagram came from
	inst       wire.Instance
	former     wire.Instance // the one before
	since      time.Time
	heard      time.Time // arrival of the last datagram
	regular    time.Time // arrival of the last that came of its sender's own accord
	recall     recall
	confirmed  time.Time // arrival of the last that says that it hears this node
	seq        uint32
	again      sequel
	term       uint64
	need       uint64
	pending    bool // its leader is not known to act with that term
	backs      wire.Instance
	standing   float64       // that it has told,
	tells      bool          // if it has
	asks       bool          // wants echoes
	rtt        time.Duration // smoothed
	steady     time.Duration // that as length
	samples    int
	outside    int  // samples in a row with which rtt was far from steady
	ignored    bool // another live peer is the same instance
	link       *fault.Link
}

func newPeer(p Peer, slot int) *peer {
	x := &peer{Peer: p, slot: slot}
	if a, ok := p.literal(); ok {
		x.addrs = []netip.AddrPort{a}
	}
	return x
}

// fresh tells whether a datagram is newer than all before, and takes over a new
// instance of the peer.
func (p *peer) fresh(e *wire.Envelope, at time.Time) bool {
	// A late datagram was overtaken by the first one of its sender's successor. If it is the
	// present instance that is silent, the order of the two was the other way round.
	if e.Sender == p.former && p.live {
		return false
	}
	if e.Sender != p.inst {
		p.former, p.inst, p.since, p.live, p.hears, p.listed = p.inst, e.Sender, at, false, false, false
		p.rtt, p.steady, p.samples, p.outside = 0, 0, 0, 0
		p.about, p.refused, p.refusal, p.again, p.told, p.holds = nil, "", "", sequel{}, told{}, false
		p.tells = false
		p.recall.restart()
		return true
	}
	if int32(e.Seq-p.seq) > 0 {
		p.again = sequel{}
		return true
	}
	return p.again.follows(e.Seq)
}

// sequel is a run of datagrams whose numbers seem to be of the past. Late ones do not come like that, one after the
// other with none of the present between them: their sender has been put back to an earlier state, or a number far
// ahead was not its own.
type sequel struct {
	last   uint32
	length int
}

const (
	sequelLength = 3  // datagrams make it believed
	sequelGap    = 64 // that may be missing between two of them
)

// follows tells whether the sequence is believed with this number. It begins anew then.
func (s *sequel) follows(seq uint32) bool {
	switch ahead := seq - s.last; {
	case s.length > 0 && ahead == 0: // a copy
		return false
	case s.length > 0 && ahead <= sequelGap:
		s.length++
	default:
		s.length = 1
	}
	s.last = seq
	if s.length < sequelLength {
		return false
	}
	*s = sequel{}
	return true
}

// targets are the addresses to send to: the one it speaks from, or all it may have.
func (p *peer) targets() []netip.AddrPort {
	if p.live {
		return []netip.AddrPort{p.addr}
	}
	return append(p.addrs[:len(p.addrs):len(p.addrs)], p.moves...)
}

// measure takes a sample of the round-trip time.
func (p *peer) measure(sample time.Duration) {
	const weight = 8 // of the past, as in TCP (RFC 6298)
	sample = max(sample, 0)
	if p.rtt == 0 {
		p.rtt = sample
	} else {
		p.rtt += (min(sample, 2*p.rtt) - p.rtt) / weight // one late answer says little
	}
	p.rtt = max(p.rtt, 1)
	p.samples++
	p.outside++
	if held := p.steady; p.rtt <= held+held/steadyPart && p.rtt >= held-held/steadyPart {
		p.outside = 0
	}
	if p.samples <= steadyAfter || p.outside >= steadyOutside {
		p.steady, p.outside = p.rtt, 0
	}
}

// What counts as length is held once there are some samples, while the smoothed time stays within a quarter of it:
// a path that is about as long as the radius would else come and go with every tremor of its links.
const (
	steadyAfter   = 16
	steadyPart    = 4
	steadyOutside = 8 // samples in a row after which the time is another: one late answer moves it for a moment
)

// length of the edge under the given configuration; false if not measured yet.
func (p *peer) length(c *Config) (float64, bool) {
	switch c.Metric {
	case Weight:
		return p.Length, true
	case RTT:
		return float64(max(p.steady, c.RTTFloor)) / float64(time.Millisecond), p.rtt > 0
	case ETX:
		return p.etx, p.etx > 0
	}
	return 1, true
}

// byIdentity is the order of the inbox.
func byIdentity(a, b *peer) int {
	if a.inst.ID != b.inst.ID {
		if a.inst.ID < b.inst.ID {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(a.Length, b.Length), a.addr.Compare(b.addr)) // the shortest link counts
}

// peerAt finds the peer that may speak from an address.
func (a *Agent) peerAt(from netip.AddrPort) *peer {
	return a.byAddr[from]
}

// index makes peerAt work for the present addresses. An address of two peers is the
// first one's.
func (a *Agent) index() {
	former := a.byAddr
	a.byAddr = make(map[netip.AddrPort]*peer)
	for _, p := range a.peers {
		for _, addr := range append(p.addrs[:len(p.addrs):len(p.addrs)], p.moves...) {
			if _, taken := a.byAddr[addr]; !taken {
				a.byAddr[addr] = p
			}
		}
	}
	if h := a.cfg.hub; h != nil {
		h.readdress(maps.Keys(former), maps.Keys(a.byAddr))
	}
}

// claim has the hub hand on what comes from a peer, which has just been heard.
func (a *Agent) claim(p *peer) {
	if a.cfg.hub == nil {
		return
	}
	stamp := wire.Stamp(a.group, p.inst)
	next := claims{{from: p.addr, stamp: stamp}, {stamp: stamp}}
	if p.life != nil {
		next = claims{{life: p.life.Who()}}
	}
	if next != p.claims {
		a.cfg.hub.hand(a.hubbed, p.claims, next)
		p.claims = next
	}
}

// disclaim gives up what was claimed for a peer.
func (a *Agent) disclaim(p *peer) {
	if a.cfg.hub != nil {
		a.cfg.hub.hand(a.hubbed, p.claims, claims{})
		p.claims = claims{}
	}
}

// expire drops neighbours that have been silent for too long, by the pace that they have told.
func (a *Agent) expire(now time.Time) {
	for _, p := range a.peers {
		if p.live && now.Sub(p.heard) > time.Duration(p.patience(a.cfg.Expiry))*p.wait+p.wait/2 {
			a.silence(p)
		}
	}
}

// inbox lists the neighbours whose messages count, in their order.
func (a *Agent) inbox() []*peer {
	a.present = a.present[:0]
	for _, p := range a.peers {
		if p.counts() {
			a.present = append(a.present, p)
		}
	}
	slices.SortFunc(a.present, byIdentity)
	kept := a.present[:0]
	for _, p := range a.present {
		p.ignored = len(kept) > 0 && kept[len(kept)-1].inst == p.inst // reached under two addresses
		if !p.ignored {
			kept = append(kept, p)
		}
	}
	a.present = kept
	return kept
}

func (a *Agent) nameOf(p *peer) string {
	name := a.names.get(p.inst.ID)
	if name == "" {
		name = p.Name
	}
	if name == "" && p.inst.ID == caucus.None {
		return p.Addr
	}
	return show(name, p.inst.ID)
}

// challenge is what an address has been asked.
type challenge struct {
	addr  netip.AddrPort
	token uint64 // 0: none
	at    time.Time
}
