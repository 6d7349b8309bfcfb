package agent

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"
)

// ErrNotRunning is the error of a request to an agent that does not run.
var ErrNotRunning = errors.New("agent: not running")

// Reload takes over a new configuration as far as a running agent can: peers, strength,
// profile, period, expiry, link, damping, min-neighbours, max-neighbours, min-region, checks,
// leads, preempt, margin, key-file, unsealed, on, tags and rtt-floor. It lists the fields that changed and
// took effect, and those that differ but need a restart. With an error nothing has changed.
func (a *Agent) Reload(next Config) (changed, needsRestart []string, err error) {
	if s := next.source; s != nil && s.empty() {
		return nil, nil, errEmpty(s)
	}
	next, err = next.Resolve()
	if err != nil {
		return nil, nil, err
	}
	err = a.command(func(now time.Time) { changed, needsRestart = a.reload(next, now) })
	return changed, needsRestart, err
}

func errEmpty(s *source) error {
	return fmt.Errorf("%s: found nothing, allowed: fields, as in name: a", s.file)
}

// field is one of the configuration in which two differ or not.
type field struct {
	name     string
	old, new any
	take     func() // over; nil: only a restart does it
}

// fields lists them all.
func (a *Agent) fields(next Config) []field {
	c := &a.cfg
	return []field{
		{"group", c.Group, next.Group, nil},
		{"name", c.Name, next.Name, nil},
		{"id", c.ID, next.ID, nil},
		{"listen", c.Listen, next.Listen, nil},
		{"algo", c.Algo, next.Algo, nil},
		{"faithful", c.Faithful, next.Faithful, nil},
		{"params", orEmpty(c.Params), orEmpty(next.Params), nil},
		{"metric", c.Metric, next.Metric, nil},
		{"http", c.HTTP, next.HTTP, nil},
		{"http-token-file", c.HTTPToken, next.HTTPToken, nil},
		{"http-cert", c.HTTPCert, next.HTTPCert, nil},
		{"http-key", c.HTTPKey, next.HTTPKey, nil},
		{"discover", c.Discover, next.Discover, nil},
		{"multicast", c.Multicast, next.Multicast, nil},
		{"interfaces", c.Interfaces, next.Interfaces, nil},
		{"dns", c.DNS, next.DNS, nil},
		{"hosts-file", c.HostsFile, next.HostsFile, nil},
		{"known", c.Known, next.Known, nil},
		{"asleep", c.Asleep, next.Asleep, nil},
		{"restart", c.Restart, next.Restart, nil},
		{"state-dir", c.StateDir, next.StateDir, nil},
		{"region", c.Region, next.Region, nil},
		{"lease", c.Lease, next.Lease, nil},
		{"peers", c.Peers, next.Peers, a.takePeers(next.Peers)},
		{"strength", c.Strength, next.Strength, func() {
			c.Strength = next.Strength
			_ = a.SetStrength(next.Strength)
		}},
		{"profile", c.Profile, next.Profile, func() { c.Profile = next.Profile }},
		{"period", c.Period, next.Period, func() { a.changePeriod(next.Period) }},
		{"expiry", c.Expiry, next.Expiry, func() { c.Expiry = next.Expiry }},
		{"link", orEmpty(c.Link), orEmpty(next.Link), func() { c.Link = next.Link }},
		{"min-neighbours", c.MinNeighbours, next.MinNeighbours, func() { c.MinNeighbours = next.MinNeighbours }},
		{"max-neighbours", c.MaxNeighbours, next.MaxNeighbours, a.takeMaxNeighbours(next.MaxNeighbours)},
		{"min-region", c.MinRegion, next.MinRegion, func() { c.MinRegion = next.MinRegion }},
		{"tags", c.Tags, next.Tags, func() { c.Tags, a.local.Tags = next.Tags, tagNumbers(next.Tags) }},
		{"answer", c.Answer, next.Answer, func() { c.Answer = next.Answer }},
		{"damping", c.Damping, next.Damping, func() { c.Damping = next.Damping }},
		{"checks", c.Checks, next.Checks, func() { c.Checks = next.Checks; a.watchChecks() }},
		{"leads", c.Leads, next.Leads, func() { c.Leads = next.Leads }},
		{"preempt", c.Preempt, next.Preempt, func() {
			c.Preempt, c.stays, c.waits = next.Preempt, next.stays,
				next.waits
		}},
		{"margin", c.Margin, next.Margin, func() { c.Margin = next.Margin }},
		{"key-file", c.keys, next.keys, func() { c.KeyFile, c.keys = next.KeyFile, next.keys; a.takeKeys() }},
		{"unsealed", c.Unsealed, next.Unsealed, func() { c.Unsealed = next.Unsealed; a.takeKeys() }},
		{"on", c.On, next.On, func() { c.On = next.On; a.hook(next.On) }},
		{"rtt-floor", c.RTTFloor, next.RTTFloor, func() { c.RTTFloor = next.RTTFloor }},
	}
}

// Diff lists the fields in which two resolved configurations differ: those that Reload of an agent of this algorithm
// would take over, and those that need a restart.
func (a *Agent) Diff(old, next Config) (changed, needsRestart []string) {
	return (&Agent{cfg: old, events: a.events}).diff(next)
}

func (a *Agent) diff(next Config) (changed, needsRestart []string) {
	for _, f := range a.fields(next) {
		switch {
		case reflect.DeepEqual(f.old, f.new):
		case f.take == nil:
			needsRestart = append(needsRestart, f.name)
		default:
			changed = append(changed, f.name)
		}
	}
	return changed, needsRestart
}

func (a *Agent) reload(next Config, now time.Time) (changed, needsRestart []string) {
	fields := a.fields(next)
	changed, needsRestart = a.diff(next)
	for _, f := range fields {
		if slices.Contains(changed, f.name) {
			f.take()
		}
	}
	a.setLinks()
	if slices.Contains(changed, "period") || slices.Contains(changed, "expiry") {
		a.tellAbout(now)
	}
	a.cfg.source = next.source
	a.cfg.Logger.Info("configuration reloaded", "changed", changed, "needs-restart", needsRestart)
	return changed, needsRestart
}

// takePeers is how new peers are taken over. Those of an event algorithm are its ports, so that only their names and
// links may change while it runs.
func (a *Agent) takePeers(next []Peer) func() {
	if a.events != nil && !slices.EqualFunc(a.cfg.Peers, next, func(x, y Peer) bool {
		return x.Addr == y.Addr && x.Length == y.Length && x.Label == y.Label
	}) {
		return nil
	}
	return func() { a.cfg.Peers = next; a.setPeers(a.allPeers()) }
}

func orEmpty(m map[string]string) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return m
}
