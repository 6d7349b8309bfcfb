package cmd

import (
	"fmt"
	"io"

	"caucus.example/caucus/algo/kit/over"
	kit "caucus.example/caucus/algo/kit/region"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/sim"
)

// knowledge is how many members nodes count in the regions that they lead.
type knowledge struct {
	nodes  int
	counts []int // 0 for who does not lead
}

// surveyed is the configuration of a run that finds out what its files and its report tell.
func surveyed(r *scenario.Run) (cfg sim.Config, known *knowledge) {
	cfg, known = r.Config, &knowledge{nodes: r.Config.Graph.Len()}
	if cfg.Every > 0 || r.Energy != nil { // what reports bytes
		cfg.SizeOf = r.Entry.SizeOf
	}
	if r.Get("region") == "true" {
		cfg.AtEnd = known.survey
	}
	return cfg, known
}

// survey reads it off the states at the end of a run.
func (k *knowledge) survey(holds func(node int) any) {
	k.counts = make([]int, k.nodes)
	for i := range k.counts {
		state, ok := holds(i).(interface {
			Service() (over.Place, *kit.Report)
		})
		if !ok {
			continue
		}
		if at, report := state.Service(); at.Leads() {
			k.counts[i] = report.Figures.Members()
		}
	}
}

// counted is how many members the leader of a region counts there; false where nobody does.
func (r *report) counted(g region) (n int, knows bool) {
	if r.known == nil || !g.leads {
		return 0, false
	}
	return r.known[g.leader-1], true
}

// knownText says how many leaders know how many follow them.
func (r *report) knownText(out io.Writer, list []region) {
	leaders, exact, off := 0, 0, 0
	for _, g := range list {
		n, knows := r.counted(g)
		if !knows {
			continue
		}
		leaders++
		if n == g.members {
			exact++
		}
		off += max(n-g.members, g.members-n)
	}
	if r.known != nil {
		fmt.Fprintf(out, "leaders that know how many follow them: %d of %d; members missing or too many: %d\n", exact,
			leaders, off)
	}
}
