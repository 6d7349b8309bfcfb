package format

import (
	"regexp"
	"strings"
)

var kindTOSSIM = kind{
	format: "tossim", about: "link gains of TOSSIM: gain a b dB",
	mark: func(s *sample) bool { return tossimStart.MatchString(s.head) }, read: readTOSSIM,
}

var tossimStart = regexp.MustCompile(`(?m)\A(?:[ \t]*(?:#.*)?\r?\n)*(?:gain\s+\d+\s+\d+\s+-?[\d.]+|noise\s+\d+\s+-?[\d.]+(?:\s+-?[\d.]+)?)\s*$`)

// readTOSSIM reads the gain of every pair that the file lists, in each direction for itself. Nearly all may be far
// below what a radio hears: MinGain of the options says what is a link, where one direction is enough. Noise is left
// out.
func readTOSSIM(d *draft, text string) error {
	d.report.Directed = true
	l := &lines{rest: text}
	for {
		line, ok := l.data("#")
		if !ok {
			break
		}
		f := strings.Fields(line)
		switch {
		case f[0] == "gain" && len(f) == 4:
			e := d.edge(d.mention(f[1], l.n), d.mention(f[2], l.n), nan)
			if _, err := d.weightOf("gain", f[3], l.n); err != nil {
				return err
			}
			if err := d.edgeAttr(e, "gain", f[3], l.n); err != nil {
				return err
			}
		case f[0] == "noise" && len(f) >= 3:
			d.mention(f[1], l.n)
		default:
			return d.errorf(l.n, "found %q, allowed: gain FROM TO DB, noise NODE MEAN DEVIATION", line)
		}
	}
	if d.o.MinGain == "" && len(d.edges) > 0 {
		d.notef("every pair with a gain is an edge, however weak; a least gain can be chosen, such as -95")
	}
	return nil
}
