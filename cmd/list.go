package cmd

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/operate"
	"caucus.example/caucus/registry"
	"github.com/spf13/cobra"
)

func newListCommand() *cobra.Command {
	asJSON, wide := false, false
	cmd := &cobra.Command{
		Use:   "list [algorithm]",
		Short: "List the algorithms, or describe one",
		Args:  cobra.MaximumNArgs(1),
		Example: `  caucus list
  caucus list --wide
  caucus list bounded
  caucus list --json`,
		ValidArgsFunction: completeAlgorithm,
		RunE: func(cmd *cobra.Command, args []string) error {
			entries := registry.All
			if len(args) == 1 {
				e, err := registry.Get(args[0])
				if err != nil {
					return misuse(err)
				}
				entries = []registry.Entry{e}
			}
			out := cmd.OutOrStdout()
			switch {
			case asJSON:
				return listJSON(out, entries)
			case len(args) == 1:
				return describe(out, &entries[0])
			}
			return listTable(out, entries, wide)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, schema caucus.list/1")
	cmd.Flags().BoolVar(&wide, "wide", false, "the source of each algorithm as well, and lines as long as they are")
	return cmd
}

// listTable fits the terminal: what an algorithm elects is cut there, and its source left out, unless lines may be
// long.
func listTable(out io.Writer, entries []registry.Entry, wide bool) error {
	head := "NAME\tFAMILY\tSHAPE\tNETWORK\tSELF-STABILISING\tELECTS"
	if wide {
		head += "\tSOURCE"
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, head)
	for _, e := range entries {
		s := e.Spec
		claim := stabilising(s)
		if !wide && refuted(s) != nil { // which daemons it does not hold under, list NAME tells
			claim = "partly " + string(s.Stabilising)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s", s.Name, s.Family, s.Shape, networkOf(s), claim, s.Elects)
		if wide {
			fmt.Fprint(w, "\t", s.Source)
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	if wide {
		_, err := io.WriteString(out, b.String())
		return err
	}
	width := operate.TerminalWidth(out, 120)
	for line := range strings.Lines(b.String()) {
		if _, err := fmt.Fprintln(out, cut(strings.TrimRight(line, " \n"), width)); err != nil {
			return err
		}
	}
	return nil
}

// cut shortens a line to a width, and shows that it did.
func cut(line string, width int) string {
	letters := []rune(line)
	if len(letters) <= width {
		return line
	}
	return strings.TrimRight(string(letters[:width-1]), " ,:;") + "…"
}

// stabilising says in a few words whether an algorithm is self-stabilising: why that is believed, and under which
// daemons the checker has found otherwise.
func stabilising(s *caucus.Spec) string {
	if s.Stabilising == caucus.No {
		return "no"
	}
	text := string(s.Stabilising)
	if daemons := refuted(s); daemons != nil {
		text += ", not " + strings.Join(daemons, ", ")
	}
	return text
}

func networkOf(s *caucus.Spec) caucus.Topology {
	if s.Needs.Topology == "" {
		return caucus.AnyTopology
	}
	return s.Needs.Topology
}

// needs says in words what an algorithm assumes.
func needs(s *caucus.Spec) string {
	var list []string
	if t := networkOf(s); t == caucus.AnyTopology {
		list = append(list, "any network")
	} else {
		list = append(list, "a "+string(t)+" network")
	}
	n := s.Needs
	for _, c := range []struct {
		needed bool
		text   string
	}{
		{n.Connected, "connected"},
		{n.Labels, "ports labelled consistently"},
		{n.FIFO, "links that keep the order of messages"},
		{n.DistinctIDs, "distinct IDs"},
		{n.PositiveLengths, "edge lengths > 0"},
		{n.Nodes, "nodes that know how many they are"},
		{n.Diameter, "nodes that know a bound on the diameter"},
		{n.Delay, "nodes that know a bound on how long a message travels"},
	} {
		if c.needed {
			list = append(list, c.text)
		}
	}
	return strings.Join(list, ", ")
}

func describe(out io.Writer, e *registry.Entry) error {
	s := e.Spec
	fmt.Fprintf(out, "%s: %s\n\n", s.Name, s.Title)
	rows := [][2]string{
		{"source", s.Source}, {"family", s.Family}, {"shape", string(s.Shape)}, {"elects", s.Elects},
		{"needs", needs(s)}, {"stabilises", stabilising(s)}, {"guarantee", s.Guarantee},
	}
	for _, line := range checked(s) {
		rows = append(rows, [2]string{"checked", line})
	}
	rows = append(rows, [][2]string{{"crashes", e.Replaces()}, {"cost", s.Cost},
		{"messages", strings.Join(s.Kinds, ", ")}}...)
	for _, row := range rows {
		if row[1] != "" {
			fmt.Fprintf(out, "%-10s %s\n", row[0], wrap(row[1], 98, "           "))
		}
	}
	if len(s.Params) == 0 {
		fmt.Fprintln(out, "\nNo parameters.")
	} else {
		fmt.Fprintln(out, "\nParameters (--param name=value):")
	}
	for _, p := range s.Params {
		fmt.Fprintf(out, "  %-12s %s; default %s\n", p.Name, p.Allowed(), p.Default)
		fmt.Fprintf(out, "               %s\n", wrap(p.Doc, 94, "               "))
	}
	for _, mode := range modes(s) {
		var pairs []string
		for _, p := range s.Params {
			if v, ok := s.Faithful[mode][p.Name]; ok {
				pairs = append(pairs, p.Name+"="+v)
			}
		}
		fmt.Fprintf(out, "\n--faithful %s sets %s\n", mode, wrap(strings.Join(pairs, " "), 90, "    "))
	}
	return nil
}

func modes(s *caucus.Spec) []string {
	var names []string
	for name := range s.Faithful {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// wrap breaks text into lines of at most width letters, all but the first indented.
func wrap(text string, width int, indent string) string {
	var b strings.Builder
	column := 0
	for i, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case i == 0:
		case column+1+n > width:
			b.WriteString("\n" + indent)
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}

type listedAlgorithm struct {
	Name       string                       `json:"name"`
	Title      string                       `json:"title"`
	Family     string                       `json:"family"`
	Shape      string                       `json:"shape"`
	Source     string                       `json:"source"`
	Elects     string                       `json:"elects"`
	Needs      string                       `json:"needs"`
	Network    string                       `json:"network"`
	Stabilises string                       `json:"stabilises"`
	Refuted    []string                     `json:"refuted,omitempty"` // daemons under which that does not hold
	Checked    []string                     `json:"checked,omitempty"`
	Guarantee  string                       `json:"guarantee"`
	Cost       string                       `json:"cost"`
	Parameters []listedParam                `json:"parameters"`
	Faithful   map[string]map[string]string `json:"faithful,omitempty"`
	Messages   []string                     `json:"messages,omitempty"`
}

type listedParam struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Default string `json:"default"`
	Allowed string `json:"allowed"`
	Doc     string `json:"doc"`
}

func listJSON(out io.Writer, entries []registry.Entry) error {
	list := struct {
		Schema     string            `json:"schema"`
		Algorithms []listedAlgorithm `json:"algorithms"`
	}{Schema: "caucus.list/1"}
	for _, e := range entries {
		s := e.Spec
		a := listedAlgorithm{s.Name, s.Title, s.Family, string(s.Shape), s.Source, s.Elects, needs(s),
			string(networkOf(s)),
			stabilising(s), refuted(s), checked(s), s.Guarantee, s.Cost, []listedParam{}, s.Faithful, s.Kinds}
		for _, p := range s.Params {
			a.Parameters = append(a.Parameters, listedParam{p.Name, string(p.Kind), p.Default, p.Allowed(), p.Doc})
		}
		list.Algorithms = append(list.Algorithms, a)
	}
	return writeJSON(out, list)
}
