package cmd

import (
	"fmt"
	"strings"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/agent"
	"caucus.example/caucus/fault"
	"caucus.example/caucus/internal/operate"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/network"
	"caucus.example/caucus/registry/agents"
)

// choosePace resolves period and expiry.
func (u *up) choosePace(period string) error {
	c := agent.Config{Name: "fleet", Profile: u.flags.profile, Expiry: u.flags.expiry}
	if period != "" {
		p, err := scenario.Period("period", period)
		if err != nil {
			return err
		}
		c.Period = p
	}
	c, err := c.Resolve()
	u.period, u.expiry = c.Period, c.Expiry
	return err
}

// tell finds out what the nodes know of their network, as far as the algorithm needs it, and refuses a network that
// the algorithm is not for.
func (u *up) tell() error {
	c := u.sim.Config
	if u.flags.bound < 0 {
		return &caucus.FieldError{Field: "delay-bound", Found: u.flags.bound.String(),
			Allowed: "a time > 0, or 0 for the default"}
	}
	if needs := u.sim.Entry.Spec.Needs; needs.Delay {
		bound, err := u.delayBound()
		if err != nil {
			return err
		}
		c.Known.Delay = bound
	} else if u.flags.bound != 0 {
		return &caucus.FieldError{Field: "delay-bound", Found: u.flags.bound.String(),
			Allowed: "nothing: the algorithm " + u.sim.Entry.Spec.Name + " does not need it"}
	}
	u.known = c.Known
	premises := network.Premises{Graph: c.Graph, IDs: c.IDs, Lengths: c.Lengths, Known: c.Known}
	return premises.Unmet(u.sim.Entry.Spec)
}

// rehearse makes the first agent as far as that is possible without a socket, to refuse what agents cannot do before
// any of them runs.
func (u *up) rehearse() error {
	if len(u.ids) == 0 {
		return nil
	}
	addr := make([]string, len(u.ids))
	for i := range addr {
		addr[i] = fmt.Sprint("127.0.0.1:", i+1)
	}
	c := u.config.Agents[0]
	c.Transport, c.Peers = operate.Unplugged{}, u.config.Peers(0, addr)
	a, err := agents.New(c)
	if err == nil {
		a.Kill()
	}
	return err
}

// delayBound is how long a message travels at most: four periods, since processes wait for each other on one machine,
// what the links take, and one period for each time that it is sent again. The last is exceeded rarely.
func (u *up) delayBound() (time.Duration, error) {
	if u.flags.bound != 0 {
		return u.flags.bound, nil
	}
	c, err := fault.Parse(u.links, 2*u.period)
	if err != nil {
		return 0, err
	}
	bound := 4*u.period + c.Delay + c.Jitter
	if c.Reorder > 0 || c.Duplicate > 0 {
		bound += c.Within
	}
	if in := 1 - (1-c.Loss)*(1-c.Reorder); in >= 1 {
		return 0, &caucus.FieldError{Field: "delay-bound", Found: "none",
			Allowed: "a time: on links that deliver nothing there is no bound on how long a message travels"}
	} else if in > 0 {
		bound += time.Duration(fault.Tries(in)) * u.period
	}
	return bound, nil
}

// told says what the nodes know; "" for nothing.
func (u *up) told() string {
	var list []string
	if k := u.known; k.Nodes > 0 {
		list = append(list, fmt.Sprint("nodes:", k.Nodes))
	}
	if k := u.known; k.Diameter > 0 {
		list = append(list, fmt.Sprint("diameter:", k.Diameter))
	}
	if k := u.known; k.Delay > 0 {
		list = append(list, fmt.Sprint("delay:", k.Delay))
	}
	return strings.Join(list, ",")
}
