package caucus

import "slices"

// Network is a static network with all that its nodes know, as no node sees it: what the right
// result of an algorithm is computed from. The neighbours of node i are
// Nbr[Off[i]:Off[i+1]], in rising order.
type Network struct {
	IDs       []ID
	Strengths []float64
	Off       []int
	Nbr       []int32
	Dist      []float64 // lengths of edges, parallel to Nbr
	Labels    []Label   // directions of ports, parallel to Nbr; nil when unlabelled
	// Initiators says of each node whether it starts on its own, for the event shape; nil: all do.
	Initiators []bool
	Known      Known // what the nodes are told
}

// Starts reports whether node i starts on its own.
func (n *Network) Starts(i int) bool { return n.Initiators == nil || n.Initiators[i] }

// Len is the number of nodes.
func (n *Network) Len() int { return len(n.IDs) }

// Oracle is implemented by algorithms that promise one result on every static network. Expect computes it with the
// whole network in view, by another way than the nodes do: the role, leader and distance of every node (a distance <
// 0 is not compared). It gives nil where the parameters promise none. This is the legitimacy that a checker holds the
// algorithm to.
type Oracle interface {
	Expect(n *Network) []Outcome
}

// Judge is implemented by algorithms that promise a property of the result instead of one result.
type Judge interface {
	Right(n *Network, outcomes []Outcome) bool
}

// Right tells whether the outcomes of all nodes are what an algorithm promises on a network: what its oracle computes,
// else what its judge says, else that every node follows one that leads.
func (n *Network) Right(algo any, outcomes []Outcome) bool {
	if o, ok := algo.(Oracle); ok {
		if want := o.Expect(n); want != nil {
			for i, w := range want {
				o := outcomes[i]
				if o.Role != w.Role || o.Leader != w.Leader || w.Distance >= 0 && o.Distance != w.Distance {
					return false
				}
			}
			return true
		}
	}
	if j, ok := algo.(Judge); ok {
		return j.Right(n, outcomes)
	}
	place := make(map[ID]int, len(n.IDs))
	for i, id := range n.IDs {
		place[id] = i
	}
	for _, o := range outcomes {
		if i, ok := place[o.Leader]; !ok || outcomes[i].Role != Leader || outcomes[i].Leader != o.Leader {
			return false
		}
	}
	return true
}

// Bounder is implemented by algorithms for which a theorem bounds the synchronous rounds from any state made of the
// values of w until the result is right for good; 0 where the theorem says nothing.
type Bounder interface {
	Bound(n *Network, w *World) int
}

// Budgeter is implemented by Events algorithms for which a theorem bounds the messages of an execution without faults
// that has the given number of initiators; 0 where the theorem says nothing.
type Budgeter interface {
	Messages(n *Network, initiators int) int
}

// LeastID gives for every node the smallest ID of its connected component.
func (n *Network) LeastID() []ID { return LeastOf(n, n.IDs, func(a, b ID) bool { return a < b }) }

// LeastOf gives for every node the least of the values that the nodes of its connected component have.
func LeastOf[T any](n *Network, values []T, less func(a, b T) bool) []T {
	least := slices.Clone(values)
	for changed := true; changed; {
		changed = false
		for i := range least {
			for _, j := range n.Nbr[n.Off[i]:n.Off[i+1]] {
				if less(least[j], least[i]) {
					least[i], changed = least[j], true
				}
			}
		}
	}
	return least
}

// FollowLeastID gives the outcomes in which every node follows the smallest ID of its
// connected component, without distances.
func (n *Network) FollowLeastID() []Outcome {
	out := make([]Outcome, n.Len())
	for i, id := range n.LeastID() {
		out[i] = Outcome{Role: Follower, Leader: id, Distance: -1}
		if id == n.IDs[i] {
			out[i].Role = Leader
		}
	}
	return out
}

// Timeless is implemented by algorithms, and says true if all calls but Boot read nothing of Local.Round, Now and Rand.
// What a node has read before then leads it to where it was led before: a simulator runs one of Rounds again only when
// something that it reads has changed, and makes no random numbers for one of Events. Counters that never rest do not
// hinder that if they are Relative as well.
type Timeless interface {
	Timeless() bool
}

// Frank is implemented by Rounds algorithms whose states and messages are of one type, and says true if what Boot and
// Round give as a node's message is what they leave in its state. A simulator then keeps one of the two.
type Frank interface {
	Frank() bool
}

// Wide is implemented by Rounds algorithms whose messages are long, and says true if they read them by Inbox.At alone
// and take their number from Inbox.Dist. A simulator then leaves messages where their senders have them.
type Wide interface {
	Wide() bool
}

// Relative is implemented by Rounds algorithms whose states and messages hold counters of which only differences
// matter: with the same number added to all of them, in all nodes, every node steps as before but for that number,
// and every outcome is the same. A checker takes such configurations for one; without that, a counter that never
// rests makes them too many. A simulator takes counters for resting that all grow by one in a round.
type Relative[S, M any] interface {
	// Origin is the counter of a state.
	Origin(s *S) uint64
	// Rebase subtracts origin from the counters of a state and a message, modulo what a counter can hold.
	Rebase(s *S, m *M, origin uint64)
}

// Selective is implemented by Rounds algorithms whose nodes do not read all that messages and states hold, and shows
// what they read. A checker takes for one what differs in nothing that anybody reads. Of l there are ID and Strength.
// Counters of an algorithm that is Relative, too, stay.
type Selective[S, M any] interface {
	// Heed clears in a message what no step of the node that has received it depends on, whatever it holds and hears
	// besides.
	Heed(l *Local, m *M)
	// Keep clears in a state what no step of its node depends on. Its outcome may: that is asked for before.
	Keep(l *Local, s *S)
}

// RelativeEvents is what Relative is to Events algorithms: with the same number added to the counters of all states and
// messages, every handler does the same but for that number.
type RelativeEvents[S, M any] interface {
	// Origin is how far the least counter of a state or a message, of which the other is nil, lies above the least
	// value that it can have; the greatest uint64 where there is none that matters.
	Origin(s *S, m *M) uint64
	// Rebase subtracts origin from the counters of a state or a message, of which the other is nil.
	Rebase(s *S, m *M, origin uint64)
}
