package columns

import (
	"math/rand/v2"
	"testing"

	"caucus.example/caucus"
)

// long is a message of which most is zero, most of the time.
type long [40]uint64

type writer struct{ r *rand.Rand }

func (w *writer) message() (m long) {
	for k := range w.r.IntN(len(m) + 1) {
		m[k] = uint64(w.r.IntN(2))
	}
	return m
}

func (w *writer) Boot(*caucus.Local) (long, long) { return long{}, w.message() }

func (w *writer) Round(*caucus.Local, *long, caucus.Inbox[long]) long { return w.message() }

func (w *writer) Outcome(*caucus.Local, *long) caucus.Outcome { return caucus.Outcome{} }

func (w *writer) Domain(*caucus.World) (a, b caucus.Values[long]) { return }

// Rebase reaches where a message may not have been in use.
func (w *writer) Rebase(s, m *long, by uint64) { s[39], m[39] = s[39]-by, m[39]-by }

func (w *writer) Origin(s *long) uint64 { return s[39] }

// An inbox holds what the sources say, whatever it held before and whoever has written that.
func TestBriefIsWhole(t *testing.T) {
	const n, cells = 6, 3
	r := rand.New(rand.NewPCG(1, 2))
	var l caucus.Local
	for _, apart := range []bool{false, true} {
		tape := OfNodes(&writer{r: r}).New(n, 1, 2, apart).(*Table[long, long])
		tape.Open(cells)
		if tape.brief == nil {
			t.Fatal("these messages are copied whole")
		}
		for range 20_000 {
			p := r.IntN(n)
			switch r.IntN(12) {
			case 0:
				tape.Boot(&l, p)
			case 1:
				tape.Turn()
			case 2:
				tape.Keep()
			case 3:
				tape.Stay(p)
			case 4:
				tape.Take(p)
			case 5:
				tape.Save(0, p)
				tape.Round(&l, 0, p, nil, nil, Unasked)
				tape.Restore(0, p)
			case 6:
				tape.Shift(p, 1)
			case 7:
				*tape.Says(p).(*long) = long{38: 1}
			case 8:
				*tape.Made(p).(*long) = long{38: 1}
			case 9:
				tape.Mail(r.IntN(cells), p, false)
			default:
				tape.Round(&l, 0, p, nil, nil, Same(r.IntN(3)))
			}
			from := make([]int32, r.IntN(5))
			for k := range from {
				from[k] = int32(r.IntN(n+cells)) - cells
			}
			tape.Gather(0, from)
			for k, q := range from {
				if tape.inbox[0][k] != *tape.said(q) {
					t.Fatalf("apart %v: of %d: %v, says %v", apart, q, tape.inbox[0][k], *tape.said(q))
				}
			}
			if len(from) > 0 {
				tape.Align(0, r.IntN(len(from)), uint64(r.IntN(2)))
			}
		}
	}
}
