// Package stepwise holds four algorithms for oriented rings in which candidates meet step by step: each step says where
// values go and which of two that meet goes on. That they differ in no more than this is what [ring.Cycle] makes of
// Santoro, Design and Analysis of Distributed Algorithms, sections 3.3.6 and 3.3.7.
//
// Whoever wakes is a candidate. A step costs n messages and leaves a Fibonacci fraction of the candidates at worst.
package stepwise

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring"
)

// Alternate (after Franklin's Stages): in odd steps every candidate sends its ID to the right and reads one from the
// left, in even steps the other way round; it goes on if its own is smaller. Both neighbours of a loser cannot lose
// to it, so it is enough to be compared with one of them at a time (section 3.3.6).
//
// The order of messages does not matter, other than in the one-way forms: before a candidate sends to the right again
// it must read a message from there that was sent, or let pass, by somebody who had read its last one. So two are
// never on the way between the same two candidates.
var Alternate = ring.Cycle{{Out: caucus.Right}, {Out: caucus.Left}}

// UniAlternate is the same one way: in odd steps a candidate goes on if its value is smaller than the one received; in
// even steps it acts for its left neighbour, who in Alternate would have compared with the right: it goes on, with the
// value received, if that is smaller (section 3.3.7).
var UniAlternate = ring.Cycle{{Out: caucus.Right}, {Out: caucus.Right, Take: true}}

// MinMax (Higham, Przytycka): in odd steps a candidate goes on if the value received is smaller than its own, in even
// steps if it is larger, and always with the value received (section 3.3.7).
var MinMax = ring.Cycle{{Out: caucus.Right, Take: true}, {Out: caucus.Right, Take: true, Max: true}}

// BiMinMax: only its name and its cost are known from the table of a lecture; this is a realisation of our own with
// that cost. Candidates keep their IDs and use four rules in turn. To change direction and rule in every step would
// not do: on a ring of rising IDs each step would defeat one node only, n²/2 messages.
var BiMinMax = ring.Cycle{
	{Out: caucus.Right}, {Out: caucus.Left},
	{Out: caucus.Left, Max: true}, {Out: caucus.Right, Max: true},
}

// Specs of the four. The worst case of all of them is attained, see worst.Cycle.
var (
	AlternateSpec = spec("alternate", "Alternating Steps", "Santoro, section 3.3.6", attained)

	UniAlternateSpec = inOrder(spec("uni-alternate", "Alternating Steps, one way", "Santoro, section 3.3.7", attained))

	MinMaxSpec = inOrder(someNode(spec("min-max", "MinMax", "Higham, Przytycka, IPL 1993; Santoro, section 3.3.7",
		atWorst),
		"proved"))

	BiMinMaxSpec = inOrder(someNode(spec("bi-min-max", "BiMinMax (own realisation)",
		"own realisation; the cost is that of van Leeuwen, Tan, 1987, who do without labels", atWorst),
		"proved: a step keeps the least candidate and defeats the largest, or the other way round"))
)

const (
	attained = "n(k+2) messages at worst, attained, k the largest index with F_k <= n in F = 2, 3, 5, 8, …: 1.44 " +
		"n log n + O(n)"
	atWorst = "n(k+2) messages at worst, k the largest index with F_k <= n in F = 2, 3, 5, 8, …: 1.44 n log n + O(n)"
)

func spec(name, title, source, cost string) caucus.Spec {
	return ring.Spec(caucus.Spec{Name: name, Title: title, Source: source, Cost: cost,
		Needs: caucus.Needs{Labels: true}})
}

// inOrder: two steps in a row send the same way, so links must keep the order.
func inOrder(s caucus.Spec) caucus.Spec {
	s.Needs.FIFO = true
	return s
}

// someNode: the owner of the value that stays leads.
func someNode(s caucus.Spec, why string) caucus.Spec {
	s.Elects, s.LeastID = "some node", false
	s.Guarantee = "terminates with one leader that every node knows (" + why + "), not in general the least ID; " +
		"not self-stabilising"
	return s
}

// Makers of the four, which have no parameters.
var (
	AlternateFromArgs    = caucus.Fill(Alternate)
	UniAlternateFromArgs = caucus.Fill(UniAlternate)
	MinMaxFromArgs       = caucus.Fill(MinMax)
	BiMinMaxFromArgs     = caucus.Fill(BiMinMax)
)
