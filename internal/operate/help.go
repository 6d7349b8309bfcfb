package operate

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
)

// FlagGroup is what flags are for. A flag of one name means the same in every verb that has it, so that one table
// serves all of them.
type FlagGroup struct {
	Title        string
	Common, Rare []string
}

// FlagGroups is the order in which help shows flags. What is rare comes with --help=all.
var FlagGroups = []FlagGroup{
	{"Algorithm",
		[]string{"algo", "radius", "param", "faithful", "restart"}, []string{"region"}},
	{"Network",
		[]string{"topology", "network", "class", "nodes", "strength", "strengths", "metric", "lengths", "graph-seed"},
		[]string{"ids", "layout", "from", "name-attribute", "weight-attribute", "x-attribute", "y-attribute",
			"geographic", "source", "target", "nodes-file", "graph", "where", "without", "min-gain", "transit",
			"lenient"}},
	{"Networks that move",
		[]string{"walkers", "movements"},
		[]string{"arena", "range", "walls", "move-every", "moves",
			"movements-format", "contact-duration", "skip-untimed"}},
	{"Experiment",
		[]string{"scenario", "seeds", "runs", "graphs", "rings", "sizes", "topologies", "max-n", "net", "search",
			"success", "only"},
		[]string{"set", "curve", "faulty", "periods", "shard"}},
	{"Time, order and chance",
		[]string{"timing", "seed", "rounds", "stable-for", "period", "profile", "expiry", "initiators"},
		[]string{"phases", "delays", "scheduler", "fifo", "events", "delay-bound", "max-initiators"}},
	{"Faults and links",
		[]string{"fault", "faults", "kill", "loss", "delay"},
		[]string{"duplicate", "reorder", "rate", "two-way", "channel"}},
	{"What is explored",
		[]string{"daemon", "start", "corrupted", "all"},
		[]string{"model", "ghosts", "counter", "unfair", "max-states", "max-memory", "spill", "walks"}},
	{"Output",
		[]string{"output", "csv", "map", "samples", "trace", "diagram", "json", "to", "wide", "watch", "view", "page",
			"export", "print", "force"},
		[]string{"every", "energy", "name"}},
	{"How it runs",
		[]string{"config", "addr", "group", "agents", "near", "lesson", "dry-run", "processes", "namespaces", "replay",
			"step", "unsafe", "for", "wait", "nats"},
		[]string{"workers", "verify", "attached", "grace", "stop-signal", "token-file", "ca-file", "listen", "nats-key",
			"nats-ca"}},
}

// helpFlag is --help, or --help=all for every flag there is. To cobra it is a switch.
type helpFlag struct{ mode string }

func (h *helpFlag) String() string   { return fmt.Sprint(h.mode != "") }
func (h *helpFlag) Type() string     { return "bool" }
func (h *helpFlag) IsBoolFlag() bool { return true }

func (h *helpFlag) Set(text string) error {
	switch text {
	case "true", "all":
		h.mode = text
	case "false":
		h.mode = ""
	default:
		return fmt.Errorf("found %q, allowed: --help, --help=all", text)
	}
	return nil
}

// AddHelp writes help without cobra's templates: text/template calls methods by name, and a linker that sees that must
// keep every method of every type that reaches an interface (6 MB of the program).
func AddHelp(root *cobra.Command) {
	help := &helpFlag{}
	root.PersistentFlags().VarP(help, "help", "h", "help; --help=all shows every flag")
	root.PersistentFlags().Lookup("help").NoOptDefVal = "true"
	root.SetUsageFunc(func(cmd *cobra.Command) error {
		_, err := io.WriteString(cmd.OutOrStderr(), usage(cmd, cmd.OutOrStderr(), help.mode == "all"))
		return err
	})
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		out := cmd.OutOrStdout()
		fmt.Fprintf(out, "%s\n\n%s", strings.TrimSpace(cmp.Or(cmd.Long, cmd.Short)),
			usage(cmd, out, help.mode == "all"))
	})
}

// usage puts the examples at the end, where a reader of a terminal sees them.
func usage(cmd *cobra.Command, out io.Writer, all bool) string {
	var b strings.Builder
	b.WriteString("Usage:\n")
	if cmd.Runnable() {
		fmt.Fprintf(&b, "  %s\n", cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s [command]\n\nCommands:\n", cmd.CommandPath())
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(&b, "  %-*s %s\n", sub.NamePadding(), sub.Name(), sub.Short)
			}
		}
	}
	b.WriteString(FlagUsages(cmd, min(max(TerminalWidth(out, 100), 60), 110), all))
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
	}
	return b.String()
}

// FlagUsages lists the flags of a verb by what they are for.
func FlagUsages(cmd *cobra.Command, width int, all bool) string {
	var b strings.Builder
	hidden := 0
	for _, g := range FlagGroups {
		names := g.Common
		if all {
			names = append(names[:len(names):len(names)], g.Rare...)
		}
		if shown := pick(cmd, names); shown.HasAvailableFlags() {
			fmt.Fprintf(&b, "\n%s:\n%s", g.Title, shown.FlagUsagesWrapped(width))
		}
		if !all {
			pick(cmd, g.Rare).VisitAll(func(*pflag.Flag) { hidden++ })
		}
	}
	if hidden > 0 {
		fmt.Fprintf(&b, "\n%s --help=all shows %s more\n", cmd.CommandPath(), Plural(hidden, "flag"))
	}
	return b.String()
}

// pick gives the flags of a verb that have one of the names, in their order.
func pick(cmd *cobra.Command, names []string) *pflag.FlagSet {
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	set.SortFlags = false
	for _, name := range names {
		if f := cmd.Flags().Lookup(name); f != nil && !f.Hidden {
			set.AddFlag(f)
		}
	}
	return set
}

// TerminalWidth is the number of letters in a line, or what is said for one that is no terminal.
func TerminalWidth(out any, otherwise int) int {
	if f, ok := out.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return otherwise
}

// Plural is a number of things in words.
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
