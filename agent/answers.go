package agent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/wire"
)

const (
	maxAskers   = 256              // whose last request a leader remembers,
	askerLasts  = time.Minute      // for at least so long after its answer: no datagram is as late
	maxAnswers  = 16               // that are being made at a time; other requests come again
	answerLasts = 10 * time.Second // before it is given up
)

// answers is what a leader does for those who ask it.
type answers struct {
	last map[wire.Instance]*answered
	busy int
}

// answered is the last request of one life of a node.
type answered struct {
	seq   uint32
	reply *wire.Reply // nil: it is being done
	at    time.Time
}

// takeQuestion does what this node is asked, unless it has: then it answers once more.
func (a *Agent) takeQuestion(ask *wire.Ask, now time.Time) {
	s := &a.answers
	if s.last == nil {
		s.last = map[wire.Instance]*answered{}
	}
	known := s.last[ask.From]
	switch {
	case known != nil && int32(ask.Seq-known.seq) < 0: // it waits for a later one by now
		return
	case known != nil && ask.Seq == known.seq:
		if known.reply != nil {
			a.giveReply(known.reply, now)
		}
		return
	}
	if why := a.cannotAnswer(ask); why != "" {
		a.giveReply(&wire.Reply{To: ask.From, Seq: ask.Seq, Refused: true, Data: []byte(why)}, now)
		return
	}
	if s.busy >= maxAnswers || known == nil && !s.room(now) || known != nil && known.reply == nil {
		return
	}
	s.last[ask.From] = &answered{seq: ask.Seq, at: now}
	s.busy++
	q := Request{FromID: ask.From.ID, From: a.memberName(ask.From.ID), Data: bytes.Clone(ask.Data)}
	if ask.From.ID == a.self.ID {
		q.FromID = caucus.None
	}
	fence, from, seq, answer := a.lead.Fence(), ask.From, ask.Seq, a.cfg.answerer()
	go func() {
		ctx, cancel := context.WithTimeout(context.WithValue(context.Background(), fenceKey{}, fence), answerLasts)
		defer cancel()
		data, err := answer(ctx, q)
		reply := &wire.Reply{To: from, Seq: seq, Data: data}
		if err == nil && len(data) > MaxRequest {
			err = fmt.Errorf("its answer has %d bytes, more than %d", len(data), MaxRequest)
		}
		if err != nil {
			reply.Refused, reply.Data = true, []byte(wire.Fit(err.Error(), MaxRequest))
		}
		_ = a.command(func(now time.Time) { a.answered(reply, now) }) // or nobody is there any more
	}()
}

// cannotAnswer says why this node does nothing for those who ask; "" if it does.
func (a *Agent) cannotAnswer(ask *wire.Ask) string {
	switch s := a.Status(); {
	case a.cfg.answerer() == nil:
		return "it answers no requests: answer is not set in its configuration"
	case !s.Leads() || s.Term != ask.Term || ask.Leader.Nonce != 0 && ask.Leader.Nonce != a.self.Nonce:
		return "it does not act as leader with the term that was asked for"
	}
	return ""
}

// room makes some for one more who asks; false if there is none.
func (s *answers) room(now time.Time) bool {
	if len(s.last) < maxAskers {
		return true
	}
	for k, x := range s.last {
		if x.reply != nil && now.Sub(x.at) > askerLasts {
			delete(s.last, k)
		}
	}
	return len(s.last) < maxAskers
}

// answered gives an answer that has been made.
func (a *Agent) answered(reply *wire.Reply, now time.Time) {
	a.answers.busy--
	if known := a.answers.last[reply.To]; known != nil && known.seq == reply.Seq {
		known.reply, known.at = reply, now
	}
	a.giveReply(reply, now)
}

func (a *Agent) giveReply(reply *wire.Reply, now time.Time) {
	if reply.To.ID == a.self.ID {
		a.takeReply(reply, now)
		return
	}
	a.passDown(reply, now)
}

// answerer is what answers: a function of the program, or the command of the configuration; nil for none.
func (c *Config) answerer() func(context.Context, Request) ([]byte, error) {
	switch {
	case c.Answers != nil:
		return c.Answers
	case len(c.Answer) > 0:
		return c.runAnswer
	}
	return nil
}

// fenceKey is under which a command finds the leadership that it answers for.
type fenceKey struct{}

// runAnswer has the command answer: the request is its standard input, the answer its standard output.
func (c *Config) runAnswer(ctx context.Context, q Request) ([]byte, error) {
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, c.Answer[0], c.Answer[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = bytes.NewReader(q.Data), &out, &errs, time.Second
	cmd.Env = append(os.Environ(), "CAUCUS_GROUP="+c.Group, "CAUCUS_NODE="+c.Name, "CAUCUS_ASKER="+q.From,
		fmt.Sprint("CAUCUS_FENCE=", ctx.Value(fenceKey{})))
	if err := cmd.Run(); err != nil {
		if why := strings.TrimSpace(errs.String()); why != "" {
			return nil, errors.New(why)
		}
		return nil, fmt.Errorf("%s: %w", c.Answer[0], err)
	}
	return out.Bytes(), nil
}

func (c *Config) checkAnswer() error {
	switch {
	case len(c.Answer) == 0:
		return nil
	case c.Answer[0] == "":
		return caucus.Wrong("answer", "no program", "a program and its arguments, as a list")
	case !c.Region:
		return caucus.Wrong("answer", strings.Join(c.Answer, " "),
			"none without region: true, since nobody could ask")
	}
	return nil
}
