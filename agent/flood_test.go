package agent

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"caucus.example/caucus/internal/seal"
)

// counted counts the lines of a log.
type counted struct{ lines *atomic.Int64 }

func (c counted) Write(b []byte) (int, error) {
	c.lines.Add(int64(bytes.Count(b, []byte("\n"))))
	return len(b), nil
}

// 50,000 datagrams a second of noise on real sockets, from addresses that are new again and again: nobody changes its
// leader, rounds go on, memory holds no more than tables do, and the log stays readable. A machine that has too much
// else to do loses datagrams of members, too: one quiet moment of three is enough.
func TestFloodOnSockets(t *testing.T) {
	var wrong []string
	for range 3 {
		if wrong = underFlood(t); wrong == nil {
			return
		}
	}
	t.Error(strings.Join(wrong, "\n"))
}

func underFlood(t *testing.T) (wrong []string) {
	const seconds, aMillisecond = 3, 50
	fault := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	cfgs := configs(onLoopback("127.0.0.1")(t, 3), clique(3))
	file := keyFile(t, seal.NewKey())
	var lines atomic.Int64
	for i := range cfgs {
		cfgs[i].KeyFile, cfgs[i].Profile = file, "lan"
		cfgs[i].Logger = slog.New(slog.NewTextHandler(counted{&lines}, nil))
	}
	f := launch(t, cfgs)
	defer f.stop()
	agree(t, "n1", f.agents...)
	time.Sleep(time.Second)
	before := make([]Status, len(f.agents))
	for i, a := range f.agents {
		before[i] = a.Status()
	}
	said, heap := lines.Load(), heapInUse()
	sent := flood(t, f.agents, seconds*time.Second, aMillisecond)
	for i, a := range f.agents {
		s, was := a.Status(), before[i].Counters
		if s.Leader != "n1" || s.Term != before[i].Term || s.Counters.LeaderChanges != was.LeaderChanges {
			fault("%s: %s in term %d after %d changes; before: %s in %d after %d", a.cfg.Name, s.Leader, s.Term,
				s.Counters.LeaderChanges, before[i].Leader, before[i].Term, was.LeaderChanges)
		}
		if rounds := s.Counters.Rounds - was.Rounds; rounds < seconds*10*9/10 {
			fault("%s ran %d rounds in %d s", a.cfg.Name, rounds, seconds)
		}
		if got := s.Counters.Received - was.Received; got < 10_000*seconds/2 || got < uint64(sent)/6 {
			fault("%s received %d of %d: this was no flood", a.cfg.Name, got, sent)
		}
	}
	if more := lines.Load() - said; more > 20*int64(len(f.agents)) {
		fault("%d lines of log", more)
	}
	if more := heapInUse() - heap; more > 8<<20 {
		fault("%d bytes more in use", more)
	}
	return wrong
}

func heapInUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// flood sends noise to agents, so many datagrams each millisecond, and tells how many.
func flood(t *testing.T, agents []*Agent, lasts time.Duration, rate int) (sent int) {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), lasts)
	defer stop()
	noise := make([]byte, 1200)
	_, _ = rand.Read(noise)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	var socket net.PacketConn
	for ctx.Err() == nil {
		if socket == nil || sent%(rate*2) == 0 { // another address
			if socket != nil {
				socket.Close()
			}
			var err error
			if socket, err = net.ListenPacket("udp4", "127.0.0.1:0"); err != nil {
				t.Fatal(err)
			}
		}
		for k := range rate {
			to := net.UDPAddrFromAddrPort(agents[k%len(agents)].transport.Addr())
			size := 1 + (sent*7919)%len(noise)
			noise[0] = []byte{0x8a, 0x88, 0x83, byte(sent)}[k%4] // looks like a head, now and then
			if _, err := socket.WriteTo(noise[:size], to); err == nil {
				sent++
			}
		}
		<-tick.C
	}
	socket.Close()
	return sent
}
