package mobility

import (
	"io"
	"strconv"
)

// readBonnMotion reads a line of "time x y" triples for each node, with times that rise.
// A node is at its first place from time 0 on and stays at its last.
func readBonnMotion(r io.Reader, file string, _ Options) (*Trace, error) {
	t := &Trace{}
	err := eachLine(r, file, func(_ int, fields []string) error {
		if len(fields)%3 != 0 {
			return wrong("numbers", strconv.Itoa(len(fields)), "a multiple of three: time x y, time x y, …")
		}
		var track []knot
		for k := 0; k < len(fields); k += 3 {
			now, err1 := parseTime("time", fields[k])
			x, err2 := parsePlace("x", fields[k+1])
			y, err3 := parsePlace("y", fields[k+2])
			if err := firstOf(err1, err2, err3); err != nil {
				return err
			}
			if k > 0 && now <= track[len(track)-1].t {
				return wrong("time", fields[k], "later than the one before, "+fields[k-3])
			}
			if k == 0 && now > 0 {
				track = append(track, knot{t: 0, point: point{x, y}})
			}
			track = append(track, knot{t: now, point: point{x, y}})
			t.Report.Records++
		}
		t.Names = append(t.Names, strconv.Itoa(len(t.Names)))
		t.tracks = append(t.tracks, track)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return t.finish(), nil
}
