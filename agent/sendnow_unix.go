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

	mu    sync.Mutex
	zones map[string]zone
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
	return d, err
}

// send hands a datagram to the kernel or fails at once. The socket does not block: the runtime has made it so.
func (d *direct) send(b []byte, to netip.AddrPort) error {
	var name syscall.Sockaddr
	if d.v6 {
		name = &syscall.SockaddrInet6{Port: int(to.Port()), Addr: to.Addr().As16(), ZoneId: d.zone(to.Addr().Zone())}
	} else {
		name = &syscall.SockaddrInet4{Port: int(to.Port()), Addr: to.Addr().As4()}
	}
	var err error
	if e := d.raw.Write(func(fd uintptr) bool {
		for {
			if err = syscall.Sendto(int(fd), b, 0, name); err != syscall.EINTR {
				return true
			}
		}
	}); e != nil {
		return e
	}
	return err
}

// zone gives the number of a zone. It asks the system once a minute: interfaces come and go.
func (d *direct) zone(name string) uint32 {
	if name == "" {
		return 0
	}
	d.mu.Lock()
	defer d.mu.Unlock()
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
