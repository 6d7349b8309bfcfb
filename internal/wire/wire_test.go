package wire

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
)

const group = 0xdeadbeef

func encode(t testing.TB, e *Envelope) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := e.Encode(&buf); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func body(t testing.TB, c bounded.Candidacy) []byte {
	t.Helper()
	codec, err := NewCodec[bounded.Candidacy]()
	if err != nil {
		t.Fatal(err)
	}
	b, err := codec.Encode(&c)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// typical is a datagram in mid-run: small ids, as `caucus up` gives them, strength 10,
// two hops from the leader, an hour after boot at 10 rounds/s.
func typical(t testing.TB) *Envelope {
	return &Envelope{
		Link: Link{Hears: Mark(0x01234567), Gap: 1}, Group: group, Sender: Instance{ID: 17, Nonce: 0x89abcdef},
		Seq: 36000, Term: 7,
		Body: body(t, bounded.Candidacy{Val: -10, Dist: 2, Lead: 12, Nonce: 0x89abcdef, Seq: 36000, Age: 2, Hops: 2}),
	}
}

func full(t testing.TB) *Envelope {
	e := typical(t)
	e.Need = MaxTerm
	e.Leader = &Instance{ID: 3, Nonce: 4}
	e.Name, e.LeaderName = "köln-1", "a"
	e.Gone = []Instance{{ID: 9, Nonce: 8}, {ID: math.MaxUint64, Nonce: math.MaxUint32}}
	e.Secrets = []uint64{1, math.MaxUint64}
	e.Probe = true
	e.Echo = &Echo{Seq: 4, Hold: 900}
	e.Deaf = true
	e.About = &About{Program: "v1.2.3", Algo: "bounded", Params: "radius=inf heartbeat=3", Digest: 0xfedcba98,
		Period: 100, Expiry: 3}
	e.Pace = &Pace{Period: 1000, Hops: 3}
	e.Challenge, e.Response = 1<<63, 5
	e.Census = &Census{Hops: 2, Parent: 0x89abcdef, Count: 17}
	e.Arrivals = 191
	e.Card = &Card{To: 8, ID: 9, Parent: 7, Hops: 3, Strength: 2.5, Age: 1200,
		Name: "bonn", Addr: "10.0.0.7:7400", Tags: "gpu,rack-3"}
	e.Lease = &Lease{Holder: Instance{ID: 3, Nonce: 4}, Seq: 70000, Grants: []Grant{{Member: 9, Seq: 69999}}}
	word := caucus.Word{Version: 3, Digest: 1 << 60}
	e.Want, e.Piece = &Want{Of: 7, Word: word, From: 48},
		&Piece{Word: word, Index: 2, Size: 1000, Data: []byte("piece")}
	e.Ask = &Ask{From: Instance{ID: 9, Nonce: 8}, Seq: 3, Leader: Instance{ID: 3, Nonce: 4}, Term: 7, Hops: 2,
		Data: []byte("may I")}
	e.Reply = &Reply{To: Instance{ID: 9, Nonce: 8}, Seq: 3, Refused: true, Data: []byte("no")}
	return e
}

var instances = cmpopts.IgnoreUnexported(Instance{}, Echo{}, About{}, Pace{}, Census{}, Card{}, Lease{}, Grant{},
	Want{}, Piece{}, Ask{}, Reply{}, caucus.Word{})

func brief(t testing.TB) *Envelope {
	e := typical(t)
	e.Brief = true
	return e
}

// A brief datagram names nobody to one who does not know its sender, or knows another life of it.
func TestBriefNeedsAcquaintance(t *testing.T) {
	e := brief(t)
	other := e.Sender
	other.Nonce++
	for _, known := range []Instance{{}, other} {
		if _, err := Decode(encode(t, e), group, known); !errors.Is(err, ErrBrief) {
			t.Errorf("known %v: error %v, want %v", known, err, ErrBrief)
		}
	}
}

func TestEnvelopeRoundTrip(t *testing.T) {
	for _, e := range []*Envelope{typical(t), full(t), brief(t)} {
		got, err := Decode(encode(t, e), group, e.Sender)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(e, got, instances); d != "" {
			t.Error(d)
		}
	}
}

// What a later version adds is skipped, so that a group can be upgraded one node after the other.
func TestItemsOfLaterVersions(t *testing.T) {
	e := full(t)
	var known bytes.Buffer
	known.Write(encode(t, e))
	h, _, ok := readHead(known.Bytes())
	if !ok {
		t.Fatal("head")
	}
	head := len(e.appendHead(nil, uint32(h.flags)))
	h.flags |= flagsEnd | flagsEnd<<1
	later := append(e.appendHead(nil, uint32(h.flags)), known.Bytes()[head:]...)
	for _, item := range []string{"\x82\x01\x63abc", "\x18\x2a"} { // an array, a number
		later = append(later, item...)
	}
	got, err := Decode(later, group, Instance{})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(e, got, instances); d != "" {
		t.Error(d)
	}
	if _, err := Decode(later[:len(later)-1], group, Instance{}); !errors.Is(err, ErrFormat) {
		t.Errorf("error %v for a cut item", err)
	}
}

// At 10 rounds/s 20 datagrams a second pass a link, so 54 bytes each make 1.1 kB/s.
func TestDatagramIsSmall(t *testing.T) {
	if n := len(encode(t, typical(t))); n > 54 {
		t.Errorf("a typical datagram has %d bytes, want at most 54", n)
	}
}

// What is said of the link is all that differs between the datagrams for two receivers.
func TestAddress(t *testing.T) {
	e := full(t)
	b := encode(t, e)
	e.Link = Link{Hears: 3, Gap: MaxGap}
	if Address(b, e.Link); !bytes.Equal(b, encode(t, e)) {
		t.Errorf("addressed %x, want %x", b, encode(t, e))
	}
}

func TestMark(t *testing.T) {
	for nonce, want := range map[uint32]uint16{0: 1, 0x00050005: 1, 0x00010003: 2, 7: 7} {
		if got := Mark(nonce); got != want {
			t.Errorf("mark of %#x is %d, want %d", nonce, got, want)
		}
	}
}

func TestFit(t *testing.T) {
	if got := Fit("köln", 2); got != "k" {
		t.Errorf("cut to %q, want k", got)
	}
}

// All that an agent puts into one datagram; a card, a lease, what spreads a directive, and requests wait for one with
// room.
func TestLargestDatagramFits(t *testing.T) {
	e := full(t)
	e.Card, e.Lease, e.Want, e.Piece, e.Ask, e.Reply = nil, nil, nil, nil, nil, nil
	long := bytes.Repeat([]byte("n"), MaxName)
	e.Name, e.LeaderName = string(long), string(long)
	e.Leader = &Instance{ID: math.MaxUint64, Nonce: math.MaxUint32}
	e.Echo = &Echo{Seq: math.MaxUint32, Hold: math.MaxUint32}
	text := func(n int) string { return string(bytes.Repeat([]byte("x"), n)) }
	e.About = &About{Program: text(MaxText), Algo: text(MaxText), Params: text(MaxList), Digest: math.MaxUint32,
		Period: MaxWait, Expiry: 1000}
	e.Pace = &Pace{Period: MaxWait, Hops: 255}
	e.Challenge, e.Response = math.MaxUint64, math.MaxUint64
	e.Census, e.Arrivals = &Census{Hops: 255, Parent: math.MaxUint32, Count: math.MaxUint32}, 255
	e.Group, e.Sender, e.Seq, e.Term = math.MaxUint32, Instance{ID: math.MaxUint64, Nonce: math.MaxUint32},
		math.MaxUint32, MaxTerm
	e.Gone, e.Secrets = nil, nil
	for range MaxTold {
		e.Gone, e.Secrets = append(e.Gone, *e.Leader), append(e.Secrets, math.MaxUint64)
	}
	bytesOfBody := make([]byte, MaxBody-3)
	e.Body = append([]byte{0x59, byte(len(bytesOfBody) >> 8), byte(len(bytesOfBody))}, bytesOfBody...)
	b := encode(t, e)
	t.Log(len(b), "bytes")
	if _, err := Decode(b, math.MaxUint32, Instance{}); err != nil {
		t.Fatal(err)
	}
}

func TestDecodeRefuses(t *testing.T) {
	good := encode(t, typical(t))
	with := func(change func(e *Envelope)) []byte {
		e := full(t)
		change(e)
		return encode(t, e)
	}
	version := bytes.Clone(good)
	version[1] = Version + 1
	for name, c := range map[string]struct {
		in   []byte
		want error
	}{
		"empty":        {nil, ErrFormat},
		"text":         {[]byte("GET / HTTP/1.1\r\n"), ErrFormat},
		"oversize":     {make([]byte, MaxDatagram+1), ErrOversize},
		"version":      {version, ErrVersion},
		"group":        {with(func(e *Envelope) { e.Group++ }), ErrGroup},
		"trailing":     {append(bytes.Clone(good), 0), ErrFormat},
		"cut":          {good[:len(good)-1], ErrFormat},
		"head only":    {good[:len(good)-len(typical(t).Body)], ErrFormat},
		"short head":   {[]byte{0x81, Version}, ErrFormat},
		"indefinite":   {[]byte{0x9f, Version, 0xff}, ErrFormat},
		"long head":    {append([]byte{0x8b}, good[1:]...), ErrFormat},
		"gap of 0":     {append([]byte{good[0], Version, 0, 0}, good[6:]...), ErrFormat},
		"gap of 24":    {append([]byte{good[0], Version, 0, 0x18, 24}, good[6:]...), ErrFormat},
		"null in head": {append([]byte{good[0], Version, 0xf6, 1}, good[6:]...), ErrFormat},
		"version 1":    {[]byte{0x88, 1, 1, 1, 1, 1, 0, 0, 0, 0}, ErrVersion},
		"control name": {bytes.Replace(with(func(*Envelope) {}), []byte("köln-1"), []byte("k\x1b[2ln-"), 1), ErrFormat},
	} {
		if _, err := Decode(c.in, group, Instance{}); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
	}
}

func TestEncodeRefuses(t *testing.T) {
	for name, change := range map[string]func(e *Envelope){
		"no sender": func(e *Envelope) { e.Sender.ID = caucus.None },
		"term":      func(e *Envelope) { e.Term = MaxTerm + 1 },
		"notices":   func(e *Envelope) { e.Gone = make([]Instance, MaxGone+1) },
		"secrets":   func(e *Envelope) { e.Gone, e.Secrets = make([]Instance, 2), make([]uint64, 1) },
		"name":      func(e *Envelope) { e.Name = "a\nb" },
		"no body":   func(e *Envelope) { e.Body = nil },
		"gap":       func(e *Envelope) { e.Link.Gap = 0 },
		"pace":      func(e *Envelope) { e.Pace.Period = 0 },
		"period":    func(e *Envelope) { e.About.Period = MaxWait + 1 },
		"expiry":    func(e *Envelope) { e.About.Expiry = 0 },
		"params":    func(e *Envelope) { e.About.Params = "a=\x1b[2J" },
		"body":      func(e *Envelope) { e.Body = make([]byte, MaxBody+1) },
	} {
		e := full(t)
		change(e)
		if err := e.Encode(new(bytes.Buffer)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestCodecRefusesBodies(t *testing.T) {
	codec, err := NewCodec[bounded.Candidacy]()
	if err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string][]byte{
		"empty":       nil,
		"number":      {0x01},
		"null":        {0xf6},
		"six fields":  {0x86, 0, 0, 1, 0, 0, 0},
		"eight":       {0x88, 0, 0, 1, 0, 0, 0, 0, 0},
		"null field":  {0x87, 0, 0xf6, 1, 0, 0, 0, 0},
		"age of 256":  {0x87, 0, 0, 1, 0, 0, 0x19, 1, 0, 0},
		"negative id": {0x87, 0, 0, 0x20, 0, 0, 0, 0},
		"text":        {0x87, 0x61, 'a', 0, 1, 0, 0, 0, 0},
		"trailing":    {0x87, 0, 0, 1, 0, 0, 0, 0, 0},
		"indefinite":  {0x9f, 0, 0, 1, 0, 0, 0, 0, 0xff},
		"tagged":      {0xc1, 0x87, 0, 0, 1, 0, 0, 0, 0},
		"map":         {0xa1, 0x63, 'V', 'a', 'l', 0x01},
		"long":        make([]byte, MaxBody+1),
	} {
		if m, err := codec.Decode(in); err == nil {
			t.Errorf("%s: decoded to %+v", name, m)
		}
	}
	if _, err := codec.Decode([]byte{0x87, 0, 0, 1, 0, 0, 0, 0}); err != nil {
		t.Errorf("the form that the cases above spoil is refused: %v", err)
	}
}

func TestCodecKeepsEveryFloat(t *testing.T) {
	codec, _ := NewCodec[bounded.Candidacy]()
	for _, x := range []float64{0, 1, -3, 0.1, 1543.2871, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(1)} {
		in := bounded.Candidacy{Val: -x, Dist: x, Lead: 1}
		out, err := codec.Decode(body(t, in))
		if err != nil || out != in {
			t.Errorf("%v came back as %v, %v", in, out, err)
		}
	}
}

func TestNewCodecRefusesTypes(t *testing.T) {
	type untagged struct{ A int }
	type hidden struct {
		_ struct{} `cbor:",toarray"`
		a int
	}
	type pointer struct {
		_ struct{} `cbor:",toarray"`
		A *int
	}
	_ = hidden{a: 0}
	for name, err := range map[string]error{
		"untagged": second(NewCodec[untagged]()),
		"hidden":   second(NewCodec[hidden]()),
		"pointer":  second(NewCodec[pointer]()),
		"map":      second(NewCodec[map[string]int]()),
		"any":      second(NewCodec[any]()),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := NewCodec[[]bounded.Candidacy](); err != nil {
		t.Error(err)
	}
}

// A request or an answer that is too long, or of nobody, is refused on both sides.
func TestRequestsAreChecked(t *testing.T) {
	for name, change := range map[string]func(e *Envelope){
		"long request": func(e *Envelope) {
			e.Ask = &Ask{From: e.Sender, Leader: e.Sender, Data: make([]byte, MaxAsk+1)}
		},
		"of nobody":   func(e *Envelope) { e.Ask = &Ask{Leader: e.Sender, Data: []byte("x")} },
		"for nobody":  func(e *Envelope) { e.Ask = &Ask{From: e.Sender, Data: []byte("x")} },
		"long answer": func(e *Envelope) { e.Reply = &Reply{Data: make([]byte, MaxAsk+1)} },
	} {
		e := typical(t)
		change(e)
		if err := e.Encode(new(bytes.Buffer)); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// Whatever decodes encodes again to an equal envelope.
func FuzzEnvelope(f *testing.F) {
	f.Add(encode(f, typical(f)))
	f.Add(encode(f, full(f)))
	f.Add(encode(f, brief(f)))
	f.Add([]byte{0x8a, Version, 1, 1, 0x1a, 0xde, 0xad, 0xbe, 0xef, 1, 1, 1, 4, 1, 1, 0, 0x9b, 255, 255, 255, 255, 255,
		255, 255, 255})
	f.Fuzz(func(t *testing.T, in []byte) {
		e, err := Decode(in, group, typical(t).Sender)
		if err != nil {
			return
		}
		again, err := Decode(encode(t, e), group, e.Sender)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(e, again, instances, cmpopts.EquateEmpty()); d != "" {
			t.Error(d)
		}
	})
}

func FuzzBody(f *testing.F) {
	f.Add(body(f, bounded.Candidacy{Val: -10, Dist: 2.5, Lead: 12, Nonce: 1 << 31, Seq: 9, Age: 2, Hops: 1}))
	f.Add([]byte{0x87, 0, 0xf9, 0x7e, 0, 1, 0, 0, 0, 0})
	codec, err := NewCodec[bounded.Candidacy]()
	if err != nil {
		f.Fatal(err)
	}
	e, err := bounded.New(bounded.Default(10))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		m, err := codec.Decode(in)
		if err != nil {
			return
		}
		l := caucus.Local{ID: 1, Strength: 1, Degree: 1}
		s, _ := e.Boot(&l)
		e.Round(&l, &s, caucus.Inbox[bounded.Candidacy]{Msgs: []bounded.Candidacy{m}, Dist: []float64{1}})
		if s.Dist > 10 || !(s.Dist >= 0) {
			t.Errorf("%+v led to %+v", m, s)
		}
	})
}
