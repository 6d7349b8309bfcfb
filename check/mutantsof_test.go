package check_test

import (
	"math"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/algo/aggregate/collect"
	"caucus.example/caucus/algo/aggregate/decay"
	"caucus.example/caucus/algo/aggregate/gradient"
	"caucus.example/caucus/algo/aggregate/mo"
	"caucus.example/caucus/algo/aggregate/recursive"
	"caucus.example/caucus/algo/aggregate/sparse"
	"caucus.example/caucus/algo/aggregate/waves"
	"caucus.example/caucus/algo/iot/prasle"
	"caucus.example/caucus/algo/iot/topk"
	"caucus.example/caucus/check"
)

// must gives an algorithm that was made without an error.
func must[A any](a A, err error) A {
	if err != nil {
		panic(err)
	}
	return a
}

func plainBounded(*testing.T) subject[bounded.Candidacy, bounded.Candidacy] {
	type bid = bounded.Candidacy
	type mistake = slip[bid, bid]
	return subject[bid, bid]{
		name: "bounded", says: itself[bid],
		algo: must(bounded.New(bounded.Config{Radius: 2})),
		places: []check.Config{
			from(check.Clean, 0, 1, twoDaemons, mixed),
			from(check.Anywhere, 0, 1, twoDaemons, small(2, oneTwo, one)),
		},
		slips: []mistake{
			{name: "comparison turned", in: each[bid](func(_ *caucus.Local, m *bid) { m.Val = -m.Val })},
			{name: "tie dropped: strengths alone decide", in: each[bid](func(l *caucus.Local, m *bid) {
				if m.Val == -l.Strength {
					m.Lead = caucus.None
				}
			})},
			{name: "radius not looked at", in: func(r *reads[bid, bid]) {
				for k := range r.in.Msgs {
					r.in.Msgs[k].Dist = min(r.in.Msgs[k].Dist, 2-r.in.Dist[k])
				}
			}},
			{name: "distance not passed on", out: after(func(s *bid) { s.Dist = 0 })},
			{name: "its own candidacy is another's", in: each[bid](func(l *caucus.Local, m *bid) {
				if m.Lead == l.ID {
					m.Lead = caucus.None
				}
			}), survives: "none but its own is ever better for a node that is named the leader"},
			{name: "names whom it hears from", out: func(l *caucus.Local, _ bid, s *bid) {
				if s.Dist > 0 {
					s.Lead = l.ID + 1
				}
			}},
		},
	}
}

func beatingBounded(*testing.T) subject[bounded.Candidacy, bounded.Candidacy] {
	type bid = bounded.Candidacy
	type mistake = slip[bid, bid]
	return subject[bid, bid]{
		name: "bounded", says: itself[bid],
		algo: must(bounded.New(bounded.Config{Radius: math.Inf(1), Heartbeat: 3, Nonce: true})),
		tame: func(s *bid) { s.Dist = min(s.Dist, 6) },
		places: []check.Config{
			from(check.Clean, 1, 1, keepsTime[:1], mixed),
			from(check.Anywhere, 0, 1, keepsTime, small(2, oneTwo, one)),
		},
		slips: []mistake{
			{name: "beats not counted", out: func(_ *caucus.Local, old bid, s *bid) { s.Seq = old.Seq }},
			{name: "beats twice", out: func(l *caucus.Local, _ bid, s *bid) {
				if s.Lead == l.ID {
					s.Seq++
				}
			}, survives: "followers wait for an advance, however large"},
			{name: "age not counted", out: after(func(s *bid) { s.Age = 0 })},
			{name: "hops not counted", out: after(func(s *bid) { s.Hops = 0 }),
				survives: "hops let followers wait for what is late, and nothing is where all keep time"},
			{name: "hears no beats", in: each[bid](func(_ *caucus.Local, m *bid) { m.Age = 255 })},
			{name: "ages at twice the pace", out: func(_ *caucus.Local, old bid, s *bid) {
				if s.Age > old.Age {
					s.Age += 16
				}
			}, survives: "the dead are given up sooner, and the living are never silent where all keep time"},
		},
	}
}

func ofMo(*testing.T) subject[mo.Bid, mo.Bid] {
	type bid = mo.Bid
	type mistake = slip[bid, bid]
	return subject[bid, bid]{
		name: "mo", says: itself[bid],
		algo: must(mo.New(mo.Config{K: 1})),
		tame: func(s *bid) { s.Dist, s.Reach, s.Depth = min(s.Dist, 9), min(s.Reach, 9), min(s.Depth, 9) },
		places: []check.Config{
			from(check.Clean, 1, 1, twoDaemons, small(3, one, one)),
			from(check.Anywhere, 0, 2, twoDaemons, small(2, one, one)),
		},
		hops: true, names: true, immune: map[string]string{
			"takes its own last word for a neighbour's": "one hop longer, it is no better than what it was made of, " +
				"and a ghost's runs out of reach",
		},
		slips: []mistake{
			{name: "comparison turned", in: func(r *reads[bid, bid]) {
				turn := func(id *caucus.ID) { *id = 100 - *id }
				turn(&r.l.ID)
				for k := range r.in.Msgs {
					turn(&r.in.Msgs[k].Lead)
					turn(&r.in.Msgs[k].Parent)
				}
			}, out: after(func(s *bid) {
				for _, id := range []*caucus.ID{&s.Lead, &s.Parent, &s.From} {
					if *id > 50 {
						*id = 100 - *id
					}
				}
			})},
			{name: "reach not set", out: after(func(s *bid) { s.Reach = 0 })},
			{name: "reach not looked at", in: each[bid](func(_ *caucus.Local, m *bid) { m.Reach = m.Dist + 1 })},
			{name: "depth forgotten", out: after(func(s *bid) { s.Depth = 0 })},
			{name: "depth of children not read", in: each[bid](func(_ *caucus.Local, m *bid) { m.Depth = 0 })},
			{name: "parent not named", out: after(func(s *bid) { s.Parent = caucus.None })},
			{name: "hops not added", out: after(func(s *bid) { s.Dist -= min(s.Dist, 1) })},
			{name: "reach one further", in: each[bid](func(_ *caucus.Local, m *bid) { m.Reach++ })},
			{name: "everybody's children are its own", in: each[bid](func(l *caucus.Local, m *bid) { m.Parent = l.ID }),
				survives: "a tree that is taken for deeper lets bids go farther than they need"},
		},
	}
}

func ofWaves() subject[waves.Place, waves.Place] {
	type place = waves.Place
	type mistake = slip[place, place]
	return subject[place, place]{
		name: "waves", says: itself[place],
		algo: waves.Waves{},
		tame: func(s *place) { s.Level = min(s.Level, 5) },
		places: []check.Config{
			from(check.Clean, 1, 1, twoDaemons, small(3, one, one)),
			from(check.Anywhere, 0, 2, twoDaemons, small(2, one, one)),
			from(check.Anywhere, 0, 2, twoDaemons, triangle),
		},
		hops: true, names: true, immune: map[string]string{
			"takes its own last word for a neighbour's": "a place below its own is never better than its own",
		},
		slips: []mistake{
			{name: "colour never turned", out: after(func(s *place) { s.Blocked = true })},
			{name: "never blocked", out: after(func(s *place) { s.Blocked = false })},
			{name: "level not passed on", out: after(func(s *place) { s.Level = 0 })},
			{name: "recruited by the blocked", in: each[place](func(_ *caucus.Local, m *place) { m.Blocked = false })},
			{name: "children not seen", in: each[place](func(l *caucus.Local, m *place) {
				if m.Parent == l.ID {
					m.Parent = caucus.None
				}
			})},
			{name: "never a root again", out: func(l *caucus.Local, old place, s *place) {
				if s.Lead == l.ID && old.Lead != l.ID {
					*s = old
				}
			}},
			{name: "parent not looked at", in: func(r *reads[place, place]) {
				for k := range r.in.Msgs {
					if m := &r.in.Msgs[k]; m.From == r.s.Parent {
						m.Lead, m.Level = r.s.Lead, r.s.Level-1
					}
				}
			}},
			{name: "any neighbour is a child", in: each[place](func(l *caucus.Local, m *place) { m.Parent = l.ID })},
			{name: "joins free", out: func(_ *caucus.Local, old place, s *place) {
				if s.Parent != old.Parent {
					s.Blocked = false
				}
			}},
		},
	}
}

func ofRecursive(*testing.T) subject[recursive.Memory, recursive.Claims] {
	type memory = recursive.Memory
	type claims = recursive.Claims
	type mistake = slip[memory, claims]
	return subject[memory, claims]{
		name: "recursive", says: func(s memory) claims { return s.Claims },
		algo: must(recursive.New(recursive.Config{Radius: 2, Memory: true})),
		places: []check.Config{
			from(check.Clean, 0, 1, twoDaemons, mixed),
			from(check.Clean, 1, 1, twoDaemons, small(3, one, one)),
		},
		slips: []mistake{
			{name: "comparison turned", in: each[memory](func(_ *caucus.Local, m *claims) {
				for k := range m.Count {
					m.Levels[k].Strength = -m.Levels[k].Strength
				}
			})},
			{name: "tie dropped: strengths alone decide", in: each[memory](func(l *caucus.Local, m *claims) {
				for k := range m.Count {
					if m.Levels[k].Strength == l.Strength {
						m.Levels[k].Best = caucus.None
					}
				}
			})},
			{name: "one level only", out: after(func(s *memory) { s.Claims.Count = 1 })},
			{name: "levels of others not looked at",
				in: each[memory](func(_ *caucus.Local, m *claims) { m.Count = 0 })},
			{name: "distance not passed on", out: after(func(s *memory) { s.Claims.Levels[0].Dist = 0 })},
			{name: "radius not looked at", in: func(r *reads[memory, claims]) {
				for k := range r.in.Msgs {
					v := &r.in.Msgs[k].Levels[0]
					v.Dist = min(v.Dist, 2-r.in.Dist[k])
				}
			}},
			{name: "gossips of itself alone", out: func(l *caucus.Local, _ memory, s *memory) {
				s.Claims.Levels[0].Best, s.Claims.Levels[0].Strength = l.ID, l.Strength
			}},
			{name: "says that it restarts, always", out: after(func(s *memory) { s.Claims.Apart = true })},
			{name: "memory lost in every round", in: func(r *reads[memory, claims]) { r.s.Claims.Count = 0 },
				survives: "an option of its own, as in the published code (memory=off)"},
		},
	}
}

// triangle is for what takes three that all hear each other.
var triangle = check.Networks(check.Complete, 3, check.Assignments{Strengths: one, Lengths: one})

// finite keeps a distance from growing for ever.
func finite(d float64) float64 {
	if d > 12 && !math.IsInf(d, 1) {
		return 12
	}
	return d
}

func ofSparse(*testing.T) subject[sparse.Vote, sparse.Vote] {
	type vote = sparse.Vote
	type mistake = slip[vote, vote]
	return subject[vote, vote]{
		name: "sparse", says: itself[vote],
		algo: must(sparse.New(sparse.Config{Grain: 4, Uids: sparse.Strength})),
		tame: func(s *vote) { s.Dist, s.NearDist = finite(s.Dist), finite(s.NearDist) },
		places: []check.Config{
			from(check.Clean, 0, 1, twoDaemons, mixed),
			from(check.Clean, 1, 1, twoDaemons, small(3, one, oneTwo)),
		},
		immune: map[string]string{
			"does not know its own strength": "whoever of the near stands back, the promise is kept",
			"takes itself for the weakest":   "whoever of the near stands back, the promise is kept",
		},
		slips: []mistake{
			{name: "comparison turned", in: each[vote](func(_ *caucus.Local, m *vote) { m.Lead.Key = -m.Lead.Key })},
			{name: "never stands back", in: func(r *reads[vote, vote]) {
				r.s.Lead = sparse.UID{Key: r.l.Strength, ID: r.l.ID}
				for k := range r.in.Msgs {
					r.in.Msgs[k].Lead = sparse.UID{}
				}
			}},
			{name: "competes within the whole grain",
				in: each[vote](func(_ *caucus.Local, m *vote) { m.Dist /= 2 })},
			{name: "stands back for nobody near", in: each[vote](func(_ *caucus.Local, m *vote) { m.Dist = 0 })},
			{name: "distance to nominees not passed on", out: after(func(s *vote) { s.Dist = 0 })},
			{name: "nobody nominates itself", in: each[vote](func(_ *caucus.Local, m *vote) { m.Dist = 2 })},
			{name: "leader not passed on", out: func(l *caucus.Local, _ vote, s *vote) { s.Near = l.ID }},
			{name: "distance to the leader not passed on", out: after(func(s *vote) { s.NearDist = 0 })},
			{name: "competes for the last, not the least", in: func(r *reads[vote, vote]) {
				r.s.Lead = sparse.UID{}
			}},
		},
	}
}

func ofGradient(*testing.T) subject[gradient.Mark, gradient.Mark] {
	type mark = gradient.Mark
	type mistake = slip[mark, mark]
	return subject[mark, mark]{
		name: "gradient", says: itself[mark],
		algo: must(gradient.New(gradient.Config{MaxDistance: 3})),
		places: []check.Config{
			from(check.Clean, 1, 1, twoDaemons, mixed),
			from(check.Anywhere, 0, 2, twoDaemons, small(2, oneTwo, one)),
		},
		slips: []mistake{
			{name: "comparison turned", in: func(r *reads[mark, mark]) {
				r.l.Strength = -r.l.Strength
				for k := range r.in.Msgs {
					r.in.Msgs[k].Strength = -r.in.Msgs[k].Strength
				}
			}, out: func(l *caucus.Local, _ mark, s *mark) { s.Strength = l.Strength }},
			{name: "tie dropped: strengths alone decide", in: each[mark](func(l *caucus.Local, m *mark) {
				if m.Strength == l.Strength {
					m.Strength--
				}
			})},
			{name: "equal neighbours are stronger", in: each[mark](func(l *caucus.Local, m *mark) {
				if m.Strength == l.Strength {
					m.Strength++
				}
			})},
			{name: "strength not told", out: after(func(s *mark) { s.Strength = 0 })},
			{name: "distance not passed on", out: after(func(s *mark) { s.Dist = 0 })},
			{name: "limit not looked at", in: func(r *reads[mark, mark]) {
				for k := range r.in.Msgs {
					r.in.Msgs[k].Dist = min(r.in.Msgs[k].Dist, 3-r.in.Dist[k])
				}
			}},
			{name: "names its neighbour", in: each[mark](func(_ *caucus.Local, m *mark) { m.Lead = m.From })},
			{name: "smaller distances stay", out: func(_ *caucus.Local, old mark, s *mark) {
				if old.Dist < s.Dist {
					s.Dist, s.Lead = old.Dist, old.Lead
				}
			}},
			{name: "the larger of two sources",
				in: each[mark](func(_ *caucus.Local, m *mark) { m.Lead = 100 - m.Lead }),
				out: func(l *caucus.Local, _ mark, s *mark) {
					if s.Lead > 50 {
						s.Lead = 100 - s.Lead
					}
				}},
		},
	}
}

func ofCollect(*testing.T) subject[collect.Report, collect.Report] {
	type report = collect.Report
	type mistake = slip[report, report]
	return subject[report, report]{
		name: "collect", says: itself[report],
		algo: must(collect.New(collect.Config{MaxDistance: 3})),
		tame: func(s *report) {
			for _, r := range []*collect.Region{&s.Below, &s.Whole} {
				r.Members, r.Sum = min(r.Members, 4), min(r.Sum, 8)
			}
		},
		places: []check.Config{
			from(check.Clean, 1, 1, twoDaemons, small(3, one, oneTwo)),
			from(check.Clean, 0, 1, twoDaemons, small(3, oneTwo, one)),
			from(check.Anywhere, 0, 1, twoDaemons, small(2, one, one)),
		},
		slips: []mistake{
			{name: "tie dropped: strengths alone decide", in: each[report](func(l *caucus.Local, m *report) {
				if m.Strength == l.Strength {
					m.Strength--
				}
			})},
			{name: "strength not told", out: after(func(s *report) { s.Strength = 0 })},
			{name: "distance not passed on", out: after(func(s *report) { s.Dist = 0 })},
			{name: "limit not looked at", in: func(r *reads[report, report]) {
				for k := range r.in.Msgs {
					r.in.Msgs[k].Dist = min(r.in.Msgs[k].Dist, 3-r.in.Dist[k])
				}
			}},
			{name: "names its neighbour", in: each[report](func(_ *caucus.Local, m *report) { m.Lead = m.From })},
			{name: "smaller distances stay", out: func(_ *caucus.Local, old report, s *report) {
				if old.Dist < s.Dist {
					s.Dist, s.Lead = old.Dist, old.Lead
				}
			}},
			{name: "adds up nobody", in: each[report](func(_ *caucus.Local, m *report) { m.Parent = caucus.None }),
				survives: "the oracle has leaders and distances, and no figures; the package's own tests have those"},
			{name: "hears no figures",
				in:       each[report](func(_ *caucus.Local, m *report) { m.Whole = collect.Region{} }),
				survives: "as above: figures of a region decide nothing about it"},
		},
	}
}

func ofDecay(*testing.T) subject[decay.Claim, decay.Claim] {
	type claim = decay.Claim
	type mistake = slip[claim, claim]
	return subject[claim, claim]{
		name: "decay", says: itself[claim],
		algo: must(decay.New(decay.Config{Lifetime: 3})),
		places: []check.Config{
			from(check.Clean, 1, 1, twoDaemons, small(3, oneTwo, one)),
			from(check.Anywhere, 0, 3, twoDaemons, small(2, oneTwo, one)),
		},
		hops: true, immune: map[string]string{
			"takes its own last word for a neighbour's": "it has a round less to live every time",
		},
		slips: []mistake{
			{name: "comparison turned", in: each[claim](func(_ *caucus.Local, m *claim) { m.Strength = -m.Strength })},
			{name: "tie dropped: strengths alone decide", in: each[claim](func(l *caucus.Local, m *claim) {
				if m.Strength == l.Strength {
					m.Lead = caucus.None
				}
			})},
			{name: "life does not run out", in: each[claim](func(_ *caucus.Local, m *claim) { m.Left = 3 })},
			{name: "life not counted", in: each[claim](func(_ *caucus.Local, m *claim) {
				if m.Left > 0 {
					m.Left++
				}
			})},
			{name: "life runs out twice as fast", in: each[claim](func(_ *caucus.Local, m *claim) {
				m.Left -= min(m.Left, 1)
			})},
			{name: "hears the dead", in: each[claim](func(_ *caucus.Local, m *claim) { m.Left = max(m.Left, 2) })},
			{name: "the older counts", in: each[claim](func(_ *caucus.Local, m *claim) { m.Left = min(m.Left, 2) })},
			{name: "does not renew its own", out: func(l *caucus.Local, old claim, s *claim) {
				if s.Lead == l.ID && old.Lead == l.ID {
					s.Left = old.Left - min(old.Left, 1)
				}
			}},
		},
	}
}

func floodingPrasle(*testing.T) subject[prasle.Claim, prasle.Claim] {
	type claim = prasle.Claim
	type mistake = slip[claim, claim]
	return subject[claim, claim]{
		name: "prasle", says: itself[claim],
		algo:   must(prasle.New(prasle.Config{Unreliable: true, Patience: 3})),
		places: []check.Config{from(check.Clean, 0, 1, twoDaemons, small(3, oneTwo, one))},
		hops:   true, immune: map[string]string{
			"takes its own last word for a neighbour's": "it is what it starts from anyway",
			"does not know its own strength":            "the first claim, as it boots, has it",
			"takes itself for the weakest":              "the first claim, as it boots, has it",
		},
		slips: []mistake{
			{name: "comparison turned",
				in: each[claim](func(_ *caucus.Local, m *claim) { m.Leader.Rank = -m.Leader.Rank })},
			{name: "tie dropped: ranks alone decide", in: func(r *reads[claim, claim]) {
				for k := range r.in.Msgs {
					if r.in.Msgs[k].Leader.Rank == r.s.Leader.Rank {
						r.in.Msgs[k].Leader.ID = caucus.None
					}
				}
			}},
			{name: "passes on only itself", out: func(l *caucus.Local, old claim, s *claim) {
				if old.Leader.ID != l.ID {
					*s = old
				}
			}},
			{name: "forgets what it was", in: func(r *reads[claim, claim]) { r.s.Leader.ID = caucus.None },
				survives: "from a clean start its neighbours tell it again in every round"},
		},
	}
}

func hardenedPrasle(*testing.T) subject[prasle.Claim, prasle.Claim] {
	type claim = prasle.Claim
	type mistake = slip[claim, claim]
	return subject[claim, claim]{
		name: "prasle", says: itself[claim],
		algo: must(prasle.New(prasle.Config{K: 2, Patience: 1})),
		tame: func(s *claim) { s.Epoch = min(s.Epoch, 6) },
		places: []check.Config{
			from(check.Clean, 0, 1, twoDaemons, small(3, oneTwo, one)),
			from(check.Clean, 1, 1, twoDaemons, small(2, oneTwo, one)),
			from(check.Anywhere, 0, 2, twoDaemons, small(2, oneTwo, one)),
		},
		hops: true, immune: map[string]string{
			"takes its own last word for a neighbour's": "it is older every time",
		},
		slips: []mistake{
			{name: "comparison turned",
				in: each[claim](func(_ *caucus.Local, m *claim) { m.Leader.Rank = -m.Leader.Rank })},
			{name: "tie dropped: ranks alone decide", in: each[claim](func(l *caucus.Local, m *claim) {
				if m.Leader.Rank == -l.Strength {
					m.Leader.ID = caucus.None
				}
			})},
			{name: "age not counted", in: each[claim](func(_ *caucus.Local, m *claim) { m.Age = 0 })},
			{name: "age not looked at", in: each[claim](func(_ *caucus.Local, m *claim) { m.Age = min(m.Age, 3) })},
			{name: "ages five times as fast", in: each[claim](func(_ *caucus.Local, m *claim) { m.Age = 5*m.Age + 4 })},
			{name: "epochs not read", in: func(r *reads[claim, claim]) {
				for k := range r.in.Msgs {
					r.in.Msgs[k].Epoch = r.s.Epoch
				}
			}, survives: "ages alone make it right; epochs make it quick"},
			{name: "epochs not told", out: after(func(s *claim) { s.Epoch = 0 }),
				survives: "ages alone make it right; epochs make it quick"},
			{name: "never a new epoch", out: func(_ *caucus.Local, old claim, s *claim) {
				s.Epoch = min(s.Epoch, old.Epoch)
			}},
			{name: "its own name from others counts", in: each[claim](func(l *caucus.Local, m *claim) {
				if m.Leader.ID == l.ID {
					m.Leader.ID += 50
				}
			}), out: after(func(s *claim) {
				if s.Leader.ID > 50 {
					s.Leader.ID -= 50
				}
			}), survives: "nobody renews it, so that it grows too old"},
		},
	}
}

func ofTopK(*testing.T) subject[topk.View, topk.View] {
	type view = topk.View
	type mistake = slip[view, view]
	entries := func(change func(x *topk.Entry)) func(*reads[view, view]) {
		return each[view](func(_ *caucus.Local, m *view) {
			for k := range m.Best {
				if x := &m.Best[k]; x.Node.ID != caucus.None {
					change(x)
				}
			}
		})
	}
	return subject[view, view]{
		name: "top-k", says: itself[view],
		algo: must(topk.New(topk.Config{K: 2, Hops: 2, Patience: 1})),
		places: []check.Config{
			from(check.Clean, 1, 1, twoDaemons, small(3, oneTwo, one)),
			from(check.Anywhere, 0, 2, twoDaemons, small(2, one, one)),
		},
		hops: true, immune: map[string]string{
			"takes its own last word for a neighbour's": "it is older every time",
		},
		slips: []mistake{
			{name: "comparison turned", in: entries(func(x *topk.Entry) { x.Node.Rank = -x.Node.Rank })},
			{name: "tie dropped: ranks alone decide", in: each[view](func(l *caucus.Local, m *view) {
				for k := range m.Best {
					if x := &m.Best[k]; x.Node.Rank == -l.Strength {
						x.Node.ID = caucus.None
					}
				}
			})},
			{name: "age not counted", in: entries(func(x *topk.Entry) { x.Age = 0 })},
			{name: "age not looked at", in: entries(func(x *topk.Entry) { x.Age = min(x.Age, 3) })},
			{name: "ages five times as fast", in: entries(func(x *topk.Entry) { x.Age = 5*x.Age + 4 })},
			{name: "hears only the first", in: each[view](func(_ *caucus.Local, m *view) { clear(m.Best[1:]) }),
				survives: "the oracle has the first alone; the package's own tests have the others in order"},
			{name: "hears only the second",
				in: each[view](func(_ *caucus.Local, m *view) { m.Best[0] = topk.Entry{} })},
			{name: "passes on only itself", out: func(l *caucus.Local, _ view, s *view) {
				for k := range s.Best {
					if s.Best[k].Node.ID != l.ID {
						s.Best[k] = topk.Entry{}
					}
				}
			}},
			{name: "does not stand itself", out: func(l *caucus.Local, _ view, s *view) {
				for k := range s.Best {
					if s.Best[k].Node.ID == l.ID {
						s.Best[k] = topk.Entry{}
					}
				}
			}},
		},
	}
}
