package cmd

import (
	"strconv"

	"caucus.example/caucus"
	"caucus.example/caucus/check"
	"caucus.example/caucus/fault"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/sim"
)

// badLinks reads which links are bad, as run reads its faults: with rate 1 they carry nothing, with a smaller rate they
// are the ones that lose the messages of --faults loss=N.
func (f *checkFlags) badLinks(j *checkJob) error {
	c := &j.cfg
	ids, faults, err := f.namedFaults(j)
	if err != nil {
		return err
	}
	for k, x := range faults {
		wrong := func(allowed string) error {
			return &caucus.FieldError{Field: "fault", Found: f.badLink[k], Allowed: allowed}
		}
		links := linksOf(&x, ids)
		switch {
		case x.Kind != sim.Loss:
			return wrong("kind: loss, of links; faults of nodes are numbers: --faults crash=1,corrupt=1")
		case x.At != 0 || x.Until != 0:
			return wrong("no time: whatever can happen may happen at any moment")
		case x.Rate == 1:
			c.Mute = append(c.Mute, links...)
		case c.Faults.Loss == 0:
			return wrong("rate: 1, or with --faults loss=N, for how many messages of these links may be lost")
		default:
			c.Lossy = append(c.Lossy, links...)
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

// namedFaults looks up the nodes of the faults: by their names in a topology, else by their IDs.
func (f *checkFlags) namedFaults(j *checkJob) (ids []caucus.ID, faults []sim.Fault, err error) {
	if j.run != nil {
		return j.cfg.Networks[0].IDs, j.run.Config.Faults, nil
	}
	for _, net := range j.cfg.Networks {
		if len(net.IDs) > len(ids) {
			ids = net.IDs
		}
	}
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = strconv.FormatUint(uint64(id), 10)
	}
	faults, err = f.scenario.Faults(names)
	return ids, faults, err
}

// linksOf lists the directions of links that a fault of links concerns.
func linksOf(x *sim.Fault, ids []caucus.ID) (list []check.Link) {
	links := fault.Links{Way: x.Way, Only: x.Links}
	if x.Nodes != nil {
		links.Of = make([]bool, len(ids))
		for _, i := range x.Nodes {
			links.Of[i] = true
		}
	}
	for i := range ids {
		for j := range ids {
			if i != j && links.Have(i, j) {
				list = append(list, check.Link{From: ids[i], To: ids[j]})
			}
		}
	}
	return list
}
