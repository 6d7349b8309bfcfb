package cmd

import (
	"strings"

	"caucus.example/caucus/check"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/network"
	"caucus.example/caucus/network/format"
	"caucus.example/caucus/registry"
	"github.com/spf13/cobra"
)

// completeValues lets a shell complete what flags take, in every verb that has them.
func completeValues(cmd *cobra.Command) {
	for name, values := range map[string]func(*cobra.Command) []string{
		"algo":     algorithms,
		"topology": topologies,
		"param":    parameters,
		"faithful": func(cmd *cobra.Command) []string { return modesOf(cmd) },
		"profile":  func(*cobra.Command) []string { return profiles() },
		"daemon":   func(*cobra.Command) []string { return daemons() },
		"class":    func(*cobra.Command) []string { return classes() },
		"start":    of(string(check.Clean), string(check.Anywhere)),
		"model":    of(string(check.Shared), string(check.Messages)),
		"faults":   of("crash=1", "corrupt=1", "loss=1", "none"),
		"strength": of("degree", "id", "random", "rank", "attribute:", "fitness"),
		"ids":      of("increasing", "decreasing", "random"),
		"layout":   of("spring:"),

		"lesson": func(*cobra.Command) []string { return lessonNames() },
		"from":   of(namesOf(format.Formats())...),
		"to":     of(namesOf(format.Writable())...),
		"kill":   of("leader@", "none"),

		"initiators": of("all", "one"),
		"energy":     of("cc2420"),
		"net":        of("sim", "udp"),
		"topologies": of("line", "ring", "mesh", "tree", "clique", "all"),
	} {
		if cmd.Flags().Lookup(name) != nil {
			complete(cmd, name, values)
		}
	}
	for _, d := range scenario.Settings {
		if values := d.Choices(); len(values) > 0 && cmd.Flags().Lookup(d.Name) != nil {
			complete(cmd, d.Name, func(*cobra.Command) []string { return values })
		}
	}
	for name, endings := range map[string][]string{
		"config": {"yaml", "yml"}, "movements": nil, "replay": {"txt", "jsonl", "parquet"},
		"trace":   {"txt", "jsonl", "parquet"},
		"diagram": {"svg", "png", "pdf"},
		"map":     {"svg", "png", "pdf"}, "csv": {"csv"}, "samples": {"csv"}, "token-file": nil, "ca-file": nil,
	} {
		if cmd.Flags().Lookup(name) != nil {
			cmd.MarkFlagFilename(name, endings...)
		}
	}
	for _, sub := range cmd.Commands() {
		completeValues(sub)
	}
}

// of are values that stand here.
func of(values ...string) func(*cobra.Command) []string {
	return func(*cobra.Command) []string { return values }
}

func namesOf(formats []format.Format) (names []string) {
	for _, f := range formats {
		names = append(names, string(f))
	}
	return names
}

func complete(cmd *cobra.Command, flag string, values func(*cobra.Command) []string) {
	// An error says that the flag has a completion already.
	_ = cmd.RegisterFlagCompletionFunc(flag,
		func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			directive := cobra.ShellCompDirectiveNoFileComp
			switch flag {
			case "topology", "ids":
				directive = cobra.ShellCompDirectiveDefault // files as well
			case "strength", "layout", "kill":
				directive |= cobra.ShellCompDirectiveNoSpace // a value goes on
			}
			return values(cmd), directive
		})
}

// completeScenario completes the argument of run, view and sweep.
func completeScenario(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
}

// completeAlgorithm completes the argument of list.
func completeAlgorithm(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return algorithms(cmd), cobra.ShellCompDirectiveNoFileComp
}

// completeTopology completes the argument of graph info and gen.
func completeTopology(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return topologies(cmd), cobra.ShellCompDirectiveDefault
}

func algorithms(*cobra.Command) []string {
	var list []string
	for _, e := range registry.All {
		list = append(list, e.Spec.Name+"\t"+e.Spec.Title)
	}
	return list
}

func topologies(*cobra.Command) []string {
	list := network.BuiltinNames()
	for _, g := range network.Generators() {
		kind, _, _ := strings.Cut(g.Syntax, ":")
		list = append(list, kind+":\t"+g.Syntax)
	}
	return list
}

// chosen is the algorithm that the line names so far.
func chosen(cmd *cobra.Command) (registry.Entry, bool) {
	e, err := registry.Get(cmd.Flags().Lookup("algo").Value.String())
	return e, err == nil
}

func parameters(cmd *cobra.Command) []string {
	var list []string
	if cmd.Flags().Lookup("algo") == nil {
		return nil
	}
	if e, ok := chosen(cmd); ok {
		for _, p := range e.Spec.Params {
			list = append(list, p.Name+"="+p.Default+"\t"+p.Allowed())
		}
	}
	return list
}

func modesOf(cmd *cobra.Command) []string {
	if cmd.Flags().Lookup("algo") == nil {
		return []string{"paper", "artefact"}
	}
	e, ok := chosen(cmd)
	if !ok {
		return nil
	}
	return modes(e.Spec)
}

func daemons() []string {
	names := []string{classical, "all"}
	for _, d := range check.Daemons {
		names = append(names, string(d))
	}
	return names
}

func classes() (names []string) {
	for _, c := range check.Classes {
		names = append(names, string(c))
	}
	return names
}
