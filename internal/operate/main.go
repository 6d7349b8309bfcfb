// Package operate is the verbs of those who run agents, and what every verb shares: exit codes, help, version. It is a
// program of its own, too, built with the tag agent: one that has these verbs only.
package operate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/hangup"
)

// Main runs the command line of a program that only runs agents, and ends the process.
func Main() { os.Exit(Run(newRoot(), os.Stdin, os.Args[1:], os.Stdout, os.Stderr)) }

func newRoot() *cobra.Command {
	root := NewRoot("Leader election: an agent, and the verbs to operate it")
	root.AddCommand(Verbs(nil)...)
	root.AddCommand(NewVersionCommand())
	for _, verb := range Elsewhere {
		root.AddCommand(&cobra.Command{Use: verb, Hidden: true, DisableFlagParsing: true,
			RunE: func(*cobra.Command, []string) error {
				return Misuse(fmt.Errorf("%s is not in this build, which only runs agents: the full program has it",
					verb))
			}})
	}
	return root
}

// Elsewhere are the verbs that only the full program has.
var Elsewhere = []string{"list", "run", "view", "check", "up", "graph", "trace", "reproduce", "sweep", "worker", "tune",
	"pages"}

// Verbs are those of who runs agents.
func Verbs(page Page) []*cobra.Command {
	return []*cobra.Command{newAgentCommand(page), newExecCommand(), newKeygenCommand(), newStatusCommand(),
		newEventsCommand(), newRegionCommand(), newPublishCommand(), newAskCommand(), newResignCommand(),
		newHandOverCommand(), newJoinCommand(), newForgetCommand(), newDoctorCommand(), newConfigCommand()}
}

// Verbs are listed in the order in which they are added.
func init() { cobra.EnableCommandSorting = false }

// NewRoot makes a command line without verbs.
func NewRoot(short string) *cobra.Command {
	root := &cobra.Command{
		Use: "caucus", Short: short, Version: Version(), SilenceUsage: true, SilenceErrors: true,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	AddHelp(root)
	root.SetFlagErrorFunc(flagError)
	return root
}

// plainUsages takes the quotes out of the texts of flags, which mark what a flag takes for --help: a shell shows the
// texts as they are.
func plainUsages(cmd *cobra.Command) {
	plain := func(flag *pflag.Flag) { flag.Usage = strings.ReplaceAll(flag.Usage, "`", "") }
	cmd.Flags().VisitAll(plain)
	cmd.PersistentFlags().VisitAll(plain)
	for _, sub := range cmd.Commands() {
		plainUsages(sub)
	}
}

// Run runs a command line and gives its exit code.
func Run(root *cobra.Command, stdin io.Reader, args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second signal must end a verb that does not listen to its context.
	context.AfterFunc(ctx, stop)

	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	started := false
	noteStart(root, &started)

	if len(args) == 0 || !slices.Contains([]string{"agent", "exec"}, args[0]) {
		hangup.Default()
	}
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		plainUsages(root)
	}
	err := root.ExecuteContext(ctx)
	if err == nil {
		return ExitOK
	}
	fmt.Fprintln(stderr, "caucus:", err)
	if !started { // cobra refused the arguments
		return ExitMisuse
	}
	return ExitCode(err)
}

// flagError adds to an unknown flag the one that was probably meant.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := caucus.Nearest(unknown.GetSpecifiedName(), names); near != "" {
		return fmt.Errorf("%w; did you mean --%s?", err, near)
	}
	return fmt.Errorf("%w; %s --help lists the flags", err, cmd.CommandPath())
}

// noteStart sets started once any verb's own code runs, whatever it returns: an error before
// that is one of usage.
func noteStart(cmd *cobra.Command, started *bool) {
	if verb := cmd.RunE; verb != nil {
		cmd.RunE = func(c *cobra.Command, args []string) error {
			*started = true
			return verb(c, args)
		}
	}
	for _, sub := range cmd.Commands() {
		noteStart(sub, started)
	}
}
