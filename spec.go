package caucus

// Shape is one of the two execution shapes.
type Shape string

// Shapes.
const (
	ShapeRounds Shape = "rounds"
	ShapeEvents Shape = "events"
)

// Spec is what an algorithm says about itself. Drivers check Needs before a run;
// the command line prints the rest.
type Spec struct {
	Name   string // as given to --algo
	Title  string
	Family string // "aggregate", "iot" or "classic"
	Shape  Shape
	Source string // paper, section, equation
	Elects string // what it elects
	// ByStrength says that strengths decide, before IDs.
	ByStrength bool
	// LeastID says that this is the node of least ID with the default parameters, whatever the network and the delays.
	LeastID bool
	// Stabilising says whether the algorithm comes right from any state, and why that is believed.
	Stabilising Claim
	Guarantee   string // what holds and why it is believed (proved, checked, measured)
	Cost        string
	Needs       Needs
	Params      []Param
	// Faithful gives for each faithful mode ("paper", "artefact") the parameters
	// that it sets, all at once.
	Faithful map[string]map[string]string
	Kinds    []string // names of the message kinds; empty for one kind
	// Carries says what a message of each kind carries besides its kind, in the order of Kinds, so
	// that a driver can count bits; nil: they are not counted.
	Carries []Content
	// Endless says that an event algorithm never comes to rest, as one with periodic timers. A
	// simulation of it ends like one of rounds, when no outcome has changed for long enough.
	Endless bool
	// Silent says that an event algorithm comes to rest in the right result without any node knowing that it has: no
	// outcome need be Final, and on the way there may be several leaders.
	Silent bool
}

// Claim is what stands behind a property.
type Claim string

// Claims.
const (
	No      Claim = ""        // it does not hold, or nobody claims it
	Proved  Claim = "proved"  // in the source named
	Checked Claim = "checked" // from every state of small networks
	Tested  Claim = "tested"  // on random networks and states
)

// Content is what a message carries: how many IDs, how many counters up to about the
// number of nodes, and how many further bits.
type Content struct{ IDs, Counters, Bits int }

// Demand asks an algorithm whether its parameters fit what the nodes know of the network, as a number of rounds that
// must cover the diameter: one that has a method Demands says so. A zero in Known is unknown.
func Demand(algo any, known Known) error {
	if d, ok := algo.(interface{ Demands(Known) error }); ok {
		return d.Demands(known)
	}
	return nil
}

// Kind is the type of a parameter.
type Kind string

// Parameter kinds. A length is in the unit of the run's metric and may be "inf".
const (
	KindLength Kind = "length"
	KindNumber Kind = "number"
	KindInt    Kind = "int"
	KindChoice Kind = "choice"
	KindSwitch Kind = "switch" // on or off
)

// Param is one parameter of an algorithm.
type Param struct {
	Name    string
	Kind    Kind
	Default string
	Choices []string // of KindChoice
	Min     float64  // of numbers; see Open
	Max     float64  // of numbers; 0 means none
	Open    bool     // Min itself is not allowed
	Unfit   string   // a value for simulations, which agents refuse; Doc says why
	Doc     string
}

// Needs are the assumptions under which an algorithm is correct. A run that
// violates one is refused, with the node or edge named.
type Needs struct {
	Topology        Topology // "" means any
	Labels          bool     // ports labelled consistently, as the topology has it: see Label
	FIFO            bool     // messages of one link and direction arrive in order
	Connected       bool
	DistinctIDs     bool
	PositiveLengths bool
	Nodes           bool // knows n
	Diameter        bool // knows a bound on the diameter
	UsesDiameter    bool // makes use of such a bound if there is one
	Delay           bool // knows a bound on how long a message travels
	Together        bool // all initiators start at the same moment
}

// Topology is a class of networks that an algorithm may be limited to.
type Topology string

// Topologies.
const (
	AnyTopology Topology = "any"
	Ring        Topology = "ring"
	Tree        Topology = "tree"
	Mesh        Topology = "mesh"
	Complete    Topology = "complete"
	Torus       Topology = "torus"     // recognised by its labels
	Hypercube   Topology = "hypercube" // recognised by its labels
)

// DefaultAlgo is the algorithm of who names none: of an agent, a run and a check.
const DefaultAlgo = "bounded"
