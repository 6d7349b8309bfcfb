// Package loopback tells this machine's own addresses from others: what listens or connects there is out of reach for
// anybody else, so that it may go without a proof of who is who.
package loopback

import (
	"net"
	"net/netip"
	"strings"
)

// Is tells whether a host, with a port or without one, is this machine itself: localhost, 127.0.0.0/8 or ::1. Any other
// name may be anybody's.
func Is(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && addr.IsLoopback()
}
