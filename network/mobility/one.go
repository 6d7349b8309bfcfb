package mobility

import (
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// connections are what the events of a file of The ONE have said so far.
type connections struct {
	names           *names
	list            []span
	moments         moments
	up              map[[2]int32]float64 // the pairs in contact, and since when
	last            float64              // time of an event
	met             int
	short, repeated int // contacts of no length, events that change nothing
}

// readONE reads contacts as The ONE's StandardEventsReader does: a second "up" of a pair changes nothing, the first
// "down" ends its contact, and what is still up at the last time ends there. A contact that begins and ends at one time
// joins nobody. Other events are left out.
func readONE(r io.Reader, file string, _ Options) (*Trace, error) {
	c := connections{names: newNames(), up: map[[2]int32]float64{}, last: math.Inf(-1)}
	other := 0
	err := eachLine(r, file, func(_ int, f []string) error {
		if len(f) < 2 || !strings.EqualFold(f[1], "CONN") {
			other++
			return nil
		}
		return c.event(f)
	})
	if err != nil {
		return nil, err
	}
	for pair, since := range c.up {
		if c.last > since {
			c.list = append(c.list, span{pair[0], pair[1], c.moments.index(since), c.moments.index(c.last)})
		}
	}
	t := newContactTrace(c.names.list, &c.moments, c.list, 0)
	t.Report.Records = c.met
	if len(c.list) > 0 {
		t.End = math.Max(t.End, c.last-t.Origin) // the trace is as long as its events say
	}
	t.notes([]counted{{c.short, "contacts of no length, which join nobody"},
		{c.repeated, "events that change nothing: up while up, or down while down"},
		{len(c.up), "contacts still up at the end"}, {other, "events other than CONN left out"}})
	return t, nil
}

// event takes in that two nodes have met or parted.
func (c *connections) event(f []string) error {
	if !isONE(f) {
		return wrong("event", strings.Join(f, " "), "TIME CONN NODE NODE up|down")
	}
	now, err := parseTime("time", f[0])
	if err != nil {
		return err
	}
	if now < c.last {
		return wrong("time", f[0], "not before the line before")
	}
	c.last = now
	a, b := c.names.index(f[2]), c.names.index(f[3])
	if a == b {
		return wrong("contact", strings.Join(f, " "), "two different nodes")
	}
	pair := [2]int32{min(a, b), max(a, b)}
	since, isUp := c.up[pair]
	switch goes := strings.EqualFold(f[4], "up"); {
	case goes && !isUp:
		c.up[pair] = now
		c.met++
	case !goes && isUp:
		delete(c.up, pair)
		if now == since {
			c.short++
			return nil
		}
		c.list = append(c.list, span{pair[0], pair[1], c.moments.index(since), c.moments.index(now)})
	default:
		c.repeated++
	}
	return nil
}

// readONEMovement reads a line of limits, then lines "time node x y", with times that do not fall. A third coordinate
// must be 0.
func readONEMovement(r io.Reader, file string, _ Options) (*Trace, error) {
	t, names := &Trace{}, newNames()
	head := true
	err := eachLine(r, file, func(_ int, f []string) error {
		if head {
			head = false
			if len(f) != 6 && len(f) != 8 {
				return wrong("limits", strings.Join(f, " "), "minTime maxTime minX maxX minY maxY [minZ maxZ]")
			}
			return nil
		}
		if len(f) != 4 && len(f) != 5 {
			return wrong("line", strings.Join(f, " "), "time node x y")
		}
		now, err1 := parseTime("time", f[0])
		x, err2 := parsePlace("x", f[2])
		y, err3 := parsePlace("y", f[3])
		if err := firstOf(err1, err2, err3); err != nil {
			return err
		}
		if len(f) == 5 {
			if z, err := strconv.ParseFloat(f[4], 64); err != nil || z != 0 {
				return wrong("z", f[4], "0 (movements are planar)")
			}
		}
		i := names.index(f[1])
		if int(i) == len(t.tracks) {
			t.tracks = append(t.tracks, nil)
		}
		if track := t.tracks[i]; len(track) > 0 && now <= track[len(track)-1].t {
			return wrong("time", f[0], "later than the place before of node "+f[1])
		}
		t.tracks[i] = append(t.tracks[i], knot{t: now, point: point{x, y}})
		t.Report.Records++
		return nil
	})
	t.Names = names.list
	return t.finish(), err
}

func isONE(row []string) bool {
	return len(row) == 5 && strings.EqualFold(row[1], "CONN") && oneState.MatchString(row[4])
}

var oneState = regexp.MustCompile(`(?i)^(up|down)$`)
