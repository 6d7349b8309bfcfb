package agent

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/lease"
)

// Lease is what it takes to act besides being elected: the grants of a majority of a fixed group, for a time. The zero
// Lease is off. See docs/leases.md.
type Lease struct {
	Members []string      `yaml:"members,omitempty"` // by name, or by ID as #7
	Size    int           `yaml:"size,omitempty"`    // instead of members: there are never more than so many nodes
	For     time.Duration `yaml:"for"`               // how long a grant binds who gave it
	Drift   string        `yaml:"drift,omitempty"`   // bound on how wrong a clock runs; default 1%
}

func (l *Lease) on() bool { return l.Size != 0 || len(l.Members) != 0 || l.For != 0 || l.Drift != "" }

// agreed is what has to be the same in the whole group.
func (l *Lease) agreed() string {
	members := slices.Sorted(slices.Values(l.Members))
	return fmt.Sprintf("%d/%v/%s/%s", l.Size, l.For, cmp.Or(l.Drift, defaultDrift), strings.Join(members, ","))
}

// defaultDrift is a hundred times what clocks of computers are allowed to be off.
const defaultDrift = "1%"

// leastLease is the least number of periods that a lease may last: it is renewed once in each, and some get lost.
const leastLease = 4

// rules gives what the lease says; nil if it is off.
func (l *Lease) rules(period time.Duration) (*lease.Rules, error) {
	if !l.on() {
		return nil, nil
	}
	r := &lease.Rules{Size: l.Size, For: l.For}
	for i, name := range l.Members {
		id := HashID(name)
		if digits, ok := strings.CutPrefix(name, "#"); ok {
			n, err := strconv.ParseUint(digits, 10, 64)
			if err != nil || n == 0 {
				return nil, caucus.Wrong(fmt.Sprintf("lease.members[%d]", i), name, "a name, or # and an ID")
			}
			id = caucus.ID(n)
		}
		if slices.Contains(r.Members, id) {
			return nil, caucus.Wrong(fmt.Sprintf("lease.members[%d]", i), name, "every member once")
		}
		r.Members = append(r.Members, id)
	}
	text := cmp.Or(l.Drift, defaultDrift)
	digits, ok := strings.CutSuffix(text, "%")
	percent, isNumber := caucus.ParseNumber(digits)
	switch {
	case l.Size != 0 && r.Members != nil:
		return nil, caucus.Wrong("lease.size", l.Size, "members or size, not both")
	case !ok || !isNumber:
		return nil, caucus.Wrong("lease.drift", text, "a share, as in 1%")
	case l.For < leastLease*period:
		return nil, caucus.Wrong("lease.for", l.For,
			fmt.Sprintf("at least %d periods, %v", leastLease, leastLease*period))
	}
	r.Drift = percent / 100
	if r.Members != nil {
		r.Size = len(r.Members)
	}
	if err := r.Check(); err != nil {
		field := err.(*caucus.FieldError)
		return nil, caucus.Wrong("lease."+field.Field, field.Found, field.Allowed)
	}
	return r, nil
}
