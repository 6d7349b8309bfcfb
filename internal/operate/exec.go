package operate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"caucus.example/caucus"
	"caucus.example/caucus/agent"
	"caucus.example/caucus/agent/act"
	"caucus.example/caucus/internal/hangup"
	"caucus.example/caucus/registry"
)

func newExecCommand() *cobra.Command {
	var file, profile, stop string
	var asJSON bool
	g := guard{signal: act.Signals["TERM"]}
	cmd := &cobra.Command{
		Use:   "exec --config FILE -- COMMAND [ARGUMENT...]",
		Short: "Run a command for as long as this node leads",
		Long: `Runs one node as "caucus agent" does, and the command while this node leads. The command is stopped as soon as
the node does not lead any more, or cannot know: it was suspended, has missed rounds, or is not heard. If the command
ends by itself the node leaves the group, and its exit code is that of this program (128 and the number of the signal
that ended it). SIGTERM and Ctrl-C stop the command before the node leaves; SIGUSR1, SIGUSR2 and SIGWINCH are passed
on; SIGHUP reads the configuration again. The command finds CAUCUS_GROUP, CAUCUS_NODE, CAUCUS_TERM and CAUCUS_FENCE in
its environment.`,
		Example: `  printf 'name: a\nlisten: 127.0.0.1:0\nhttp: off\nprofile: loopback\n' > solo.yaml
  caucus exec --config solo.yaml -- sh -c 'echo "leads with term $CAUCUS_TERM"'`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, argv []string) error {
			if file == "" {
				return Misuse(errors.New("no configuration: give --config FILE"))
			}
			if err := checkProfile(profile); err != nil {
				return Misuse(err)
			}
			var known bool
			if g.signal, known = act.Signals[strings.TrimPrefix(stop, "SIG")]; !known {
				return Misuse(caucus.NotAmong("stop-signal", stop, slices.Sorted(maps.Keys(act.Signals))))
			}
			if g.grace < 0 {
				return Misuse(&caucus.FieldError{Field: "grace", Found: g.grace.String(), Allowed: "0 or more"})
			}
			load := func() (agent.Config, error) { return agent.Load(file, withProfile(profile)) }
			cfg, err := load()
			if err != nil {
				return Misuse(err)
			}
			if n := len(cfg.Groups); n > 0 {
				return Misuse(cfg.Locate(caucus.Wrong("groups", n,
					"none with exec: one group says when the command runs")))
			}
			log := agent.NewStream(cmd.ErrOrStderr())
			defer log.Close(lastWords)
			cfg.Logger, cfg.Program = newLogger(log, asJSON), Version()
			if _, err := exec.LookPath(argv[0]); err != nil {
				return Misuse(&caucus.FieldError{Field: "command", Found: argv[0], Allowed: "a program that runs"})
			}
			g.argv = argv
			return g.run(cmd.Context(), cfg, load)
		},
	}
	addConfigFlags(cmd, &file, &profile)
	cmd.Flags().StringVar(&stop, "stop-signal", "TERM", "signal that asks the command to end")
	cmd.Flags().DurationVar(&g.grace, "grace", 10*time.Second, "time that the command has for that before it is killed")
	cmd.Flags().BoolVar(&asJSON, "json", false, "the log as JSON lines")
	return cmd
}

// guard keeps a command that runs while a node leads.
type guard struct {
	argv   []string
	signal syscall.Signal
	grace  time.Duration
}

// ended is the end of the command by itself.
type ended struct{ code int }

func (e ended) Error() string { return fmt.Sprint("the command has ended with exit code ", e.code) }

// run is over when the command has ended by itself or ctx is done; the node leaves after the command has stopped.
func (g *guard) run(ctx context.Context, cfg agent.Config, load func() (agent.Config, error)) error {
	nodes, err := agent.NewGroups(cfg, registry.NewAgent)
	if err != nil {
		return Misuse(err)
	}
	heedNoPipe()
	cfg.Logger.Info(options(cfg), "addr", nodes.Addr(), "http-addr", nodes.HTTPAddr())
	guarded := make(chan error, 1)
	told := attend(ctx, nodes, cfg.Logger)
	nodes.Begins = func(a *agent.Agent) { told.follow(a, "") }
	a := nodes.Agents()[0]
	go nodes.Run(context.Background()) // ends with Leave
	go func() {
		guarded <- a.OnLead(ctx, func(ctx context.Context, lead act.Stance) error { return g.keep(ctx, cfg, lead) })
	}()
	for {
		select {
		case err := <-guarded:
			leaving, cancel := context.WithTimeout(context.Background(), 5*time.Second)
			defer cancel()
			_ = a.Leave(leaving)
			var end ended
			if errors.As(err, &end) {
				return WithCode(end.quiet(), end.code)
			}
			return err
		case <-hangup.C:
			reload(nodes, told, load, cfg.Logger)
		}
	}
}

// quiet is no error where the command was content.
func (e ended) quiet() error {
	if e.code == 0 {
		return nil
	}
	return e
}

// keep runs the command until it ends or the node does not lead any more.
func (g *guard) keep(ctx context.Context, cfg agent.Config, lead act.Stance) error {
	e := act.Event{Group: cfg.Group, Node: cfg.Name, Stance: lead}
	child, err := act.Start(g.argv, e.Environ())
	if err != nil {
		return err
	}
	cfg.Logger.Info("command begins", "command", strings.Join(g.argv, " "), "term", lead.Term)
	signals := make(chan os.Signal, 8)
	if len(act.Passed) > 0 {
		signal.Notify(signals, act.Passed...)
	}
	defer signal.Stop(signals)
	for {
		select {
		case <-child.Done():
			return ended{child.Code()}
		case s := <-signals:
			child.Signal(s.(syscall.Signal))
		case <-ctx.Done():
			cfg.Logger.Info("command is stopped: this node does not lead any more, or ends")
			child.Stop(g.signal, g.grace)
			return nil
		}
	}
}
