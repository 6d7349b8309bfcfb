package agent

import (
	"hash/fnv"
	"strings"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/over"
	"caucus.example/caucus/algo/kit/region"
	"caucus.example/caucus/internal/wire"
)

// The algorithm collects figures, the strongest members and the numbers of tags. What people want to know of everybody
// follows on cards, one in a datagram: those first that are new or changed, then in turn. A node gives its own to its
// parent in the tree, which passes it on, and so on to the leader. A parent that loses a child tells that on a card as
// well, which takes along all that hang below; they come again if they are still there.

// MostMembers is how many members of a region are named; all are counted.
const MostMembers = 256

// farewells is how often it is told that a member has gone: one that does not arrive leaves a name in the list, until
// the count shows that there is one too many.
const farewells = 3

// album is the cards of this node and of those that hang below it.
type album struct {
	cards map[caucus.ID]*albumCard
	to    caucus.ID // parent that has been told of them

	// of keepCards, kept so that a round makes no maps
	inReport map[caucus.ID]bool
	heard    map[caucus.ID]time.Time
}

type albumCard struct {
	wire.Card
	heard time.Time // by its parent, the last time that is known of
	told  int       // in which beat; 0: not yet
	times int       // it has been told
}

// tagNumber is what the algorithm knows of a tag.
func tagNumber(tag string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(tag))
	return max(1, h.Sum32())
}

func tagNumbers(tags []string) (list []uint32) {
	for _, tag := range tags {
		list = append(list, tagNumber(tag))
	}
	return list
}

// takeCard keeps the card of one below. Who hears a member itself knows where it is.
func (a *Agent) takeCard(p *peer, card *wire.Card, now time.Time) {
	if card == nil || card.ID == a.self.ID || a.album.cards == nil { // the last without a region
		return
	}
	known, direct := a.album.cards[card.ID], card.ID == p.inst.ID
	switch {
	case card.To != a.self.ID:
		if direct && known != nil && known.Parent == a.self.ID { // it hangs below another one by now
			a.album.lose(known)
		}
		return
	case card.Gone:
		if known != nil && known.Parent == card.Parent {
			a.album.lose(known)
		}
		return
	case known == nil && len(a.album.cards) >= MostMembers:
		return
	}
	next := *card
	next.To, next.Age = caucus.None, 0
	if direct {
		next.Addr, next.Parent = p.addr.String(), a.self.ID
	}
	if known == nil {
		known = &albumCard{}
		a.album.cards[card.ID] = known
	}
	if known.Name != next.Name || known.Addr != next.Addr || known.Tags != next.Tags || known.Parent != next.Parent ||
		known.Gone {
		*known = albumCard{}
	}
	known.Card = next
	if heard := now.Add(-time.Duration(card.Age) * time.Millisecond); heard.After(known.heard) {
		known.heard = heard
	}
}

// lose says that a member has gone, and forgets those below it.
func (l *album) lose(c *albumCard) {
	c.Gone, c.told, c.times = true, 0, 0
	for id, below := range l.cards {
		if below.Parent == c.ID && !below.Gone {
			l.lose(below)
			delete(l.cards, id)
		}
	}
}

// keepCards makes room for the cards of those who are in the report, brings this node's own up to date, and looks who
// has gone.
func (a *Agent) keepCards(at over.Place, report *region.Report, now time.Time) {
	l := &a.album
	if l.cards == nil {
		l.cards = map[caucus.ID]*albumCard{}
		l.inReport, l.heard = map[caucus.ID]bool{}, map[caucus.ID]time.Time{}
	}
	clear(l.inReport)
	clear(l.heard)
	if at.Parent != l.to { // who has not been told of anybody
		l.to = at.Parent
		for _, c := range l.cards {
			c.told = 0
		}
	}
	l.inReport[a.self.ID] = true
	for _, m := range report.Roster.Members() {
		if l.inReport[m.ID] = true; l.cards[m.ID] == nil {
			l.cards[m.ID] = &albumCard{}
		}
	}
	for _, p := range a.present {
		l.heard[p.inst.ID] = p.heard
	}
	// A card waits for its turn on every hop, so at most that long for all of them.
	stale := time.Duration(a.cfg.Expiry+len(l.cards)*len(l.cards)) * a.cfg.Period
	for id, c := range l.cards {
		if t, here := l.heard[id]; c.Parent == a.self.ID && !c.Gone && here {
			c.heard = t
		} else if c.Parent == a.self.ID && !c.Gone {
			l.lose(c)
		}
		if c.Gone && (c.times >= farewells || at.Leads()) || c.Name == "" && !l.inReport[id] ||
			id != a.self.ID && c.Name != "" && now.Sub(c.heard) > stale {
			delete(l.cards, id)
		}
	}
	own := l.cards[a.self.ID]
	if own == nil {
		own = &albumCard{}
		l.cards[a.self.ID] = own
	}
	own.heard = now
	own.Card = wire.Card{ID: a.self.ID, Name: a.cfg.Name, Tags: strings.Join(a.cfg.Tags, ","), Hops: at.Hops,
		Strength: a.local.Strength}
}

// nextCard gives the card to tell, nil if there is none or nobody to collect it.
func (a *Agent) nextCard(now time.Time) *wire.Card {
	if a.album.to == caucus.None || a.terms.leading {
		return nil
	}
	var next *albumCard
	for _, c := range a.album.cards {
		if c.Name != "" && (next == nil || c.told < next.told || c.told == next.told && c.ID < next.ID) {
			next = c
		}
	}
	if next == nil {
		return nil
	}
	next.told = a.beats
	next.times++
	card := next.Card
	card.To, card.Age = a.album.to, uint32(min(max(0, now.Sub(next.heard).Milliseconds()), wire.MaxAge))
	return &card
}

// memberName is "#id" for who is not known by name.
func (a *Agent) memberName(id caucus.ID) string {
	if card := a.album.cards[id]; card != nil && card.Name != "" {
		return card.Name
	}
	if id == a.self.ID {
		return a.cfg.Name
	}
	return show(a.names.get(id), id)
}
