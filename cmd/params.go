package cmd

import (
	"slices"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/scenario"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// setting is the text of a scenario's setting as a flag.
type setting struct{ text, kind string }

func (v *setting) String() string     { return v.text }
func (v *setting) Type() string       { return v.kind }
func (v *setting) Set(s string) error { v.text = s; return nil }

// addSettings gives a verb the settings of a scenario with these names as flags, with the meaning and the words
// that they have everywhere; nil gives it all of them.
func addSettings(flags *pflag.FlagSet, names []string) {
	for _, d := range scenario.Settings {
		if names != nil && !slices.Contains(names, d.Name) {
			continue
		}
		flags.Var(&setting{d.Default, d.Type}, d.Name, d.Doc)
		if d.Type == "bool" {
			flags.Lookup(d.Name).NoOptDefVal = "true"
		}
	}
}

// take puts what the flags of a verb say over a scenario.
func take(cmd *cobra.Command, s *scenario.Scenario, params []string) error {
	for _, d := range scenario.Settings {
		flag := cmd.Flags().Lookup(d.Name)
		if flag == nil || !flag.Changed {
			continue
		}
		if _, ok := flag.Value.(*setting); !ok {
			continue // a flag of the verb's own
		}
		if err := s.Set(d.Name, flag.Value.String()); err != nil {
			return err
		}
	}
	for _, p := range params {
		name, value, ok := strings.Cut(p, "=")
		if !ok {
			return &caucus.FieldError{Field: "param", Found: p, Allowed: "name=value"}
		}
		if radius := cmd.Flags().Lookup("radius"); name == "radius" && radius != nil && radius.Changed {
			return &caucus.FieldError{Field: "param", Found: p,
				Allowed: "nothing for the radius together with --radius"}
		}
		s.SetParam(name, value)
	}
	return nil
}

// addParams gives a verb --param.
func addParams(flags *pflag.FlagSet, params *[]string) {
	flags.StringArrayVar(params, "param", nil, "set a parameter of the algorithm, as `name=value`; may be repeated")
}
