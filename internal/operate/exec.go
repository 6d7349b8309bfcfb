package operate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
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
	"caucus.example/caucus/registry/agents"
)

func newExecCommand() *cobra.Command {
	var file, profile, stop, group string
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
its environment. Of a node in several groups --group says by which of them the command runs; the node takes part in all.`,
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
			if g.group, err = guardedGroup(&cfg, group); err != nil {
				return Misuse(err)
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
	cmd.Flags().StringVar(&group, "group", "", "the group by which the command runs, if the node takes part in several")
	cmd.Flags().StringVar(&stop, "stop-signal", "TERM", "signal that asks the command to end")
	cmd.Flags().DurationVar(&g.grace, "grace", 10*time.Second, "time that the command has for that before it is killed")
	cmd.Flags().BoolVar(&asJSON, "json", false, "the log as JSON lines")
	return cmd
}

// guardedGroup is the group that is named, or the only one there is.
func guardedGroup(cfg *agent.Config, group string) (string, error) {
	var names []string
	for i := range cfg.Groups {
		names = append(names, cfg.Groups[i].Group)
	}
	switch {
	case len(names) == 0:
		names = []string{cfg.Group}
		group = cmp.Or(group, names[0])
	case group == "":
		return "", caucus.Wrong("group", "", "one of "+strings.Join(names, ", ")+
			": --group says by which of them the command runs")
	}
	if !slices.Contains(names, group) {
		return "", caucus.NotAmong("group", group, names)
	}
	return group, nil
}

// guard keeps a command that runs while a node leads.
type guard struct {
	argv   []string
	group  string
	signal syscall.Signal
	grace  time.Duration
}

// ended is the end of the command by itself.
type ended struct{ code int }

func (e ended) Error() string { return fmt.Sprint("the command has ended with exit code ", e.code) }

// run is over when the command has ended by itself or ctx is done; the node leaves after the command has stopped.
func (g *guard) run(ctx context.Context, cfg agent.Config, load func() (agent.Config, error)) error {
	nodes, err := agent.NewGroups(cfg, agents.New)
	if err != nil {
		return Misuse(err)
	}
	heedNoPipe()
	cfg.Logger.Info(options(cfg), "addr", nodes.Addr(), "http-addr", nodes.HTTPAddr())
	guarded, over := make(chan error, 1), make(chan struct{})
	told := attend(ctx, nodes, cfg.Logger)
	nodes.Begins = func(a *agent.Agent) {
		name := ""
		if len(cfg.Groups) > 0 {
			name = a.Status().Group
		}
		told.follow(a, name)
	}
	k := slices.IndexFunc(nodes.Agents(), func(a *agent.Agent) bool { return a.Status().Group == g.group })
	a := nodes.Agents()[k]
	staying, leave := context.WithCancel(context.Background())
	go func() {
		_ = nodes.Run(staying) // which fails only if it is called twice
		close(over)
	}()
	go func() {
		guarded <- a.OnLead(ctx, func(ctx context.Context, lead act.Stance) error {
			return g.keep(ctx, a, cfg.Logger, lead)
		})
	}()
	for {
		select {
		case err := <-guarded:
			if leave(); err == nil && ctx.Err() == nil {
				cfg.Logger.Warn("this node takes part in the group no more: no command is guarded", "in", g.group)
			}
			select {
			case <-over:
			case <-time.After(5 * time.Second):
			}
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
func (g *guard) keep(ctx context.Context, a *agent.Agent, log *slog.Logger, lead act.Stance) error {
	e := act.Event{Group: g.group, Node: a.Status().Name, Stance: lead}
	child, err := act.Start(g.argv, e.Environ())
	if err != nil {
		return err
	}
	log.Info("command begins", "command", strings.Join(g.argv, " "), "term", lead.Term)
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
			log.Info("command is stopped: this node does not lead any more, or ends")
			child.Stop(g.signal, g.grace)
			return nil
		}
	}
}
