package check

import (
	"errors"
	"maps"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/mo"
	"caucus.example/caucus/internal/columns"
)

func newMo(t *testing.T, c mo.Config) *mo.Election {
	t.Helper()
	e, err := mo.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// whole is an algorithm of which everything is read.
type whole struct {
	caucus.Rounds[mo.Bid, mo.Bid]
	caucus.Oracle
}

// What nobody reads changes nothing of the verdicts, and makes the configurations fewer.
func TestSelective(t *testing.T) {
	nets := Networks(Connected, 3, Assignments{Strengths: []float64{1}, Lengths: []float64{1}})
	shared := []Daemon{Synchronous, Central, LocallyCentral, Distributed}
	compared, read, there := 0, int64(0), int64(0)
	for _, cfg := range []Config{
		{Daemons: append(shared, Paced), Corrupted: 1}, {Daemons: shared, Corrupted: 2},
		{Daemons: shared, Start: Clean, Faults: Faults{Crash: 1}},
		{Daemons: shared, Start: Clean, Faults: Faults{Corrupt: 1}},
		{Model: Messages, Start: Clean, Faults: Faults{Loss: 1, Crash: 1}},
	} {
		for _, params := range []mo.Config{{K: 2}, {K: 1, TieDepth: true}, {K: 2, LessEq: true}, {K: 2, MaxReach: 2}} {
			cfg.Networks, cfg.Ghosts, cfg.Counter, cfg.MaxStates = nets, 1, 1, 1<<17
			e := newMo(t, params)
			few, err := Rounds(t.Context(), e, cfg)
			if err != nil {
				t.Fatal(err)
			}
			all, err := Rounds(t.Context(), whole{e, e}, cfg)
			if err != nil {
				t.Fatal(err)
			}
			for k, a := range all.Rows {
				f := few.Rows[k]
				if a.Undecided > 0 || !maps.Equal(a.Froms, f.Froms) || !maps.Equal(a.Hits, f.Hits) {
					continue // more fits
				}
				compared, read, there = compared+1, read+f.Configurations, there+a.Configurations
				if f.Configurations > a.Configurations || f.Steps.N > a.Steps.N {
					t.Errorf("%+v, %s: %d configurations, %d steps, without what nobody reads %d and %d", params,
						a.Daemon, a.Configurations, a.Steps.N, f.Configurations, f.Steps.N)
				}
				if f.Fair.Holds != a.Fair.Holds || f.Fair.Fails != a.Fair.Fails || f.Unfair.Holds != a.Unfair.Holds ||
					f.Closed != a.Closed || f.Rounds.N != a.Rounds.N {
					t.Errorf("%+v, %s: %+v, without what nobody reads %+v", params, a.Daemon, a, f)
				}
			}
		}
	}
	if compared < 50 || 4*read > there {
		t.Errorf("%d daemons compared, %d configurations of %d", compared, read, there)
	}
}

// boastful reads the reach of a bid and says that it does not.
type boastful struct{ *mo.Election }

func (b boastful) Heed(l *caucus.Local, m *mo.Bid) {
	if b.Election.Heed(l, m); m.Lead != caucus.None {
		m.Reach = 9
	}
}

// forgetful reads its distance and says that it does not.
type forgetful struct{ *mo.Election }

func (forgetful) Keep(_ *caucus.Local, s *mo.Bid) { *s = mo.Bid{Lead: s.Lead} }

func TestMoreIsReadThanSaid(t *testing.T) {
	e := newMo(t, mo.Config{K: 2})
	cfg := Config{Networks: []*caucus.Network{parse(t, "2-3 3-4 4-5")}, Ghosts: 1, Counter: 3, Corrupted: 1,
		Daemons: []Daemon{Central}}
	for _, liar := range []caucus.Rounds[mo.Bid, mo.Bid]{boastful{e}, forgetful{e}} {
		if _, err := Rounds(t.Context(), liar, cfg); !errors.Is(err, errSelective) {
			t.Errorf("%T: %v", liar, err)
		}
	}
}

// A key that has no room for the letters of one node gets it from the others, and nothing else changes.
func TestRoomOfKeys(t *testing.T) {
	net := parse(t, "2-3 3-4 4-5")
	result := func(room []uint) (exploration, []uint) {
		cfg := Config{Networks: []*caucus.Network{net}, Ghosts: 1, Counter: 1, Corrupted: 1, Workers: 1}
		cfg.fill()
		r := &run{ctx: t.Context(), algo: columns.OfRounds(newMo(t, mo.Config{K: 2})), cfg: cfg,
			letterings: letterings{most: cfg.MaxStates, of: map[string]*lettering{}}}
		r.letterings.stop = r.ended
		o, err := r.origins(net)
		if err != nil {
			t.Fatal(err)
		}
		o.room = room
		f, err := o.largest(Central)
		if err != nil {
			t.Fatal(err)
		}
		return f.exploration, o.room
	}
	want, none := result(nil)
	got, room := result([]uint{3, 2, 2, 55}) // 62 in all: 5 letters of 7 for the first, 2 of 3 for the others
	if none != nil || got.configurations != want.configurations || got.steps != want.steps ||
		got.rounds != want.rounds {
		t.Errorf("%d configurations, %d steps, %d rounds, at first %v; with %v %d, %d, %d", want.configurations,
			want.steps, want.rounds, none, room, got.configurations, got.steps, got.rounds)
	}
}

// A key of what a crash has left does not say how to share out one of the whole network.
func TestRoomOfKeysAfterCrash(t *testing.T) {
	cfg := Config{Networks: []*caucus.Network{parse(t, "2-3 2-4 2-5 2-6 2-7 2-8")}, Ghosts: 1, Counter: 2, Corrupted: 1,
		Faults: Faults{Crash: 1}, Daemons: []Daemon{Central}}
	rep, err := Rounds(t.Context(), newMo(t, mo.Config{K: 2}), cfg)
	if err != nil || rep.Rows[0].Fair.Holds != 1 {
		t.Errorf("%+v, %v", rep, err)
	}
}

// touchy follows node 2, which goes wrong once one of two nodes beside it is gone; nobody reads anything.
type touchy struct{ fixture }

func (touchy) Boot(*caucus.Local) (cell, cell) { return cell{Lead: 9}, cell{Lead: 9} }

func (touchy) Round(l *caucus.Local, s *cell, _ caucus.Inbox[cell]) cell {
	switch {
	case l.Degree == 0:
		s.Lead = l.ID
	case l.ID == 2 && l.Degree == 1:
		s.Lead = 9
	default:
		s.Lead = 2
	}
	return *s
}

func (touchy) Keep(_ *caucus.Local, s *cell) { *s = cell{} }
func (touchy) Heed(_ *caucus.Local, m *cell) { *m = cell{} }

// Only who leads crashes: what nobody reads tells that, too.
func TestUnreadLeaderCrashes(t *testing.T) {
	cfg := Config{Networks: []*caucus.Network{parse(t, "2-3 2-4")}, Counter: 1, Corrupted: 1, Faults: Faults{Crash: 1}}
	if row := check2(t, touchy{fixture{hops: 1}}, cfg).Rows[0]; row.Fair.Fails != 1 {
		t.Errorf("%+v", row)
	}
}
