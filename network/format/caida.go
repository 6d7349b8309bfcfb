package format

import (
	"regexp"
	"strings"
)

var kindCAIDA = kind{
	format: "as-rel", about: "AS relationships of CAIDA: as|as|relation, serial 1 and 2",
	mark: func(s *sample) bool { return caidaStart.MatchString(s.head) }, read: readCAIDA,
}

var caidaStart = regexp.MustCompile(`(?m)\A(?:[ \t]*(?:#.*)?\r?\n)*\d+\|\d+\|-?[012](?:\||\s*$)`)

// caidaRelations are what the third field says: the first is the provider of the second, and so on.
var caidaRelations = map[string]string{"-1": "provider", "0": "peer", "1": "sibling", "2": "sibling"}

// readCAIDA reads a relationship a line; it is the class of the edge. In serial 2 a fourth field names the source.
func readCAIDA(d *draft, text string) error {
	l := &lines{rest: text}
	for {
		line, ok := l.data("#")
		if !ok {
			return nil
		}
		f := strings.Split(line, "|")
		if len(f) < 3 || len(f) > 4 || f[0] == "" || f[1] == "" {
			return d.errorf(l.n, "found %q, expected AS|AS|relation", line)
		}
		relation, ok := caidaRelations[f[2]]
		if !ok {
			return d.errorf(l.n, "relation: found %q, allowed: -1 (provider), 0 (peers), 1 or 2 (siblings)", f[2])
		}
		e := d.edge(d.mention(f[0], l.n), d.mention(f[1], l.n), nan)
		if err := d.edgeAttr(e, "relation", relation, l.n); err != nil {
			return err
		}
	}
}
