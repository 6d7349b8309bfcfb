package study

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"caucus.example/caucus/internal/picture"
)

// Report is a finished experiment.
type Report struct {
	Experiment  string
	Version     string
	Options     []Option
	Tables      []Table
	Comparisons []Comparison
	Notes       []string // what was found, in sentences
	Facts       []Option // what was found, for programs; the last line of the text
	Violated    bool     // something that is proved does not hold
	Files       []File   // beside the summary
}

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

// AllFiles lists the files of the report with its summary.
func (r *Report) AllFiles() []File {
	return append(r.Files[:len(r.Files):len(r.Files)], r.csv("summary.csv", summaryColumns, r.summaryRows), File{"summary.json", r.JSON})
}

// Echo says in one line what was run.
func (r *Report) Echo() string { return echo(r.Experiment, r.Version, r.Options) }

// Echo says in one line what the sweep is.
func (s *Sweep[T]) Echo() string { return echo(s.Name, s.Version, s.Options) }

func echo(name, version string, options []Option) string {
	return describe("caucus "+version+" reproduce "+name, options)
}

// describe puts options behind a text.
func describe(line string, options []Option) string {
	for _, o := range options {
		line += " " + o.String()
	}
	return line
}

func (o Option) String() string {
	if o.Value == "" || strings.ContainsAny(o.Value, " \"\n\t\\") {
		return o.Name + "=" + strconv.Quote(o.Value)
	}
	return o.Name + "=" + o.Value
}

// Text writes the tables, the comparisons, the findings and the facts.
func (r *Report) Text(out io.Writer) error {
	for _, t := range r.Tables {
		if err := t.text(out); err != nil {
			return err
		}
	}
	if len(r.Comparisons) > 0 {
		if err := r.comparisonTable(out); err != nil {
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

func (r *Report) comparisonTable(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "QUANTITY\tALGORITHM\tPUBLISHED\tMEASURED\tSTD ERROR\tDIFFERENCE\tIN STD ERRORS\t")
	for _, c := range r.Comparisons {
		published, percent, stdErr, errors := "-", "-", "-", "-"
		if c.Published != nil {
			published = number(c.Published.Value)
			percent = fmt.Sprintf("%+.1f %%", 100*(c.Measured.Value/c.Published.Value-1))
		}
		if c.Measured.N > 1 {
			stdErr = significant(c.Measured.StdErr, 2)
		}
		if d, ok := c.Difference(); ok {
			errors = fmt.Sprintf("%+.1f", d)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", c.Quantity, c.Variant, published, significant(c.Measured.Value, 4), stdErr, percent, errors)
	}
	return w.Flush()
}

// significant gives so many digits of x, or all before the point if there are more.
func significant(x float64, digits int) string {
	if x >= math.Pow10(digits) {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.*g", digits, x)
}

// text writes the table for people.
func (t *Table) text(out io.Writer) error {
	fmt.Fprintf(out, "%s\n", t.Title)
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
	_, err := fmt.Fprintln(out)
	return err
}

// Schema caucus.reproduce/1. What is not known is null.
type reportDocument struct {
	Schema      string               `json:"schema"`
	Version     string               `json:"version"`
	Experiment  string               `json:"experiment"`
	Options     map[string]string    `json:"options"`
	Tables      []Table              `json:"tables,omitempty"`
	Comparisons []comparisonDocument `json:"comparisons"`
	Notes       []string             `json:"notes"`
	Facts       map[string]string    `json:"facts"`
}

type comparisonDocument struct {
	Quantity  string             `json:"quantity"`
	Algorithm string             `json:"algorithm"`
	Published *publishedDocument `json:"published"`
	Mean      float64            `json:"mean"`
	SD        float64            `json:"sd"`
	StdErr    float64            `json:"stdErr"`
	N         int                `json:"n"`
	InErrors  *float64           `json:"differenceInStdErrors"`
}

type publishedDocument struct {
	Value float64 `json:"value"`
	Paper string  `json:"paper"`
	Where string  `json:"where"`
}

// JSON writes the report without its files.
func (r *Report) JSON(out io.Writer) error {
	d := reportDocument{Schema: "caucus.reproduce/1", Version: r.Version, Experiment: r.Experiment,
		Options: asMap(r.Options), Facts: asMap(r.Facts), Notes: append([]string{}, r.Notes...), Tables: r.Tables, Comparisons: []comparisonDocument{}}
	for _, c := range r.Comparisons {
		row := comparisonDocument{Quantity: c.Quantity, Algorithm: c.Variant, Mean: c.Measured.Value, SD: c.Measured.SD, StdErr: c.Measured.StdErr, N: c.Measured.N}
		if p := c.Published; p != nil {
			row.Published = &publishedDocument{p.Value, p.Paper, p.Where}
		}
		if e, ok := c.Difference(); ok {
			row.InErrors = &e
		}
		d.Comparisons = append(d.Comparisons, row)
	}
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	return enc.Encode(d)
}

func asMap(list []Option) map[string]string {
	m := make(map[string]string, len(list))
	for _, o := range list {
		m[o.Name] = o.Value
	}
	return m
}

var summaryColumns = []string{"quantity", "algorithm", "published", "paper", "where", "mean", "sd", "std_err", "n", "difference_in_std_errors"}

func (r *Report) summaryRows(row func(...any)) {
	for _, c := range r.Comparisons {
		var published, paper, where, errors any = "", "", "", ""
		if p := c.Published; p != nil {
			published, paper, where = p.Value, p.Paper, p.Where
		}
		if d, ok := c.Difference(); ok {
			errors = d
		}
		row(c.Quantity, c.Variant, published, paper, where, c.Measured.Value, c.Measured.SD, c.Measured.StdErr, c.Measured.N, errors)
	}
}

// csv is a file of comma-separated values below lines that say what was run.
func (r *Report) csv(name string, columns []string, rows func(row func(...any))) File {
	return csvFile(name, r.Echo(), columns, rows)
}

func csvFile(name, echo string, columns []string, rows func(row func(...any))) File {
	return File{name, func(out io.Writer) error {
		if _, err := fmt.Fprintf(out, "# %s\n", echo); err != nil {
			return err
		}
		w := csv.NewWriter(out)
		w.Write(columns)
		rows(func(values ...any) {
			line := make([]string, len(values))
			for i, v := range values {
				if x, ok := v.(float64); ok {
					line[i] = number(x)
				} else {
					line[i] = fmt.Sprint(v)
				}
			}
			w.Write(line)
		})
		w.Flush()
		return w.Error()
	}}
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// charts are the two files of a chart.
func charts(name string, c *picture.Chart) []File {
	var list []File
	for _, ending := range []string{".svg", ".png"} {
		list = append(list, File{name + ending, func(out io.Writer) error { return c.Write(out, ending) }})
	}
	return list
}
