package network

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"caucus.example/caucus"
)

// StrengthSources says what Strengths accepts, for help texts.
const StrengthSources = "degree, id, random, rank, attribute:NAME, fitness, fitness:battery=W,cpu=W,memory=W,load=W"

// Strengths gives each node's strength; the larger wins. source is one of
//
//   - degree: the number of neighbours;
//   - id: the node's number from 1, so that the last node, with the largest ID, is strongest;
//   - random: uniform from [0, 1), drawn from the stream "strength" of the run's seed;
//   - rank: 255 less a rank from 1 to 254, drawn from the same stream, as in the experiments on PraSLE;
//   - attribute:NAME: the number in a node attribute of the topology;
//   - fitness, or fitness:battery=W,…: the weighted mean of four attributes, see Fitness.
//
// Strengths are finite and >= 0. An attribute that is missing or holds anything else
// is an error that names the node.
func Strengths(g *Graph, source string, seed uint64) ([]float64, error) {
	kind, attribute, _ := strings.Cut(source, ":")
	if kind == "attribute" && attribute != "" {
		return attributeStrengths(g, attribute)
	}
	if kind == "fitness" {
		return fitnessStrengths(g, attribute)
	}
	of := StrengthRule(g, source, seed)
	if of == nil {
		return nil, caucus.Wrong("strength", source, StrengthSources)
	}
	strengths := make([]float64, g.Len())
	for i := range strengths {
		strengths[i] = of(i)
	}
	return strengths, nil
}

// StrengthRule gives the strengths of a source in which each follows from the node's number or degree; nil for others.
func StrengthRule(g *Graph, source string, seed uint64) func(i int) float64 {
	stream := caucus.NewRand(seed, "strength")
	switch source {
	case "degree":
		return func(i int) float64 { return float64(g.Degree(i)) }
	case "id":
		return func(i int) float64 { return float64(i + 1) }
	case "random":
		return func(i int) float64 {
			r := stream.At(uint64(i))
			return r.Float64()
		}
	case "rank":
		return func(i int) float64 {
			r := stream.At(uint64(i))
			return 255 - float64(1+r.IntN(254))
		}
	}
	return nil
}

func attributeStrengths(g *Graph, name string) ([]float64, error) {
	values, ok := g.Attrs[name]
	if !ok {
		err := caucus.NotAmong("strength attribute", name, slices.Sorted(maps.Keys(g.Attrs)))
		if len(g.Attrs) == 0 {
			err.Allowed += ": " + g.describe() + " has no node attributes"
		}
		return nil, err
	}
	strengths := make([]float64, g.Len())
	for i, text := range values {
		x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !(x >= 0) || math.IsInf(x, 0) {
			return nil, caucus.Wrong(fmt.Sprintf("%s of node %q", name, g.NodeName(i)), text, "a finite number >= 0")
		}
		strengths[i] = x
	}
	return strengths, nil
}

// fitnessStrengths reads the attributes battery, cpu, memory and load; only those with a weight have to be there.
func fitnessStrengths(g *Graph, weights string) ([]float64, error) {
	f, err := parseFitness(weights)
	if err != nil {
		return nil, err
	}
	columns := make([][]float64, 4)
	for k, c := range []struct {
		name   string
		weight float64
	}{{"battery", f.Battery}, {"cpu", f.CPU}, {"memory", f.Memory}, {"load", f.Load}} {
		if columns[k] = make([]float64, g.Len()); c.weight == 0 {
			continue
		}
		if columns[k], err = attributeStrengths(g, c.name); err != nil {
			return nil, err
		}
		for i, x := range columns[k] {
			if x > 1 {
				return nil, caucus.Wrong(fmt.Sprintf("%s of node %q", c.name, g.NodeName(i)), x, "a share from 0 to 1")
			}
		}
	}
	strengths := make([]float64, g.Len())
	for i := range strengths {
		strengths[i] = f.Of(columns[0][i], columns[1][i], columns[2][i], columns[3][i])
	}
	return strengths, nil
}
