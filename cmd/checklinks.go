package cmd

import (
	"strconv"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/sim"
)

// badLinks reads which links are bad, as run reads its faults: with rate 1 they carry nothing, with a smaller rate they
// are the ones that lose the messages of --faults loss=N.
func (f *checkFlags) badLinks(j *checkJob) error {
	c := &j.cfg
	n, faults, err := f.namedFaults(j)
	if err != nil {
		return err
	}
	for k, x := range faults {
		wrong := func(allowed string) error {
			return &caucus.FieldError{Field: "fault", Found: f.badLink[k], Allowed: allowed}
		}
		links := x.Over(n)
		switch {
		case x.Kind != sim.Loss:
			return wrong("kind: loss, of links; faults of nodes are numbers: --faults crash=1,corrupt=1")
		case x.At != 0 || x.Until != 0:
			return wrong("no time: whatever can happen may happen at any moment")
		case x.Rate == 1:
			c.Mute = append(c.Mute, links)
		case c.Faults.Loss == 0:
			return wrong("rate: 1, or with --faults loss=N, for how many messages of these links may be lost")
		default:
			c.Lossy = append(c.Lossy, links)
		}
		pair := "--fault " + scenario.Quote(f.badLink[k])
		j.echoed = append(j.echoed, "fault="+scenario.Quote(f.badLink[k]))
		j.made = append(j.made, pair)
	}
	if c.TwoWay = f.scenario.Get("two-way") == "true"; c.TwoWay {
		j.echoed = append(j.echoed, "two-way=true")
		j.made = append(j.made, "--two-way")
	}
	return nil
}

// namedFaults looks up the nodes of the faults: by their names in a topology, else by their IDs, which are those of the
// largest network. It tells how many nodes that has.
func (f *checkFlags) namedFaults(j *checkJob) (nodes int, faults []sim.Fault, err error) {
	if j.run != nil {
		return j.cfg.Networks[0].Len(), j.run.Config.Faults, nil
	}
	var names []string
	for _, net := range j.cfg.Networks {
		for i := len(names); i < net.Len(); i++ {
			names = append(names, strconv.FormatUint(uint64(net.IDs[i]), 10))
		}
	}
	faults, err = f.scenario.Faults(names)
	return len(names), faults, err
}
