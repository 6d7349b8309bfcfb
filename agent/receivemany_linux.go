package agent

import (
	"net"
	"net/netip"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// inbound reads the datagrams of a socket, as many at a time as wait there (recvmmsg): in a wave that crosses a network
// the system call, and the hand-over to the loop, are most of what a datagram costs. The batches of golang.org/x/net
// would make two allocations for the address of each.
type inbound struct {
	raw    syscall.RawConn
	read   func(fd uintptr) bool // kept, so that a call allocates nothing
	n, got int                   // those that have been taken, and that there are
	err    syscall.Errno
	zones  map[uint32]string
	zoned  time.Time // since then

	headers [atOnce]mmsghdr
	names   [atOnce]unix.RawSockaddrInet6 // has room for those of IPv4
	vectors [atOnce]unix.Iovec
	bufs    [atOnce][bufferSize]byte
}

// atOnce is how many are read at a time.
const atOnce = 16

// mmsghdr is that of the system.
type mmsghdr struct {
	unix.Msghdr
	n uint32
}

func newInbound(conn *net.UDPConn) (*inbound, error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return nil, err
	}
	in := &inbound{raw: raw, zones: make(map[uint32]string)}
	for i := range in.headers {
		in.vectors[i].Base = &in.bufs[i][0]
		in.vectors[i].SetLen(bufferSize)
		h := &in.headers[i]
		h.Name, h.Iov = (*byte)(unsafe.Pointer(&in.names[i])), &in.vectors[i]
		h.SetIovlen(1)
	}
	in.read = func(fd uintptr) bool {
		var got uintptr
		for {
			for i := range in.headers {
				in.headers[i].Namelen = unix.SizeofSockaddrInet6
			}
			got, _, in.err = unix.Syscall6(unix.SYS_RECVMMSG, fd, uintptr(unsafe.Pointer(&in.headers)), atOnce, 0, 0, 0)
			if in.err != unix.EINTR {
				break
			}
		}
		in.got = int(got)
		return in.err != unix.EAGAIN // the socket does not block: the runtime has made it so
	}
	return in, nil
}

// receive is Transport.Receive.
func (in *inbound) receive(buf []byte) (int, netip.AddrPort, error) {
	if in.n == in.got {
		in.n, in.got = 0, 0
		if err := in.raw.Read(in.read); err != nil {
			return 0, netip.AddrPort{}, err
		}
		if in.err != 0 {
			in.got = 0
			return 0, netip.AddrPort{}, in.err
		}
	}
	i := in.n
	in.n++
	return copy(buf, in.bufs[i][:in.headers[i].n]), in.from(&in.names[i]), nil
}

// from is the address that the system tells.
func (in *inbound) from(name *unix.RawSockaddrInet6) netip.AddrPort {
	port := (*[2]byte)(unsafe.Pointer(&name.Port)) // at the same place in both families
	at := func(a netip.Addr) netip.AddrPort { return netip.AddrPortFrom(a, uint16(port[0])<<8|uint16(port[1])) }
	if name.Family == unix.AF_INET {
		return at(netip.AddrFrom4((*unix.RawSockaddrInet4)(unsafe.Pointer(name)).Addr))
	}
	a := netip.AddrFrom16(name.Addr).Unmap()
	if name.Scope_id != 0 {
		a = a.WithZone(in.zone(name.Scope_id))
	}
	return at(a)
}

// zonesLast is for how long an interface is taken to keep its name: it can be given another one, and its number to
// another interface.
const zonesLast = 10 * time.Second

// zone gives the name of an interface.
func (in *inbound) zone(index uint32) string {
	if now := time.Now(); now.Sub(in.zoned) > zonesLast {
		clear(in.zones)
		in.zoned = now
	}
	if name, known := in.zones[index]; known {
		return name
	}
	i, err := net.InterfaceByIndex(int(index))
	if err != nil {
		return ""
	}
	in.zones[index] = i.Name
	return i.Name
}
