package cmd

import (
	"errors"
	"fmt"
	"runtime"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/crew"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/internal/sweep"
	"github.com/spf13/cobra"
)

func newWorkerCommand() *cobra.Command {
	var o crew.Options
	cmd := &cobra.Command{
		Use:   "worker --nats url",
		Short: "Make runs of sweeps that are started elsewhere",
		Long: `Make runs for every caucus sweep that uses the same NATS servers and is of the same build, until Ctrl-C. Any number of
workers may run, on any number of machines; one that is killed costs the runs under way, which another one makes again.
Files that a study names have to be here too, under the same names.`,
		Example: `  caucus worker --nats nats://127.0.0.1:4222
  caucus worker --nats tls://queue.example:4222 --nats-key worker.nk --workers 4`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			workers, err := scenario.Count("workers", cmd.Flags().Lookup("workers").Value.String())
			if err != nil {
				return err
			}
			if workers == 0 {
				workers = runtime.GOMAXPROCS(0)
			}
			if o.URL == "" {
				return misuse(caucus.Wrong("nats", "", "the servers, such as nats://127.0.0.1:4222"))
			}
			c, err := connect(cmd, o)
			if err != nil {
				return err
			}
			defer c.Close()
			fmt.Fprintf(cmd.ErrOrStderr(), "build %s: waiting for tasks, %s at a time\n", buildHash(),
				plural(workers, "run"))
			return c.Work(cmd.Context(), buildHash(), workers, sweep.Open)
		},
	}
	crewFlags(cmd, &o)
	cmd.Flags().Var(&setting{"0", "n"}, "workers", "runs at a time; 0 takes all cores; results do not depend on it")
	return cmd
}

// crewFlags are those that say where workers and sweeps meet.
func crewFlags(cmd *cobra.Command, o *crew.Options) {
	flags := cmd.Flags()
	flags.StringVar(&o.URL, "nats", "", "NATS servers, as `url` nats://127.0.0.1:4222 or tls://host:4222, several with commas")
	flags.StringVar(&o.Seed, "nats-key", "", "`file` with the seed of the nkey by which the servers know this program")
	flags.StringVar(&o.CA, "nats-ca", "", "`file` with the certificates that servers are trusted by (default: the system's)")
}

func connect(cmd *cobra.Command, o crew.Options) (*crew.Crew, error) {
	logs := cmd.ErrOrStderr()
	log := func(format string, args ...any) { fmt.Fprintf(logs, format+"\n", args...) }
	c, err := crew.Connect(cmd.Context(), o, log)
	var wrong *caucus.FieldError
	switch {
	case errors.As(err, &wrong):
		return nil, misuse(err)
	case err != nil:
		return nil, err
	}
	return c, nil
}
