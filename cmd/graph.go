package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/network"
	"caucus.example/caucus/network/format"
	"github.com/spf13/cobra"
)

func newGraphCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "graph",
		Short: "Describe, convert and generate topologies",
		Long: `Describe, convert and generate topologies. Directions are dropped, repeated edges merge and
self-loops go; info and convert say how many.`,
		Example: `  caucus graph list
  caucus graph info geant2012`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newGraphInfoCommand(), newGraphConvertCommand(), newGraphGenCommand(), newGraphListCommand())
	return cmd
}

// openFlags are the flags about how a topology is read.
type openFlags struct {
	from string
}

func (f *openFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.from, "from", "", "format of the file; found by content and extension if not given")
	addSettings(cmd.Flags(), append([]string{"graph-seed"}, scenario.ReadingSettings...))
}

func (f *openFlags) open(cmd *cobra.Command, what string) (*network.Graph, format.Report, error) {
	s := scenario.New()
	err := take(cmd, s, nil)
	if err == nil {
		err = s.Set("topology", what)
	}
	if err != nil {
		return nil, format.Report{}, misuse(err)
	}
	var r format.Report
	g, err := phase(cmd, "reading "+what, func() (g *network.Graph, err error) {
		if f.from != "" {
			g, r, err = format.ReadFile(what, format.Format(f.from), s.Reading())
		} else {
			g, r, err = s.Graph()
		}
		return g, err
	})
	return g, r, misuse(err)
}

// graphInfo is what "graph info" says, in the order in which it says it.
type graphInfo struct {
	Schema            string   `json:"schema"`
	Name              string   `json:"name"`
	Format            string   `json:"format"`
	Encoding          string   `json:"encoding,omitempty"`
	Directed          bool     `json:"directed"`
	Records           int      `json:"edge_records"`
	SelfLoops         int      `json:"self_loops"`
	Repeats           int      `json:"repeats"`
	Nodes             int      `json:"nodes"`
	Edges             int      `json:"edges"`
	Components        int      `json:"components"`
	Largest           int      `json:"largest_component"`
	Isolated          int      `json:"isolated_nodes"`
	MinDegree         int      `json:"min_degree"`
	MeanDegree        float64  `json:"mean_degree"`
	MaxDegree         int      `json:"max_degree"`
	MaxDegreeNode     string   `json:"max_degree_node"`
	Diameter          int      `json:"diameter"`
	DiameterExact     bool     `json:"diameter_exact"`
	DiameterMost      int      `json:"diameter_at_most"`
	Coordinates       string   `json:"coordinates"`
	Geographic        bool     `json:"geographic"`
	Located           int      `json:"nodes_with_coordinates"`
	Weight            string   `json:"weight"`
	Weighted          int      `json:"edges_with_weight"`
	WeightMin         string   `json:"weight_min,omitempty"` // text, since it may be infinite
	WeightMax         string   `json:"weight_max,omitempty"`
	Attributes        []string `json:"node_attributes"`
	RenamedForClarity int      `json:"nodes_sharing_a_label"`
	Notes             []string `json:"notes"`
}

func newGraphInfoCommand() *cobra.Command {
	var flags openFlags
	asJSON := false
	cmd := &cobra.Command{
		ValidArgsFunction: completeTopology,
		Use:               "info FILE|NAME|GENERATOR",
		Short:             "Describe a topology",
		Long: `Describe a topology: a file, a builtin or a generator; "caucus graph list" names them.
The diameter is that of the largest component, in hops. Where it takes more than about half a minute to find, as in large
tori and random graphs, there are two bounds instead ("17 to 20"), and so there are after a first Ctrl-C.`,
		Args: cobra.ExactArgs(1),
		Example: `  caucus graph info geant2012
  caucus graph info grid:20x50 --json
  caucus graph info rgg:n=1000,degree=10 --graph-seed 7`,
		RunE: func(cmd *cobra.Command, args []string) error {
			g, r, err := flags.open(cmd, args[0])
			if err != nil {
				return err
			}
			info, err := lastPhase(cmd, "measuring "+args[0], func() (graphInfo, error) {
				return describeGraph(cmd.Context(), g, r), nil
			})
			if err != nil {
				return err
			}
			if asJSON {
				err = writeJSON(cmd.OutOrStdout(), info)
			} else {
				err = info.print(cmd.OutOrStdout())
			}
			if err == nil && cmd.Context().Err() != nil && !info.DiameterExact {
				err = undecided(errors.New("interrupted: of the diameter this is what was known by then"))
			}
			return err
		},
	}
	flags.add(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, schema caucus.graph.info/1")
	return cmd
}

func describeGraph(ctx context.Context, g *network.Graph, r format.Report) graphInfo {
	m := network.Measure(ctx, g, network.DiameterBudget)
	info := graphInfo{
		Schema: "caucus.graph.info/1", Name: g.Name, Format: string(r.Format), Encoding: r.Encoding,
		Directed: r.Directed,
		Records:  r.Merged.Records, SelfLoops: r.Merged.SelfLoops, Repeats: r.Merged.Repeats,
		Nodes: m.Nodes, Edges: m.Edges, Components: m.Components, Largest: m.Largest, Isolated: m.Isolated,
		MeanDegree: m.MeanDegree, MaxDegree: m.MaxDegree, MinDegree: m.MaxDegree,
		Diameter: m.Diameter.Hops, DiameterExact: m.Diameter.Exact, DiameterMost: m.Diameter.Most,
		Coordinates: r.Coordinates, Geographic: g.Geographic, Weight: r.Weight,
		Attributes: []string{}, RenamedForClarity: r.Renamed, Notes: append([]string{}, r.Notes...),
	}
	for i := g.Len() - 1; i >= 0; i-- {
		info.MinDegree = min(info.MinDegree, g.Degree(i))
		if g.Degree(i) == m.MaxDegree {
			info.MaxDegreeNode = g.NodeName(i)
		}
		if g.Located(i) {
			info.Located++
		}
	}
	for name := range g.Attrs {
		info.Attributes = append(info.Attributes, name)
	}
	slices.Sort(info.Attributes)
	info.weights(g)
	return info
}

func (info *graphInfo) weights(g *network.Graph) {
	least, greatest := math.Inf(1), math.Inf(-1)
	for _, w := range g.Weight {
		if !math.IsNaN(w) {
			info.Weighted++
			least, greatest = min(least, w), max(greatest, w)
		}
	}
	if info.Weighted /= 2; info.Weighted > 0 {
		info.WeightMin, info.WeightMax = fmt.Sprintf("%g", least), fmt.Sprintf("%g", greatest)
	}
}

func (info *graphInfo) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(name, text string, args ...any) { fmt.Fprintf(w, "%s\t%s\n", name, fmt.Sprintf(text, args...)) }
	row("name", "%s", info.Name)
	row("format", "%s%s%s", info.Format, after(", ", info.Encoding), directed(info.Directed))
	row("edge records", "%d: %d self-loops dropped, %d repeated or reversed merged", info.Records, info.SelfLoops,
		info.Repeats)
	row("nodes", "%d, %d isolated", info.Nodes, info.Isolated)
	row("edges", "%d", info.Edges)
	row("components", "%d, the largest of %d nodes", info.Components, info.Largest)
	row("degree", "%d to %d (%s), mean %.2f", info.MinDegree, info.MaxDegree, caucus.Shown(info.MaxDegreeNode),
		info.MeanDegree)
	if info.DiameterExact {
		row("diameter", "%d hops", info.Diameter)
	} else {
		row("diameter", "%d to %d hops", info.Diameter, info.DiameterMost)
	}
	row("coordinates", "%s", info.coordinates())
	row("weights", "%s", info.weightText())
	row("attributes", "%s", noneIfEmpty(strings.Join(info.Attributes, ", ")))
	if info.RenamedForClarity > 0 {
		row("names", "%d nodes share their label with another; their id is added, as in \"Label (7)\"",
			info.RenamedForClarity)
	}
	for _, n := range info.Notes {
		row("note", "%s", n)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "nodes=%d edges=%d records=%d self_loops=%d repeats=%d components=%d diameter=%d\n",
		info.Nodes, info.Edges, info.Records, info.SelfLoops, info.Repeats, info.Components, info.Diameter)
	return err
}

func (info *graphInfo) coordinates() string {
	if info.Coordinates == "" {
		return "none"
	}
	kind := "planar"
	if info.Geographic {
		kind = "geographic"
	}
	return fmt.Sprintf("%s (%s), %d of %d nodes", info.Coordinates, kind, info.Located, info.Nodes)
}

func (info *graphInfo) weightText() string {
	if info.Weighted == 0 {
		return "none"
	}
	return fmt.Sprintf("%s, %d of %d edges, %s to %s", info.Weight, info.Weighted, info.Edges, info.WeightMin,
		info.WeightMax)
}

func directed(yes bool) string {
	if yes {
		return ", directed in the source"
	}
	return ""
}

func after(separator, text string) string {
	if text == "" {
		return ""
	}
	return separator + text
}

func noneIfEmpty(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

func newGraphConvertCommand() *cobra.Command {
	var flags openFlags
	to := ""
	force := false
	cmd := &cobra.Command{
		Use:   "convert FROM TO",
		Short: "Convert a topology into another format",
		Long: `Read a file, builtin or generator and write it as a file, in the format of TO's extension or
of --to. "-" as TO writes to standard output. What the new format cannot hold is said on stderr.`,
		Args: cobra.ExactArgs(2),
		Example: `  caucus graph convert geant2012 - --to dot
  caucus graph convert geant2012 /tmp/geant.json --force
  caucus graph convert /tmp/geant.json /tmp/geant.edgelist --force`,
		RunE: func(cmd *cobra.Command, args []string) error {
			g, r, err := flags.open(cmd, args[0])
			if err != nil {
				return err
			}
			return writeGraph(cmd, g, r, args[1], to, force)
		},
	}
	flags.add(cmd)
	addWriteFlags(cmd, &to, &force)
	return cmd
}

func newGraphGenCommand() *cobra.Command {
	to, path := "", "-"
	force := false
	cmd := &cobra.Command{
		ValidArgsFunction: completeTopology,
		Use:               "gen GENERATOR",
		Short:             "Generate a topology",
		Long:              `Generate a topology and write it as a file. "caucus graph list" names the generators.`,
		Args:              cobra.ExactArgs(1),
		Example: `  caucus graph gen grid:3x4 --to edgelist
  caucus graph gen grid:20x50 -o /tmp/grid.graphml --force
  caucus graph gen rgg:n=200,degree=8,connected --graph-seed 7 -o /tmp/rgg.json --force`,
		RunE: func(cmd *cobra.Command, args []string) error {
			seed, err := scenario.Seed("graph-seed", cmd.Flags().Lookup("graph-seed").Value.String())
			if err != nil {
				return misuse(err)
			}
			g, err := phase(cmd, "generating "+args[0],
				func() (*network.Graph, error) { return network.Generate(args[0], seed) })
			if err != nil {
				return misuse(err)
			}
			r := format.Report{Format: format.Generated, Merged: network.Merged{Records: g.Edges()}}
			return writeGraph(cmd, g, r, path, to, force)
		},
	}
	addSettings(cmd.Flags(), []string{"graph-seed"})
	cmd.Flags().StringVarP(&path, "output", "o", "-",
		"`file` to write; - is standard output, as an edge list unless --to is given")
	addWriteFlags(cmd, &to, &force)
	return cmd
}

func addWriteFlags(cmd *cobra.Command, to *string, force *bool) {
	cmd.Flags().StringVar(to, "to", "", "format to write: "+strings.Join(namesOf(format.Writable()), ", ")+
		" (default: by the extension)")
	cmd.Flags().BoolVar(force, "force", false, "replace the file if it exists")
}

// writeGraph writes a graph to a path, or to standard output for "-", and says on stderr what became of it.
func writeGraph(cmd *cobra.Command, g *network.Graph, r format.Report, path, to string, force bool) error {
	f := format.Format(to)
	if f == "" && path == "-" {
		f = format.EdgeList
	}
	if f == "" {
		var err error
		if f, err = format.ByExtension(path); err != nil {
			return misuse(err)
		}
	}
	if path != "-" {
		if err := checkOutput("output file", path, force); err != nil {
			return err
		}
	}
	_, err := phase(cmd, "writing "+path, func() (none struct{}, err error) {
		write := func(w io.Writer) error { return format.Write(untilDone(cmd.Context(), w), g, f) }
		if path == "-" {
			return none, write(cmd.OutOrStdout())
		}
		return none, writeFile(path, write)
	})
	if err != nil {
		return err
	}
	log := cmd.ErrOrStderr()
	for _, n := range r.Notes {
		fmt.Fprintln(log, "note:", n)
	}
	if lost := format.Lost(g, f); len(lost) > 0 {
		fmt.Fprintf(log, "note: a file of format %s cannot hold %s\n", f, strings.Join(lost, ", "))
	}
	_, err = fmt.Fprintf(log, "wrote=%s format=%s nodes=%d edges=%d records=%d self_loops=%d repeats=%d renamed=%d\n",
		path, f, g.Len(), g.Edges(), r.Merged.Records, r.Merged.SelfLoops, r.Merged.Repeats, r.Renamed)
	return err
}

func newGraphListCommand() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List builtin topologies, generators and file formats",
		Args:  cobra.NoArgs,
		Example: `  caucus graph list
  caucus graph list --json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list := graphSources()
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), list)
			}
			return list.print(cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, schema caucus.graph.list/1")
	return cmd
}

// graphList is all that names a topology.
type graphList struct {
	Schema     string            `json:"schema"`
	Builtins   []string          `json:"builtins"`
	Generators []listedGenerator `json:"generators"`
	Formats    []listedFormat    `json:"formats"`
}

type listedGenerator struct {
	Syntax string `json:"syntax"`
	Doc    string `json:"doc"`
}

type listedFormat struct {
	Name       string   `json:"name"`
	Extensions []string `json:"extensions"`
	Writes     bool     `json:"writes"`
	About      string   `json:"about"`
}

func graphSources() graphList {
	list := graphList{Schema: "caucus.graph.list/1", Builtins: network.BuiltinNames()}
	for _, g := range network.Generators() {
		list.Generators = append(list.Generators, listedGenerator{g.Syntax, g.Doc})
	}
	for _, f := range format.Formats() {
		about, extensions := format.About(f)
		list.Formats = append(list.Formats, listedFormat{string(f), append([]string{}, extensions...),
			slices.Contains(format.Writable(), f), about})
	}
	return list
}

func (l graphList) print(out io.Writer) error {
	fmt.Fprintln(out, "Builtins (Internet Topology Zoo, CC BY 4.0):")
	fmt.Fprintf(out, "  %s\n\nGenerators:\n", strings.Join(l.Builtins, ", "))
	for _, g := range l.Generators {
		fmt.Fprintf(out, "  %s\n      %s\n", g.Syntax, wrap(g.Doc, 94, "      "))
	}
	fmt.Fprintln(out, "\nFile formats:")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, f := range l.Formats {
		mode := "read"
		if f.Writes {
			mode = "read, write"
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", f.Name, mode, noneIfEmpty(strings.Join(f.Extensions, " ")), f.About)
	}
	return w.Flush()
}
