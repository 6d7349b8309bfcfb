package check

import (
	"errors"
	"fmt"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"caucus.example/caucus/story"
)

// Replay carries out the story of a counterexample of the round shape, such as story.Parse reads, in the simulator, and
// says whether where it goes on or stands still at the end is wrong. It is an error if the story does not fit the
// network, or does not end as it says.
func Replay[S, M any](algo caucus.Rounds[S, M], net *caucus.Network, s *story.Story) (*story.Story, error) {
	return ReplayRoundColumns(columns.OfRounds(algo), columns.OfNodes(algo), net, s)
}

// ReplayRoundColumns is Replay of an algorithm whose types are forgotten.
func ReplayRoundColumns(algo columns.Rounds, many columns.Nodes, net *caucus.Network,
	s *story.Story) (*story.Story, error) {
	told, err := engine.ReplayRounds(many, simConfig(net), s)
	if err != nil {
		return nil, err
	}
	told.Network = Describe(net)
	judgeRounds(algo, net, told)
	return told, nil
}

// judgeRounds says what is right on the network that is left at the end, and what is wrong with what goes on there.
func judgeRounds(algo columns.Rounds, net *caucus.Network, told *story.Story) {
	moments := told.Moments()
	dead := uint16(0)
	for i, gone := range moments[len(moments)-1].Gone {
		if gone {
			dead |= 1 << i
		}
	}
	y := &system{algo: &numbered{algo: algo}}
	var nodes []int
	y.net, nodes = less(net, dead)
	y.chooseJudge()
	loop := told.Loop
	if loop < 0 {
		loop = len(moments) - 1
	}
	right := true
	for _, m := range moments[loop:] {
		var outcomes []caucus.Outcome
		for k, i := range nodes {
			outcomes = append(outcomes, m.Now[i].Outcome)
			right = right && (y.want == nil || asWanted(m.Now[i].Outcome, y.want[k]))
		}
		right = right && (y.want != nil || y.right(outcomes))
	}
	if !right {
		told.Wrong = "the result is wrong"
	}
	if y.want != nil {
		told.Wanted = make([]caucus.Outcome, net.Len())
		for k, i := range nodes {
			told.Wanted[i] = y.want[k]
		}
	}
}

// errAstray must not be: what is checked is what is simulated.
var errAstray = errors.New("the simulator does not follow the checker")

// simConfig is a network for the simulator.
func simConfig(net *caucus.Network) sim.Config {
	names := make([]string, net.Len())
	for i, id := range net.IDs {
		names[i] = fmt.Sprint(id)
	}
	return sim.Config{
		Graph:   &network.Graph{Off: net.Off, Nbr: net.Nbr, Labels: net.Labels, Names: names},
		Lengths: lengths(net), IDs: net.IDs, Strengths: net.Strengths, Known: net.Known,
	}
}
