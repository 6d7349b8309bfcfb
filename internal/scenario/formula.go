package scenario

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"caucus.example/caucus"
)

// Formula is an expression of numbers, names and functions, such as 3*nodes + initiators - 4.
type Formula struct {
	Text  string
	Names []string // of what it is made of
	root  term
}

// term is a part of a formula; of gives what a name stands for.
type term func(of func(string) float64) float64

// Value is the number that comes out when names stand for these.
func (f *Formula) Value(of func(name string) float64) float64 { return f.root(of) }

// functions of formulas, by name, with how many arguments they have.
var functions = map[string]struct {
	arguments int
	of        func(x ...float64) float64
}{
	"log":   {1, func(x ...float64) float64 { return math.Log2(x[0]) }},
	"ln":    {1, func(x ...float64) float64 { return math.Log(x[0]) }},
	"sqrt":  {1, func(x ...float64) float64 { return math.Sqrt(x[0]) }},
	"ceil":  {1, func(x ...float64) float64 { return math.Ceil(x[0]) }},
	"floor": {1, func(x ...float64) float64 { return math.Floor(x[0]) }},
	"H":     {1, func(x ...float64) float64 { return harmonic(x[0]) }},
	"min":   {2, func(x ...float64) float64 { return min(x[0], x[1]) }},
	"max":   {2, func(x ...float64) float64 { return max(x[0], x[1]) }},
}

// harmonic is 1 + 1/2 + … + 1/n, of n up to what a network may have.
func harmonic(n float64) (sum float64) {
	for k := 1.0; k <= min(n, 1e8); k++ {
		sum += 1 / k
	}
	return sum
}

// longestFormula keeps what nests in it off the stack.
const longestFormula = 1000

// parseFormula reads an expression: + - * / ^, brackets, names, and functions with brackets.
func parseFormula(field, text string) (*Formula, error) {
	f := &Formula{Text: text}
	p := formulaParser{Formula: f, rest: text, ok: len(text) <= longestFormula}
	f.root = p.sum()
	if p.space(); !p.ok || p.rest != "" {
		names := slices.Sorted(func(yield func(string) bool) {
			for name := range functions {
				if !yield(name) {
					return
				}
			}
		})
		return nil, caucus.Wrong(field, text, "a number or an expression such as 2*(nodes + 1)^2, with + - * / ^, "+
			"measures of the run, variables, and the functions "+strings.Join(names, ", "))
	}
	return f, nil
}

type formulaParser struct {
	*Formula
	rest string
	ok   bool
}

func (p *formulaParser) space() { p.rest = strings.TrimLeft(p.rest, " \t") }

// take is the next sign, if it is one of these; 0 if not.
func (p *formulaParser) take(signs string) byte {
	if p.space(); p.rest == "" || !strings.Contains(signs, p.rest[:1]) {
		return 0
	}
	sign := p.rest[0]
	p.rest = p.rest[1:]
	return sign
}

func (p *formulaParser) sum() term {
	left := p.product()
	for sign := p.take("+-"); sign != 0; sign = p.take("+-") {
		left = joined(sign, left, p.product())
	}
	return left
}

func (p *formulaParser) product() term {
	left := p.power()
	for sign := p.take("*/"); sign != 0; sign = p.take("*/") {
		left = joined(sign, left, p.power())
	}
	return left
}

func (p *formulaParser) power() term {
	if p.take("-") != 0 {
		return joined('-', func(func(string) float64) float64 { return 0 }, p.power())
	}
	left := p.atom()
	if p.take("^") != 0 {
		return joined('^', left, p.power())
	}
	return left
}

func joined(sign byte, a, b term) term {
	return func(of func(string) float64) float64 {
		x, y := a(of), b(of)
		switch sign {
		case '+':
			return x + y
		case '-':
			return x - y
		case '*':
			return x * y
		case '/':
			return x / y
		}
		return math.Pow(x, y)
	}
}

// atom is a number, a name, a function or something in brackets.
func (p *formulaParser) atom() term {
	nothing := func(func(string) float64) float64 { return math.NaN() }
	if p.take("(") != 0 {
		inner := p.sum()
		p.ok = p.ok && p.take(")") != 0
		return inner
	}
	end := strings.IndexFunc(p.rest, func(r rune) bool { return strings.ContainsRune("+-*/^(), \t", r) })
	if end < 0 {
		end = len(p.rest)
	}
	word := p.rest[:end]
	p.rest = p.rest[end:]
	if p.take("(") != 0 {
		return p.call(word)
	}
	if word == "" {
		p.ok = false
		return nothing
	}
	if x, err := strconv.ParseFloat(word, 64); err == nil && word[0] < 'A' {
		return func(func(string) float64) float64 { return x }
	}
	if p.ok = p.ok && word[0] >= 'A'; !slices.Contains(p.Names, word) {
		p.Names = append(p.Names, word)
	}
	return func(of func(string) float64) float64 { return of(word) }
}

// call reads the arguments of a function.
func (p *formulaParser) call(name string) term {
	f, known := functions[name]
	var arguments []term
	for p.ok {
		arguments = append(arguments, p.sum())
		if p.take(",") == 0 {
			break
		}
	}
	p.ok = p.ok && known && p.take(")") != 0 && len(arguments) == f.arguments
	return func(of func(string) float64) float64 {
		values := make([]float64, len(arguments))
		for k, a := range arguments {
			values[k] = a(of)
		}
		return f.of(values...)
	}
}
