package study

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/internal/results"
)

// Report is a finished experiment.
type Report struct {
	study       *Study
	Experiment  string
	Version     string
	Options     []jobs.Option
	Rows        []results.Row // all that was measured
	Tables      []Table
	Comparisons []results.Comparison
	Notes       []string      // what was found, in sentences
	Facts       []jobs.Option // what was found, for programs; the last line of the text
	Violated    bool          // something that is proved does not hold
	Files       []File        // beside the summary
}

// fact adds what was found: names and values in turn.
func (r *Report) fact(pairs ...any) { r.Facts = append(r.Facts, jobs.List(pairs...)...) }

// Table is what an experiment shows that is not a mean beside a published one.
type Table struct {
	Title   string   `json:"title"`
	Columns []string `json:"columns"`
	Rows    [][]any  `json:"rows"` // texts and numbers; nil where there is none
}

// File is an output of an experiment, written when somebody asks for it.
type File struct {
	Name  string
	Write func(io.Writer) error
}

// AllFiles lists the files of the report with its tables and its summary.
func (r *Report) AllFiles() []File {
	list := append(r.Files[:len(r.Files):len(r.Files)], tables(r.Experiment, r.Rows)...)
	return append(list, Meta("meta.json", r.study.Echo(), r.Version, r.Options),
		File{"summary.csv", summary(r.Comparisons).CSV},
		File{"summary.json", r.JSON})
}

// Text writes the tables, the comparisons, the findings and the facts.
func (r *Report) Text(out io.Writer) error {
	list := r.Tables[:len(r.Tables):len(r.Tables)]
	if len(r.Comparisons) > 0 {
		list = append(list, comparisonTable(r.Comparisons))
	}
	for _, t := range list {
		if err := t.text(out); err != nil {
			return err
		}
	}
	for _, n := range r.Notes {
		fmt.Fprintln(out, n)
	}
	facts := make([]string, len(r.Facts))
	for i, f := range r.Facts {
		facts[i] = f.String()
	}
	_, err := fmt.Fprintln(out, strings.Join(facts, " "))
	return err
}

// text writes the table for people.
func (t *Table) text(out io.Writer) error {
	end := ""
	if t.Title != "" {
		fmt.Fprintln(out, t.Title)
		end = "\n"
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, strings.ToUpper(strings.Join(t.Columns, "\t"))+"\t")
	for _, row := range t.Rows {
		for _, cell := range row {
			switch x := cell.(type) {
			case nil:
				fmt.Fprint(w, "-\t")
			case float64:
				fmt.Fprint(w, strconv.FormatFloat(x, 'f', -1, 64)+"\t")
			default:
				fmt.Fprintf(w, "%v\t", x)
			}
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(out, end)
	return err
}

// Schema caucus.reproduce/2. What is not known is null.
type reportDocument struct {
	Schema      string               `json:"schema"`
	Version     string               `json:"version"`
	Experiment  string               `json:"experiment"`
	Options     map[string]any       `json:"options"`
	Tables      []Table              `json:"tables,omitempty"`
	Comparisons []comparisonDocument `json:"comparisons"`
	Notes       []string             `json:"notes"`
	Facts       map[string]any       `json:"facts"`
}

type comparisonDocument struct {
	Quantity  string             `json:"quantity"`
	Algorithm string             `json:"algorithm"`
	Published *results.Published `json:"published"`
	results.Mean
	Error    float64  `json:"error"` // of the difference
	InErrors *float64 `json:"differenceInErrors"`
	Verdict  string   `json:"verdict,omitempty"`
}

// JSON writes the report without its files.
func (r *Report) JSON(out io.Writer) error {
	d := reportDocument{Schema: "caucus.reproduce/2", Version: r.Version, Experiment: r.Experiment,
		Options: typed(r.Options), Facts: typed(r.Facts), Notes: append([]string{}, r.Notes...), Tables: r.Tables,
		Comparisons: []comparisonDocument{}}
	for _, c := range r.Comparisons {
		row := comparisonDocument{c.Quantity, c.Variant, c.Published, c.Measured, c.Error(), nil, c.Verdict()}
		if e, ok := c.Difference(); ok {
			row.InErrors = &e
		}
		d.Comparisons = append(d.Comparisons, row)
	}
	return indented(out, d)
}

func indented(out io.Writer, document any) error {
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	return enc.Encode(document)
}

// Meta says of the tables beside it what was run; they themselves hold nothing but data.
func Meta(name, command, version string, options []jobs.Option) File {
	return File{name, func(out io.Writer) error {
		return indented(out, struct {
			Schema  string         `json:"schema"`
			Command string         `json:"command"`
			Version string         `json:"version"`
			Options map[string]any `json:"options"` // all that the results depend on, with the seed
		}{"caucus.tables/2", command, version, typed(options)})
	}}
}

// typed has numbers as numbers.
func typed(list []jobs.Option) map[string]any {
	m := make(map[string]any, len(list))
	for _, o := range list {
		m[o.Name] = results.Typed(o.Value)
	}
	return m
}

func asMap(list []jobs.Option) map[string]string {
	m := make(map[string]string, len(list))
	for _, o := range list {
		m[o.Name] = o.Value
	}
	return m
}
