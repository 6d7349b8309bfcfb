// Package cmd is the command line: one file a verb, those of agents in internal/operate. A program of five lines that
// calls [Main] with algorithms of its own has every verb for them, see docs/embedding.md.
package cmd

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"caucus.example/caucus/internal/operate"
	"caucus.example/caucus/internal/view"
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
	return operate.Run(newRootCommand(), stdin, args, stdout, stderr)
}

func newRootCommand() *cobra.Command {
	root := operate.NewRoot("Leader election: simulate it, deploy it, look inside")
	root.Long = `Caucus elects leaders in networks: one leader per region of a given radius, one per
network, or one per ring. The same algorithm is simulated here and deployed as a real agent.

Results go to stdout, progress and logs to stderr.
Exit codes: 0 holds, 1 failed or not converged, 2 wrong usage or configuration, 3 limit reached.`
	root.Example = `  caucus up
  caucus list
  caucus run --algo bounded --topology geant2012 --radius 1500km`
	root.AddCommand(newListCommand(), newRunCommand(), newViewCommand(), newCheckCommand(), newUpCommand())
	root.AddCommand(operate.Verbs(view.AgentPage)...)
	root.AddCommand(newGraphCommand(), newTraceCommand(), newReproduceCommand(), newSweepCommand(), newWorkerCommand(),
		newTuneCommand(), operate.NewVersionCommand(), newPagesCommand())
	completeValues(root)
	return root
}
