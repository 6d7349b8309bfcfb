package check

import (
	"context"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/columns"
)

// cell is state and message of the small algorithms of the tests: whom a node follows, over how many hops.
type cell struct {
	Lead caucus.ID
	Hops uint8
}

// fixture is a small algorithm: the rule is its round.
type fixture struct {
	rule  func(l *caucus.Local, s cell, in []cell) cell
	hops  int // values of Hops in the domain
	boot  func(id caucus.ID) cell
	reads bool // reads the round counter
}

func (f fixture) Boot(l *caucus.Local) (cell, cell) {
	c := cell{Lead: l.ID}
	if f.boot != nil {
		c = f.boot(l.ID)
	}
	return c, c
}

func (f fixture) Round(l *caucus.Local, s *cell, in caucus.Inbox[cell]) cell {
	*s = f.rule(l, *s, in.Msgs)
	if f.reads && l.Round%2 == 0 {
		s.Hops++
	}
	return *s
}

func (f fixture) Outcome(l *caucus.Local, s *cell) caucus.Outcome {
	o := caucus.Outcome{Role: caucus.Follower, Leader: s.Lead, Distance: -1}
	if s.Lead == l.ID {
		o.Role = caucus.Leader
	}
	return o
}

func (f fixture) Domain(w *caucus.World) (caucus.Values[cell], caucus.Values[cell]) {
	v := caucus.Every(w, func(p *caucus.Pick) cell { return cell{p.ID(), uint8(p.Below(f.hops))} })
	return v, v
}

func (f fixture) Expect(n *caucus.Network) []caucus.Outcome { return n.FollowLeastID() }

const reach = 3 // hops

// least is the right rule, follow the smallest ID that comes over fewer than reach hops, but for what a broken one
// leaves out.
func least(better func(a, b cell) bool, inReach bool, fromOwn bool) func(l *caucus.Local, s cell, in []cell) cell {
	return func(l *caucus.Local, s cell, in []cell) cell {
		best := cell{Lead: l.ID}
		if fromOwn && better(s, best) {
			best = s
		}
		for _, m := range in {
			m.Hops++
			if inReach && m.Hops >= reach {
				continue
			}
			m.Hops = min(m.Hops, reach)
			if m.Lead != l.ID && better(m, best) {
				best = m
			}
		}
		return best
	}
}

func smaller(a, b cell) bool { return a.Lead < b.Lead || a.Lead == b.Lead && a.Hops < b.Hops }
func larger(a, b cell) bool  { return a.Lead > b.Lead || a.Lead == b.Lead && a.Hops < b.Hops }

// independent leads where no neighbour does, with the tie to the smaller ID or without. It promises
// that no two neighbours lead and every node has a leader beside it; Hops 0 stands for leading.
type independent struct {
	fixture
	tie bool
}

func newIndependent(tie bool) independent {
	f := independent{fixture{hops: 2}, tie}
	f.rule = func(l *caucus.Local, s cell, in []cell) cell {
		for _, m := range in {
			if m.Hops == 0 && (!tie || m.Lead < l.ID) {
				return cell{Lead: l.ID, Hops: 1}
			}
		}
		return cell{Lead: l.ID}
	}
	return f
}

func (f independent) Expect(*caucus.Network) []caucus.Outcome { return nil }

func (f independent) Outcome(l *caucus.Local, s *cell) caucus.Outcome {
	o := caucus.Outcome{Distance: -1}
	if s.Lead == l.ID && s.Hops == 0 {
		o = caucus.Outcome{Role: caucus.Leader, Leader: l.ID, Distance: -1}
	}
	return o
}

func (f independent) Right(n *caucus.Network, outcomes []caucus.Outcome) bool {
	for i, o := range outcomes {
		beside := 0
		for _, j := range n.Nbr[n.Off[i]:n.Off[i+1]] {
			if outcomes[j].Role == caucus.Leader {
				beside++
			}
		}
		if (o.Role == caucus.Leader) != (beside == 0) {
			return false
		}
	}
	return true
}

// together is right only when all nodes move at once: they agree on 2, the least ID, from a state in which
// nobody has agreed; one that has while a neighbour has not takes it back.
var together = fixture{
	hops: 2,
	boot: func(caucus.ID) cell { return cell{Lead: 2, Hops: 1} },
	rule: func(l *caucus.Local, s cell, in []cell) cell {
		agreed := s == cell{Lead: 2}
		for _, m := range in {
			if agreed != (m == cell{Lead: 2}) {
				return cell{Lead: 1, Hops: 1}
			}
		}
		return cell{Lead: 2}
	},
}

// wavering is an independent set without a tie rule, too, of which neighbours leave a conflict alternately, so that it
// comes right when all always move together and when one moves at a time. A daemon that mixes both keeps the conflict
// for ever. Bit 0 of Hops is clear while a node leads, bit 1 is what it remembers.
type wavering struct{ independent }

// newWavering: node 2 does not move twice in a row; or, watching, node 3 moves only if its neighbours are as when it
// last looked.
func newWavering(watching bool) wavering {
	f := wavering{independent{fixture: fixture{hops: 4, boot: func(caucus.ID) cell { return cell{} }}}}
	f.rule = func(l *caucus.Local, s cell, in []cell) cell {
		alone, seen := true, uint8(0)
		for _, m := range in {
			alone = alone && m.Hops&1 == 1
			seen ^= m.Hops & 1
		}
		switch {
		case alone == (s.Hops&1 == 0):
			return s
		case watching && l.ID == 3 && s.Hops>>1 != seen:
			return cell{Hops: s.Hops&1 | seen<<1}
		case !watching && l.ID == 2 && s.Hops&2 != 0:
			return cell{Hops: s.Hops &^ 2}
		case !watching && l.ID == 2:
			return cell{Hops: s.Hops ^ 1 | 2}
		}
		return cell{Hops: s.Hops ^ 1}
	}
	return f
}

func (f wavering) Domain(*caucus.World) (caucus.Values[cell], caucus.Values[cell]) {
	v := caucus.Values[cell]{Len: uint64(f.hops), At: func(k uint64) cell { return cell{Hops: uint8(k)} }}
	return v, v
}

func (f wavering) Outcome(l *caucus.Local, s *cell) caucus.Outcome {
	return f.independent.Outcome(l, &cell{Lead: l.ID, Hops: s.Hops & 1})
}

// broken are algorithms with one mistake each and where it shows: fails lists the daemons under which
// the check must find it from any state, clean whether it shows from a clean start.
var broken = []struct {
	name  string
	algo  caucus.Rounds[cell, cell]
	fails []Daemon
	clean bool
}{
	{"right", fixture{hops: reach, rule: least(smaller, true, false)}, nil, false},
	{"wrong comparison", fixture{hops: reach, rule: least(larger, true, false)}, Daemons, true},
	{"forgotten filter", fixture{hops: reach, rule: least(smaller, false, false)}, Daemons, false},
	{"stale own value", fixture{hops: reach, rule: least(smaller, true, true)}, Daemons, false},
	{"with the tie rule", newIndependent(true), nil, false},
	{"dropped tie rule", newIndependent(false), []Daemon{Synchronous, Distributed}, true},
	{"counts on moving together", together, []Daemon{Phased, Paced, Central, LocallyCentral, Distributed}, true},
	// The distributed daemon does what the others do, and is the only one that can be alone with a mistake.
	{"moves every other time", newWavering(false), []Daemon{Distributed}, true},
	{"waits for the other to stand still", newWavering(true), []Daemon{Distributed}, true},
}

func check2(t *testing.T, algo caucus.Rounds[cell, cell], cfg Config) *Report {
	t.Helper()
	cfg.Ghosts, cfg.Workers = 1, 1
	if cfg.Networks == nil {
		cfg.Networks = []*caucus.Network{parse(t, "2-3")}
	}
	r, err := Rounds(context.Background(), algo, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func parse(t testing.TB, text string) *caucus.Network {
	t.Helper()
	net, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// systemOf is newSystem of an algorithm with its types.
func systemOf[S, M any](algo caucus.Rounds[S, M], net *caucus.Network) (*system, error) {
	a, err := inNumbers(columns.OfRounds(algo), nil)
	if err != nil {
		return nil, err
	}
	return newSystem(a, net)
}
