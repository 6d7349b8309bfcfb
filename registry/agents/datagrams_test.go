package agents

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/agent"
	"caucus.example/caucus/internal/channel"
	"caucus.example/caucus/internal/wire"
	"caucus.example/caucus/registry"
)

// hostile is the network of one agent, whose peers send back what they get with other numbers in it.
type hostile struct {
	peers  []netip.AddrPort
	random caucus.Rand
	seq    uint32
	inbox  chan []byte
	from   []netip.AddrPort // parallel to the datagrams in inbox
	mu     sync.Mutex
	closed chan struct{}
	once   sync.Once
	heard  [][]byte // messages of the agent
	agent  wire.Instance
}

func (h *hostile) Addr() netip.AddrPort { return netip.MustParseAddrPort("10.0.0.1:7400") }
func (h *hostile) Close() error         { h.once.Do(func() { close(h.closed) }); return nil }

func (h *hostile) Receive(buf []byte) (int, netip.AddrPort, error) {
	select {
	case b := <-h.inbox:
		h.mu.Lock()
		from := h.from[0]
		h.from = h.from[1:]
		h.mu.Unlock()
		return copy(buf, b), from, nil
	case <-h.closed:
		return 0, netip.AddrPort{}, net.ErrClosed
	}
}

// Send answers each datagram with some of the messages that the agent has sent so far, with other numbers in them.
func (h *hostile) Send(b []byte, to netip.AddrPort) error {
	e, err := wire.Decode(bytes.Clone(b), wire.Group("caucus"), h.agent)
	if err != nil {
		return err
	}
	h.agent, e.Brief = e.Sender, false
	codec, err := wire.NewCodec[channel.Frame]()
	if err != nil {
		return err
	}
	f, err := codec.Decode(e.Body)
	if err != nil {
		return err
	}
	peer := slices.Index(h.peers, to)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.heard = append(h.heard, f.Msgs...); len(h.heard) > 200 {
		h.heard = h.heard[100:]
	}
	for range 4 {
		h.seq++
		// a new life each time: every stream begins anew
		e.Seq, e.Sender = h.seq, wire.Instance{ID: caucus.ID(2 + peer), Nonce: 7 + h.seq}
		reply := channel.Frame{Of: f.Stream, Next: f.First + uint32(len(f.Msgs))}
		for range min(4, len(h.heard)) {
			reply.Msgs = append(reply.Msgs, h.change(h.heard[h.random.IntN(len(h.heard))]))
		}
		e.Body, err = codec.Encode(&reply)
		var out bytes.Buffer
		if err == nil {
			err = e.Encode(&out)
		}
		if err == nil && len(h.inbox) < cap(h.inbox) {
			h.from = append(h.from, to)
			h.inbox <- out.Bytes()
		}
	}
	return nil
}

// change gives small numbers in a message other values.
func (h *hostile) change(m []byte) []byte {
	m = bytes.Clone(m)
	for i := 1; i < len(m); i++ {
		if m[i] < 24 && h.random.IntN(3) == 0 {
			m[i] = byte(h.random.IntN(24))
		}
	}
	return m
}

// No datagram makes an algorithm panic, whatever message of the right type it brings, in whatever state: all run here,
// with the restart layer and without, among peers that send nonsense in its own language.
func TestHostilePeers(t *testing.T) {
	for _, e := range registry.All {
		if e.Spec.Shape != caucus.ShapeEvents {
			continue
		}
		for _, restart := range []int{0, 4} {
			args, err := e.Spec.Resolve("", nil)
			if err != nil {
				t.Fatal(err)
			}
			peers, labels := surroundings(e.Spec.Needs.Topology)
			h := &hostile{random: caucus.NewRand(1, e.Spec.Name), inbox: make(chan []byte, 256),
				closed: make(chan struct{})}
			cfg := agent.Config{Name: "x", ID: 1, Period: time.Millisecond, Expiry: 1000, Transport: h,
				Restart: restart,
				Known:   caucus.Known{Nodes: peers + 1, Diameter: 3, Delay: time.Millisecond}}
			for k := range peers {
				addr := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 1, byte(k)}), 7400)
				h.peers = append(h.peers, addr)
				cfg.Peers = append(cfg.Peers, agent.Peer{Addr: addr.String(), Label: labels[k].String()})
			}
			a, err := Of(e, args, cfg)
			if err != nil {
				if restart > 0 {
					continue // not every algorithm can be restarted
				}
				t.Fatalf("%s: %v", e.Spec.Name, err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
			go func() {
				for ctx.Err() == nil && a.Status().Counters.Messages.Received < 1000 {
					time.Sleep(time.Millisecond)
				}
				cancel()
			}()
			a.Run(ctx)
			if s := a.Status(); s.Counters.Messages.Received < 1000 {
				t.Errorf("%s, restart %d: %+v, dropped %v", e.Spec.Name, restart, s.Counters.Messages,
					s.Counters.Dropped)
			}
		}
	}
}

// surroundings of a node in a network of that kind.
func surroundings(t caucus.Topology) (peers int, labels []caucus.Label) {
	switch t {
	case caucus.Ring:
		return 2, []caucus.Label{caucus.Left, caucus.Right}
	case caucus.Mesh, caucus.Torus:
		return 4, []caucus.Label{caucus.North, caucus.East, caucus.South, caucus.West}
	case caucus.Hypercube:
		return 3, []caucus.Label{caucus.Dimension(0), caucus.Dimension(1), caucus.Dimension(2)}
	}
	return 3, make([]caucus.Label, 3)
}

// What fits into no datagram is refused at the start, and said.
func TestTooLongForRegions(t *testing.T) {
	cfg := agent.Config{Name: "a", Algo: "recursive", Region: true, Listen: "127.0.0.1:0", Params: map[string]string{}}
	_, err := New(cfg)
	var wrong *caucus.FieldError
	if !errors.As(err, &wrong) || wrong.Field != "region" || !strings.Contains(wrong.Allowed, "fit into a datagram") {
		t.Errorf("%v", err)
	}
}
