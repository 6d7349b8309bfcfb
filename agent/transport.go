package agent

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"syscall"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/seal"
	"caucus.example/caucus/internal/wire"
)

// Transport carries datagrams. An agent receives from one goroutine, sends from
// another and closes from any.
type Transport interface {
	// Receive waits for a datagram and copies it into buf. One that is longer than
	// buf is cut. After Close the error is net.ErrClosed.
	Receive(buf []byte) (n int, from netip.AddrPort, err error)
	// Send hands one datagram over, or fails at once: it waits for nothing and nobody.
	Send(b []byte, to netip.AddrPort) error
	// Addr is the address that Receive listens on.
	Addr() netip.AddrPort
	Close() error
}

// Listen opens a UDP socket on an address such as "127.0.0.1:7400", "[::1]:0" (a
// free port) or ":7400" (all addresses, v4 and v6). Put it into Config.Transport to
// know an agent's address before its peers are configured.
func Listen(addr string) (Transport, error) {
	if err := checkListen(addr); err != nil {
		return nil, err
	}
	local, err := net.ResolveUDPAddr("udp", addr)
	if err != nil {
		return nil, &listenError{"listen", addr, err}
	}
	conn, err := net.ListenUDP("udp", local)
	if err != nil {
		return nil, &listenError{"listen", addr, err}
	}
	// A system that allows less gives what it allows.
	_, _ = conn.SetReadBuffer(socketBuffer), conn.SetWriteBuffer(socketBuffer)
	out, err := newDirect(conn)
	in, fails := newInbound(conn)
	if err := errors.Join(err, fails); err != nil {
		conn.Close()
		return nil, &listenError{"listen", addr, err}
	}
	return &udp{conn, out, in}, nil
}

// socketBuffer is what the kernel is asked to keep for a socket in each direction, in bytes.
const socketBuffer = 1 << 20

// listenError is misconfiguration as far as the user is concerned: a taken port, an
// address of another machine, a port that needs privileges.
type listenError struct {
	field, addr string
	err         error
}

func (e *listenError) Error() string {
	if errors.Is(e.err, syscall.EADDRINUSE) {
		return fmt.Sprintf("%s: %s is in use by another process; stop it or choose another port", e.field, e.addr)
	}
	return fmt.Sprintf("%s: %v", e.field, e.err)
}

func (e *listenError) Unwrap() error { return e.err }

type udp struct {
	conn *net.UDPConn
	out  *direct
	in   *inbound
}

func (u *udp) Receive(buf []byte) (int, netip.AddrPort, error) { return u.in.receive(buf) }

func (u *udp) Send(b []byte, to netip.AddrPort) error { return u.out.send(b, to) }

func (u *udp) Addr() netip.AddrPort {
	return unmap(u.conn.LocalAddr().(*net.UDPAddr).AddrPort())
}

func (u *udp) Close() error { return u.conn.Close() }

// unmap gives v4 addresses one form, whichever kind of socket they come from.
func unmap(a netip.AddrPort) netip.AddrPort { return netip.AddrPortFrom(a.Addr().Unmap(), a.Port()) }

// reaches tells whether a socket bound to local can send to an address: a v6 socket
// bound to all addresses speaks v4 as well.
func reaches(local, to netip.Addr) bool {
	if local.Is6() && local.IsUnspecified() {
		return true
	}
	return local.Is4() == to.Is4()
}

func isClosed(err error) bool { return errors.Is(err, net.ErrClosed) }

// bufferSize is one more than a datagram may have, so that longer ones show.
const bufferSize = wire.MaxDatagram + seal.Overhead + 1

func checkListen(addr string) error {
	_, err := splitHostPort("listen", addr, 0)
	return err
}

// splitHostPort checks "host:port" with a numeric port of at least the given one.
func splitHostPort(field, addr string, least uint64) (uint16, error) {
	wrong := caucus.Wrong(field, addr, fmt.Sprintf("host:port, the port %d to 65535; IPv6 addresses in brackets",
		least))
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return 0, wrong
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n < least {
		return 0, wrong
	}
	return uint16(n), nil
}
