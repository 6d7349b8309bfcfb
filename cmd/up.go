package cmd

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/agent"
	"caucus.example/caucus/fault"
	"caucus.example/caucus/internal/fleet"
	"caucus.example/caucus/internal/frames"
	"caucus.example/caucus/internal/operate"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/internal/view"
	"caucus.example/caucus/network"
	"caucus.example/caucus/registry"
	"caucus.example/caucus/registry/agents"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// upSettings are the settings of a scenario that mean the same for a fleet.
var upSettings = append([]string{"algo", "faithful", "topology", "layout", "metric", "radius", "strength", "seed",
	"graph-seed", "period", "initiators", "restart", "csv"}, scenario.ReadingSettings...)

// ofSimulator are the options of a scenario that say nothing about a fleet.
var ofSimulator = map[string]bool{
	"period": true, "rounds": true, "stable-for": true, "timing": true, "unsafe": true, "ids": true,
	"delays": true, "scheduler": true, "fifo": true, "channel": true, "replay": true, "events": true,
}

// What `caucus up` does without flags.
const (
	upTopology = "geant2012"
	upRadius   = "1000km"
)

// What one machine can be expected to run; beyond it the simulator serves better.
const (
	upMaxNodes = 2000
	upMaxEdges = 20_000
	upMaxHosts = 1000 // a bridge of Linux has 1024 ports
)

type upFlags struct {
	params     []string
	profile    string
	kill       string
	expiry     int
	bound      time.Duration      // on how long a message travels; 0: see delayBound
	links      map[string]*string // of the emulator
	processes  bool
	namespaces bool
	json       bool
	view       bool
	force      bool
}

// upLinks are the flags that make bad links, and what they say.
var upLinks = []struct{ name, doc string }{
	{"loss", "emulated links: lose datagrams with this `probability`, such as 20%"},
	{"delay", "emulated links: `time` that datagrams take, such as 10ms or 10ms±5ms (also 10ms+-5ms)"},
	{"duplicate", "emulated links: `probability` that a datagram arrives twice, the copy up to two periods later"},
	{"reorder", "emulated links: `probability` that a datagram is held back, by up to two periods"},
	{"rate", "emulated links: `bits` per second, such as 64kbit/s"},
}

func newUpCommand() *cobra.Command {
	var f upFlags
	cmd := &cobra.Command{
		Use:   "up",
		Short: "Start a fleet of real agents, kill a leader and watch the region re-elect",
		Long: `Start one real agent per node of a network, each with its own UDP socket on the loopback
interface, and show which regions they form. Then kill the leader of the largest region without a
word, as a crash would, and measure the time until every live node follows a live leader again and
nothing has changed for ten periods. The time counts up to the last change.

Without --topology the network is the European research backbone GEANT of 2012, measured in
kilometres, with a radius of 1000 km. Edge lengths are configured, not emulated: all datagrams take
the loopback interface. With --metric rtt agents measure them instead; a radius is then a time (5ms).

--loss, --delay, --duplicate, --reorder and --rate make every link bad, in both directions. What happens to a
datagram depends on --seed, the link and the number of the datagram on it. With loss, give agents more patience: --expiry
and, for algorithms that have one, the parameter heartbeat (docs/agent.md says how much).

An event algorithm (caucus list shows the shapes) sends over channels that repeat what gets lost. What nodes know of their network, if the
algorithm needs it, is taken from the topology; the bound on how long a message travels from the period and the links, unless --delay-bound gives it.
Most event algorithms do not replace a dead leader unless --restart lets them; then, without --kill, nobody is killed and the
verb ends once the fleet has settled.

Ends by itself once the region has re-elected, or on Ctrl-C; with --kill none on Ctrl-C only. Exit
code 1 if the fleet does not agree within 1000 periods and a minute.`,
		Example: `  caucus up
  caucus up --topology grid:5x5 --radius 2 --kill leader@2s
  caucus up --topology ring:8 --strength id --profile lan --kill 8@3s
  caucus up --topology grid:4x4 --loss 20% --delay 10ms±5ms --expiry 10 --param heartbeat=10 --kill leader@2s
  caucus up --algo bully --topology clique:10 --kill leader@3s
  caucus up --algo yo-yo --topology grid:3x4 --restart 12 --loss 20% --expiry 10 --kill leader@3s
  caucus up --processes --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			u, err := newUp(cmd, f)
			if err != nil {
				return misuse(err)
			}
			if f.namespaces && os.Getenv(isolated) == "" {
				return runIsolated(cmd)
			}
			return u.run(cmd)
		},
	}
	f.addFlags(cmd.Flags())
	return cmd
}

func (f *upFlags) addFlags(flags *pflag.FlagSet) {
	addSettings(flags, upSettings)
	flags.Lookup("topology").DefValue = upTopology
	flags.Lookup("period").DefValue, flags.Lookup("period").Usage = "",
		"time between two rounds of an agent (default by profile)"
	flags.Lookup("restart").Usage = strings.ReplaceAll(flags.Lookup("restart").Usage, "rounds", "periods")
	addParams(flags, &f.params)
	flags.StringVar(&f.profile, "profile", "loopback", "period and expiry: loopback (20 ms), lan (100 ms) or wan (1 s)")
	flags.StringVar(&f.kill, "kill", "leader@5s",
		"whom to kill and when: leader@`time` (of the largest region), NODE@time, or none")
	flags.IntVar(&f.expiry, "expiry", 0, "rounds without a datagram until a neighbour is dropped, 1 to 1000 (default "+
		"by profile)")
	flags.DurationVar(&f.bound, "delay-bound", 0,
		"what event algorithms are told about how long a message travels (default: four periods and what the links "+
			"add)")
	f.links = map[string]*string{}
	for _, l := range upLinks {
		f.links[l.name] = flags.String(l.name, "", l.doc)
	}
	flags.BoolVar(&f.processes, "processes", false, "run every node in a process of its own")
	flags.BoolVar(&f.namespaces, "namespaces", false,
		"as --processes, each process in a network namespace of its own, cabled to a switch (Linux)")
	flags.BoolVar(&f.json, "json", false, "print JSON at the end, schema caucus.up/1")
	flags.Lookup("csv").Usage = "write whom every node follows at the end to this .csv `file`"
	flags.BoolVar(&f.force, "force", false, "replace a table that exists")
	flags.BoolVar(&f.view, "view", false, "show the fleet on a page besides; its address goes to stderr")
}

// up is one run of the verb.
type up struct {
	flags  upFlags
	sim    *scenario.Run
	echo   string
	config fleet.Config
	ids    []caucus.ID
	period time.Duration
	expiry int
	links  map[string]string
	known  caucus.Known
	victim string // "leader", a node's name, or "" for none
	once   bool   // ends when the fleet has settled
	when   time.Duration
	screen operate.Screen
	doomed chan int // nodes that a reader of the page kills
}

func newUp(cmd *cobra.Command, f upFlags) (*up, error) {
	s := scenario.New()
	if err := s.Set("topology", upTopology); err != nil {
		return nil, err
	}
	if err := take(cmd, s, f.params); err != nil {
		return nil, err
	}
	e, err := registry.Get(s.Get("algo"))
	if err != nil {
		return nil, err
	}
	hasRadius := e.Spec.Param("radius") != nil || e.Spec.Param("grain") != nil
	if topo := cmd.Flags().Lookup("topology"); hasRadius && !topo.Changed && !cmd.Flags().Changed("radius") &&
		!cmd.Flags().Changed("metric") {
		if err := s.Set("radius", upRadius); err != nil {
			return nil, err
		}
	}
	r, err := resolve(cmd, s)
	if err != nil {
		return nil, err
	}
	if g := r.Config.Graph; g.Len() > upMaxNodes || g.Edges() > upMaxEdges {
		return nil, &caucus.FieldError{Field: "topology",
			Found: fmt.Sprintf("%s: %d nodes, %d edges", r.Topology(), g.Len(), g.Edges()),
			Allowed: fmt.Sprintf("at most %d nodes and %d edges in a fleet; caucus run simulates larger networks",
				upMaxNodes, upMaxEdges)}
	}
	if n := r.Config.Graph.Len(); f.namespaces && n > upMaxHosts {
		return nil, &caucus.FieldError{Field: "topology", Found: fmt.Sprintf("%s: %d nodes", r.Topology(), n),
			Allowed: fmt.Sprintf("at most %d nodes with --namespaces", upMaxHosts)}
	}
	u := &up{flags: f, sim: r, doomed: make(chan int)}
	period := "" // by profile
	if cmd.Flags().Changed("period") {
		period = s.Get("period")
	}
	if err := u.configure(period); err != nil {
		return nil, err
	}
	if u.once = r.Entry.Replaces() != "" && !cmd.Flags().Changed("kill"); u.once {
		u.flags.kill = "none"
	}
	if err := u.chooseVictim(u.flags.kill); err != nil {
		return nil, err
	}
	if f.json && r.Get("csv") == "-" {
		return nil, &caucus.FieldError{Field: "csv", Found: "-", Allowed: "a file, as --json takes standard output"}
	}
	if err := checkOutput("csv", r.Get("csv"), f.force); err != nil {
		return nil, err
	}
	u.echo = u.describe()
	u.screen = operate.NewScreen(cmd.OutOrStdout(), f.json || r.Get("csv") == "-")
	return u, nil
}

// configure makes the configuration of every agent out of the resolved scenario.
func (u *up) configure(period string) error {
	r, g := u.sim, u.sim.Config.Graph
	u.config.New = agents.New
	u.config.Namespaces = u.flags.namespaces
	if u.flags.processes || u.flags.namespaces {
		self, err := os.Executable()
		if err != nil {
			return err
		}
		u.config.Command = []string{self, "agent"}
	}
	params := map[string]string{}
	for _, pair := range r.Args.Pairs() {
		name, value, _ := strings.Cut(pair, "=")
		params[name] = value
	}
	if err := u.choosePace(period); err != nil {
		return err
	}
	if err := u.chooseLinks(); err != nil {
		return err
	}
	restart, _ := scenario.Count("restart", r.Get("restart")) // checked with the scenario
	if err := u.tell(); err != nil {
		return err
	}
	metric := map[network.Metric]string{network.MetricHops: agent.Hops, "rtt": agent.RTT}[r.Metric]
	if metric == "" {
		metric = agent.Weight // lengths come from the topology
	}
	for i := range g.Len() {
		c := agent.Config{
			Group: "caucus-up", Name: g.NodeName(i), ID: caucus.ID(i + 1), Algo: r.Entry.Spec.Name,
			Params: params, Strength: r.Config.Strengths[i], Metric: metric, Profile: u.flags.profile,
			Period: u.period, Expiry: u.expiry, Link: u.links, Known: u.known, Restart: restart,
			Asleep: r.Config.Initiators != nil && !slices.Contains(r.Config.Initiators, i),
		}
		if _, err := c.Resolve(); err != nil {
			return fmt.Errorf("node %s: %w", c.Name, err)
		}
		u.config.Agents = append(u.config.Agents, c)
		u.config.Edges = append(u.config.Edges, u.edges(i))
		u.ids = append(u.ids, c.ID)
	}
	return u.rehearse()
}

func (u *up) edges(i int) []fleet.Edge {
	g, lengths := u.sim.Config.Graph, u.sim.Config.Lengths
	edges := make([]fleet.Edge, 0, g.Degree(i))
	for k := g.Off[i]; k < g.Off[i+1]; k++ {
		length := 1.0
		if lengths != nil {
			length = lengths[k]
		}
		edge := fleet.Edge{To: int(g.Nbr[k]), Length: length}
		if g.Labels != nil {
			edge.Label = g.Labels[k]
		}
		edges = append(edges, edge)
	}
	return edges
}

// chooseVictim reads --kill: WHO@WHEN, or none.
func (u *up) chooseVictim(text string) error {
	if text == "none" {
		return nil
	}
	at := strings.LastIndex(text, "@")
	wrong := &caucus.FieldError{Field: "kill", Found: text,
		Allowed: "leader@TIME, NODE@TIME (such as leader@5s) or none"}
	if at <= 0 {
		return wrong
	}
	when, err := time.ParseDuration(text[at+1:])
	if err != nil || when < 0 {
		return wrong
	}
	u.victim, u.when = text[:at], when
	if u.victim == "leader" {
		return nil
	}
	if _, ok := u.sim.Names.ID(u.victim); !ok {
		err := fmt.Errorf("kill: no node %q in %s", u.victim, u.sim.Topology())
		if near := caucus.Nearest(u.victim, u.nodeNames()); near != "" {
			err = fmt.Errorf("%w; did you mean %q?", err, near)
		}
		return err
	}
	return nil
}

func (u *up) nodeNames() []string {
	names := make([]string, len(u.config.Agents))
	for i, c := range u.config.Agents {
		names[i] = c.Name
	}
	return names
}

// describe is the first line: every resolved option.
func (u *up) describe() string {
	var b strings.Builder
	fmt.Fprintf(&b, "caucus %s up", version())
	for _, o := range u.options() {
		fmt.Fprintf(&b, " %s=%s", o.Name, scenario.Quote(o.Value))
	}
	return b.String()
}

func (u *up) options() []scenario.Option {
	var list []scenario.Option
	for _, o := range u.sim.Options() {
		if !ofSimulator[o.Name] {
			list = append(list, o)
		}
	}
	if told := u.told(); told != "" {
		list = append(list, scenario.Option{Name: "known", Value: told})
	}
	return append(list,
		scenario.Option{Name: "profile", Value: u.flags.profile},
		scenario.Option{Name: "period", Value: u.period.String()},
		scenario.Option{Name: "expiry", Value: strconv.Itoa(u.expiry)},
		scenario.Option{Name: "links", Value: u.conditions()},
		scenario.Option{Name: "kill", Value: u.flags.kill},
		scenario.Option{Name: "processes", Value: strconv.FormatBool(u.flags.processes)},
		scenario.Option{Name: "namespaces", Value: strconv.FormatBool(u.flags.namespaces)},
		scenario.Option{Name: "nodes", Value: strconv.Itoa(len(u.ids))},
		scenario.Option{Name: "edges", Value: strconv.Itoa(u.sim.Config.Graph.Edges())})
}

// chooseLinks reads the flags of the emulator. Nothing is emulated without one of them.
func (u *up) chooseLinks() error {
	for name, text := range u.flags.links {
		if *text != "" {
			if u.links == nil {
				u.links = map[string]string{"seed": strconv.FormatUint(u.sim.Config.Seed, 10)}
			}
			u.links[name] = *text
		}
	}
	_, err := fault.Parse(u.links, time.Second)
	return err
}

// conditions of the links, in words.
func (u *up) conditions() string {
	c, err := fault.Parse(u.links, 2*u.period)
	if err != nil { // not possible: checked with the configuration of the agents
		return err.Error()
	}
	return c.String()
}

// run starts the fleet, kills, waits and reports.
func (u *up) run(cmd *cobra.Command) error {
	ctx := cmd.Context()
	if len(u.ids) == 0 {
		return misuse(fmt.Errorf("topology: %s has no nodes", u.sim.Topology()))
	}
	// A reader of standard output that goes away, as head does, must not end the fleet's parent
	// before its children: the write fails instead.
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, operate.NoReader)
	defer signal.Stop(pipe)
	u.screen.Line(u.echo)
	f, err := fleet.Start(context.WithoutCancel(ctx), u.config)
	if err != nil {
		return failed(err)
	}
	if u.flags.view {
		defer u.show(cmd, f)()
	}
	ended := watched(ctx)
	defer context.AfterFunc(ctx, f.Halt)()
	t := newTrial(u, f)
	verdict := t.watch(ctx)
	within := 2 * time.Second
	if ctx.Err() != nil {
		within = inTime / 4 // the rest is for the nodes to leave
	}
	t.collect(within)
	u.stop(ctx, ended, f)
	if name := u.sim.Get("csv"); name != "" {
		if err := writeOutput(cmd.OutOrStdout(), cmd.ErrOrStderr(), name, t.csv); err != nil {
			return err
		}
	}
	return t.report(verdict)
}

// stop ends the fleet. Agents of this process end with it, whether they come to leaving after an interruption or not.
func (u *up) stop(ctx context.Context, ended func() time.Time, f *fleet.Fleet) {
	gone := begin(func() (none struct{}, err error) { f.Stop(); return none, nil })
	if len(u.config.Command) > 0 || ctx.Err() == nil {
		<-gone
		return
	}
	select {
	case <-gone:
	case <-time.After(time.Until(ended().Add(inTime))):
	}
}

// show serves a page of the fleet until what it returns is called.
func (u *up) show(cmd *cobra.Command, f *fleet.Fleet) (end func()) {
	page := newPage(cmd)
	var names []string
	for i := range u.config.Agents {
		names = append(names, u.config.Agents[i].Name)
		page.Agents = append(page.Agents, view.Source{Name: u.config.Agents[i].Name,
			Ask: func(ctx context.Context) (json.RawMessage, error) {
				status, err := f.Status(ctx, i)
				if err != nil {
					return nil, err
				}
				return json.Marshal(status)
			},
			Kill: func() {
				select {
				case u.doomed <- i:
				case <-cmd.Context().Done():
				}
			}})
	}
	page.Places = frames.PlacesOf(u.sim.Config.Graph, names)
	ctx, stop := context.WithCancel(cmd.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := servePage(ctx, anyPage, cmd.ErrOrStderr(), page, ""); err != nil {
			fmt.Fprintln(cmd.ErrOrStderr(), "no page:", err)
		}
	}()
	return func() { stop(); <-ended }
}
