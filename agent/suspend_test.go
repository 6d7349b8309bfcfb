package agent

import (
	"testing"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/wire"
)

// The machine of the leader is suspended for a minute. Its monotonic clock stands still, so that none of its rounds
// is late; still the first that anybody hears of it afterwards is that it is undecided.
func TestSuspendedMachine(t *testing.T) {
	v := newVirtual(t, 5, 3, clique(3))
	v.upAll()
	v.settle("n1", 20)
	a := v.nodes[0].agent
	slept := a.asleep()
	a.asleep = func() time.Duration { return slept }
	a.ahead = a.asleep
	slept += 200 * time.Millisecond // less than the expiry: nobody has missed it
	if s := a.Status(); !s.Leads() {
		t.Errorf("%v after a nap", s.Leadership)
	}
	v.run(3 * period)
	slept += time.Minute
	if s := a.Status(); s.Role != "undecided" || s.LeaderID != caucus.None || s.Token != (Fence{}) {
		t.Errorf("%v right after the suspension, want undecided", s.Leadership)
	}
	reports := 0
	v.seen = func(i int, l Leadership) {
		if i == 0 && reports == 0 {
			reports++
			if l.Role != "undecided" {
				t.Errorf("the first report is %v, want undecided", l)
			}
		}
	}
	v.run(period)
	if reports == 0 || a.count.Suspensions != 1 {
		t.Errorf("%d reports, %d suspensions", reports, a.count.Suspensions)
	}
	v.settle("n1", 20)
}

// A machine that is put back to an earlier state goes on with its nonce and with numbers of the past; a datagram
// with a number far ahead that is not its own makes the true ones look like that. It is heard again within expiry +
// 2 periods.
func TestSequenceJumps(t *testing.T) {
	for name, jump := range map[string]func(v *virtual){
		"snapshot": func(v *virtual) { v.nodes[0].agent.seq -= 5000 },
		"forged":   func(v *virtual) { v.nodes[1].agent.peers[0].seq += 1 << 30 },
		"half":     func(v *virtual) { v.nodes[1].agent.peers[0].seq += 1<<31 - 1 },
	} {
		t.Run(name, func(t *testing.T) {
			v := newVirtual(t, 5, 2, clique(2))
			v.nodes[0].cfg.Peers[0].Addr = v.nodes[1].addr.String()
			v.upAll()
			v.settle("n1", 20)
			v.run(10 * period)
			jump(v)
			p := v.nodes[1].agent.peers[0]
			heard := p.heard
			v.within(bound(3), "heard again", func() bool { return p.heard.After(heard.Add(period / 2)) })
			v.settle("n1", 20)
		})
	}
}

// A machine that is put back to a state from before it left is heard again too.
func TestSnapshotOfOneThatLeft(t *testing.T) {
	v := newVirtual(t, 5, 2, clique(2))
	v.upAll()
	v.settle("n1", 20)
	v.run(20 * period)
	a := v.nodes[0].agent
	v.leave(0)
	v.run(4 * period)
	if v.nodes[1].agent.Status().Leader != "n2" {
		t.Fatal("the departure is not known")
	}
	delete(a.gone, a.self)
	a.seq -= 10
	a.due = v.now
	v.nodes[0].agent = a
	v.within(bound(3)+maxGap*period, "heard again", func() bool { return v.nodes[1].agent.peers[0].counts() })
	v.settle("n1", 20)
}

// Late copies, one or in any number, are no sequel.
func TestSequel(t *testing.T) {
	var s sequel
	for i, c := range []struct {
		seq  uint32
		want bool
	}{
		{7, false}, {7, false}, {8, false}, {8, false}, {9, true}, // begins anew
		{9, false}, {5, false}, {6, false}, {100, false}, {101, false}, {165, true},
	} {
		if got := s.follows(c.seq); got != c.want {
			t.Errorf("step %d, number %d: %v", i, c.seq, got)
		}
	}
}

// One forged datagram, or many, does not take the terms anywhere near their end.
func TestForgedTerm(t *testing.T) {
	v := newVirtual(t, 5, 3, clique(3))
	v.upAll()
	v.settle("n1", 20)
	p := v.nodes[0].agent.peers[0]
	for _, term := range []uint64{wire.MaxTerm, wire.MaxTerm - 1, wire.MaxTerm / 2} {
		for range 100 {
			v.nodes[0].agent.terms.hear(p.backs, term, term, false)
		}
	}
	v.run(10 * period)
	v.settle("n1", 20)
	if s := v.nodes[0].agent.Status(); s.Term > 200*leap {
		t.Errorf("term %d", s.Term)
	}
}

// A group whose terms are used up finds its way back by itself.
func TestTermsBeginAnew(t *testing.T) {
	v := newVirtual(t, 5, 4, line(4))
	v.upAll()
	v.settle("n1", 20)
	for _, a := range v.alive() {
		a.terms.need, a.terms.seen, a.terms.heard, a.terms.reported = last, last, last, last
	}
	v.kill(0)
	v.settle("n2", 40)
	if s := v.nodes[1].agent.Status(); s.Term > 100 {
		t.Errorf("term %d", s.Term)
	}
}

// A term that is far ahead for good reason is reached in a few rounds.
func TestFarTerm(t *testing.T) {
	v := newVirtual(t, 5, 4, line(4))
	v.upAll()
	v.settle("n1", 20)
	far := uint64(10*leap + 7)
	if err := v.nodes[3].agent.ExceedTerm(far); err != nil {
		t.Fatal(err)
	}
	v.within(60*period, "a larger term", func() bool {
		term := uint64(0)
		return agreed("n1", v.alive(), &term) && term == far+1
	})
}

// Fences are in the order of term, leader and life, as values and as text.
func TestFences(t *testing.T) {
	order := []Fence{{}, {1, 2, 3}, {1, 2, 4}, {1, 300, 0}, {2, 1, 1}, {1 << 60, 1 << 63, 1 << 31}}
	for i, f := range order {
		var again Fence
		if err := again.UnmarshalText([]byte(f.String())); err != nil || again != f {
			t.Errorf("%v came back as %v, %v", f, again, err)
		}
		for j, g := range order {
			want := min(1, max(-1, i-j))
			if got := f.Compare(g); got != want {
				t.Errorf("%v and %v: %d, want %d", f, g, got, want)
			}
			if got := f.String() < g.String(); got != (want < 0) {
				t.Errorf("%v and %v as text: %v", f, g, got)
			}
		}
	}
	if got := order[1].String(); got != "0000000000000001-0000000000000002-00000003" {
		t.Error(got)
	}
	for _, text := range []string{"", "1-2-3", order[1].String() + " ", order[1].String() + "0"} {
		if err := new(Fence).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is read", text)
		}
	}
	if got := (Leadership{LeaderID: 4, LeaderNonce: 3}).Fence(); got != (Fence{}) {
		t.Errorf("fence %v without a term", got)
	}
}
