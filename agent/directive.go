package agent

import (
	"bytes"
	"context"
	"errors"
	"hash/fnv"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/over"
	"caucus.example/caucus/algo/kit/region"
	"caucus.example/caucus/internal/wire"
)

// MaxDirective is the greatest size of a directive in bytes.
const MaxDirective = 64 << 10

// Directive is what a leader has told its region.
type Directive struct {
	Schema  string    `json:"schema"`
	Version uint64    `json:"version"` // greater than that of any that its leader knew
	At      time.Time `json:"at"`      // when this node had it whole
	Data    []byte    `json:"data"`
}

// DirectiveSchema is the version of Directive in JSON.
const DirectiveSchema = "caucus.directive/1"

// errNotLeader is the error of Publish at a node that does not act as leader; errTooLong that of a directive of more
// than MaxDirective bytes, or of none.
var (
	errNotLeader = errors.New("agent: this node does not act as leader: only the leader of a region tells it something")
	errTooLong   = errors.New("agent: a directive has 1 to 65536 bytes")
	errNoRegion  = errors.New("agent: region is not on in this node's configuration")
)

// The algorithm carries a directive's name down the tree, one hop a period. Who hears of one that it has not asks its
// parent for the pieces; the parent sends what it has of them, which may not be all yet, so that a long directive is on
// all hops at the same time. Who asks says which directive it has: of that one the beginning and the end are not sent
// again where they are the same.
//
// Who has one that is newer than what the leader says tells its parent. A leader that has none, since it has just been
// started, takes it over from there, hop by hop; another one knows which version the next has to exceed.

const (
	pieceSize   = 400 // so that a datagram has room for the longest message besides
	pieceWindow = 48  // pieces that are sent to one who asks, which it does once a period
)

// directives are that which this node has whole, and the next.
type directives struct {
	whole   Directive
	word    caucus.Word // names it
	next    caucus.Word // what the leader says, if that is another one
	from    caucus.ID   // who is asked for it
	newest  uint64      // greatest version heard of
	said    caucus.Word // by the leader
	parent  caucus.ID   // in the tree
	leads   bool
	offer   caucus.Word // the newest that a child has
	offerer caucus.ID   // that child
	adopted bool        // this leader has not told anything yet but what members had
	data    []byte      // of the next
	have    []bool      // its pieces
	missing int
	afresh  bool        // all of it is to come as pieces
	same    *wire.Piece // what is the same in that which this node has whole and in the one before; nil: not enough
	alike   *wire.Piece // what is the same in the next and in that which is whole, as the parent says
}

func wordOf(version uint64, data []byte) caucus.Word {
	h := fnv.New64a()
	h.Write(data)
	return caucus.Word{Version: version, Digest: h.Sum64()}
}

// Publish gives the region that this node leads a directive, in place of the one before. It gives the version.
func (a *Agent) Publish(directive []byte) (version uint64, err error) {
	switch {
	case !a.cfg.Region:
		return 0, errNoRegion
	case len(directive) == 0 || len(directive) > MaxDirective:
		return 0, errTooLong
	}
	refused := error(nil)
	if err := a.command(func(now time.Time) { version, refused = a.proclaim(directive, now) }); err != nil {
		return 0, err
	}
	return version, refused
}

func (a *Agent) proclaim(directive []byte, now time.Time) (version uint64, err error) {
	if !a.Status().Leads() {
		return 0, errNotLeader
	}
	version = a.directives.newest + 1
	a.directives.adopted = false
	a.complete(wordOf(version, directive), bytes.Clone(directive), now)
	return version, nil
}

// Directive gives the last that this node has whole; false for none.
func (a *Agent) Directive() (Directive, bool) {
	if d := a.directive.Load(); d != nil {
		return *d, true
	}
	return Directive{}, false
}

// WatchDirective tells of the directive now and of each that replaces it, until ctx is done or the agent has ended;
// then the channel is closed. Who reads slowly gets the latest and misses those between.
func (a *Agent) WatchDirective(ctx context.Context) <-chan Directive {
	return poll(ctx, a, a.directive.Load, func(d, told *Directive) bool { return d != told })
}

// complete takes over a directive.
func (a *Agent) complete(word caucus.Word, data []byte, now time.Time) {
	d := &a.directives
	d.same, d.alike = sameIn(d.word, d.whole.Data, word, data), nil
	d.word, d.whole, d.next = word, Directive{DirectiveSchema, word.Version, now, data}, caucus.Word{}
	a.local.Word, d.newest = word, max(d.newest, word.Version)
	whole := d.whole
	a.directive.Store(&whole)
	a.cfg.Logger.Info("directive", "version", word.Version, "bytes", len(data))
}

// maxVersion is beyond what a region comes to; a greater one is no version.
const maxVersion = 1 << 53

// follow looks at what the leader says, or if that is nothing at what others have.
func (d *directives) follow(at over.Place, report *region.Report) {
	none := caucus.Word{}
	d.newest = max(d.newest, report.Word.Version)
	d.said, d.parent, d.leads = report.Word, at.Parent, at.Leads()
	d.adopted = d.adopted && d.leads
	next := d.said
	d.from = d.parent
	switch {
	case d.leads && (d.word == none || d.adopted), d.said == none && d.word == none:
		next, d.from = d.offer, d.offerer
	case d.leads:
		next = none
	}
	switch {
	case next == d.word || next == none:
		d.next = none
	case next != d.next:
		d.next, d.data, d.have, d.alike, d.afresh = next, nil, nil, nil, false
	}
}

// want asks for the first piece that is missing, and those behind it, or tells the parent what is newer here; nil if
// there is neither.
func (d *directives) want() *wire.Want {
	w := &wire.Want{Of: d.from, Word: d.next, Newest: d.newest}
	if !d.afresh {
		w.Have = d.word
	}
	if d.next == (caucus.Word{}) {
		w.Of = d.parent
		if d.newest <= d.said.Version {
			return nil
		}
	}
	if w.Of == caucus.None {
		return nil
	}
	for d.next != (caucus.Word{}) && int(w.From) < len(d.have) && d.have[w.From] {
		w.From++
	}
	return w
}

// hear takes in what a child has.
func (d *directives) hear(child caucus.ID, w *wire.Want) {
	if max(w.Newest, w.Have.Version) >= maxVersion {
		return
	}
	d.newest = max(d.newest, w.Newest, w.Have.Version)
	if d.offer.Version <= d.word.Version {
		d.offer = caucus.Word{}
	}
	if w.Have.Version > d.word.Version && w.Have.Version >= d.offer.Version {
		d.offer, d.offerer = w.Have, child
	}
}

// takePiece takes in a piece of the next directive.
func (a *Agent) takePiece(p *wire.Piece, now time.Time) {
	d := &a.directives
	if p == nil || p.Word == (caucus.Word{}) || p.Word != d.next || p.Size < 1 || p.Size > MaxDirective {
		return
	}
	if d.have == nil || len(d.data) != int(p.Size) {
		d.data = make([]byte, p.Size)
		d.have = make([]bool, (p.Size+pieceSize-1)/pieceSize)
		d.missing = len(d.have)
	}
	if p.Of != (caucus.Word{}) {
		d.takeSame(p)
	} else if k := int(p.Index); k < len(d.have) && !d.have[k] && len(p.Data) == len(piece(d.data, k)) {
		copy(piece(d.data, k), p.Data)
		d.has(k)
	}
	if d.missing > 0 {
		return
	}
	if data := d.data; wordOf(d.next.Version, data) == d.next {
		d.adopted = d.leads
		a.complete(d.next, data, now)
	} else {
		d.data, d.have, d.afresh = nil, nil, true // of two publishers, or damaged
	}
}

func (d *directives) has(k int) {
	d.have[k] = true
	d.missing--
}

// takeSame takes over what is in the directive that is here.
func (d *directives) takeSame(p *wire.Piece) {
	old := d.whole.Data
	if p.Of != d.word || d.afresh || uint64(p.Head)+uint64(p.Tail) > uint64(min(len(old), len(d.data))) {
		return // an int of 32 bits would take what is too much for less than nothing
	}
	head, tail := int(p.Head), int(p.Tail)
	d.alike = p
	for k := range d.have {
		if d.have[k] || !covers(p, k) {
			continue
		}
		from, into := old, k*pieceSize
		if into >= head {
			from, into = old[len(old)-tail:], into-(len(d.data)-tail)
		}
		copy(piece(d.data, k), from[into:])
		d.has(k)
	}
}

// sameIn says how much at the beginning and at the end of a directive is as in the one before; nil if that spares no
// piece.
func sameIn(old caucus.Word, before []byte, word caucus.Word, data []byte) *wire.Piece {
	head, most := 0, min(len(before), len(data))
	for head < most && before[head] == data[head] {
		head++
	}
	tail := 0
	for tail < most-head && before[len(before)-1-tail] == data[len(data)-1-tail] {
		tail++
	}
	p := &wire.Piece{Word: word, Size: uint32(len(data)), Of: old, Head: uint32(head), Tail: uint32(tail)}
	for k := range (len(data) + pieceSize - 1) / pieceSize {
		if covers(p, k) {
			return p
		}
	}
	return nil
}

// covers tells whether a piece is within what is the same.
func covers(p *wire.Piece, k int) bool {
	first, end := k*pieceSize, min((k+1)*pieceSize, int(p.Size))
	return end <= int(p.Head) || first >= int(p.Size)-int(p.Tail)
}

func piece(data []byte, k int) []byte {
	return data[k*pieceSize : min((k+1)*pieceSize, len(data))]
}

// serve sends the pieces that a child asks for, as far as they are here.
func (a *Agent) serve(p *peer, w *wire.Want, now time.Time) {
	d := &a.directives
	if w == nil || w.Of != a.self.ID {
		return
	}
	if d.hear(p.inst.ID, w); w.Word == (caucus.Word{}) {
		return
	}
	data, has, same := d.whole.Data, func(int) bool { return true }, d.same
	switch w.Word {
	case d.word:
	case d.next:
		data, has, same = d.data, func(k int) bool { return d.have[k] }, d.alike
	default:
		return
	}
	if same != nil && same.Of == w.Have {
		if !a.transmitItem(p, now, func(e *wire.Envelope) { e.Piece = same }) {
			return
		}
	} else {
		same = &wire.Piece{Size: uint32(len(data))}
	}
	sent := 0
	for k := int(w.From); sent < pieceWindow && k*pieceSize < len(data); k++ {
		if !has(k) || covers(same, k) {
			continue
		}
		sent++
		next := &wire.Piece{Word: w.Word, Index: uint16(k), Size: uint32(len(data)), Data: piece(data, k)}
		if !a.transmitItem(p, now, func(e *wire.Envelope) { e.Piece = next }) {
			return
		}
	}
}
