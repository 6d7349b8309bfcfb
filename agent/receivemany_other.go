//go:build !linux

package agent

import (
	"net"
	"net/netip"
)

// inbound reads the datagrams of a socket.
type inbound struct{ conn *net.UDPConn }

func newInbound(conn *net.UDPConn) (*inbound, error) { return &inbound{conn}, nil }

// receive is Transport.Receive.
func (in *inbound) receive(buf []byte) (int, netip.AddrPort, error) {
	n, from, err := in.conn.ReadFromUDPAddrPort(buf)
	return n, unmap(from), err
}
