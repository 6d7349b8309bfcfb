package agent

import (
	"encoding/gob"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

func init() {
	if target := os.Getenv("CAUCUS_TEST_SENDER"); target != "" {
		if err := sendWaves(target); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
}

// BenchmarkReceiveSocket reports what a datagram costs from the socket on: the system call that reads it, the way to
// the loop and what that does with it, in processor time of the program and of the kernel apart. "waiting" are those of
// a wave, which have come before the program looks; "waking" come one by one, each to a program that sleeps. "bare" is
// what any loop in Go pays that does nothing with what it reads.
//
//	go test -run '^$' -bench ReceiveSocket -benchtime 4096x -benchmem ./agent
func BenchmarkReceiveSocket(b *testing.B) {
	for _, waking := range []bool{false, true} {
		mode := map[bool]string{false: "waiting", true: "waking"}[waking]
		b.Run(mode+"/bare", func(b *testing.B) {
			x, buf := newExposed(b, waking), make([]byte, bufferSize)
			x.run(b, atRest(b, false), func() {
				x.gate()
				if _, _, err := x.conn.(*udp).conn.ReadFromUDPAddrPort(buf); err != nil {
					b.Error(err)
				}
			})
		})
		for _, keyed := range []bool{false, true} {
			name := map[bool]string{false: "plain", true: "keyed"}[keyed]
			b.Run(mode+"/"+name, func(b *testing.B) {
				v, x := atRest(b, keyed), newExposed(b, waking)
				to := v.nodes[1].agent
				dropped := len(to.count.Dropped)
				go to.read(x.receive, nil)
				x.run(b, v, func() {
					d := <-to.in
					d.from, d.at = v.nodes[0].addr, v.now
					to.receive(d)
					to.giveBack(d.buf)
				})
				if len(to.count.Dropped) > dropped {
					b.Fatal(to.count.Dropped)
				}
			})
		}
	}
}

// exposed is a socket that another process sends to.
type exposed struct {
	conn   Transport
	waking bool
	came   chan int // so many wait, and may be read
	left   int
}

func newExposed(b *testing.B, waking bool) *exposed {
	t, err := Listen("127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	x := &exposed{conn: t, waking: waking, came: make(chan int, 1)}
	b.Cleanup(func() {
		t.Close()
		close(x.came)
	})
	return x
}

// gate waits until there is something to be read, where nobody is to be woken for it.
func (x *exposed) gate() {
	if x.left == 0 && !x.waking {
		x.left = <-x.came
	}
	x.left--
}

func (x *exposed) receive(buf []byte) (int, netip.AddrPort, error) {
	x.gate()
	return x.conn.Receive(buf)
}

// run has another process send what node 0 says at rest, and measures how it is received.
func (x *exposed) run(b *testing.B, v *virtual, receive func()) {
	const wave = 256 // that of a segment of 200 nodes has room in the buffer of a socket, too
	sender := exec.Command(os.Args[0])
	sender.Env = append(os.Environ(), fmt.Sprintf("CAUCUS_TEST_SENDER=%v/%v", x.conn.Addr(), x.waking))
	sender.Stderr = os.Stderr
	pipe, _ := sender.StdinPipe()
	sent, _ := sender.StdoutPipe()
	if err := sender.Start(); err != nil {
		b.Fatal(err)
	}
	turns := gob.NewEncoder(pipe)
	var list [][]byte
	v.sent = func(p packet) { list = append(list, p.data) }
	v.cut = func(from, to int) bool { return true }
	var used [2]time.Duration
	b.ReportAllocs()
	for left := b.N; left > 0; left -= wave {
		b.StopTimer()
		list = list[:0]
		for range min(wave, left) {
			v.nodes[0].agent.broadcast(v.now)
		}
		err := turns.Encode(list)
		if !x.waking && err == nil {
			_, err = sent.Read(make([]byte, 1))
		}
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		began := times(b)
		if !x.waking {
			x.came <- len(list)
		}
		for range list {
			receive()
		}
		for i, t := range times(b) {
			used[i] += t - began[i]
		}
	}
	b.StopTimer()
	pipe.Close()
	if err := sender.Wait(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(used[0].Nanoseconds())/float64(b.N), "user-ns/op")
	b.ReportMetric(float64(used[1].Nanoseconds())/float64(b.N), "kernel-ns/op")
	b.ReportMetric(float64((used[0]+used[1]).Nanoseconds())/float64(b.N), "cpu-ns/op")
}

// sendWaves is the other process.
func sendWaves(target string) error {
	addr, waking, _ := strings.Cut(target, "/")
	conn, err := net.Dial("udp", addr)
	if err != nil {
		return err
	}
	for turns := gob.NewDecoder(os.Stdin); ; {
		var list [][]byte
		if err := turns.Decode(&list); err != nil {
			return nil // the end
		}
		for _, data := range list {
			if waking == "true" {
				time.Sleep(100 * time.Microsecond)
			}
			if _, err := conn.Write(data); err != nil {
				return err
			}
		}
		if waking != "true" {
			os.Stdout.Write([]byte{0})
		}
	}
}

// times is processor time of the program and of the kernel for it.
func times(b *testing.B) [2]time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return [2]time.Duration{time.Duration(u.Utime.Nano()), time.Duration(u.Stime.Nano())}
}
