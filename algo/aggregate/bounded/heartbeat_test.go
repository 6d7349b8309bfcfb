package bounded_test

import (
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
)

// beating is the candidacy of node 7, of strength 3.
func beating(dist float64, seq uint16, age, hops uint8) bounded.Candidacy {
	return bounded.Candidacy{Val: -3, Dist: dist, Lead: 7, Seq: seq, Age: age, Hops: hops}
}

// News is a later beat of the same leader, by at most 64, from fewer hops away.
func TestNews(t *testing.T) {
	on, err := bounded.New(bounded.Config{Radius: 10, Heartbeat: 3})
	if err != nil {
		t.Fatal(err)
	}
	off, err := bounded.New(bounded.Config{Radius: 10})
	if err != nil {
		t.Fatal(err)
	}
	held, other := beating(2, 10, 0, 2), beating(1, 11, 0, 1)
	other.Lead = 8
	for _, c := range []struct {
		what string
		m    bounded.Candidacy
		want bool
	}{
		{"the next beat", beating(1, 11, 0, 1), true},
		{"the last that counts", beating(1, 10+64, 0, 1), true},
		{"too far ahead", beating(1, 10+65, 0, 1), false},
		{"the same beat", beating(1, 10, 0, 1), false},
		{"an earlier one", beating(1, 9, 0, 1), false},
		{"from as far away", beating(1, 11, 0, 2), false},
		{"of another leader", other, false},
	} {
		if got := on.News(&held, &c.m); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
		if off.News(&held, &c.m) {
			t.Errorf("%s: news without a heartbeat", c.what)
		}
	}
}

// One round of node 5, of strength 2, radius 10, heartbeat 3, so that a candidacy is given up at age 48: what becomes
// of what it holds.
func TestHeartbeatRules(t *testing.T) {
	e, err := bounded.New(bounded.Config{Radius: 10, Heartbeat: 3})
	if err != nil {
		t.Fatal(err)
	}
	own := func(seq uint16) bounded.Candidacy { return bounded.Candidacy{Val: -2, Lead: 5, Seq: seq} }
	weaker := bounded.Candidacy{Val: -1, Lead: 9, Seq: 4}
	for _, c := range []struct {
		what     string
		early    bool
		patience int
		s        bounded.Candidacy
		msgs     []bounded.Candidacy
		want     bounded.Candidacy
	}{
		{"news", false, 0, beating(2, 10, 16, 2), []bounded.Candidacy{beating(1, 12, 0, 1)}, beating(2, 12, 0, 2)},
		{"64 ahead is news", false, 0, beating(2, 10, 16, 2), []bounded.Candidacy{beating(1, 74, 0, 1)},
			beating(2, 74, 0, 2)},
		{"no news: a beat older", false, 0, beating(2, 10, 16, 2), []bounded.Candidacy{beating(1, 10, 16, 1)},
			beating(2, 10, 32, 2)},
		{"given up", false, 0, beating(2, 10, 32, 1), []bounded.Candidacy{beating(1, 10, 16, 0)}, own(11)},
		{"given up, on links that lose nothing", false, 3, beating(2, 10, 32, 1),
			[]bounded.Candidacy{beating(1, 10, 16, 0)}, own(11)},
		{"waits longer on links that lose", false, 5, beating(2, 10, 32, 1), []bounded.Candidacy{beating(1, 10, 16, 0)},
			beating(2, 10, 48, 1)},
		{"no longer than 15 rounds on such links", false, 99, beating(2, 10, 224, 1),
			[]bounded.Candidacy{beating(1, 10, 16, 0)}, own(11)},
		{"too old to be taken up", false, 0, own(3), []bounded.Candidacy{beating(1, 10, 32, 1)}, own(4)},
		{"taken up without news: a beat older", false, 0, own(3), []bounded.Candidacy{beating(1, 10, 16, 1)},
			beating(2, 10, 33, 2)},
		{"with news: by its way only", false, 0, own(3), []bounded.Candidacy{beating(1, 10, 15, 1)},
			beating(2, 10, 16, 2)},
		{"young enough", false, 0, own(3), []bounded.Candidacy{beating(1, 10, 31, 1)}, beating(2, 10, 48, 2)},
		{"early: no age without news", true, 0, beating(2, 10, 16, 2), []bounded.Candidacy{beating(1, 10, 16, 1)},
			beating(2, 10, 16, 2)},
		{"early: carried twice as many hops", true, 0, own(3), []bounded.Candidacy{beating(1, 10, 31, 31)},
			beating(2, 10, 32, 32)},
		{"early: too old all the same", true, 0, own(3), []bounded.Candidacy{beating(1, 10, 33, 33)}, own(4)},
		{"early: young enough", true, 0, own(3), []bounded.Candidacy{beating(1, 10, 15, 1)}, beating(2, 10, 16, 2)},
		{"early: older than its way", true, 0, own(3), []bounded.Candidacy{beating(1, 10, 16, 15)}, own(4)},
		{"early: what nobody repeats is kept", true, 0, beating(2, 10, 47, 2), nil, beating(2, 10, 47, 2)},
		{"early: what nobody repeats and is too old is not", true, 0, beating(2, 10, 48, 2), nil, own(11)},
		{"early: but longer on links that lose", true, 5, beating(2, 10, 79, 2), nil, beating(2, 10, 79, 2)},
		{"early: no longer than they lose", true, 5, beating(2, 10, 80, 2), nil, own(11)},
		{"early: nor longer than 15 rounds", true, 99, beating(2, 10, 240, 2), nil, own(11)},
		{"early: a weaker one that nobody repeats is not", true, 0, weaker, nil, own(5)},
		{"echo of the own beat", false, 0, own(3), []bounded.Candidacy{{Val: -2, Dist: 1, Lead: 5, Seq: 3}}, own(4)},
		{"echo that is as far", false, 0, own(3), []bounded.Candidacy{{Val: -2, Dist: 1, Lead: 5, Seq: 4}}, own(5)},
		{"echo from before a restart", false, 0, own(3), []bounded.Candidacy{{Val: -2, Dist: 1, Lead: 5, Seq: 90}},
			own(91)},
		{"echo ahead across 2^16", false, 0, own(65530), []bounded.Candidacy{{Val: -2, Dist: 1, Lead: 5, Seq: 3}},
			own(4)},
		{"news from beyond the radius", false, 0, beating(9, 10, 0, 2), []bounded.Candidacy{beating(9.5, 11, 0, 1)},
			own(11)},
		{"a follower refutes nobody's strength", false, 0, beating(2, 10, 0, 2),
			[]bounded.Candidacy{beating(1, 11, 0, 1), {Val: -2.5, Dist: 1, Lead: 7, Seq: 11, Hops: 1}},
			beating(2, 11, 0, 2)},
		{"another instance of the leader neither", false, 0, beating(2, 10, 0, 2),
			[]bounded.Candidacy{beating(1, 11, 0, 1), {Val: -2.5, Lead: 7, Nonce: 9}}, beating(2, 11, 0, 2)},
		{"the leader itself does", false, 0, beating(2, 10, 0, 2),
			[]bounded.Candidacy{beating(1, 11, 0, 1), {Val: -2.5, Lead: 7, Seq: 11}},
			bounded.Candidacy{Val: -2.5, Dist: 1, Lead: 7, Seq: 11, Age: 1, Hops: 1}},
		{"there is nothing older than 255", false, 0, beating(2, 10, 250, 2),
			[]bounded.Candidacy{beating(1, 10, 16, 1)}, own(11)},
		{"an old echo, too", false, 0, own(3), []bounded.Candidacy{{Val: -2, Dist: 1, Lead: 5, Seq: 90, Age: 99}},
			own(91)},
	} {
		s, edges := c.s, make([]float64, len(c.msgs))
		for k := range edges {
			edges[k] = 1
		}
		l := &caucus.Local{ID: 5, Strength: 2, Degree: len(edges), Early: c.early, Patience: c.patience}
		if told := e.Round(l, &s, caucus.Inbox[bounded.Candidacy]{Msgs: c.msgs, Dist: edges}); told != c.want ||
			s != told {
			t.Errorf("%s: holds %+v, want %+v", c.what, s, c.want)
		}
	}
}

// What is taken up has aged while it failed to come again.
func TestMissedMessagesAge(t *testing.T) {
	e, err := bounded.New(bounded.Config{Radius: 10, Heartbeat: 3})
	if err != nil {
		t.Fatal(err)
	}
	for missed, want := range map[uint8]bounded.Candidacy{0: beating(2, 10, 1, 2), 1: beating(2, 10, 33, 2),
		2: {Val: -2, Lead: 5, Seq: 1}} {
		s := bounded.Candidacy{Val: -2, Lead: 5}
		e.Round(&caucus.Local{ID: 5, Strength: 2, Degree: 1}, &s, caucus.Inbox[bounded.Candidacy]{
			Msgs: []bounded.Candidacy{beating(1, 10, 0, 1)}, Dist: []float64{1}, Missed: []uint8{missed}})
		if s != want {
			t.Errorf("missed %d: holds %+v, want %+v", missed, s, want)
		}
	}
}

// However long the heartbeat, what has missed two beats is not taken up; with one of 2, what has missed one is not.
func TestTooOldToBeTakenUp(t *testing.T) {
	for heartbeat, fresh := range map[int]uint8{1: 16, 2: 16, 3: 32, 4: 32, 15: 32} {
		e, err := bounded.New(bounded.Config{Radius: 10, Heartbeat: heartbeat})
		if err != nil {
			t.Fatal(err)
		}
		for age := fresh - 1; age <= fresh; age++ {
			s := bounded.Candidacy{Val: -2, Lead: 5}
			in := caucus.Inbox[bounded.Candidacy]{Msgs: []bounded.Candidacy{beating(1, 10, age, 1)}, Dist: []float64{1}}
			e.Round(&caucus.Local{ID: 5, Strength: 2, Degree: 1}, &s, in)
			if taken := s.Lead == 7; taken != (age < fresh) {
				t.Errorf("heartbeat %d: taken up at age %d: %v", heartbeat, age, taken)
			}
		}
	}
}

// Without nonces there is none, whatever the node has drawn.
func TestNonce(t *testing.T) {
	for on, want := range map[bool]uint32{false: 0, true: 9} {
		e, err := bounded.New(bounded.Config{Radius: 10, Nonce: on})
		if err != nil {
			t.Fatal(err)
		}
		if s, _ := e.Boot(&caucus.Local{ID: 5, Nonce: 9}); s.Nonce != want {
			t.Errorf("nonce %v: %d", on, s.Nonce)
		}
	}
}
