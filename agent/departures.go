package agent

import (
	"slices"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/seal"
	"caucus.example/caucus/internal/wire"
)

// maxDepartures bounds the table of departed instances.
const maxDepartures = 64

// repeats is how many datagrams carry a notice: one may get lost.
const repeats = 3

// departures remembers who has announced its end, long enough for the last copies of
// its candidacy to be gone.
type departures map[wire.Instance]*departure

type departure struct {
	secret uint64 // that proves it
	until  time.Time
	blur   time.Time // until then messages that name no instance of the node are taken to mean this one
	tell   int       // datagrams that still carry the notice
	since  time.Time
	again  sequel // of what the instance says nevertheless
}

// How many periods a departed instance is remembered, and its successor is taken for it
// where messages do not tell them apart.
const (
	goneRounds = 100
	blurRounds = 16
)

// noticeRate is how many notices of lives that are not known to have ended are looked into in a second, and at once.
// Each costs a quarter of a millisecond, whoever has sent it; what is beyond is dropped, and expiry shows it as well.
const noticeRate = 2 * maxDepartures

// ended tells whether a notice is news that the one who left has proven: its nonce is what comes of its secret. So
// nobody can say it of another, not even a member of the group. A former version's notices have no proof, and its end
// shows only by its silence.
func (a *Agent) ended(e *wire.Envelope, k int, now time.Time) bool {
	who := e.Gone[k]
	return who != a.self && len(e.Secrets) > 0 && !a.gone.has(who) && a.notices.take(now, noticeRate) &&
		seal.Commitment(a.group, who.ID, e.Secrets[k]) == who.Nonce &&
		a.gone.add(who, e.Secrets[k], now, a.cfg.Period)
}

// add tells whether the notice is new. When the table is full the notice that would
// be forgotten first makes room.
func (d departures) add(who wire.Instance, secret uint64, now time.Time, period time.Duration) bool {
	if _, known := d[who]; known {
		return false
	}
	if len(d) >= maxDepartures {
		var first wire.Instance
		for i, x := range d {
			if f, ok := d[first]; !ok || x.until.Before(f.until) || x.until.Equal(f.until) && i.ID < first.ID {
				first = i
			}
		}
		delete(d, first)
	}
	d[who] = &departure{secret: secret, until: now.Add(goneRounds * period), blur: now.Add(blurRounds * period),
		tell: repeats, since: now}
	return true
}

func (d departures) has(who wire.Instance) bool {
	_, ok := d[who]
	return ok
}

// returns tells whether a departed instance lives on: a machine that was put back to a state before its departure. Then
// it is forgotten that it left.
func (d departures) returns(e *wire.Envelope, now time.Time, patience time.Duration) bool {
	x := d[e.Sender]
	if slices.Contains(e.Gone, e.Sender) || now.Sub(x.since) <= patience || !x.again.follows(e.Seq) {
		return false
	}
	delete(d, e.Sender)
	return true
}

// names tells whether a message that supports who supports a departed instance.
func (d departures) names(who wire.Instance, now time.Time) bool {
	if who.Nonce != 0 || who.ID == caucus.None {
		return d.has(who)
	}
	for gone, x := range d {
		if gone.ID == who.ID && now.Before(x.blur) {
			return true
		}
	}
	return false
}

// expire forgets what is old enough.
func (d departures) expire(now time.Time) {
	for who, x := range d {
		if now.After(x.until) {
			delete(d, who)
		}
	}
}

// notices gives what the next datagram should tell.
func (d departures) notices() (list []wire.Instance, secrets []uint64) {
	for who, x := range d {
		if x.tell > 0 && len(list) < wire.MaxTold {
			x.tell--
			list, secrets = append(list, who), append(secrets, x.secret)
		}
	}
	return list, secrets
}
