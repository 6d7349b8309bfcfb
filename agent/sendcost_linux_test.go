package agent

import (
	"fmt"
	"net/netip"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// BenchmarkSendSocket reports what a datagram of a broadcast to 29 peers costs when it is handed to the kernel, in
// processor time of program and kernel, one by one as an agent does it, and all in one system call (sendmmsg), in
// turns; the ratio is the median of the pairs. See docs/decisions/017-datagrams-one-by-one.md.
//
//	go test -run '^$' -bench SendSocket -benchtime 15x ./agent
func BenchmarkSendSocket(b *testing.B) {
	const peers, broadcasts = 29, 2000
	for _, size := range []int{24, 200} {
		b.Run(fmt.Sprintf("size=%d", size), func(b *testing.B) {
			from, targets := listening(b), make([]Transport, peers)
			batch := newBatch(peers, make([]byte, size))
			var to []netip.AddrPort
			for i := range targets {
				targets[i] = listening(b)
				to = append(to, targets[i].Addr())
				batch.address(i, to[i])
			}
			one := func() {
				for _, t := range to {
					if err := from.Send(batch.data, t); err != nil {
						b.Fatal(err)
					}
				}
			}
			raw, err := from.(*udp).conn.SyscallConn()
			if err != nil {
				b.Fatal(err)
			}
			together := func() {
				if err := raw.Write(batch.write); err != nil || batch.sent != peers {
					b.Fatal(err, batch.sent)
				}
			}
			var each, many, ratios []float64
			for b.Loop() {
				x, y := spent(b, broadcasts, one), spent(b, broadcasts, together)
				each, many = append(each, x/peers), append(many, y/peers)
				ratios = append(ratios, y/x)
			}
			b.ReportMetric(median(each), "each-ns")
			b.ReportMetric(median(many), "together-ns")
			b.ReportMetric(median(ratios), "ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func listening(b *testing.B) Transport {
	t, err := Listen("127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { t.Close() })
	return t
}

// spent is the processor time of one call, in nanoseconds.
func spent(b *testing.B, calls int, f func()) float64 {
	before := times(b)
	for range calls {
		f()
	}
	after := times(b)
	return float64(after[0]+after[1]-before[0]-before[1]) / float64(calls) / float64(time.Nanosecond)
}

// batch is one datagram for many.
type batch struct {
	data    []byte
	headers []mmsghdr
	names   []unix.RawSockaddrInet4
	vector  unix.Iovec
	sent    int
	write   func(fd uintptr) bool
}

func newBatch(n int, data []byte) *batch {
	x := &batch{data: data, headers: make([]mmsghdr, n), names: make([]unix.RawSockaddrInet4, n)}
	x.vector.Base = &data[0]
	x.vector.SetLen(len(data))
	x.write = func(fd uintptr) bool {
		sent, _, _ := unix.Syscall6(unix.SYS_SENDMMSG, fd, uintptr(unsafe.Pointer(&x.headers[0])), uintptr(n), 0, 0, 0)
		x.sent = int(sent)
		return true
	}
	return x
}

func (x *batch) address(i int, to netip.AddrPort) {
	x.names[i] = unix.RawSockaddrInet4{Family: unix.AF_INET, Addr: to.Addr().As4()}
	port := (*[2]byte)(unsafe.Pointer(&x.names[i].Port))
	port[0], port[1] = byte(to.Port()>>8), byte(to.Port())
	h := &x.headers[i]
	h.Name, h.Namelen, h.Iov = (*byte)(unsafe.Pointer(&x.names[i])), unix.SizeofSockaddrInet4, &x.vector
	h.SetIovlen(1)
}
