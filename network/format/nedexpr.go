package format

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/scanner"
)

// What NED says by expressions: sizes of vectors, places in them, bounds of loops, conditions. Numbers are doubles, as
// in OMNeT++, and false is 0. What is random, is asked of the user, or is computed elsewhere has no value.

// nedScope are the names that have a value.
type nedScope struct {
	params map[string]string  // by their name, as the file has them
	sizes  map[string]float64 // of vectors
	loops  map[string]float64 // variables of the loops around
	open   int                // parameters that are being worked out
	known  map[string]float64 // parameters that have been
	read   map[string][]string
}

// value works an expression out.
func (s *nedScope) value(text string) (float64, error) {
	tokens, ok := s.read[text]
	if !ok {
		tokens = nedTokens(text)
		s.read[text] = tokens
	}
	e := nedExpr{nedScope: s, text: strings.TrimSpace(text), rest: tokens}
	e.next()
	x := e.choice()
	if e.token != "" {
		e.fail(fmt.Sprintf("%q is not expected there", e.token))
	}
	return x, e.err
}

// integer works out an expression that must be a whole number.
func (s *nedScope) integer(text string) (int, error) {
	x, err := s.value(text)
	if err == nil && (x != math.Trunc(x) || math.Abs(x) > 1<<31) {
		err = fmt.Errorf("%s: it is %g, and no whole number of reasonable size", text, x)
	}
	return int(x), err
}

// nedExpr is an expression that is read and worked out at once.
type nedExpr struct {
	*nedScope
	text  string
	rest  []string
	token string // the one before the rest; "" at the end
	depth int
	err   error
}

func (e *nedExpr) fail(why string) {
	if e.err == nil {
		e.err = fmt.Errorf("%s: %s", e.text, why)
	}
	e.token = ""
}

// nedPairs are the operators of two characters.
var nedPairs = []string{"==", "!=", "<=", ">=", "&&", "||", "<<", ">>"}

func nedTokens(text string) (tokens []string) {
	var s scanner.Scanner
	s.Init(strings.NewReader(text))
	s.Mode = scanner.ScanIdents | scanner.ScanInts | scanner.ScanStrings
	s.Error = func(*scanner.Scanner, string) {} // what it cannot read is no operand
	for s.Scan() != scanner.EOF {
		token := s.TokenText()
		if slices.Contains(nedPairs, token+string(s.Peek())) {
			token += string(s.Next())
		}
		tokens = append(tokens, token)
	}
	return tokens
}

func (e *nedExpr) next() {
	if len(e.rest) == 0 || e.err != nil {
		e.token = ""
		return
	}
	e.token, e.rest = e.rest[0], e.rest[1:]
}

// choice reads condition ? value : value.
func (e *nedExpr) choice() float64 {
	if e.depth++; e.depth > maxDepth {
		e.fail("it nests too deep")
	}
	defer func() { e.depth-- }()
	x := e.operation(0)
	if e.token != "?" {
		return x
	}
	e.next()
	yes := e.choice()
	if e.token != ":" {
		e.fail("a ? without its :")
	}
	e.next()
	if no := e.choice(); x == 0 {
		return no
	}
	return yes
}

// nedBinds are the operators, those that bind least first.
var nedBinds = [][]string{{"||"}, {"&&"}, {"==", "!=", "<", "<=", ">", ">="}, {"|"}, {"#"}, {"&"}, {"<<", ">>"},
	{"+", "-"}, {"*", "/", "%"}, {"^"}}

// operation reads operands joined by operators that bind at least so much; all but ^ are left to right.
func (e *nedExpr) operation(least int) float64 {
	if least == len(nedBinds) {
		return e.operand()
	}
	x := e.operation(least + 1)
	for slices.Contains(nedBinds[least], e.token) {
		operator := e.token
		e.next()
		if operator == "^" {
			return e.apply(operator, x, e.operation(least))
		}
		x = e.apply(operator, x, e.operation(least+1))
	}
	return x
}

// truth is a condition as a number.
func truth(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

func (e *nedExpr) apply(operator string, x, y float64) float64 {
	switch operator {
	case "||":
		return truth(x != 0 || y != 0)
	case "&&":
		return truth(x != 0 && y != 0)
	case "==":
		return truth(x == y)
	case "!=":
		return truth(x != y)
	case "<":
		return truth(x < y)
	case "<=":
		return truth(x <= y)
	case ">":
		return truth(x > y)
	case ">=":
		return truth(x >= y)
	case "+":
		return x + y
	case "-":
		return x - y
	case "*":
		return x * y
	case "/":
		if y == 0 {
			e.fail("a division by zero")
		}
		return x / y
	}
	return e.whole(operator, x, y)
}

// whole applies the operators of whole numbers.
func (e *nedExpr) whole(operator string, x, y float64) float64 {
	if math.Abs(x) > 1<<52 || math.Abs(y) > 1<<52 || (operator == "<<" || operator == ">>" || operator == "^") &&
		(y < 0 || y > 62) || operator == "%" && math.Abs(y) < 1 {
		e.fail(fmt.Sprintf("%g %s %g is not worked out", x, operator, y))
		return 0
	}
	a, b := int64(x), int64(y)
	switch operator {
	case "%":
		return float64(a % b)
	case "|":
		return float64(a | b)
	case "#":
		return float64(a ^ b)
	case "&":
		return float64(a & b)
	case "<<":
		return float64(a << b)
	case ">>":
		return float64(a >> b)
	}
	power := 1.0 // ^
	for range b {
		power *= x
	}
	if y != float64(b) {
		e.fail("a power that is no whole number")
	}
	return power
}

// operand reads what operators join.
func (e *nedExpr) operand() float64 {
	token := e.token
	e.next()
	switch {
	case token == "(":
		x := e.choice()
		e.expect(")")
		return x
	case token == "!":
		return truth(e.operand() == 0)
	case token == "-":
		return -e.operand()
	case token == "true":
		return 1
	case token == "false":
		return 0
	case token != "" && token[0] >= '0' && token[0] <= '9':
		return e.number(token)
	case token != "" && e.token == "(":
		return e.call(token)
	}
	return e.name(token)
}

func (e *nedExpr) expect(token string) {
	if e.token != token {
		e.fail(token + " is missing")
	}
	e.next()
}

// number reads a number from its whole part on.
func (e *nedExpr) number(text string) float64 {
	if e.token == "." {
		e.next()
		text += "." + e.token
		e.next()
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		e.fail(text + " is no number")
	}
	return x
}

// call reads a function that follows from what the file says.
func (e *nedExpr) call(name string) float64 {
	e.next()
	if name == "sizeof" {
		vector := e.token
		e.next()
		e.expect(")")
		size, ok := e.sizes[vector]
		if !ok {
			e.fail("sizeof(" + vector + ") is not in the file")
		}
		return size
	}
	args := []float64{e.choice()}
	for e.token == "," {
		e.next()
		args = append(args, e.choice())
	}
	e.expect(")")
	switch last := args[len(args)-1]; name {
	case "int":
		return math.Trunc(last)
	case "floor":
		return math.Floor(last)
	case "ceil":
		return math.Ceil(last)
	case "fabs":
		return math.Abs(last)
	case "min":
		return min(args[0], last)
	case "max":
		return max(args[0], last)
	}
	e.fail(name + "() is random, or computed elsewhere")
	return 0
}

// name gives the value of a loop's variable or of a parameter.
func (e *nedExpr) name(name string) float64 {
	if x, ok := e.loops[name]; ok {
		return x
	}
	if x, ok := e.known[name]; ok {
		return x
	}
	text, ok := e.params[name]
	switch {
	case !ok || text == "" || e.token == ".":
		e.fail(name + e.token + " has no value in the file")
		return 0
	case e.open > maxDepth:
		e.fail(name + " depends on itself")
		return 0
	}
	e.open++
	loops := e.loops
	e.loops = nil
	x, err := e.value(text)
	e.loops = loops
	e.open--
	if err != nil && e.err == nil {
		e.err, e.token = err, ""
	}
	e.known[name] = x
	return x
}
