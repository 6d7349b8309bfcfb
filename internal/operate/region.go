package operate

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"caucus.example/caucus/agent"
)

func newRegionCommand() *cobra.Command {
	var q Asking
	var asJSON, watch bool
	cmd := &cobra.Command{
		Use:   "region",
		Short: "Ask a running agent who is in its region",
		Long: `Asks an agent whose configuration has "region: true". The leader knows all of its region; of another node the
answer is what lies below it in the tree along which the leader is told.`,
		Args: cobra.NoArgs,
		Example: `  caucus region
  caucus region --watch
  caucus region --addr 127.0.0.1:7401 --json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return followRegion(cmd.Context(), cmd.OutOrStdout(), &q, asJSON, watch)
		},
	}
	q.addFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, schema "+agent.RegionSchema+", one a line with --watch")
	cmd.Flags().BoolVar(&watch, "watch", false, "print the region now and at every change, until Ctrl-C")
	return cmd
}

// followRegion shows the region once or, told to watch, whenever it looks different, asking twice a second.
func followRegion(ctx context.Context, out io.Writer, q *Asking, asJSON, watch bool) error {
	last := ""
	for {
		r, data, err := q.region(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		shown, looks := regionText(&r), regionText(unheard(r))
		if looks != last {
			last = looks
			if asJSON && watch {
				compact, _ := json.Marshal(r) // it has been read from JSON
				shown = string(compact) + "\n"
			} else if asJSON {
				shown = string(data)
			}
			if _, err := io.WriteString(out, shown); err != nil {
				return Failed(err)
			}
		}
		if !watch {
			return nil
		}
		select {
		case <-time.After(time.Second / 2):
		case <-ctx.Done():
			return nil
		}
	}
}

// unheard is a region without what changes all the time.
func unheard(r agent.Region) *agent.Region {
	r.Members = slices.Clone(r.Members)
	for i := range r.Members {
		r.Members[i].Heard = time.Time{}
	}
	return &r
}

func (q *Asking) region(ctx context.Context) (r agent.Region, data []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	body, err := q.get(ctx, "/v1/region")
	if err != nil {
		return r, nil, err
	}
	data, err = q.read(body, agent.RegionSchema, &r)
	return r, data, err
}

func regionText(r *agent.Region) string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "MEMBER\tHOPS\tSTRENGTH\tADDRESS\tHEARD\tTAGS\n")
	for i := range r.Members {
		io.WriteString(w, memberLine(&r.Members[i], r.At))
	}
	w.Flush()
	if unnamed := r.Count - len(r.Members); unnamed > 0 {
		fmt.Fprintf(&text, "and %d more, who are counted and not named yet; at most %d are\n", unnamed,
			agent.MostMembers)
	}
	fmt.Fprintf(&text, "\ntags: %s", orDash(strings.Join(r.Tags, ",")))
	text.WriteString("\nstrengths:")
	for _, b := range r.Histogram {
		if b.Count > 0 {
			fmt.Fprintf(&text, " %d up to %g", b.Count, b.UpTo)
		}
	}
	fmt.Fprintf(&text, "\nleader=%s term=%d whole=%t hops=%d members=%d sum=%g min=%g max=%g mean=%g\n",
		orDash(r.Leader), r.Term, r.Whole, r.Distance, r.Count, r.Sum, r.Min, r.Max, r.Mean)
	return text.String()
}

// memberLine tells how long before the picture a member was heard, in whole seconds: what is younger is not told.
func memberLine(m *agent.Member, at time.Time) string {
	heard := "-"
	if ago := at.Sub(m.Heard).Truncate(time.Second); !m.Heard.IsZero() {
		heard = fmt.Sprintf("%v ago", max(0, ago))
	}
	return fmt.Sprintf("%s\t%d\t%g\t%s\t%s\t%s\n", m.Name, m.Distance, m.Strength, orDash(m.Addr), heard,
		orDash(strings.Join(m.Tags, ",")))
}
