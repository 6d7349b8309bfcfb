package cmd

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/network/mobility"
	"github.com/spf13/cobra"
)

func newTraceCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "trace",
		Short:   "Describe traces of movement and contacts",
		Long:    `Describe traces of movement and contacts, which "caucus run --movements" carries elections out on.`,
		Example: `  caucus trace info scenarios/meetings.txt`,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTraceInfoCommand())
	return cmd
}

// traceInfo is what "trace info" says, in the order in which it says it.
type traceInfo struct {
	Schema     string   `json:"schema"`
	Format     string   `json:"format"`
	Kind       string   `json:"kind"` // contacts or places
	Nodes      int      `json:"nodes"`
	Records    int      `json:"records"`
	Skipped    int      `json:"skipped"`
	Duration   float64  `json:"duration_s"`
	Origin     float64  `json:"origin_s"` // of the file's clock
	Contacts   int      `json:"contacts,omitempty"`
	Pairs      int      `json:"pairs,omitempty"`
	Lasts      float64  `json:"contact_duration_s,omitempty"`
	Gap        float64  `json:"longest_gap_s"`
	Absences   int      `json:"absences,omitempty"`
	Range      float64  `json:"range,omitempty"`
	MeanDegree *float64 `json:"mean_degree,omitempty"`
	Speed      *float64 `json:"mean_speed,omitempty"`
	MaxSpeed   *float64 `json:"max_speed,omitempty"`
	Notes      []string `json:"notes"`
}

func newTraceInfoCommand() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "info FILE",
		Short: "Describe a trace",
		Long: `Describe a trace of movement or contacts: how many nodes for how long, when nobody meets, how many neighbours
nodes have. Of places that takes a range. The format is found by content, unless --movements-format says it.`,
		Args: cobra.ExactArgs(1),
		Example: `  caucus trace info scenarios/meetings.txt
  caucus trace info scenarios/meetings.txt --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			s := scenario.New()
			err := take(cmd, s, nil)
			if err == nil {
				err = s.Set("movements", args[0])
			}
			if err != nil {
				return misuse(err)
			}
			reach, ok := caucus.ParseNumber(s.Get("range"))
			if s.Get("range") != "" && (!ok || reach <= 0) {
				return misuse(caucus.Wrong("range", s.Get("range"), "a length > 0"))
			}
			info, err := phase(cmd, "reading "+args[0], func() (traceInfo, error) {
				t, err := s.Trace()
				if err != nil {
					return traceInfo{}, err
				}
				return describeTrace(t, reach), nil
			})
			if err != nil {
				return misuse(err)
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), info)
			}
			return info.print(cmd.OutOrStdout())
		},
	}
	addSettings(cmd.Flags(), []string{"movements-format", "range", "contact-duration", "geographic", "skip-untimed"})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, schema caucus.trace.info/1")
	return cmd
}

func describeTrace(t *mobility.Trace, reach float64) traceInfo {
	info := traceInfo{Schema: "caucus.trace.info/1", Format: string(t.Format), Kind: "places", Origin: t.Origin,
		Records: t.Report.Records, Skipped: t.Report.Skipped, Lasts: t.Report.Lasts,
		Notes: append([]string{}, t.Report.Notes...)}
	if t.Contacts() {
		info.Kind = "contacts"
	}
	info.measure(t.Describe(reach), reach)
	return info
}

func (info *traceInfo) measure(d mobility.Description, reach float64) {
	info.Nodes, info.Duration, info.Contacts, info.Pairs = d.Nodes, d.Duration, d.Contacts, d.Pairs
	info.Gap, info.Absences = d.Longest, d.Absences
	if info.Kind == "contacts" {
		info.MeanDegree = &d.MeanDegree
		return
	}
	info.Speed, info.MaxSpeed = &d.Speed, &d.MaxSpeed
	if reach > 0 {
		info.Range, info.MeanDegree = reach, &d.MeanDegree
	}
}

func (info *traceInfo) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(name, text string, args ...any) { fmt.Fprintf(w, "%s\t%s\n", name, fmt.Sprintf(text, args...)) }
	row("format", "%s, %s", info.Format, info.Kind)
	row("nodes", "%d", info.Nodes)
	row("duration", "%s", lasting(info.Duration))
	row("origin", "%s", info.origin())
	row("records", "%d%s", info.Records, map[bool]string{true: fmt.Sprintf(", %d left out",
		info.Skipped)}[info.Skipped > 0])
	if info.Kind == "contacts" {
		row("contacts", "%d of %d pairs", info.Contacts, info.Pairs)
		if info.Lasts > 0 {
			row("contact lasts", "%g s, of which the file gives one time", info.Lasts)
		}
		row("longest gap", "%s without any contact", lasting(info.Gap))
	} else {
		row("speed", "%.3g mean, %.3g at most", *info.Speed, *info.MaxSpeed)
		row("longest gap", "%s without any node", lasting(info.Gap))
		row("absences", "%d times a node leaves and comes back", info.Absences)
	}
	switch {
	case info.MeanDegree == nil:
		row("mean degree", "unknown without a range")
	case info.Range > 0:
		row("mean degree", "%.3f within %g", *info.MeanDegree, info.Range)
	default:
		row("mean degree", "%.3f", *info.MeanDegree)
	}
	for _, n := range info.Notes {
		row("note", "%s", n)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "nodes=%d duration=%g records=%d contacts=%d\n", info.Nodes, info.Duration, info.Records,
		info.Contacts)
	return err
}

// lasting shows a time in seconds, and in hours where it is long.
func lasting(s float64) string {
	if s < 3600 {
		return fmt.Sprintf("%g s", s)
	}
	return fmt.Sprintf("%g s (%.1f h)", s, s/3600)
}

// origin shows what the file calls time 0, as a date where it can be one: seconds since 1970 of later than 1980.
func (info *traceInfo) origin() string {
	if info.Origin > 3.15e8 && info.Origin < 1e10 {
		return fmt.Sprintf("%.15g, if that is seconds since 1970: %s", info.Origin,
			time.Unix(int64(info.Origin), 0).UTC().Format(time.RFC3339))
	}
	return fmt.Sprintf("%.15g on the file's clock", info.Origin)
}
