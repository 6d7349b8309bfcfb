package check

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"caucus.example/caucus"
)

// Faults are how many faults of each kind an execution may hold, at most and at any moment. They are steps of their
// own, next to those of the daemon; what has to come out right is what follows the last of them.
type Faults struct {
	// Crash stops so many nodes that lead, one at a time and for good. Neighbours no longer read a
	// node that has crashed; what it has left in their states and exports stays. The right result is that of the
	// network that is left.
	Crash int
	// Loss is, in the message model and for events, so many messages that never arrive.
	Loss int
	// Corrupt gives so many nodes, one at a time, any state and any last message of the domain.
	Corrupt int
}

// MaxFaults bounds the faults of each kind.
const MaxFaults = 4

// Any reports whether there are faults at all.
func (f Faults) Any() bool { return f != Faults{} }

// kinds lists the faults as they are written.
func (f *Faults) kinds() []faultKind {
	return []faultKind{{"crash", &f.Crash}, {"loss", &f.Loss}, {"corrupt", &f.Corrupt}}
}

type faultKind struct {
	name  string
	count *int
}

// String writes faults as ParseFaults reads them; "none" when there are none.
func (f Faults) String() string {
	var words []string
	for _, k := range f.kinds() {
		if *k.count > 0 {
			words = append(words, fmt.Sprintf("%s=%d", k.name, *k.count))
		}
	}
	if words == nil {
		return "none"
	}
	return strings.Join(words, ",")
}

// ParseFaults reads numbers of faults such as "crash=1,loss=2"; "none" and "" are none at all. Each kind may be given
// once, with 0 to MaxFaults.
func ParseFaults(text string) (Faults, error) {
	var f Faults
	if text == "" || text == "none" {
		return f, nil
	}
	names := []string{}
	for _, k := range f.kinds() {
		names = append(names, k.name)
	}
	var seen []string
	for _, word := range strings.Split(text, ",") {
		name, number, ok := strings.Cut(word, "=")
		k := slices.Index(names, name)
		n, err := strconv.ParseUint(number, 10, 8)
		switch {
		case !ok:
			return Faults{}, caucus.Wrong("faults", word, "kind=number, such as crash=1,loss=2")
		case k < 0:
			return Faults{}, caucus.NotAmong("faults", name, names)
		case err != nil || n > MaxFaults:
			return Faults{}, caucus.Wrong("faults", word, fmt.Sprintf("%s=0 to %s=%d", name, name, MaxFaults))
		case slices.Contains(seen, name):
			return Faults{}, caucus.Wrong("faults", text, name+" once")
		}
		seen = append(seen, name)
		*f.kinds()[k].count = int(n)
	}
	return f, nil
}

// checkFaults refuses faults that the rest of the configuration gives no meaning.
func (c *Config) checkFaults() error {
	switch {
	case c.Faults.Loss > 0 && c.Model != Messages:
		return caucus.Wrong("faults", c.Faults.String(), "loss only where there are messages: in the message model")
	case c.Faults.Any() && slices.ContainsFunc(c.Daemons, Daemon.inRounds):
		return caucus.Wrong("daemon", "one that goes by rounds of single steps",
			"synchronous, central, locally, distributed: where faults are steps")
	}
	return nil
}
