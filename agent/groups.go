package agent

import (
	"context"
	"fmt"
	"maps"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"time"
)

// Groups is a node in all the groups of its configuration: an agent for each, in one process, with one socket, one
// discovery, one set of keys, one HTTP endpoint and one directory. Without Config.Groups it is one agent, as New makes
// it. Make it with NewGroups and let it Run.
type Groups struct {
	// Begins is told of every agent before it runs: of those of the beginning, and of each that Reload adds.
	Begins func(*Agent)

	cfg  Config // resolved
	make func(Config) (*Agent, error)
	hub  *hub // nil: one agent by itself

	web       *web
	directory *nameServer

	changing sync.Mutex      // while agents are added and taken away
	ctx      context.Context // of Run; nil before
	running  sync.WaitGroup

	mu      sync.Mutex // of what follows
	list    []*Agent
	found   []string
	trouble string // of looking for them
	looked  bool
}

// NewGroups makes the agents of a configuration, each with the given function, such as agents.New.
func NewGroups(cfg Config, make func(Config) (*Agent, error)) (*Groups, error) {
	cfg, err := cfg.Resolve()
	if err != nil {
		return nil, err
	}
	g := &Groups{cfg: cfg, make: make, Begins: func(*Agent) {}}
	if len(cfg.Groups) == 0 {
		a, err := make(cfg)
		g.list = []*Agent{a}
		return g, err
	}
	if err := g.open(); err != nil {
		return nil, cfg.Locate(err)
	}
	for i := range cfg.Groups {
		a, err := g.add(cfg.ofGroup(i))
		if err != nil {
			g.Kill()
			return nil, err
		}
		g.enlist(a)
	}
	return g, nil
}

// open opens what the groups share.
func (g *Groups) open() error {
	t := g.cfg.Transport
	if t == nil {
		var err error
		if t, err = Listen(g.cfg.Listen); err != nil {
			return err
		}
	}
	segments, err := g.cfg.Multicast.join(t)
	if err != nil {
		t.Close()
		return err
	}
	g.hub = newHub(t, segments, g.cfg.keys)
	if g.cfg.StateDir != "" {
		err = checkStateDir(g.cfg.StateDir)
	}
	if err == nil && g.cfg.DNS != "" {
		g.directory, err = newNameServer(g.cfg.DNS, roster(g.Agents).lookup, g.cfg.Logger)
	}
	if err == nil && g.cfg.HTTP != Off {
		g.web, err = newWeb(&g.cfg, g.Agents)
		g.hub.http = g.web.addr()
	}
	if err != nil {
		g.close()
	}
	return err
}

// place gives one of the groups what it shares with the others, and its own part of that.
func (g *Groups) place(one Config) Config {
	one.hub, one.Transport = g.hub, outlet{g.hub}
	one.Logger, one.Program, one.Outputs = g.cfg.Logger.With("in", one.Group), g.cfg.Program, g.cfg.Outputs
	if one.StateDir != "" {
		one.StateDir = filepath.Join(one.StateDir, one.Group)
	}
	return one
}

// add makes the agent of one of the groups.
func (g *Groups) add(one Config) (*Agent, error) {
	one = g.place(one)
	if one.StateDir != "" {
		if err := os.MkdirAll(one.StateDir, 0o700); err != nil {
			return nil, fmt.Errorf("state-dir: %w", err)
		}
	}
	a, err := g.make(one)
	if err == nil {
		g.hub.add(a.hubbed)
	}
	return a, err
}

func (g *Groups) enlist(a *Agent) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.list = append(g.list, a)
}

// Agents lists the agents, in the order of the configuration; those that were added while it runs come last.
func (g *Groups) Agents() []*Agent {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.list)
}

// Addr is the address that all of them receive datagrams on.
func (g *Groups) Addr() netip.AddrPort { return g.Agents()[0].Addr() }

// HTTPAddr is the address of the HTTP endpoint, "" if it is off.
func (g *Groups) HTTPAddr() string {
	if g.hub == nil {
		return g.list[0].HTTPAddr()
	}
	return g.web.addr()
}

// Run takes part in all elections until ctx is done, and then leaves. It may be called once.
func (g *Groups) Run(ctx context.Context) error {
	if g.hub == nil {
		g.Begins(g.list[0])
		return g.list[0].Run(ctx)
	}
	shared, cancel := context.WithCancel(context.Background()) // beyond the last word of the agents
	defer cancel()
	var workers sync.WaitGroup
	workers.Go(func() { g.hub.read(g.hub.transport.Receive, nil) })
	for _, s := range g.hub.segments {
		if u, own := g.hub.transport.(*udp); own {
			workers.Go(func() { g.hub.read(s.receive, s) })
			workers.Go(func() { s.keep(shared, u) })
		}
	}
	if g.web != nil {
		workers.Go(g.web.serve)
	}
	if g.directory != nil {
		workers.Go(func() { g.directory.serve(g.directory.udp) })
		workers.Go(func() { g.directory.serve(g.directory.tcp) })
	}
	if g.cfg.HostsFile != "" {
		workers.Go(func() { roster(g.Agents).keepHosts(shared, &g.cfg) })
	}
	g.changing.Lock()
	g.ctx = ctx
	for _, a := range g.Agents() {
		g.begin(a)
	}
	g.changing.Unlock()
	if g.cfg.Discover.on() {
		workers.Go(func() { g.cfg.keepLooking(shared, g.Addr(), g.discover) })
	}
	<-ctx.Done()
	g.changing.Lock() // no Reload begins another
	g.running.Wait()
	g.changing.Unlock()
	cancel()
	g.close()
	workers.Wait()
	return nil
}

// begin lets an agent run.
func (g *Groups) begin(a *Agent) {
	g.Begins(a)
	g.running.Go(func() {
		_ = a.Run(g.ctx) // which fails only if it is called twice
	})
	g.mu.Lock()
	defer g.mu.Unlock()
	if found, trouble := g.found, g.trouble; g.looked {
		g.running.Go(func() { a.discover(found, trouble) })
	}
}

// discover hands on what was found.
func (g *Groups) discover(found []string, trouble string) {
	g.mu.Lock()
	g.found, g.trouble, g.looked = found, trouble, true
	list := slices.Clone(g.list)
	g.mu.Unlock()
	for _, a := range list {
		a.discover(found, trouble)
	}
}

// close closes what the agents share.
func (g *Groups) close() {
	close(g.hub.done)
	g.hub.transport.Close()
	leave(g.hub.segments)
	if g.directory != nil {
		g.directory.close()
	}
	if g.web != nil {
		g.web.close()
		g.web.listener.Close() // if nobody served it
	}
}

// Kill ends all agents without a word, as a crash would, if Run has not been called.
func (g *Groups) Kill() {
	for _, a := range g.list {
		a.Kill()
	}
	if g.hub != nil {
		g.close()
	}
}

// leaving bounds the last hooks and words of a group that Reload takes away.
const leaving = 5 * time.Second

// Reload takes over a new configuration as far as it can be while the agents run, see Agent.Reload. Groups that are new
// begin, those that are gone leave, and the others go on; what changes in one of them does not touch the others. Fields
// of a group are listed as "GROUP: field".
func (g *Groups) Reload(next Config) (changed, needsRestart []string, err error) {
	if g.hub == nil && len(next.Groups) == 0 {
		return g.list[0].Reload(next)
	}
	if s := next.source; s != nil && s.empty() {
		return nil, nil, errEmpty(s)
	}
	if next, err = next.Resolve(); err != nil {
		return nil, nil, err
	}
	if g.hub == nil || len(next.Groups) == 0 {
		return nil, []string{"groups"}, nil
	}
	g.changing.Lock()
	defer g.changing.Unlock()
	if g.ctx == nil || g.ctx.Err() != nil {
		return nil, nil, ErrNotRunning
	}
	changed, needsRestart = diffShared(&g.cfg, &next)
	born, gone, err := g.renew(next)
	if err != nil {
		return nil, nil, err
	}
	g.hub.setKeys(next.keys)
	for i := range next.Groups {
		one := g.place(next.ofGroup(i))
		a := g.of(one.Group)
		if a == nil {
			continue
		}
		c, r, err := a.Reload(one)
		if err != nil {
			return changed, needsRestart, err
		}
		changed = append(changed, ofGroup(one.Group, c)...)
		needsRestart = append(needsRestart, ofGroup(one.Group, r)...)
	}
	for _, a := range born {
		g.enlist(a)
		g.begin(a)
		changed = append(changed, a.cfg.Group+": begins")
	}
	for _, a := range gone {
		g.end(a)
		changed = append(changed, a.cfg.Group+": leaves")
	}
	g.cfg.Groups, g.cfg.keys, g.cfg.KeyFile, g.cfg.Unsealed = next.Groups, next.keys, next.KeyFile, next.Unsealed
	return changed, needsRestart, nil
}

// of gives the agent of a group, nil if there is none.
func (g *Groups) of(group string) *Agent {
	for _, a := range g.Agents() {
		if a.cfg.Group == group {
			return a
		}
	}
	return nil
}

// renew makes the agents of groups that are new, and lists those of groups that are gone.
func (g *Groups) renew(next Config) (born, gone []*Agent, err error) {
	gone = g.Agents()
	for i := range next.Groups {
		name := next.Groups[i].Group
		k := slices.IndexFunc(gone, func(a *Agent) bool { return a.cfg.Group == name })
		if k >= 0 {
			gone = slices.Delete(gone, k, k+1)
			continue
		}
		a, err := g.add(next.ofGroup(i))
		if err != nil {
			for _, a := range born {
				a.Kill()
				g.hub.remove(a.hubbed, maps.Keys(a.byAddr))
			}
			return nil, nil, err
		}
		born = append(born, a)
	}
	return born, gone, nil
}

// end has an agent leave, and takes it out.
func (g *Groups) end(a *Agent) {
	ctx, cancel := context.WithTimeout(context.Background(), leaving)
	defer cancel()
	_ = a.Leave(ctx) // if its last word takes longer nobody waits
	g.hub.remove(a.hubbed, maps.Keys(a.byAddr))
	g.mu.Lock()
	defer g.mu.Unlock()
	g.list = slices.DeleteFunc(g.list, func(x *Agent) bool { return x == a })
}

// diffShared lists what differs in the fields that all groups share.
func diffShared(old, next *Config) (changed, needsRestart []string) {
	before, after := old.yamlFields(), next.yamlFields()
	for _, name := range sharedFields {
		same := reflect.DeepEqual(before[name].Interface(), after[name].Interface())
		switch {
		case name == "groups":
		case name == "key-file":
			if !reflect.DeepEqual(old.keys, next.keys) {
				changed = append(changed, name)
			}
		case name == "unsealed" && !same:
			changed = append(changed, name)
		case !same:
			needsRestart = append(needsRestart, name)
		}
	}
	return changed, needsRestart
}

// ofGroup names the fields of a group but for those that it shares.
func ofGroup(group string, fields []string) (named []string) {
	for _, f := range fields {
		if !slices.Contains(sharedFields, f) {
			named = append(named, group+": "+f)
		}
	}
	return named
}

// Diff lists the fields in which two resolved configurations differ: those that Reload of a node with the groups of the
// old one would take over, and those that need a restart.
func (g *Groups) Diff(old, next Config) (changed, needsRestart []string) {
	switch several := g.hub != nil; {
	case !several && len(next.Groups) == 0:
		return g.list[0].Diff(old, next)
	case !several || len(next.Groups) == 0:
		return nil, []string{"groups"}
	}
	changed, needsRestart = diffShared(&old, &next)
	before := make(map[string]Config)
	for _, one := range old.ByGroup() {
		before[one.Group] = one
	}
	for _, one := range next.ByGroup() {
		was, known := before[one.Group]
		delete(before, one.Group)
		if !known {
			changed = append(changed, one.Group+": begins")
			continue
		}
		c, r := g.of(one.Group).Diff(was, one)
		changed = append(changed, ofGroup(one.Group, c)...)
		needsRestart = append(needsRestart, ofGroup(one.Group, r)...)
	}
	for _, group := range slices.Sorted(maps.Keys(before)) {
		changed = append(changed, group+": leaves")
	}
	return changed, needsRestart
}
