package main

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"

	"caucus.example/caucus/internal/picture"
)

// grown is a line of a benchmark of growth: its name, the series, nodes, megabytes, seconds.
var grown = regexp.MustCompile(
	`(?m)^Benchmark(\w*Growth)/(\S+?)/n=(\d+)(?:-\d+)?\s.*?([0-9.]+) MB\s+([0-9.e-]+) cpu-s/op`)

// growths are the charts, by the benchmark that prints their figures.
var growths = []struct {
	benchmark, file, title, subtitle string
	figure                           int // of a line
}{
	{"Growth", "docs/growth-memory.svg", "What a run and its network keep on the heap", geometric, megabytes},
	{"Growth", "docs/growth-time.svg", "A hundred rounds from a clean start", geometric, seconds},
	{"EventGrowth", "docs/growth-events-memory.svg", "What an election and its network keep", oneThread, megabytes},
	{"EventGrowth", "docs/growth-events-time.svg", "A whole election", oneThread, seconds},
}

var units = map[int]string{megabytes: "MB", seconds: "seconds of processor time"}

const (
	megabytes, seconds = 4, 5 // where they stand in a line

	geometric = "Bounded Election, random geometric networks of degree 10, one thread"
	oneThread = "Event algorithms with unit delays, one thread"
)

// drawGrowth reads lines of growth benchmarks and draws the charts that they have figures for.
func drawGrowth(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	lines := grown.FindAllStringSubmatch(string(text), -1)
	if lines == nil {
		return fmt.Errorf("%s: found no line of BenchmarkGrowth, allowed: what go test -bench Growth prints", file)
	}
	for _, g := range growths {
		c := picture.Chart{Title: g.title, Subtitle: g.subtitle, XLabel: "nodes", YLabel: units[g.figure], LogX: true,
			LogY: true}
		index := map[string]int{}
		for _, m := range lines {
			if m[1] != g.benchmark {
				continue
			}
			i, ok := index[m[2]]
			if !ok {
				i = len(c.Series)
				index[m[2]] = i
				c.Series = append(c.Series, picture.Series{Name: m[2], Style: picture.LinePoints})
			}
			x, err := strconv.ParseFloat(m[3], 64)
			if err != nil {
				return err
			}
			y, err := strconv.ParseFloat(m[g.figure], 64)
			if err != nil {
				return err
			}
			c.Series[i].X, c.Series[i].Y = append(c.Series[i].X, x), append(c.Series[i].Y, y)
		}
		if c.Series == nil {
			continue
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
