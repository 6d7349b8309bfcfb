package wire

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/fxamacker/cbor/v2"

	"caucus.example/caucus"
)

// Limits of the optional items.
const (
	MaxName = 64        // bytes of a node's name
	MaxGone = 8         // departure notices in one datagram
	MaxTold = 7         // of them, so that there is room for their secrets beside all else
	MaxText = 32        // bytes of the program's version, and of an algorithm's name, in About
	MaxList = 160       // bytes of the list of parameters in About
	MaxWait = 3_600_000 // milliseconds of a period

	MaxGrants = 15 // in one datagram

	MaxHeard = 256 // nodes in Heard

	MaxChoice = 86_400_000 // milliseconds of a choice

	MaxAge = 1 << 31 // milliseconds

	MaxAsk = 350 // bytes of a request to the leader, and of its answer
)

// Why a datagram is refused.
var (
	ErrOversize = errors.New("datagram longer than 1200 bytes")
	ErrVersion  = errors.New("foreign version")
	ErrGroup    = errors.New("foreign group")
	ErrBrief    = errors.New("brief datagram of another sender than the one that is known")
	ErrFormat   = errors.New("malformed datagram")
)

// Echo answers a neighbour's datagram, for it to measure the round-trip time.
type Echo struct {
	_    struct{} `cbor:",toarray"`
	Seq  uint32   // of the last datagram received from that neighbour
	Hold uint32   // microseconds between its arrival and this answer
}

// About is what a node says of itself to those who have to fit together with it.
type About struct {
	_       struct{} `cbor:",toarray"`
	Program string   // its version: told, not compared
	Algo    string
	Params  string // "name=value name=value", cut to MaxList bytes
	Digest  uint32 // of all that has to be the same, Algo and all of Params included
	Period  uint32 // milliseconds between its datagrams, 1 to MaxWait
	Expiry  uint16 // periods without a datagram until it drops a neighbour, 1 to 1000
}

// Pace tells how fast news of the sender's leader comes to it.
type Pace struct {
	_      struct{} `cbor:",toarray"`
	Period uint32   // the slowest on the way, in milliseconds, 1 to MaxWait
	Hops   uint8    // of that way; stops at 255
}

// Census counts those who follow a leader that wants to know.
type Census struct {
	_      struct{} `cbor:",toarray"`
	Hops   uint8    // to the leader
	Parent uint32   // nonce of the neighbour that is to count the sender; 0 at the leader
	Count  uint32   // the sender, and those that it counts
}

// Card is what people want to know of a member of a region, for the sender's parent in the tree.
type Card struct {
	_        struct{}  `cbor:",toarray"`
	To       caucus.ID // that parent
	ID       caucus.ID
	Parent   caucus.ID // of the member; None in its own hands
	Gone     bool      // that parent has lost it, and all below it
	Hops     uint16    // of the member to the leader
	Strength float64
	Age      uint32 // milliseconds since its parent has heard it, at most MaxAge
	Name     string
	Addr     string // where its parent hears it; "" in its own hands; at most MaxName bytes
	Tags     string // by commas; at most MaxName bytes
}

// Lease is the newest request of a leader for the right to act, and who has granted it so far.
type Lease struct {
	_      struct{} `cbor:",toarray"`
	Holder Instance
	Seq    uint32
	Grants []Grant // at most MaxGrants
}

// Of tells whether the request is that of the leader named; a nonce of 0 is any.
func (l *Lease) Of(leader Instance) bool {
	return l.Holder.ID == leader.ID && leader.ID != caucus.None && (leader.Nonce == 0 || l.Holder.Nonce == leader.Nonce)
}

// Grant is the newest request that a member has granted.
type Grant struct {
	_      struct{} `cbor:",toarray"`
	Member caucus.ID
	Seq    uint32
}

// Choice names the node that is to lead for a time.
type Choice struct {
	_    struct{} `cbor:",toarray"`
	Name string
	At   uint64 // the greater the newer
	Left uint32 // milliseconds, at most MaxChoice
}

// Want asks a neighbour for the pieces of a directive, or, of none, tells a parent what the sender has.
type Want struct {
	_      struct{}  `cbor:",toarray"`
	Of     caucus.ID // that neighbour
	Word   caucus.Word
	From   uint16      // the first piece that is missing
	Have   caucus.Word // the directive that the sender has whole
	Newest uint64      // greatest version that the sender has heard of
}

// Piece is one of a directive; or what is the same in another one, if it names that.
type Piece struct {
	_     struct{} `cbor:",toarray"`
	Word  caucus.Word
	Index uint16
	Size  uint32 // of the directive in bytes
	Data  []byte
	Of    caucus.Word // the other one
	Head  uint32      // bytes at the beginning that are the same
	Tail  uint32      // and at the end
}

// Ask is a request of a member to its leader. Sender and number are its name.
type Ask struct {
	_      struct{} `cbor:",toarray"`
	From   Instance
	Seq    uint32   // the requests of one life are numbered from 1
	Leader Instance // whom it is for, and
	Term   uint64   // with which term
	Hops   uint8    // that it has come
	Data   []byte   // at most MaxAsk bytes
}

// Reply is the leader's answer to a request.
type Reply struct {
	_       struct{} `cbor:",toarray"`
	To      Instance // who has asked
	Seq     uint32
	Refused bool
	Data    []byte // at most MaxAsk bytes; why it is refused, if it is
}

// Envelope is one datagram. On the wire it is
//
//	[version, hears, gap, group, sender, nonce, seq, flags, term, need] body items…
//
// or, to one who hears the sender and has said so, with one number instead of group, sender and nonce. There
// the flags say which of the optional items follow, in this order: leader, name, leader's name, gone, echo, about,
// pace, challenge, response, census, arrivals, lease, heard, leader's address, choice, base, ask, reply, secrets,
// standing, card, want, piece. Probe, Deaf and Pending are flags alone. A
// flag that this version does not know announces an item of a later one, which is skipped.
type Envelope struct {
	Link       Link
	Brief      bool // Group and Sender are told by a mark only, to one who knows them
	Group      uint32
	Sender     Instance
	Seq        uint32    // one more in every datagram of this sender; compared modulo 2^32
	Term       uint64    // of the leadership that the sender follows, 0 if not known; at most MaxTerm
	Need       uint64    // that term must exceed this one; at most MaxTerm
	Body       []byte    // the encoded message, or its Patch; after Decode part of the datagram
	Leader     *Instance // whom the sender follows, if Body does not tell
	Name       string    // of the sender, now and then
	LeaderName string    // of the sender's leader, now and then
	LeaderAddr string    // beside it, where the first to pass it on hears that leader; at most MaxName bytes
	Gone       []Instance
	Secrets    []uint64 // of the same lives in the same order, see seal.Commitment; none in a former version's notices
	Probe      bool     // asks for an Echo
	Deaf       bool     // the sender hears nobody
	Pending    bool     // the sender does not know yet that the leader acts with Term
	Echo       *Echo
	About      *About // after a change, now and then, and to whom the sender does not hear or who does not hear it
	Pace       *Pace  // where periods differ
	Challenge  uint64 // to be sent back from the address that this is sent to; 0: none
	Response   uint64 // a challenge that came; 0: none
	Census     *Census
	Arrivals   uint8 // share of the receiver's datagrams that arrive at the sender, in 1/255; 0: not told
	Card       *Card // of a member of the sender's region, one after the other
	Lease      *Lease
	Want       *Want
	Piece      *Piece
	Choice     *Choice
	Ask        *Ask
	Reply      *Reply
	Base       []byte   // a message that the sender tells others as differences to, see Patch; at most MaxBase bytes
	Standing   *float64 // the sender's own, beside its name; finite
	Heard      Heard    // in a datagram for all of a segment, where Link says nothing; else nil
}

const (
	flagLeader = 1 << iota
	flagName
	flagLeaderName
	flagGone
	flagProbe
	flagEcho
	flagDeaf
	flagAbout
	flagPace
	flagChallenge
	flagResponse
	flagCensus
	flagArrivals
	flagPending
	flagFormerCard // of a version whose regions had other items: skipped, as these three are there
	flagLease
	flagFormerWant
	flagFormerPiece
	flagHeard
	flagLeaderAddr
	flagChoice
	flagBase
	flagAsk
	flagReply
	flagSecrets
	flagStanding
	flagCard
	flagWant
	flagPiece
	flagsEnd
)

// Group hashes a group's name (FNV-1a, 32 bits).
func Group(name string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(name))
	return h.Sum32()
}

// Encode appends the datagram to buf. Names that no receiver would accept,
// notices beyond MaxGone and a total beyond MaxDatagram are errors.
func (e *Envelope) Encode(buf *bytes.Buffer) error {
	var items [24]any
	n := 0
	flags := uint32(0)
	add := func(flag uint32, present bool, item any) {
		if present {
			flags |= flag
			items[n] = item
			n++
		}
	}
	add(flagLeader, e.Leader != nil, e.Leader)
	add(flagName, e.Name != "", e.Name)
	add(flagLeaderName, e.LeaderName != "", e.LeaderName)
	add(flagGone, len(e.Gone) > 0, e.Gone)
	add(flagEcho, e.Echo != nil, e.Echo)
	add(flagAbout, e.About != nil, e.about())
	add(flagPace, e.Pace != nil, e.Pace)
	add(flagChallenge, e.Challenge != 0, e.Challenge)
	add(flagResponse, e.Response != 0, e.Response)
	add(flagCensus, e.Census != nil, e.Census)
	add(flagArrivals, e.Arrivals != 0, e.Arrivals)
	add(flagLease, e.Lease != nil, e.Lease)
	add(flagHeard, e.Heard != nil, []byte(e.Heard))
	add(flagLeaderAddr, e.LeaderAddr != "", e.LeaderAddr)
	add(flagChoice, e.Choice != nil, e.Choice)
	add(flagBase, e.Base != nil, e.Base)
	add(flagAsk, e.Ask != nil, e.Ask)
	add(flagReply, e.Reply != nil, e.Reply)
	add(flagSecrets, len(e.Secrets) > 0, e.Secrets)
	add(flagStanding, e.Standing != nil, e.Standing)
	add(flagCard, e.Card != nil, e.Card)
	add(flagWant, e.Want != nil, e.Want)
	add(flagPiece, e.Piece != nil, e.Piece)
	if e.Probe {
		flags |= flagProbe
	}
	if e.Deaf {
		flags |= flagDeaf
	}
	if e.Pending {
		flags |= flagPending
	}
	if err := e.check(); err != nil {
		return err
	}
	start := buf.Len()
	buf.Write(e.appendHead(buf.AvailableBuffer(), flags))
	buf.Write(e.Body)
	for _, item := range items[:n] {
		if err := encoding.MarshalToBuffer(item, buf); err != nil {
			return err
		}
	}
	if buf.Len()-start > MaxDatagram {
		return fmt.Errorf("%w: %d", ErrOversize, buf.Len()-start)
	}
	return nil
}

// about is what the sender says of itself, as far as the datagram has room for it.
func (e *Envelope) about() *About {
	if e.About == nil || len(e.Body) <= roomyBody || e.About.Params == "" {
		return e.About
	}
	short := *e.About
	short.Params = ""
	return &short
}

// check holds for every envelope that Encode makes or Decode gives.
func (e *Envelope) check() error {
	switch {
	case e.Sender.ID == caucus.None:
		return fmt.Errorf("%w: sender 0", ErrFormat)
	case e.Term > MaxTerm || e.Need > MaxTerm:
		return fmt.Errorf("%w: term %d above %d", ErrFormat, max(e.Term, e.Need), uint64(MaxTerm))
	case len(e.Gone) > MaxGone:
		return fmt.Errorf("%w: %d notices, at most %d are allowed", ErrFormat, len(e.Gone), MaxGone)
	case len(e.Secrets) > 0 && len(e.Secrets) != len(e.Gone):
		return fmt.Errorf("%w: %d secrets of %d notices", ErrFormat, len(e.Secrets), len(e.Gone))
	case len(e.Body) == 0 || len(e.Body) > MaxBody:
		return fmt.Errorf("%w: message of %d bytes, 1 to %d are allowed", ErrFormat, len(e.Body), MaxBody)
	case e.Link.Gap < 1 || e.Link.Gap > MaxGap:
		return fmt.Errorf("%w: gap of %d periods, 1 to %d are allowed", ErrFormat, e.Link.Gap, MaxGap)
	case e.Pace != nil && (e.Pace.Period < 1 || e.Pace.Period > MaxWait):
		return fmt.Errorf("%w: pace of %d ms", ErrFormat, e.Pace.Period)
	case e.About != nil && !e.About.valid():
		return fmt.Errorf("%w: description", ErrFormat)
	case e.Card != nil && !e.Card.valid():
		return fmt.Errorf("%w: card", ErrFormat)
	case len(e.Heard) > 2*MaxHeard || len(e.Heard)%2 != 0:
		return fmt.Errorf("%w: %d bytes of who is heard", ErrFormat, len(e.Heard))
	case e.Choice != nil && (CheckName(e.Choice.Name) != nil || e.Choice.Left > MaxChoice):
		return fmt.Errorf("%w: choice", ErrFormat)
	case e.Base != nil && !MayBase(e.Base):
		return fmt.Errorf("%w: base", ErrFormat)
	case e.Ask != nil && (len(e.Ask.Data) > MaxAsk || e.Ask.From.ID == caucus.None || e.Ask.Leader.ID == caucus.None),
		e.Reply != nil && len(e.Reply.Data) > MaxAsk:
		return fmt.Errorf("%w: request or reply", ErrFormat)
	case e.Standing != nil && !(math.Abs(*e.Standing) <= math.MaxFloat64):
		return fmt.Errorf("%w: standing", ErrFormat)
	case !printable(e.LeaderAddr, MaxName):
		return fmt.Errorf("%w: address of the leader", ErrFormat)
	case e.Lease != nil && (e.Lease.Holder.ID == caucus.None || len(e.Lease.Grants) > MaxGrants):
		return fmt.Errorf("%w: lease", ErrFormat)
	}
	for _, name := range []string{e.Name, e.LeaderName} {
		if name == "" {
			continue
		}
		if err := CheckName(name); err != nil {
			return fmt.Errorf("%w: name: %w", ErrFormat, err)
		}
	}
	return nil
}

func (c *Card) valid() bool {
	return c.ID != caucus.None && c.Age <= MaxAge && CheckName(c.Name) == nil && printable(c.Addr, MaxName) &&
		printable(c.Tags, MaxName)
}

func (a *About) valid() bool {
	return a.Period >= 1 && a.Period <= MaxWait && a.Expiry >= 1 && a.Expiry <= 1000 &&
		printable(a.Program, MaxText) && printable(a.Algo, MaxText) && printable(a.Params, MaxList)
}

func printable(text string, most int) bool {
	return len(text) <= most && utf8.ValidString(text) && strings.IndexFunc(text,
		func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}

// Fit cuts a text that About takes, between two characters.
func Fit(text string, most int) string {
	for len(text) > most {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return text
}

// CheckName says whether a node may have this name: 1 to MaxName bytes of UTF-8
// that can be printed, since names from the network end up in logs and terminals.
func CheckName(name string) error {
	if len(name) == 0 || len(name) > MaxName || !utf8.ValidString(name) {
		return &caucus.FieldError{Field: "name", Found: name, Allowed: fmt.Sprintf("1 to %d bytes of UTF-8", MaxName)}
	}
	for _, r := range name {
		if !unicode.IsPrint(r) {
			return &caucus.FieldError{Field: "name", Found: name, Allowed: "printable characters"}
		}
	}
	return nil
}

// Decode is Envelope.Decode into a new one.
func Decode(b []byte, group uint32, known Instance) (*Envelope, error) {
	e := new(Envelope)
	return e, e.Decode(b, group, known)
}

// Decode reads a datagram of the given group; a brief one must be of the known sender. The error is, or wraps, one of
// ErrOversize, ErrVersion, ErrGroup, ErrBrief and ErrFormat, and nothing that was read counts then. Body shares memory
// with b, all else is new.
func (e *Envelope) Decode(b []byte, group uint32, known Instance) error {
	// The head is an array whose first element is the version: one byte each.
	switch {
	case len(b) > MaxDatagram:
		return ErrOversize
	case len(b) < 2 || b[0]>>5 != 4 || b[1] > 23:
		return ErrFormat
	case b[1] != Version:
		return ErrVersion
	}
	h, rest, ok := readHead(b)
	brief := b[0] == 0x80|briefItems
	switch {
	case !ok:
		return fmt.Errorf("%w: head", ErrFormat)
	case brief && (known.ID == caucus.None || h.stamp != uint64(Stamp(group, known))):
		return ErrBrief
	case brief:
		h.group, h.sender, h.nonce = uint64(group), uint64(known.ID), uint64(known.Nonce)
	case uint32(h.group) != group:
		return ErrGroup
	}
	*e = Envelope{
		Brief: brief,
		Link:  Link{uint16(h.hears), uint8(h.gap)},
		Group: group, Sender: Instance{ID: caucus.ID(h.sender), Nonce: uint32(h.nonce)},
		Seq: uint32(h.seq), Term: h.term, Need: h.need, Probe: h.flags&flagProbe != 0, Deaf: h.flags&flagDeaf != 0,
		Pending: h.flags&flagPending != 0,
	}
	if h.flags&^(flagProbe|flagDeaf|flagPending) == 0 { // at rest: all of it is the message
		if _, patch := told(rest); !patch {
			if err := decoding.Wellformed(rest); err != nil {
				return fmt.Errorf("%w: message: %w", ErrFormat, err)
			}
		}
		e.Body = rest
		return e.check()
	}
	var err error
	var body cbor.RawMessage
	if rest, err = decoding.UnmarshalFirst(rest, &body); err != nil {
		return fmt.Errorf("%w: message: %w", ErrFormat, err)
	}
	e.Body = body
	if rest, err = e.readItems(h.flags, rest); err != nil {
		return err
	}
	if len(rest) != 0 {
		return fmt.Errorf("%w: %d trailing bytes", ErrFormat, len(rest))
	}
	return e.check()
}

// readItems reads the optional items that the flags announce and gives what follows them.
func (e *Envelope) readItems(flags uint64, rest []byte) (_ []byte, err error) {
	take := func(flag uint64, into any) {
		if flags&flag == 0 || err != nil {
			return
		}
		if rest, err = decoding.UnmarshalFirst(rest, into); err != nil {
			err = fmt.Errorf("%w: item %#x: %w", ErrFormat, flag, err)
		}
	}
	var unknown cbor.RawMessage
	take(flagLeader, &e.Leader)
	take(flagName, &e.Name)
	take(flagLeaderName, &e.LeaderName)
	take(flagGone, &e.Gone)
	take(flagEcho, &e.Echo)
	take(flagAbout, &e.About)
	take(flagPace, &e.Pace)
	take(flagChallenge, &e.Challenge)
	take(flagResponse, &e.Response)
	take(flagCensus, &e.Census)
	take(flagArrivals, &e.Arrivals)
	take(flagFormerCard, &unknown)
	take(flagLease, &e.Lease)
	take(flagFormerWant, &unknown)
	take(flagFormerPiece, &unknown)
	take(flagHeard, (*[]byte)(&e.Heard))
	take(flagLeaderAddr, &e.LeaderAddr)
	take(flagChoice, &e.Choice)
	take(flagBase, &e.Base)
	take(flagAsk, &e.Ask)
	take(flagReply, &e.Reply)
	take(flagSecrets, &e.Secrets)
	take(flagStanding, &e.Standing)
	take(flagCard, &e.Card)
	take(flagWant, &e.Want)
	take(flagPiece, &e.Piece)
	for flag := uint64(flagsEnd); flag <= mostFlags; flag <<= 1 {
		take(flag, &unknown)
	}
	return rest, err
}

// roomyBody is the greatest message beside which the list of parameters in About has room; beside a longer one the
// digest has to do.
const roomyBody = MaxBody - MaxList - 10

func (e *Envelope) appendHead(b []byte, flags uint32) []byte {
	items := byte(headItems)
	who := []uint64{uint64(e.Group), uint64(e.Sender.ID), uint64(e.Sender.Nonce)}
	if e.Brief {
		items, who = briefItems, []uint64{uint64(Stamp(e.Group, e.Sender))}
	}
	b = append(b, 0x80|items, Version, 0x19, byte(e.Link.Hears>>8), byte(e.Link.Hears), e.Link.Gap)
	for _, x := range who {
		b = appendNumber(b, x)
	}
	for _, x := range [...]uint64{uint64(e.Seq), uint64(flags), e.Term, e.Need} {
		b = appendNumber(b, x)
	}
	return b
}
