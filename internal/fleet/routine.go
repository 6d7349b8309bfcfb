package fleet

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"

	"caucus.example/caucus/agent"
)

// routine is a node in this process.
type routine struct {
	agent  *agent.Agent
	cable  *cable
	halted atomic.Bool
}

// routines makes every agent with its socket open, so that no datagram finds a closed port.
func (f *Fleet) routines(cfg Config) (err error) {
	n := len(cfg.Agents)
	sockets := make([]agent.Transport, 0, n)
	addr := make([]string, n)
	defer func() {
		if err != nil {
			for _, t := range sockets {
				t.Close()
			}
		}
	}()
	for i := range n {
		t, err := agent.Listen("127.0.0.1:0")
		if err != nil {
			return err
		}
		sockets = append(sockets, t)
		addr[i] = t.Addr().String()
	}
	turns := make(chan struct{}, 2*runtime.GOMAXPROCS(0))
	for i, c := range cfg.Agents {
		socket := lay(sockets[i])
		c.Turns = turns
		c.Transport, c.HTTP = socket, agent.Off
		c.Peers = cfg.Peers(i, addr)
		a, err := cfg.New(c)
		if err != nil {
			return err
		}
		f.members = append(f.members, &routine{agent: a, cable: socket})
	}
	return nil
}

func (r *routine) run(ctx context.Context, tell func(agent.Leadership)) error {
	ended := make(chan error, 1)
	go func() { ended <- r.agent.Run(ctx) }()
	for l := range r.agent.Watch(context.WithoutCancel(ctx)) {
		tell(l)
	}
	return <-ended
}

func (r *routine) kill() { r.agent.Kill() }

// halt ends the node where it stands, without waiting for that. What it last knew can still be asked for.
func (r *routine) halt() {
	if r.agent.Status().State != "stopped" {
		r.halted.Store(true)
		r.agent.Drop()
	}
}

func (r *routine) status(context.Context) (*agent.Status, error) {
	s := r.agent.Status()
	if s.State == "stopped" && !r.halted.Load() {
		return nil, errors.New("the agent has ended")
	}
	return &s, nil
}
