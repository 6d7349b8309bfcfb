package cmd

import (
	"fmt"
	"io"

	"caucus.example/caucus"
)

func total(list []float64) (sum float64) {
	for _, x := range list {
		sum += x
	}
	return sum
}

// energyText tells what a node takes on average, in all and in every second, and which takes most.
func (r *report) energyText(out io.Writer) {
	list := r.Joules(r.result)
	if list == nil {
		return
	}
	most := 0
	for i, x := range list {
		if x > list[most] {
			most = i
		}
	}
	mean := total(list) / float64(len(list))
	fmt.Fprintf(out, "energy: %s J a node in %s s, at most %s J (by %s)\n", number(round(mean)), number(r.seconds()),
		number(round(list[most])),
		caucus.Shown(r.Names.Name(caucus.ID(most+1))))
}
