//go:build !unix

package agent

import (
	"net"
	"net/netip"
)

// direct is for systems whose sockets take datagrams without waiting.
type direct struct{ conn *net.UDPConn }

func newDirect(conn *net.UDPConn) (*direct, error) { return &direct{conn}, nil }

func (d *direct) send(b []byte, to netip.AddrPort) error {
	_, err := d.conn.WriteToUDPAddrPort(b, to)
	return err
}
