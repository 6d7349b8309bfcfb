package main

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"

	"caucus.example/caucus/internal/picture"
)

var grown = regexp.MustCompile(`(?m)^BenchmarkGrowth/(\S+?)/n=(\d+)(?:-\d+)?\s.*?([0-9.]+) MB\s+([0-9.e-]+) cpu-s/op`)

// growths are the two charts.
var growths = []struct{ file, title, unit string }{
	{"docs/growth-memory.svg", "What a run and its network keep on the heap", "MB"},
	{"docs/growth-time.svg", "A hundred rounds from a clean start", "seconds of processor time"},
}

// drawGrowth reads lines of BenchmarkGrowth and draws both.
func drawGrowth(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	lines := grown.FindAllStringSubmatch(string(text), -1)
	if lines == nil {
		return fmt.Errorf("%s: found no line of BenchmarkGrowth, allowed: what go test -bench Growth prints", file)
	}
	for k, g := range growths {
		c := picture.Chart{Title: g.title, XLabel: "nodes", YLabel: g.unit, LogX: true, LogY: true,
			Subtitle: "Bounded Election, random geometric networks of degree 10, one thread"}
		index := map[string]int{}
		for _, m := range lines {
			i, ok := index[m[1]]
			if !ok {
				i = len(c.Series)
				index[m[1]] = i
				c.Series = append(c.Series, picture.Series{Name: m[1], Style: picture.LinePoints})
			}
			x, err := strconv.ParseFloat(m[2], 64)
			if err != nil {
				return err
			}
			y, err := strconv.ParseFloat(m[3+k], 64)
			if err != nil {
				return err
			}
			c.Series[i].X, c.Series[i].Y = append(c.Series[i].X, x), append(c.Series[i].Y, y)
		}
		if err := create(g.file, func(w io.Writer) error { return c.Write(w, g.file) }); err != nil {
			return err
		}
	}
	return nil
}

func create(file string, write func(io.Writer) error) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
