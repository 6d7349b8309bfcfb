package study

import (
	"cmp"
	"context"
	"math"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/over"
	"caucus.example/caucus/algo/kit/region"
	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/sim"
)

// Regions is an experiment on what leaders know of their regions, above the elections and in the scenarios of Bounded:
// how many nodes are missing in the leaders' counts or stand in them twice, how soon the counts are right after a
// change of strengths, and how many members have the leaders' newest directive.
type Regions struct {
	Scenarios []string // of BoundedScenarios
	Seeds     int      // runs of each scenario

	seconds int // of each run; 0: boundedSeconds
}

// regionWays are the ways along which figures are collected.
var regionWays = []struct {
	ways  region.Ways
	title string
}{{region.Tree, "one way"}, {region.All, "all ways"}, {region.Weighted, "weighted"}, {region.Lossless, "lossless"}}

// regionRadio is how far nodes hear each other in each scenario, and twice as far as they come in a period of a second.
var regionRadio = map[string]region.Radio{
	"scale-free": {Range: 5}, "random": {Range: 50, Speed: 4}, "edge": {Range: 100, Speed: 4},
}

const (
	regionsWords = 20  // after how many seconds leaders have a new directive
	regionsFrom  = 100 // means begin after so many seconds
)

// Study is the experiment: all seeds of a scenario before the next.
func (x Regions) Study() *Study {
	return &Study{jobs.Batch{
		Name: "regions", Jobs: len(x.Scenarios) * x.Seeds,
		Options: jobs.List("scenario", strings.Join(x.Scenarios, ","), "seeds", x.Seeds),
		Run: func(ctx context.Context, job int) (results.Rows, error) {
			return x.run(ctx, x.Scenarios[job/x.Seeds], uint64(job%x.Seeds)+1)
		},
	}, x.find}
}

// series names an election with the ways of collection.
func (x Regions) series(k int) string {
	return boundedAlgorithms[k/len(regionWays)].published + ", " + regionWays[k%len(regionWays)].title
}

// run gives what the leaders know after each second, and the means over the run from its 100th second on.
func (x Regions) run(ctx context.Context, name string, seed uint64) (results.Rows, error) {
	plain, err := Bounded{Faithful: "artefact"}.load(name, seed)
	if err != nil {
		return nil, err
	}
	var runs []*scenario.Run
	for _, p := range plain {
		for _, w := range regionWays {
			r := *p
			r.Entry = p.Entry.Region(region.Region{Ways: w.ways, Radio: regionRadio[name]})
			r.Config.Words, r.Config.SizeOf = regionsWords, r.Entry.SizeOf
			runs = append(runs, &r)
		}
	}
	elections, err := sideBySide(runs)
	if err != nil {
		return nil, err
	}
	defer stopAll(elections)
	seen := make([][]knowledge, len(runs))
	for t := range cmp.Or(x.seconds, boundedSeconds) {
		if err := sim.Together(ctx, 1, elections...); err != nil {
			return nil, err
		}
		for k, e := range elections {
			seen[k] = append(seen[k], survey(e.(observed), 1+uint64(t)/regionsWords))
		}
	}
	out := recorder{Row: results.Row{Network: name, N: runs[0].Config.Graph.Len(), Seed: seed}}
	for k, e := range elections {
		out.Series = x.series(k)
		x.add(&out, seen[k], e.Result())
	}
	return out.rows, nil
}

// observed is a run of which one sees what its nodes hold.
type observed interface {
	Outcomes() []caucus.Outcome
	Holds(i int) any
}

// knowledge is what all leaders together know of their regions.
type knowledge struct {
	members  int     // of regions that have a leader
	wrong    float64 // nodes by which the leaders' counts are off
	informed int     // members that know of the newest directive
}

// survey compares the leaders' counts with who follows them. A member has the newest directive if it has the version.
func survey(e observed, newest uint64) (p knowledge) {
	outcomes := e.Outcomes()
	follow := make(map[caucus.ID]int, 64)
	for _, o := range outcomes {
		if o.Leader != caucus.None {
			follow[o.Leader]++
		}
	}
	for i, o := range outcomes {
		if o.Leader == caucus.None {
			continue
		}
		p.members++
		_, report := e.Holds(i).(interface {
			Service() (over.Place, *region.Report)
		}).Service()
		if report.Word.Version == newest {
			p.informed++
		}
		if o.Role == caucus.Leader {
			p.wrong += math.Abs(report.Figures.Count - float64(follow[o.Leader]))
		}
	}
	return p
}

// add is the rows of one election.
func (x Regions) add(out *recorder, seen []knowledge, end *sim.Result) {
	var wrong, informed float64
	for t, p := range seen {
		out.X = float64(t + 1)
		share := func(of float64) float64 { return of / float64(max(1, p.members)) }
		out.add("miscounted", share(p.wrong))
		out.add("informed", share(float64(p.informed)))
		if t >= regionsFrom {
			wrong += share(p.wrong) / float64(len(seen)-regionsFrom)
			informed += share(float64(p.informed)) / float64(len(seen)-regionsFrom)
		}
	}
	out.X = results.None
	out.add("miscounted, mean", wrong)
	out.add("informed, mean", informed)
	rounds := float64(out.N * len(seen))
	out.add("messages", float64(end.Messages)/rounds)
	out.add("bytes", float64(end.Bytes)/rounds)
	if out.Network == "scale-free" { // where strengths change every 100 s, and nothing else
		for at := 100; at < len(seen); at += 100 {
			out.X = float64(at)
			out.add("seconds until exact", untilExact(seen, at))
		}
	}
}

// untilExact is how many seconds after a change all counts are right for good, or until the next; none if they are not.
func untilExact(seen []knowledge, at int) float64 {
	last := at
	for t := at; t < min(at+100, len(seen)); t++ {
		if seen[t].wrong > 0.5 {
			last = t + 1
		}
	}
	if last == at+100 {
		return results.None
	}
	return float64(last - at)
}
