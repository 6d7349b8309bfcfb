package operate

import (
	"fmt"

	"github.com/spf13/cobra"

	"caucus.example/caucus/agent"
)

func newConfigCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Check a node's configuration, or tell two apart",
		Args:  cobra.NoArgs,
		Example: `  printf 'name: a\n' > a.yaml
  caucus config check a.yaml`,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "check FILE",
		Short: "Check a configuration and print it with all defaults, as agent --dry-run does",
		Args:  cobra.ExactArgs(1),
		Example: `  printf 'name: a\npeers: [10.0.0.2:7400]\n' > a.yaml
  caucus config check a.yaml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := agent.Load(args[0])
			if err != nil {
				return Misuse(err)
			}
			return Misuse(dryAgent(cmd.OutOrStdout(), cfg))
		},
	}, &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Tell what SIGHUP would change, and what needs a restart",
		Args:  cobra.ExactArgs(2),
		Example: `  printf 'name: a\n' > a.yaml; printf 'name: a\nperiod: 1s\nlisten: :7500\n' > b.yaml
  caucus config diff a.yaml b.yaml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			changed, needsRestart, err := diffConfigs(args[0], args[1])
			if err != nil {
				return Misuse(err)
			}
			out := cmd.OutOrStdout()
			for _, name := range changed {
				fmt.Fprintln(out, name+": SIGHUP")
			}
			for _, name := range needsRestart {
				fmt.Fprintln(out, name+": restart")
			}
			_, err = fmt.Fprintf(out, "reload=%d restart=%d\n", len(changed), len(needsRestart))
			return err
		},
	})
	return cmd
}

// diffConfigs asks an agent that leads nowhere. What cannot run is no configuration.
func diffConfigs(before, after string) (changed, needsRestart []string, err error) {
	old, err := agent.Load(before)
	if err != nil {
		return nil, nil, err
	}
	next, err := agent.Load(after)
	if err != nil {
		return nil, nil, err
	}
	tried, err := newUnplugged(next)
	if err != nil {
		return nil, nil, err
	}
	tried.Kill()
	g, err := newUnplugged(old)
	if err != nil {
		return nil, nil, err
	}
	defer g.Kill()
	changed, needsRestart = g.Diff(old, next)
	return changed, needsRestart, nil
}
