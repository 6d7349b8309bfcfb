package mobility

import (
	"cmp"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"

	"caucus.example/caucus/internal/exact"
)

// ns2Node is what a file says of one node.
type ns2Node struct {
	line     int // that first names it
	start    point
	has      [2]bool // X_, Y_
	commands []ns2Command
}

type ns2Command struct {
	t, speed float64
	to       point
}

var (
	ns2Set  = regexp.MustCompile(`^\$(?:node|mobile|n)s?_?\(([^()\s]+)\)\s+set\s+([XYZ])_\s+([^\s;]+);?$`)
	ns2Dest = regexp.MustCompile(
		`^\$ns_?\s+at\s+(\S+)\s+"\$(?:node|mobile|n)s?_?\(([^()\s]+)\)\s+setdest\s+(\S+)\s+(\S+)\s+(\S+)\s*";?$`)
	ns2Other = regexp.MustCompile(`\$god_|^set\s|\s(?:initial_node_pos|random-motion|label|color|radius)\b`)
)

// readNS2 reads setdest commands, wherever in the file they stand. At its time a
// command turns the node, from wherever it then is, to its destination; a node that has arrived
// stays; speed 0 stops it. Lines of the god object and other settings say nothing about places.
// Nodes are present all the time.
func readNS2(r io.Reader, file string, _ Options) (*Trace, error) {
	names := newNames()
	var nodes []*ns2Node
	node := func(line int, name string) *ns2Node {
		i := names.index(name)
		if int(i) == len(nodes) {
			nodes = append(nodes, &ns2Node{line: line})
		}
		return nodes[i]
	}
	t := &Trace{}
	err := eachLine(r, file, func(line int, fields []string) error {
		text := strings.Join(fields, " ")
		if m := ns2Set.FindStringSubmatch(text); m != nil {
			return node(line, m[1]).set(m[2], m[3])
		}
		if m := ns2Dest.FindStringSubmatch(text); m != nil {
			t.Report.Records++
			return node(line, m[2]).setdest(m)
		}
		if ns2Other.MatchString(text) {
			return nil
		}
		return wrong("line", text,
			`$node_(ID) set X_|Y_|Z_ NUMBER, $ns_ at TIME "$node_(ID) setdest X Y SPEED", a $god_ line, set NAME VALUE, or a comment`)
	})
	if err != nil {
		return nil, err
	}
	for i, n := range nodes {
		if n.has != [2]bool{true, true} {
			return nil, atLine(file, n.line, wrong("node "+names.list[i], "no initial position",
				"lines that set its X_ and Y_"))
		}
		t.tracks = append(t.tracks, n.track())
	}
	t.Names = names.list
	return t.finish(), nil
}

func (n *ns2Node) set(axis, value string) error {
	v, err := parsePlace(axis+"_", value)
	switch axis {
	case "X":
		n.start.x, n.has[0] = v, true
	case "Y":
		n.start.y, n.has[1] = v, true
	case "Z":
		if err == nil && v != 0 {
			return wrong("Z_", value, "0 (movements are planar)")
		}
	}
	return err
}

func (n *ns2Node) setdest(m []string) error {
	var c ns2Command
	var errs [4]error
	c.t, errs[0] = parseTime("time", m[1])
	c.to.x, errs[1] = parsePlace("x", m[3])
	c.to.y, errs[2] = parsePlace("y", m[4])
	c.speed, errs[3] = parsePlace("speed", m[5])
	if err := firstOf(errs[:]...); err != nil {
		return err
	}
	if c.speed != 0 && c.speed < 1e-9 {
		return wrong("speed", m[5], "0, or 1e-9 or more")
	}
	n.commands = append(n.commands, c)
	return nil
}

// track carries the commands out, in order of time.
func (n *ns2Node) track() []knot {
	slices.SortStableFunc(n.commands, func(a, b ns2Command) int { return cmp.Compare(a.t, b.t) })
	begin := 0.0
	if len(n.commands) > 0 {
		begin = math.Min(0, n.commands[0].t)
	}
	track := []knot{{t: begin, point: n.start}}
	for k, c := range n.commands {
		last := track[len(track)-1]
		here := last.point
		if c.t > last.t {
			track = append(track, knot{t: c.t, point: here})
		}
		length := exact.Hypot(c.to.x-here.x, c.to.y-here.y)
		if c.speed == 0 || length == 0 {
			continue
		}
		arrives := c.t + length/c.speed
		stop := knot{t: arrives, point: c.to}
		if k+1 < len(n.commands) && n.commands[k+1].t < arrives {
			part := (n.commands[k+1].t - c.t) / (arrives - c.t)
			stop = knot{t: n.commands[k+1].t, point: point{here.x + float64(part*(c.to.x-here.x)),
				here.y + float64(part*(c.to.y-here.y))}}
		}
		if stop.t > c.t {
			track = append(track, stop)
		}
	}
	return track
}
