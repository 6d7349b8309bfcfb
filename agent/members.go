package agent

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/region"
	"caucus.example/caucus/internal/wire"
)

// RegionSchema is the version of Region in JSON.
const RegionSchema = "caucus.region/1"

// Region is what a node knows of its region: the leader all of it, others what lies below them in the tree along which
// it is collected.
type Region struct {
	Schema   string    `json:"schema"`
	Name     string    `json:"name"`   // of the node that answers
	Leader   string    `json:"leader"` // "" for none
	LeaderID caucus.ID `json:"leader_id"`
	Term     uint64    `json:"term"`
	Whole    bool      `json:"whole"`    // this node leads: what follows is of the region, not only of what lies below
	Distance int       `json:"distance"` // of this node to the leader in hops; -1 without a place in the region
	Count    int       `json:"count"`    // members, whether named or not
	Sum      float64   `json:"sum"`      // of the members' standings, see docs/operate.md
	Min      float64   `json:"min"`
	Max      float64   `json:"max"`
	Mean     float64   `json:"mean"`
	// Histogram counts the members by strength, the greatest first; the last entry has all that are less as well.
	Histogram []Bucket  `json:"histogram"`
	Members   []Member  `json:"members"` // strongest first; at most MostMembers
	Tags      []string  `json:"tags"`    // that any member has; at most region.MostTags of them
	At        time.Time `json:"at"`      // of the round in which all this was found
}

// Bucket is how many members have a strength up to one, and more than that of the next.
type Bucket struct {
	UpTo  float64 `json:"up_to"`
	Count int     `json:"count"`
}

// Member is one of a region.
type Member struct {
	Name     string    `json:"name"` // "#id" until it is known
	ID       caucus.ID `json:"id"`
	Addr     string    `json:"addr"` // where a neighbour hears it; "" if not known, and for this node
	Distance int       `json:"distance"`
	Strength float64   `json:"strength"` // its standing
	Tags     []string  `json:"tags"`
	Heard    time.Time `json:"heard,omitzero"` // when it was last heard by its parent in the tree, as far as is known
}

// Age is how long ago the picture was taken; each hop of a member adds a period.
func (r *Region) Age(now time.Time) time.Duration { return now.Sub(r.At) }

// Region gives what the node knows of its region since its last round; false without Config.Region. It is shared: do
// not change what it points to.
func (a *Agent) Region() (Region, bool) {
	if r := a.region.Load(); r != nil {
		return *r, true
	}
	return Region{}, false
}

// WatchRegion tells of the region now and whenever another leader, member or place in it is known, until ctx is done or
// the agent has ended; then the channel is closed. Who reads slowly gets the latest and misses those between.
func (a *Agent) WatchRegion(ctx context.Context) <-chan Region {
	return poll(ctx, a, a.region.Load, (*Region).differs)
}

// poll looks twice a period for something else to tell.
func poll[T any](ctx context.Context, a *Agent, load func() *T, differs func(now, told *T) bool) <-chan T {
	out := make(chan T, 1)
	go func() {
		defer close(out)
		clock := time.NewTicker(max(a.Status().Period/2, time.Millisecond))
		defer clock.Stop()
		var told *T
		for {
			if now := load(); now != nil && (told == nil || differs(now, told)) {
				told = now
				replace(out, *now)
			}
			select {
			case <-clock.C:
			case <-ctx.Done():
				return
			case <-a.done:
				return
			}
		}
	}()
	return out
}

// differs in what watchers are told about: figures may tremble.
func (r *Region) differs(old *Region) bool {
	return r.LeaderID != old.LeaderID || r.Term != old.Term || r.Whole != old.Whole || r.Distance != old.Distance ||
		r.Count != old.Count ||
		!slices.EqualFunc(r.Members, old.Members, func(m, n Member) bool {
			return m.Name == n.Name && m.ID == n.ID && m.Addr == n.Addr && m.Distance == n.Distance &&
				slices.Equal(m.Tags, n.Tags)
		})
}

func (c *Config) checkTags() error {
	for i, tag := range c.Tags {
		field := fmt.Sprintf("tags[%d]", i)
		if err := wire.CheckName(tag); err != nil || strings.ContainsAny(tag, ", ") {
			return caucus.Wrong(field, tag, "a word of printable characters without a comma")
		}
	}
	if all := strings.Join(c.Tags, ","); len(all) > wire.MaxName {
		return caucus.Wrong("tags", all, fmt.Sprintf("at most %d bytes, with a comma between two", wire.MaxName))
	}
	if len(c.Tags) > 0 && !c.Region {
		return caucus.Wrong("tags", strings.Join(c.Tags, ","), "none without region: true, since nobody would be told")
	}
	return nil
}

// survey brings the picture of the region up to date.
func (a *Agent) survey(now time.Time) {
	if !a.cfg.Region || a.rounds == nil {
		return
	}
	at, report, ok := a.rounds.service()
	if !ok {
		return
	}
	a.keepCards(at, report, now)
	r := &Region{
		Schema: RegionSchema, Name: a.cfg.Name, Leader: a.lead.Leader, LeaderID: a.lead.LeaderID, Term: a.lead.Term,
		Distance: -1, At: now,
	}
	if a.settled && at.Placed() {
		r.Whole, r.Distance = at.Leads(), int(at.Hops)
		f := &report.Figures
		r.Count, r.Sum, r.Min, r.Max, r.Mean = f.Members(), f.Total(), f.Min, f.Max, f.Mean()
		r.Members, r.Histogram = a.membersOf(report, r.Whole, now), bucketsOf(&report.Histogram)
		r.Tags = a.tagsOf(report)
	}
	a.directives.follow(at, report)
	a.region.Store(r)
}

// bucketsOf leaves out what is empty at the lower end.
func bucketsOf(h *region.Histogram) (list []Bucket) {
	for k, n := range h.Counts {
		list = append(list, Bucket{h.Upper(k), int(n)})
	}
	for len(list) > 0 && list[len(list)-1].Count == 0 {
		list = list[:len(list)-1]
	}
	return list
}

// membersOf lists those of the report, and behind them those who are known by their cards alone: of a report that is
// not full there are none. At the leader they are as many as there are; of too many those go who have not been heard
// for longest.
func (a *Agent) membersOf(report *region.Report, whole bool, now time.Time) (list []Member) {
	in := map[caucus.ID]bool{}
	for _, m := range report.Roster.Members() {
		in[m.ID] = true
		c := a.album.cards[m.ID]
		if c == nil {
			c = &albumCard{}
		}
		member := c.member(m)
		if member.Name == "" {
			member.Name = a.memberName(m.ID)
		}
		list = append(list, member)
	}
	if len(list) < region.Most {
		return list
	}
	var more []Member
	for id, c := range a.album.cards {
		if !in[id] && c.Name != "" && !c.Gone {
			more = append(more, c.member(region.Member{ID: id, Strength: c.Strength, Hops: c.Hops}))
		}
	}
	room := MostMembers - len(list)
	if whole {
		room = min(room, max(0, report.Figures.Members()-len(list)))
	}
	slices.SortFunc(more, func(m, n Member) int { return cmp.Or(n.Heard.Compare(m.Heard), cmp.Compare(m.ID, n.ID)) })
	more = more[:min(room, len(more))]
	slices.SortFunc(more, func(m, n Member) int {
		return cmp.Or(cmp.Compare(n.Strength, m.Strength), cmp.Compare(m.ID, n.ID))
	})
	return append(list, more...)
}

func (c *albumCard) member(m region.Member) Member {
	member := Member{ID: m.ID, Name: c.Name, Addr: c.Addr, Distance: int(m.Hops), Strength: m.Strength,
		Tags: []string{}, Heard: c.heard}
	if c.Card.Tags != "" {
		member.Tags = strings.Split(c.Card.Tags, ",")
	}
	return member
}

// tagsOf names the tags of a report by the cards: "#" and the number of one that is on none yet.
func (a *Agent) tagsOf(report *region.Report) []string {
	words := map[uint32]string{}
	for _, c := range a.album.cards {
		if c.Card.Tags != "" {
			for tag := range strings.SplitSeq(c.Card.Tags, ",") {
				words[tagNumber(tag)] = tag
			}
		}
	}
	list := []string{}
	for _, n := range report.Tags.List() {
		list = append(list, show(words[n], caucus.ID(n)))
	}
	slices.Sort(list)
	return list
}
