package format

import (
	"regexp"
	"strings"
)

var kindRocketfuel = kind{
	format: "rocketfuel", about: "router map of Rocketfuel, .cch", extensions: []string{".cch"},
	mark: func(s *sample) bool { return cchStart.MatchString(s.head) }, read: readRocketfuel,
}

var (
	cchStart = regexp.MustCompile(`(?m)\A(?:[ \t]*(?:#.*)?\r?\n)*-?\d+\s+@\S*\s.*\(\d+\).*->`)
	cchLine  = regexp.MustCompile(`^(\d+)\s+@(\S*)\s+(\+?)\s*(bb)?\s*\((\d+)\)\s*(?:&\d+\s*)?->(.*?)(?:=(\S+?)\s*(!?)\s*(r\d+))?$`)
	cchOut   = regexp.MustCompile(`^-\d+\s+(?:=\S+\s+)?r?\d*`)
)

// readRocketfuel reads a router a line: uid @place [+] [bb] (links) -> <neighbours> {external addresses} =name radius.
// The number of links is that of the whole map, of which the file may be a part. External routers, which have negative
// uids, are left out. Names are uids, since DNS names repeat.
func readRocketfuel(d *draft, text string) error {
	d.byID = true
	l := &lines{rest: text}
	outside := 0
	for {
		line, ok := l.data("#")
		if !ok {
			break
		}
		m := cchLine.FindStringSubmatch(line)
		if m == nil && cchOut.MatchString(line) {
			outside++
			continue
		}
		if m == nil {
			return d.errorf(l.n, "found %.60q, expected uid @place (links) -> <neighbour> … =name radius", line)
		}
		i, err := d.node(m[1], l.n)
		if err != nil {
			return err
		}
		d.nodeAttr(i, "place", strings.ReplaceAll(m[2], "+", " "))
		d.nodeAttr(i, "label", m[7])
		d.nodeAttr(i, "backbone", m[4])
		for _, f := range strings.Fields(m[6]) {
			if to, ok := strings.CutPrefix(f, "<"); ok && strings.HasSuffix(to, ">") {
				d.link(m[1], strings.TrimSuffix(to, ">"), l.n)
			} else if strings.HasPrefix(f, "{") {
				outside++
			} else {
				return d.errorf(l.n, "found %q, expected <neighbour> or {external address}", f)
			}
		}
	}
	if outside > 0 {
		d.notef("%d external routers or links to such were left out", outside)
	}
	return nil
}
