package scenario

import (
	"path/filepath"
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/layout"
)

// Chart is a picture that a plan wants of its measurements.
type Chart struct {
	Measure    string
	Over       string   // a line of means over this variable, or over round; "": the distribution over the runs
	By         []string // a line for each value of these variables, or of algorithm; nil: of all that is left open
	LogX, LogY bool
	Box        bool   // boxes of the quarters of the runs, in place of means
	File       string // beside the table; its ending says the format. "": named after the chart, as SVG
	Where      Conditions
	Place      string // in the file
}

var chartFields = []string{"measure", "over", "by", "log", "kind", "where", "file"}

func (p *Plan) readCharts(f field) (err error) {
	p.Charts, err = chartsOf(f)
	return err
}

// ChartsOf finds the charts in the text of a plan, and nothing else.
func ChartsOf(text string) (list []Chart, err error) {
	err = fieldOf(text, "charts", func(f field) error {
		list, err = chartsOf(f)
		return err
	})
	return list, err
}

func chartsOf(f field) (list []Chart, err error) {
	if f.value.kind != "list" {
		return nil, located(f.where, caucus.Wrong(f.name, f.value.show(),
			"a list of {measure, over, by, log, kind, where, file}"))
	}
	for _, item := range f.value.list {
		c := Chart{Place: item.where}
		for _, x := range item.fields {
			switch x.name {
			case "measure":
				c.Measure, err = x.scalar()
			case "over":
				c.Over, err = x.scalar()
			case "by":
				c.By, err = x.names()
			case "log":
				err = c.readLog(x)
			case "kind":
				if c.Box = x.value.text == "box"; !c.Box && x.value.text != "mean" {
					err = located(x.where, caucus.Wrong("kind", x.value.show(), "mean or box"))
				}
			case "where":
				err = located(x.where, c.Where.read(x))
			case "file":
				c.File = x.value.text
				if !layout.Is(c.File) || filepath.Base(c.File) != c.File {
					err = located(x.where, caucus.Wrong("file", x.value.show(),
						layout.Allowed+", in the folder of the table"))
				}
			default:
				err = unknown(x, chartFields)
			}
			if err != nil {
				return nil, err
			}
		}
		if c.Measure == "" {
			return nil, located(item.where, caucus.Wrong("measure", "", "what is drawn, as one of the measures"))
		}
		if c.Box && (c.Over == "" || c.Over == "round") {
			return nil, located(item.where, caucus.Wrong("over", c.Over, "the variable over which boxes are drawn"))
		}
		if c.File != "" && slices.ContainsFunc(list, func(o Chart) bool { return o.File == c.File }) {
			return nil, located(item.where, caucus.Wrong("file", c.File, "a file for each chart"))
		}
		list = append(list, c)
	}
	return list, nil
}

func (c *Chart) readLog(x field) error {
	axes, err := x.names()
	if err != nil {
		return err
	}
	for _, axis := range axes {
		if axis != "x" && axis != "y" {
			return located(x.where, caucus.NotAmong("log", axis, []string{"x", "y"}))
		}
	}
	c.LogX, c.LogY = slices.Contains(axes, "x"), slices.Contains(axes, "y")
	return nil
}

// names is one name, or a list of them.
func (f field) names() (list []string, err error) {
	if f.value.kind == "text" {
		return []string{f.value.text}, nil
	}
	for _, item := range f.value.list {
		list = append(list, item.text)
	}
	if list == nil {
		err = located(f.where, caucus.Wrong(f.name, f.value.show(), "a name, or a list of names"))
	}
	return list, err
}

// WrongName is the error about a name in a chart that nothing has.
func (c *Chart) WrongName(field, found string, allowed []string) error {
	return located(c.Place, caucus.NotAmong(field, found, allowed))
}
