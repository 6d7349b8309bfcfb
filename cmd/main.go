// Package cmd is the command line: one file a verb. A program of five lines that calls [Main] with algorithms of its
// own has every verb for them, see docs/embedding.md.
package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/hangup"
	"caucus.example/caucus/registry"
)

// Main runs the command line that the process was given, with the algorithms of the registry and those added, and
// ends the process.
func Main(added ...registry.Entry) {
	if err := registry.Add(added...); err != nil {
		fmt.Fprintln(os.Stderr, "caucus:", err)
		os.Exit(exitMisuse)
	}
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is the whole program but for os.Exit, so that tests can drive it.
func run(args []string, stdout, stderr io.Writer) int {
	return runFrom(os.Stdin, args, stdout, stderr)
}

func runFrom(stdin io.Reader, args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second signal must end a verb that does not listen to its context.
	context.AfterFunc(ctx, stop)

	cobra.EnableCommandSorting = false
	root := newRootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	started := false
	noteStart(root, &started)

	if len(args) == 0 || args[0] != "agent" && args[0] != "exec" {
		hangup.Default()
	}
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	fmt.Fprintln(stderr, "caucus:", err)
	if !started { // cobra refused the arguments
		return exitMisuse
	}
	return exitCode(err)
}

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "caucus",
		Short: "Leader election: simulate it, deploy it, look inside",
		Long: `Caucus elects leaders in networks: one leader per region of a given radius, one per
network, or one per ring. The same algorithm is simulated here and deployed as a real agent.

Results go to stdout, progress and logs to stderr.
Exit codes: 0 holds, 1 failed or not converged, 2 wrong usage or configuration, 3 limit reached.`,
		Example: `  caucus up
  caucus list
  caucus run --algo bounded --topology geant2012 --radius 1500km`,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	addHelp(root)
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(newListCommand(), newRunCommand(), newViewCommand(), newCheckCommand(), newUpCommand(),
		newAgentCommand(), newExecCommand(), newKeygenCommand(), newStatusCommand(), newEventsCommand(),
		newRegionCommand(), newPublishCommand(), newAskCommand(), newResignCommand(), newHandOverCommand(),
		newJoinCommand(), newForgetCommand(), newDoctorCommand(), newConfigCommand(), newGraphCommand(),
		newTraceCommand(), newReproduceCommand(), newSweepCommand(), newWorkerCommand(), newTuneCommand(),
		newVersionCommand(), newPagesCommand())
	completeValues(root)
	return root
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
