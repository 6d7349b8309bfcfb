package frames

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/story"
)

// Recorded gives the frames of a run of rounds that is over from its trace: what nodes answered is as recorded, and
// not worked out again. The network, and where nodes walk, is that of the scenario.
func (q *Request) Recorded(file string) ([]byte, error) {
	p, err := q.Prepare()
	if err != nil {
		return nil, err
	}
	rec, err := scenario.OpenRecording(file)
	if err != nil {
		return nil, err
	}
	defer rec.Close()
	var out bytes.Buffer
	p.out = newFrames(&out)
	if err := p.out.json(frameHead, p.head()); err != nil {
		return nil, err
	}
	t := &recording{Play: p, end: end{Trace: "as recorded", Charts: map[string][]float64{}}}
	p.position(0)
	for p.err == nil {
		x, err := rec.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if err := t.add(&x); err != nil {
			return nil, fmt.Errorf("%s: %w", rec.Where, err)
		}
	}
	stable := p.Config.StableFor > 0 && t.end.Rounds-t.end.Settled >= p.Config.StableFor
	t.end.Converged, t.end.Endless = p.Rested(stable, t.end.Settled, t.end.Rounds), p.Endless()
	err = cmp.Or(p.err, p.out.json(frameEnd, t.end), p.out.flush())
	return out.Bytes(), err
}

// recording is a Play whose steps come from a trace.
type recording struct {
	*Play
	end   end
	round int   // that is being told
	rate  int64 // messages of a round
}

// add takes a step.
func (t *recording) add(x *story.Record) error {
	round := int(x.Time)
	if x.Time != math.Trunc(x.Time) || round < t.round || round > maxRounds {
		return caucus.Wrong("time", x.Time, fmt.Sprintf("a round from %d to %d", t.round, maxRounds))
	}
	for ; t.round < round; t.round++ {
		t.flush()
		t.position(float64(t.round + 1))
		if t.round > 0 {
			t.count()
		}
	}
	t.at = x.Time
	switch x.Event {
	case story.Act, story.Crash:
		return t.change(x)
	case story.Sent:
		t.rate = int64(x.Number)
	case story.Move:
	case story.End:
		t.flush()
		if round > 0 {
			t.count()
		}
		t.end.Rounds, t.end.Time, t.end.Messages = round, x.Time, int64(x.Number)
	default:
		return caucus.NotAmong("event", x.Event, []string{story.Act, story.Crash, story.Sent, story.Move, story.End})
	}
	return nil
}

// count adds the messages of a round.
func (t *recording) count() {
	t.end.Messages += t.rate
	t.end.Charts["round"] = append(t.end.Charts["round"], float64(t.round))
	t.end.Charts["messages"] = append(t.end.Charts["messages"], float64(t.end.Messages))
}

// change takes what a node answers from now on.
func (t *recording) change(x *story.Record) error {
	if t.changes++; t.changes > maxChanges {
		return fmt.Errorf("more than %d changes, which a page cannot hold", maxChanges)
	}
	node, err := t.named(x.Node)
	if err != nil {
		return err
	}
	c := change{node: uint32(node), leader: -1, parent: -1}
	if x.Event == story.Act {
		role := slices.IndexFunc(roles, func(r caucus.Role) bool { return r.String() == x.Role })
		if role < 0 {
			return caucus.Wrong("role", x.Role, fmt.Sprint(roles))
		}
		c.up, c.role, c.distance = 1, uint8(roles[role]), -1
		if x.Distance != nil {
			c.distance = float32(*x.Distance)
		}
		if c.leader, err = t.leader(x.Leader); err != nil {
			return err
		}
		if x.Parent != "" {
			parent, err := t.named(x.Parent)
			if err != nil {
				return err
			}
			c.parent = int32(parent)
		}
		if x.Time > 0 {
			t.end.Settled = int(x.Time)
		}
	}
	t.pending = append(t.pending, c)
	return nil
}

var roles = []caucus.Role{caucus.Undecided, caucus.Leader, caucus.Follower, caucus.Defeated}

func (t *recording) named(name string) (int, error) {
	i, ok := t.Node(name)
	if !ok {
		return 0, caucus.Wrong("node", name, "a node of the network of the scenario")
	}
	return i, nil
}

// leader is a leader by name: a node, nobody, or # and the ID of a ghost.
func (t *recording) leader(name string) (int32, error) {
	if i, ok := t.Node(name); ok {
		return int32(i), nil
	}
	var ghost caucus.ID
	switch n, _ := fmt.Sscanf(name, "#%d", &ghost); {
	case name == t.Names.Name(caucus.None):
		return -1, nil
	case n == 1:
		return t.nodes.who(ghost), nil
	}
	return 0, caucus.Wrong("leader", name, "a node of the network of the scenario, - for nobody, or # and an ID")
}
