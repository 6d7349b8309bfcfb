//go:build unix

package agent

import (
	"net"
	"net/netip"
	"sync"
	"syscall"
	"time"
)

// direct sends on the socket itself. The runtime's own way to send waits until the socket's buffer has room, and
// the kernel keeps datagrams for hosts that it does not find in that buffer for seconds: a few dead
// hosts on the segment would stop whoever sends.
type direct struct {
	raw syscall.RawConn
	v6  bool

	mu    sync.Mutex // of what follows
	zones map[string]zone
	write func(fd uintptr) bool // sends what is next; kept, as the rest is, so that sending allocates nothing
	next  struct {
		datagram []byte
		to4      syscall.SockaddrInet4
		to6      syscall.SockaddrInet6
		err      error
	}
}

type zone struct {
	index uint32
	until time.Time
}

func newDirect(conn *net.UDPConn) (*direct, error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return nil, err
	}
	d := &direct{raw: raw}
	if e := raw.Control(func(fd uintptr) {
		var name syscall.Sockaddr
		name, err = syscall.Getsockname(int(fd))
		_, d.v6 = name.(*syscall.SockaddrInet6)
	}); e != nil {
		err = e
	}
	var to syscall.Sockaddr = &d.next.to4
	if d.v6 {
		to = &d.next.to6
	}
	d.write = func(fd uintptr) bool {
		for {
			if d.next.err = syscall.Sendto(int(fd), d.next.datagram, 0, to); d.next.err != syscall.EINTR {
				return true
			}
		}
	}
	return d, err
}

// send hands a datagram to the kernel or fails at once. The socket does not block: the runtime has made it so.
func (d *direct) send(b []byte, to netip.AddrPort) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := &d.next
	if d.v6 {
		n.to6.Port, n.to6.Addr, n.to6.ZoneId = int(to.Port()), to.Addr().As16(), d.zone(to.Addr().Zone())
	} else {
		n.to4.Port, n.to4.Addr = int(to.Port()), to.Addr().As4()
	}
	n.datagram = b
	err := d.raw.Write(d.write)
	n.datagram = nil
	if err != nil {
		return err
	}
	return n.err
}

// zone gives the number of a zone. It asks the system once a minute: interfaces come and go.
func (d *direct) zone(name string) uint32 {
	if name == "" {
		return 0
	}
	now := time.Now()
	if z, known := d.zones[name]; known && now.Before(z.until) {
		return z.index
	}
	if d.zones == nil {
		d.zones = make(map[string]zone)
	}
	index := uint32(0)
	if i, err := net.InterfaceByName(name); err == nil {
		index = uint32(i.Index)
	}
	d.zones[name] = zone{index, now.Add(time.Minute)}
	return index
}
