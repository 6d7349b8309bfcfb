package operate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/agent"
	"caucus.example/caucus/internal/hangup"
	"caucus.example/caucus/registry"
	"caucus.example/caucus/registry/agents"
	"github.com/spf13/cobra"
)

// Page makes the page that an agent shows of itself; nil where there is none.
type Page func() http.Handler

func newAgentCommand(page Page) *cobra.Command {
	var file, profile string
	var dryRun, asJSON, attached bool
	cmd := &cobra.Command{
		Use:   "agent --config FILE",
		Short: "Run one node of a real election",
		Long: `Runs one node over UDP until it is told to stop. SIGTERM or Ctrl-C makes it leave, so that its followers
elect again at once; SIGHUP reads the configuration file again and says what changed and what needs a restart.
Leaderships go to stdout as they change, logs to stderr. docs/agent.md describes the file.`,
		Args: cobra.NoArgs,
		Example: `  printf 'name: a\nlisten: 127.0.0.1:7400\nprofile: loopback\n' > a.yaml
  caucus agent --config a.yaml --dry-run
  caucus agent --config a.yaml & sleep 1; caucus status; kill %1`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if file == "" {
				return Misuse(errors.New("no configuration: give --config FILE"))
			}
			if err := checkProfile(profile); err != nil {
				return Misuse(err)
			}
			load := func() (agent.Config, error) { return agent.Load(file, withProfile(profile)) }
			cfg, err := load()
			if err != nil {
				return Misuse(err)
			}
			if dryRun {
				return Misuse(dryAgent(cmd.OutOrStdout(), cfg))
			}
			// Who reads the leaderships or the log may stand still or go away: that is no reason to.
			heedNoPipe()
			out, log := agent.NewStream(cmd.OutOrStdout()), agent.NewStream(cmd.ErrOrStderr())
			defer log.Close(lastWords)
			defer out.Close(lastWords)
			cfg.Logger, cfg.Program = newLogger(log, asJSON), Version()
			if page != nil {
				cfg.Page = page()
			}
			cfg.Outputs = map[string]*agent.Stream{"log": log, "leaderships": out}
			ctx := cmd.Context()
			if attached {
				ctx = whileOpen(ctx, cmd.InOrStdin())
			}
			return runAgent(ctx, out, log, load, cfg, asJSON)
		},
	}
	addConfigFlags(cmd, &file, &profile)
	cmd.Flags().BoolVar(&dryRun, "dry-run", false,
		"check the configuration, print it with all defaults, open no socket")
	cmd.Flags().BoolVar(&asJSON, "json", false, "leaderships (schema caucus.leadership/1) and logs as JSON lines")
	cmd.Flags().BoolVar(&attached, "attached", false,
		"leave when standard input ends, as it does when the program at its other end is gone")
	return cmd
}

// addConfigFlags adds what says how a node is configured.
func addConfigFlags(cmd *cobra.Command, file, profile *string) {
	cmd.Flags().StringVar(file, "config", "", "configuration file (YAML)")
	cmd.Flags().StringVar(profile, "profile", "",
		`period and expiry where the file does not set them: loopback (20 ms), lan (100 ms)
or wan (1 s) (default from the file)`)
}

// heedNoPipe has writes to a reader that is gone fail, rather than end the program. Ignoring the signal would do as
// well but for the programs that this one starts, which would ignore it too.
func heedNoPipe() { signal.Notify(make(chan os.Signal, 1), NoReader) }

// lastWords is how long the end of the program waits for its readers.
const lastWords = time.Second

// Profiles are the names of the profiles.
func Profiles() (names []string) {
	for _, p := range agent.Profiles {
		names = append(names, p.Name)
	}
	return names
}

// checkProfile checks the flag; "" leaves the profile to the file.
func checkProfile(name string) error {
	if name == "" || slices.Contains(Profiles(), name) {
		return nil
	}
	return &caucus.FieldError{Field: "profile", Found: name, Allowed: strings.Join(Profiles(), ", ")}
}

func withProfile(name string) func(*agent.Config) {
	return func(c *agent.Config) {
		if name != "" {
			c.Profile = name
		}
	}
}

// whileOpen gives a context that ends with in.
func whileOpen(ctx context.Context, in io.Reader) context.Context {
	ctx, stop := context.WithCancel(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, in)
		stop()
	}()
	return ctx
}

func newLogger(out io.Writer, asJSON bool) *slog.Logger {
	if asJSON {
		return slog.New(slog.NewJSONHandler(out, nil))
	}
	return slog.New(slog.NewTextHandler(out, nil))
}

// dryAgent does everything but open sockets.
func dryAgent(out io.Writer, cfg agent.Config) error {
	g, err := newUnplugged(cfg)
	if err != nil {
		return err
	}
	g.Kill()
	if len(cfg.Groups) == 0 {
		_, err = fmt.Fprintf(out, "%s\nvalid=true peers=%d\n", options(cfg), len(cfg.Peers))
		return err
	}
	for _, one := range cfg.ByGroup() {
		fmt.Fprintln(out, options(one))
	}
	_, err = fmt.Fprintf(out, "valid=true groups=%d\n", len(cfg.Groups))
	return err
}

// newUnplugged makes agents that touch nothing outside of the process.
func newUnplugged(cfg agent.Config) (*agent.Groups, error) {
	return agent.NewGroups(unplug(cfg), agents.New)
}

// unplug gives a configuration of an agent that touches nothing outside of the process.
func unplug(cfg agent.Config) agent.Config {
	cfg.Transport, cfg.HTTP, cfg.Logger = Unplugged{}, agent.Off, nil
	cfg.StateDir = "" // another agent may be using it, and this may be another machine
	return cfg
}

// Unplugged is a transport that leads nowhere.
type Unplugged struct{}

func (Unplugged) Receive([]byte) (int, netip.AddrPort, error) {
	return 0, netip.AddrPort{}, net.ErrClosed
}
func (Unplugged) Send([]byte, netip.AddrPort) error { return net.ErrClosed }
func (Unplugged) Addr() netip.AddrPort              { return netip.AddrPort{} }
func (Unplugged) Close() error                      { return nil }

// options lists every resolved option.
func options(c agent.Config) string {
	if n := len(c.Groups); n > 0 {
		return fmt.Sprintf("caucus %s groups=%d name=%s listen=%s http=%s", Version(), n, c.Name, c.Listen, c.HTTP)
	}
	list := []string{
		"caucus " + Version(), "group=" + c.Group, "name=" + c.Name, fmt.Sprint("id=", uint64(c.ID)),
		"listen=" + c.Listen,
		"algo=" + c.Algo, fmt.Sprint("strength=", c.Strength), "metric=" + c.Metric, "rtt-floor=" + c.RTTFloor.String(),
		"profile=" + c.Profile,
		"period=" + c.Period.String(), fmt.Sprint("expiry=", c.Expiry), "http=" + c.HTTP,
	}
	for _, o := range []struct {
		text string
		set  bool
	}{
		{"keys=" + strings.Join(c.Keys(), ","), len(c.Keys()) > 0},
		{"unsealed=" + c.Unsealed, c.Unsealed != ""},
		{fmt.Sprint("known.nodes=", c.Known.Nodes), c.Known.Nodes > 0},
		{fmt.Sprint("known.diameter=", c.Known.Diameter), c.Known.Diameter > 0},
		{fmt.Sprint("known.delay=", c.Known.Delay), c.Known.Delay > 0},
		{"damping=" + c.Damping, c.Damping != ""},
		{fmt.Sprint("min-neighbours=", c.MinNeighbours), c.MinNeighbours > 0},
		{fmt.Sprint("max-neighbours=", c.MaxNeighbours), c.MaxNeighbours > 0},
		{fmt.Sprint("min-region=", c.MinRegion), c.MinRegion > 0},
		{"region=true", c.Region},
		{fmt.Sprint("tags=", strings.Join(c.Tags, ",")), len(c.Tags) > 0},
		{fmt.Sprint("lease=", c.Lease.For), c.Lease.For > 0},
		{"state-dir=" + c.StateDir, c.StateDir != ""},
		{"asleep=true", c.Asleep},
		{fmt.Sprint("restart=", c.Restart), c.Restart > 0},
	} {
		if o.set {
			list = append(list, o.text)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Link)) {
		list = append(list, "link."+name+"="+c.Link[name])
	}
	if c.Faithful != "" {
		list = append(list, "faithful="+c.Faithful)
	}
	if e, err := registry.Get(c.Algo); err == nil {
		if args, err := e.Spec.Resolve(c.Faithful, c.Params); err == nil {
			return strings.Join(append(list, args.Pairs()...), " ")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Params)) {
		list = append(list, name+"="+c.Params[name])
	}
	return strings.Join(list, " ")
}

// leadershipLine is one line of `caucus agent --json`.
type leadershipLine struct {
	Schema string    `json:"schema"`
	Time   time.Time `json:"time"`
	Group  string    `json:"group,omitempty"` // if there are several
	agent.Leadership
}

// follow prints the leaderships of one of the agents, to its end. A line is written at once.
func follow(out io.Writer, a *agent.Agent, group string, asJSON bool) {
	for l := range a.Watch(context.Background()) {
		var line bytes.Buffer
		if asJSON {
			json.NewEncoder(&line).Encode(leadershipLine{"caucus.leadership/1", time.Now(), group, l})
		} else {
			fmt.Fprintf(&line, "%s %s%v\n", time.Now().Format("15:04:05.000"), prefixed(group), l)
		}
		out.Write(line.Bytes())
	}
}

// prefixed is what stands before the words on a group, if there are several.
func prefixed(group string) string {
	if group == "" {
		return ""
	}
	return group + ": "
}

func runAgent(ctx context.Context, out, logs *agent.Stream, load func() (agent.Config, error), cfg agent.Config,
	asJSON bool) error {
	g, err := agent.NewGroups(cfg, agents.New)
	if err != nil {
		return Misuse(err)
	}
	cfg.Logger.Info(options(cfg), "addr", g.Addr(), "http-addr", g.HTTPAddr())
	told := attend(ctx, g, cfg.Logger)

	var followed sync.WaitGroup
	g.Begins = func(a *agent.Agent) {
		group := ""
		if len(cfg.Groups) > 0 {
			group = a.Status().Group
		}
		told.follow(a, group)
		followed.Go(func() { follow(out, a, group, asJSON) })
	}
	end := make(chan error, 1)
	began := time.Now()
	go func() { end <- g.Run(ctx) }()
	for running := true; running; {
		select {
		case err = <-end:
			running = false
		case <-hangup.C:
			reload(g, told, load, cfg.Logger)
		}
	}
	followed.Wait()
	told.last()
	for _, a := range g.Agents() {
		last := lastLine(a.Status(), time.Since(began))
		if !asJSON {
			fmt.Fprintln(out, last)
		} else {
			cfg.Logger.Info(last)
		}
	}
	if lines, events := logs.Dropped(), out.Dropped(); lines > 0 || events > 0 {
		cfg.Logger.Warn("readers were too slow or had gone", "log-lines-dropped", lines, "leaderships-dropped", events)
	}
	return err
}

// lastLine sums an agent up.
func lastLine(s agent.Status, after time.Duration) string {
	return fmt.Sprintf("stopped=true name=%s role=%s leader=%s term=%d rounds=%d leader_changes=%d sent=%d "+
		"received=%d seconds=%.3f",
		s.Name, s.Role, orDash(s.Leader), s.Term, s.Counters.Rounds, s.Counters.LeaderChanges, s.Counters.Sent,
		s.Counters.Received, after.Seconds())
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// reload keeps the running configuration if the file is wrong.
func reload(g *agent.Groups, told *service, load func() (agent.Config, error), log *slog.Logger) {
	defer told.reloading()()
	next, err := load()
	if err == nil {
		next.Logger = log
		_, _, err = g.Reload(next) // logs what changed and what needs a restart
	}
	if err != nil {
		log.Error("configuration not reloaded", "error", err)
	}
}
