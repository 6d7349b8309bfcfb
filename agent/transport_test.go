package agent

import (
	"errors"
	"fmt"
	"net/netip"
	"syscall"
	"testing"
)

func TestUnmap(t *testing.T) {
	if got := unmap(netip.MustParseAddrPort("[::ffff:1.2.3.4]:5")); got != netip.MustParseAddrPort("1.2.3.4:5") {
		t.Error(got)
	}
}

// Every family of socket sends to every address that it reaches.
func TestSendDirectly(t *testing.T) {
	for _, c := range []struct{ from, to string }{
		{"127.0.0.1:0", "127.0.0.1:0"}, {":0", "127.0.0.1:0"}, {":0", "[::1]:0"}, {"[::1]:0", "[::1]:0"},
	} {
		from, err := Listen(c.from)
		if err != nil {
			t.Log(err)
			continue
		}
		to, err := Listen(c.to)
		if err != nil {
			t.Log(err)
			from.Close()
			continue
		}
		var buf [8]byte
		if err := from.Send([]byte("hello"), to.Addr()); err != nil {
			t.Errorf("%s to %s: %v", c.from, c.to, err)
		} else if n, sender, err := to.Receive(buf[:]); err != nil || string(buf[:n]) != "hello" ||
			sender.Port() != from.Addr().Port() {
			t.Errorf("%s to %s: %q from %v, %v", c.from, c.to, buf[:n], sender, err)
		}
		hello := []byte("hello")
		many := testing.AllocsPerRun(50, func() {
			if err := from.Send(hello, to.Addr()); err != nil {
				t.Errorf("%s to %s: %v", c.from, c.to, err)
			}
		})
		if many > 0 {
			t.Errorf("%s to %s: %g allocations a datagram", c.from, c.to, many)
		}
		to.Close()
		from.Close()
		if err := from.Send([]byte("hello"), to.Addr()); !isClosed(err) {
			t.Errorf("a closed socket sends: %v", err)
		}
	}
}

func TestUnsentReasons(t *testing.T) {
	for err, want := range map[error]string{
		syscall.EAGAIN:                            unsentFull,
		fmt.Errorf("send: %w", syscall.ENOBUFS):   unsentFull,
		syscall.EHOSTUNREACH:                      unsentUnreachable,
		syscall.EPERM:                             unsentForbidden,
		syscall.EMSGSIZE:                          unsentOversize,
		errors.New("message of 9999 bytes, nine"): unsentOther,
	} {
		if got := unsentReason(err); got != want {
			t.Errorf("%v: %s, want %s", err, got, want)
		}
	}
}
