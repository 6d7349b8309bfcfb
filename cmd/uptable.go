package cmd

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// short rounds a length to four digits.
func short(x float64) float64 {
	x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	return x
}

// table shows the regions: leader, members, distance of the farthest, term and age of the leadership.
func (t *trial) table(now time.Time) string {
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "REGION\tLEADER\tMEMBERS\tFARTHEST\tTERM\tAGE\tNODES")
	for i, r := range t.rows(now) {
		nodes := strings.Join(r.Members, " ")
		if long := []rune(nodes); len(long) > 60 {
			nodes = string(long[:59]) + "…"
		}
		farthest := "-"
		if r.Farthest >= 0 {
			farthest = t.up.sim.Length(short(r.Farthest))
		}
		fmt.Fprintf(w, "%d\t%s\t%d\t%s\t%d\t%.1fs\t%s\n", i+1, r.Leader, len(r.Members), farthest, r.Term, r.Age, nodes)
	}
	w.Flush()
	return b.String()
}
