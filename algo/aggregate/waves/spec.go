package waves

import "caucus.example/caucus"

// Spec describes the algorithm. This is a reconstruction from the abstract and from what others tell of it; it lacks
// the means by which the original comes to rest: colours flip for ever.
var Spec = caucus.Spec{
	Name: "waves", Title: "Colour waves (reconstruction)", Family: "aggregate", Shape: caucus.ShapeRounds,
	Source: "after Datta, Larmore, Vemula, Theoretical Computer Science 412 (2011); reconstructed without " +
		"its text, and without the bit that makes the original silent",
	Elects: "the smallest ID of each connected network, with a tree of fewest hops", Stabilising: caucus.Tested,
	Guarantee: "self-stabilising: proved by its authors for the original; this reconstruction is tested from " +
		"clean and corrupted states on random networks, " +
		"synchronous and asynchronous, not proved",
	Cost: "one message of at most 34 bytes per node and round; about 3 rounds for each hop between the leader " +
		"and the farthest node; colours flip for ever",
	Needs: caucus.Needs{Topology: caucus.AnyTopology, DistinctIDs: true},
}

// FromArgs makes the algorithm, which has no parameters.
var FromArgs = caucus.Fill(Waves{})

// Outcome reads the root off the place. Its level is no distance in the run's metric.
func (Waves) Outcome(l *caucus.Local, s *Place) caucus.Outcome { return caucus.Following(l, s.Lead) }

// Domain is every place with the world's IDs, levels below its bound, and both colours.
func (Waves) Domain(w *caucus.World) (caucus.Values[Place], caucus.Values[Place]) {
	v := caucus.Every(w, func(p *caucus.Pick) Place {
		return Place{From: p.ID(), Lead: p.ID(), Parent: p.ID(), Level: uint32(p.Below(p.Counter)), Blocked: p.Bool()}
	})
	return v, v
}

// Backs names the root that a message supports, whichever instance of it.
func (Waves) Backs(m *Place) (caucus.ID, uint64) { return m.Lead, 0 }

// Expect is the smallest ID for all.
func (Waves) Expect(n *caucus.Network) []caucus.Outcome { return n.FollowLeastID() }
