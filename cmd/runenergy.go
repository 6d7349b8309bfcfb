package cmd

import (
	"fmt"
	"io"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/energy"
)

// joules gives the energy of every node over the run, with messages of the mean size of the run; nil if the scenario
// does not ask for it.
func (r *report) joules() []float64 {
	if r.Energy == nil {
		return nil
	}
	payload := float64(r.result.Bytes) / float64(max(1, r.result.Messages))
	list := make([]float64, len(r.result.Up))
	for i, up := range r.result.Up {
		list[i] = r.Energy.Joules(energy.Use{Seconds: up * r.Config.Period.Seconds(), Sent: float64(r.result.Sent[i]),
			Received: float64(r.result.Received[i]), Payload: payload})
	}
	return list
}

func total(list []float64) (sum float64) {
	for _, x := range list {
		sum += x
	}
	return sum
}

// energyText tells what a node takes on average, in all and in every second, and which takes most.
func (r *report) energyText(out io.Writer) {
	list := r.joules()
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
	fmt.Fprintf(out, "energy: %s J a node in %s s, at most %s J (by %s)\n", number(round(mean)), number(r.seconds()), number(round(list[most])),
		caucus.Shown(r.Names.Name(caucus.ID(most+1))))
}
