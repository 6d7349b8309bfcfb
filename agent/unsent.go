package agent

import (
	"errors"
	"syscall"
)

// Reasons for which a datagram was not sent, as in Counters.Unsent.
const (
	unsentFull        = "buffer-full" // sending it would have had to wait
	unsentUnreachable = "unreachable" // no way to the host, or no program there
	unsentForbidden   = "forbidden"   // by a firewall, or for lack of rights
	unsentOversize    = "oversize"    // longer than the way takes
	unsentOther       = "other"
)

// UnsentReasons lists why datagrams are not sent.
var UnsentReasons = []string{unsentFull, unsentUnreachable, unsentForbidden, unsentOversize, unsentOther}

func unsentReason(err error) string {
	for _, x := range []struct {
		reason string
		errs   []error
	}{
		{unsentFull, []error{syscall.EAGAIN, syscall.EWOULDBLOCK, syscall.ENOBUFS, syscall.ENOMEM}},
		{unsentUnreachable, []error{syscall.ENETUNREACH, syscall.EHOSTUNREACH, syscall.ECONNREFUSED, syscall.ENETDOWN,
			syscall.EHOSTDOWN}},
		{unsentForbidden, []error{syscall.EPERM, syscall.EACCES}},
		{unsentOversize, []error{syscall.EMSGSIZE}},
	} {
		for _, e := range x.errs {
			if errors.Is(err, e) {
				return x.reason
			}
		}
	}
	return unsentOther
}
