package agent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/wire"
)

// A member asks its leader, and gets an answer. The request goes to the leader itself where that is a neighbour, else
// up the tree of the region, and the answer back the way that the request has come. Whoever asks repeats it in every
// period; the leader knows a request by its number and does it once. A node asks one thing at a time, so that the
// leader has to remember but the last number of each.

// MaxRequest is the greatest size of a request, and of its answer, in bytes.
const MaxRequest = wire.MaxAsk

// Request is what a leader is asked.
type Request struct {
	From   string    // name of who asks, "#id" until it is known
	FromID caucus.ID // 0: this node itself
	Data   []byte
}

// ErrChanged is the error of a request whose leader does not lead any more, or has another term by now. It may have
// done what it was asked, once.
var ErrChanged = errors.New("agent: the leader has changed before its answer came: it may have done what it was asked")

// Refusal is the error of a request that the leader has answered with a refusal.
type Refusal struct{ Why string }

func (r *Refusal) Error() string { return "agent: the leader refuses: " + r.Why }

var (
	errRequestSize = fmt.Errorf("agent: a request has 1 to %d bytes", MaxRequest)
	errManyWait    = fmt.Errorf("agent: %d requests of this node wait already", maxQuestions)
)

const (
	maxQuestions = 64               // of a node that wait
	maxRoutes    = 256              // requests under way that a node passes on
	routeLasts   = 30 * time.Second // a node remembers whence a request has come for so long
	maxHops      = 64               // of a request
)

// question is a request of this node.
type question struct {
	ctx  context.Context
	ask  wire.Ask // without a leader until it has been sent
	told chan verdict
}

// verdict is what has become of a request.
type verdict struct {
	data []byte
	err  error
}

func (q *question) end(data []byte, err error) { q.told <- verdict{data, err} }

// routes is whence requests have come.
type routes map[routeOf]routeTo

type routeOf struct {
	from wire.Instance
	seq  uint32
}

type routeTo struct {
	peer *peer
	inst wire.Instance
	at   time.Time
}

// requests is a node's part in them.
type requests struct {
	waiting []*question // the first has been sent
	seq     uint32
	routes  routes
}

// Ask asks the leader of the region that this node is in, and waits for the answer. The leader does what it is asked
// at most once. An error is a *Refusal, ErrChanged, or that of ctx: of the latter two one does not know whether it has
// been done.
func (a *Agent) Ask(ctx context.Context, request []byte) (answer []byte, err error) {
	switch {
	case !a.cfg.Region:
		return nil, errNoRegion
	case len(request) == 0 || len(request) > MaxRequest:
		return nil, errRequestSize
	}
	q := &question{ctx: ctx, ask: wire.Ask{Data: request}, told: make(chan verdict, 1)}
	var full error
	if err := a.command(func(now time.Time) { full = a.enqueue(q, now) }); err != nil {
		return nil, err
	}
	if full != nil {
		return nil, full
	}
	select {
	case v := <-q.told:
		return v.data, v.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-a.done:
		return nil, ErrNotRunning
	}
}

func (a *Agent) enqueue(q *question, now time.Time) error {
	r := &a.requests
	if len(r.waiting) == maxQuestions {
		return errManyWait
	}
	r.seq++
	q.ask.From, q.ask.Seq = wire.Instance{ID: a.self.ID, Nonce: a.self.Nonce}, r.seq
	if r.waiting = append(r.waiting, q); len(r.waiting) == 1 {
		a.repeatRequest(now)
	}
	return nil
}

// repeatRequest sends the request that is not answered yet, once a period and when it is new.
func (a *Agent) repeatRequest(now time.Time) {
	r := &a.requests
	for len(r.waiting) > 0 && r.waiting[0].ctx.Err() != nil { // nobody waits for it any more
		r.waiting = r.waiting[1:]
	}
	if len(r.waiting) == 0 {
		return
	}
	q := r.waiting[0]
	switch leader := (wire.Instance{ID: a.lead.LeaderID, Nonce: a.lead.LeaderNonce}); {
	case q.ask.Leader == (wire.Instance{}) && (leader.ID == caucus.None || a.lead.Term == 0):
		return // until there is one
	case q.ask.Leader == (wire.Instance{}):
		q.ask.Leader, q.ask.Term = leader, a.lead.Term
	case q.ask.Leader != leader || q.ask.Term != a.lead.Term:
		a.endRequest(nil, ErrChanged, now)
		return
	}
	if q.ask.Leader.ID == a.self.ID {
		a.takeQuestion(&q.ask, now)
		return
	}
	a.passUp(&q.ask, now)
}

// endRequest ends the one that has been sent, and sends the next.
func (a *Agent) endRequest(data []byte, err error, now time.Time) {
	r := &a.requests
	r.waiting[0].end(data, err)
	r.waiting = r.waiting[1:]
	a.repeatRequest(now)
}

// passUp sends a request a hop on.
func (a *Agent) passUp(ask *wire.Ask, now time.Time) {
	at, _, ok := a.rounds.service()
	if !ok {
		return
	}
	var next *peer
	for _, p := range a.present {
		if p.inst.ID == ask.Leader.ID {
			next = p
			break
		}
		if p.inst.ID == at.Parent {
			next = p
		}
	}
	if next != nil {
		a.transmitItem(next, now, func(e *wire.Envelope) { e.Ask = ask })
	}
}

// takeAsk passes a request on, or does it if it is this node's to do.
func (a *Agent) takeAsk(p *peer, ask *wire.Ask, now time.Time) {
	if ask == nil || !a.cfg.Region || a.rounds == nil || ask.Hops >= maxHops || ask.From.ID == a.self.ID {
		return
	}
	a.requests.note(routeOf{ask.From, ask.Seq}, routeTo{p, p.inst, now})
	if ask.Leader.ID == a.self.ID {
		a.takeQuestion(ask, now)
		return
	}
	on := *ask
	on.Hops++
	a.passUp(&on, now)
}

// note remembers whence a request has come; of too many the oldest is forgotten.
func (r *requests) note(of routeOf, to routeTo) {
	if r.routes == nil {
		r.routes = routes{}
	}
	if _, known := r.routes[of]; !known && len(r.routes) >= maxRoutes {
		oldest, first := of, to
		for k, x := range r.routes {
			if x.at.Before(first.at) {
				oldest, first = k, x
			}
		}
		delete(r.routes, oldest)
	}
	r.routes[of] = to
}

// expire forgets where requests have come from long ago.
func (r *requests) expire(now time.Time) {
	for k, x := range r.routes {
		if now.Sub(x.at) > routeLasts {
			delete(r.routes, k)
		}
	}
}

// takeReply takes an answer to this node's request in, or passes it on to where that came from.
func (a *Agent) takeReply(reply *wire.Reply, now time.Time) {
	if reply == nil || !a.cfg.Region {
		return
	}
	if reply.To != (wire.Instance{ID: a.self.ID, Nonce: a.self.Nonce}) {
		a.passDown(reply, now)
		return
	}
	r := &a.requests
	if len(r.waiting) == 0 || r.waiting[0].ask.Seq != reply.Seq || r.waiting[0].ask.Leader == (wire.Instance{}) {
		return // of one that has been answered
	}
	if reply.Refused {
		a.endRequest(nil, &Refusal{string(reply.Data)}, now)
		return
	}
	a.endRequest(reply.Data, nil, now)
}

// passDown sends an answer a hop back.
func (a *Agent) passDown(reply *wire.Reply, now time.Time) {
	to, known := a.requests.routes[routeOf{reply.To, reply.Seq}]
	if known && to.peer.live && to.peer.inst == to.inst {
		a.transmitItem(to.peer, now, func(e *wire.Envelope) { e.Reply = reply })
	}
}
