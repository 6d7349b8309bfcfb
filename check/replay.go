package check

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
)

// A counterexample as one line of text, which the simulator carries out. Its items are separated by semicolons:
//
//	messages                          nodes read what has been delivered to them, and not what their neighbours say
//	hold 2 Lead=1,Hops=2 say Lead=1   what node 2 holds at the start, and has said if that is something else
//	hear 3 2 Lead=1                   what 3 has last heard of 2 at the start, if it is not what 2 has said
//	act 2 3                           2 and 3 act, at the same time
//	deliver 2 3                       what 2 has said last arrives at 3
//	crash 2
//	corrupt 3 Lead=1 say -            3 holds this from now on
//	lose 2 3                          one more message of 2 does not arrive at 3
//	again 4                           at the end: it is as after four of these steps, and can go on like that for ever
//
// A node that is not told what to hold starts as it boots. A text without again ends where nothing changes any more.
type doing struct {
	what        string
	nodes       []int  // by index: who acts; the receiver before the sender; or the node
	state, says string // as readPlain reads them
	count       int    // of again, and of events of tick and ring
	draw, of    uint64 // of events
	text        string // all of it
}

// form is what follows the first word of an item.
type form struct {
	ids   int // -1: one or more
	value bool
	count bool
	text  string
}

// roundForms and eventForms are the items of the two shapes.
var (
	roundForms = map[string]form{
		"messages": {text: "messages"}, "hold": {ids: 1, value: true, text: "hold ID fields [say fields]"},
		"hear": {ids: 2, value: true, text: "hear ID NEIGHBOUR fields"}, "act": {ids: -1, text: "act ID ..."},
		"deliver": {ids: 2, text: "deliver FROM TO"}, "crash": {ids: 1, text: "crash ID"},
		"corrupt": {ids: 1, value: true, text: "corrupt ID fields [say fields]"}, "lose": {ids: 2, text: "lose FROM TO"},
		"again": {count: true, text: "again N"},
	}
	eventForms = map[string]form{
		"initiators": {ids: -1, text: "initiators ID ..."}, "begin": {ids: 1, value: true, text: "begin ID fields"},
		"start": {ids: 1, text: "start ID"}, "deliver": {ids: 2, value: true, text: "deliver FROM TO fields"},
		"ring": {ids: 1, count: true, text: "ring ID TIMER"}, "tick": {count: true, text: "tick N"},
		"crash": {ids: 1, text: "crash ID"}, "lose": {ids: 2, value: true, text: "lose FROM TO fields"},
		"corrupt": {ids: 1, value: true, text: "corrupt ID fields"}, "again": {count: true, text: "again N"},
	}
)

// script writes scenes as such a text; boot is what nodes start with by themselves.
func script(algo *numbered, net *caucus.Network, boot still, scenes []still, loop int) string {
	var items []string
	add := func(format string, args ...any) { items = append(items, fmt.Sprintf(format, args...)) }
	value := func(s *still, i int) string {
		state, says := plainText(algo.states.value(s.states[i])), plainText(algo.says.value(s.says[i]))
		if state == says {
			return state
		}
		return state + " say " + says
	}
	first := &scenes[0]
	if first.heard != nil {
		add("messages")
	}
	for i, id := range net.IDs {
		if text := value(first, i); text != value(&boot, i) {
			add("hold %d %s", id, text)
		}
	}
	for k := range first.heard {
		j := net.Nbr[k]
		if text := plainText(algo.says.value(first.heard[k])); text != plainText(algo.says.value(first.says[j])) {
			add("hear %d %d %s", net.IDs[receiver(net, k)], net.IDs[j], text)
		}
	}
	for r := range scenes[1:] {
		s := &scenes[r+1]
		switch f := s.fault; {
		case f == nil && s.delivers != nil:
			k := s.delivers[0] // the daemon of this model picks one at a time
			add("deliver %d %d", net.IDs[net.Nbr[k]], net.IDs[receiver(net, k)])
		case f == nil:
			words := "act"
			for i, id := range net.IDs {
				if s.acts&(1<<i) != 0 {
					words += fmt.Sprint(" ", id)
				}
			}
			add("%s", words)
		case f.kind == "lose":
			add("lose %d %d", net.IDs[f.of], net.IDs[f.node])
		case f.kind == "corrupt":
			add("corrupt %d %s", net.IDs[f.node], value(s, f.node))
		default:
			add("crash %d", net.IDs[f.node])
		}
	}
	if loop < len(scenes)-1 {
		add("again %d", loop)
	}
	return strings.Join(items, "; ")
}

// maxScript bounds the items of a text.
const maxScript = 10_000

// readScript reads such a text for a network; what nodes hold is still text.
func readScript(net *caucus.Network, text string, forms map[string]form) ([]doing, error) {
	var out []doing
	for _, item := range strings.Split(text, ";") {
		words := strings.Fields(item)
		if len(words) == 0 {
			continue
		}
		h, err := readItem(net, words, forms)
		if err != nil {
			return nil, caucus.Wrong("replay", strings.TrimSpace(item), err.Error())
		}
		if len(out) == maxScript || len(out) > 0 && out[len(out)-1].what == "again" {
			return nil, caucus.Wrong("replay", strings.TrimSpace(item), fmt.Sprintf("again as the last of at most %d items", maxScript))
		}
		out = append(out, h)
	}
	return out, nil
}

// readItem reads one item; the error says what is allowed.
func readItem(net *caucus.Network, words []string, forms map[string]form) (h doing, err error) {
	h.what, h.text = words[0], strings.Join(words, " ")
	f, ok := forms[h.what]
	if !ok {
		return h, fmt.Errorf("%s", strings.Join(slices.Sorted(maps.Keys(forms)), ", "))
	}
	allowed := fmt.Errorf("%s", f.text)
	rest := words[1:]
	if n := len(rest); n >= 3 && rest[n-3] == "draw" {
		var errDraw, errOf error
		h.draw, errDraw = strconv.ParseUint(rest[n-2], 10, 32)
		h.of, errOf = strconv.ParseUint(rest[n-1], 10, 32)
		if errDraw != nil || errOf != nil || h.draw >= h.of {
			return h, fmt.Errorf("draw K N, with K from 0 to N-1")
		}
		rest = rest[:n-3]
	}
	ids := f.ids
	if ids < 0 {
		ids = max(1, len(rest))
	}
	if len(rest) < ids {
		return h, allowed
	}
	for _, word := range rest[:ids] {
		id, err := strconv.ParseUint(word, 10, 64)
		i := slices.Index(net.IDs, caucus.ID(id))
		if err != nil || i < 0 || slices.Contains(h.nodes, i) {
			return h, fmt.Errorf("%s, of IDs of the network", f.text)
		}
		h.nodes = append(h.nodes, i)
	}
	if h.what == "deliver" || h.what == "lose" {
		slices.Reverse(h.nodes)
	}
	if f.ids == 2 && !slices.Contains(net.Nbr[net.Off[h.nodes[0]]:net.Off[h.nodes[0]+1]], int32(h.nodes[1])) {
		return h, fmt.Errorf("%s, of two neighbours", f.text)
	}
	rest = rest[ids:]
	if f.count {
		if len(rest) == 0 {
			return h, allowed
		}
		if h.count, err = strconv.Atoi(rest[0]); err != nil || h.count < 0 && h.what != "ring" || h.count > 1e9 {
			return h, allowed
		}
		rest = rest[1:]
	}
	switch {
	case f.value && len(rest) == 1:
		h.state, h.says = rest[0], rest[0]
	case f.value && strings.Contains(f.text, "say") && len(rest) == 3 && rest[1] == "say":
		h.state, h.says = rest[0], rest[2]
	case f.value || len(rest) > 0:
		return h, allowed
	}
	return h, nil
}

// Replayed is what the simulator has made of a counterexample.
type Replayed struct {
	Trace  *Trace      // of the round shape
	Events *EventTrace // of the event shape
	Right  bool        // where it goes on or stands still at the end, the result is right
	// Happenings are for a space-time diagram: time is the number of the step, and a message goes from where it was
	// said to where it was first read.
	Happenings []sim.Happening
}

// Table writes it for people, as the checker writes a counterexample.
func (r *Replayed) Table() string {
	if r.Events != nil {
		return r.Events.Table()
	}
	return r.Trace.Table()
}

// Steps is how many steps there were.
func (r *Replayed) Steps() int {
	if r.Events != nil {
		return len(r.Events.Steps)
	}
	return len(r.Trace.Rows) - 1
}

// Replay carries out a counterexample of an algorithm of the round shape, as in Trace.Replay, in the simulator. It is
// an error if the text does not fit the network, or if the run does not end as the text says.
func Replay[S, M any](algo caucus.Rounds[S, M], net *caucus.Network, text string) (*Replayed, error) {
	return ReplayRoundColumns(columns.OfRounds(algo), net, text)
}

// ReplayRoundColumns is Replay of an algorithm whose types are forgotten.
func ReplayRoundColumns(algo columns.Rounds, net *caucus.Network, text string) (*Replayed, error) {
	items, err := readScript(net, text, roundForms)
	if err != nil {
		return nil, err
	}
	a, err := inNumbers(algo)
	if err != nil {
		return nil, err
	}
	r := &replay{algo: a, net: net}
	if err := r.start(items); err != nil {
		return nil, err
	}
	defer r.engine.Close()
	for _, h := range items {
		if err := r.do(h); err != nil {
			return nil, err
		}
	}
	if err := r.end(items); err != nil {
		return nil, err
	}
	wanted, right := r.judge()
	t := write(r.algo, net, wanted, r.scenes, r.loop)
	t.Replay = script(r.algo, net, r.boot, r.scenes, r.loop)
	return &Replayed{Trace: t, Right: right, Happenings: happenings(net, r.scenes)}, nil
}

// replay is a run of the simulator, step by step.
type replay struct {
	algo   *numbered
	net    *caucus.Network
	engine *sim.Rounds[uint32, uint32]
	heard  []uint32 // in the message model
	missed []uint8
	boot   still
	scenes []still
	loop   int
}

// start prepares the engine with the nodes as they boot, and the crashes on its schedule.
func (r *replay) start(items []doing) (err error) {
	cfg := sim.Config{
		Graph: &network.Graph{Off: r.net.Off, Nbr: r.net.Nbr}, Lengths: r.net.Dist, IDs: r.net.IDs, Strengths: r.net.Strengths,
		NoNonces: true, Unsafe: true, Workers: 1, Faults: []sim.Fault{},
	}
	steps := 0
	for _, h := range items {
		switch h.what {
		case "crash":
			cfg.Faults = append(cfg.Faults, sim.Fault{At: float64(steps), Kind: sim.Leave, Nodes: h.nodes})
		case "messages", "hold", "hear", "again":
			continue
		}
		steps++
	}
	if r.engine, err = sim.NewRounds[uint32, uint32](r.algo, nil, cfg); err != nil {
		return err
	}
	r.boot = r.look()
	for _, h := range items {
		if h.what != "hold" {
			continue
		}
		if err := r.put(h); err != nil {
			return err
		}
	}
	for _, h := range items {
		if h.what == "messages" && r.heard == nil {
			r.missed = make([]uint8, len(r.net.Nbr))
			for k, j := range r.net.Nbr {
				r.heard = append(r.heard, r.engine.Export(int(j)))
				r.hear(k)
			}
		}
	}
	for _, h := range items {
		if h.what != "hear" {
			continue
		}
		if r.heard == nil {
			return caucus.Wrong("replay", h.what, "after messages only")
		}
		k := direction(r.net, h.nodes[1], h.nodes[0])
		m, err := r.algo.says.read(h.says)
		if err != nil {
			return err
		}
		r.heard[k] = m
		r.hear(k)
	}
	r.scenes = append(r.scenes, r.look())
	return nil
}

// put makes a node hold and say what an item tells.
func (r *replay) put(h doing) error {
	s, err := r.algo.states.read(h.state)
	if err != nil {
		return err
	}
	m, err := r.algo.says.read(h.says)
	if err != nil {
		return err
	}
	r.engine.Inject(h.nodes[0], s, m)
	return nil
}

// hear tells the engine what is heard at one end of an edge.
func (r *replay) hear(k int) {
	r.engine.Hear(receiver(r.net, k), int(r.net.Nbr[k]), r.heard[k], r.missed[k])
}

// do carries out one step.
func (r *replay) do(h doing) error {
	now := &r.scenes[len(r.scenes)-1]
	switch h.what {
	case "messages", "hold", "hear", "again":
		return nil
	}
	for _, i := range h.nodes {
		if now.gone&(1<<i) != 0 {
			return caucus.Wrong("replay", fmt.Sprintf("%s of %d", h.what, r.net.IDs[i]), "nothing of a node that has crashed")
		}
	}
	if r.heard == nil && (h.what == "deliver" || h.what == "lose") {
		return caucus.Wrong("replay", h.what, "after messages only")
	}
	next := still{gone: now.gone}
	switch h.what {
	case "act":
		r.engine.Act(h.nodes...)
		for _, i := range h.nodes {
			next.acts |= 1 << i
		}
	case "crash":
		r.engine.Act() // it is on the schedule
		next.gone |= 1 << h.nodes[0]
		next.fault = &strike{"crash", h.nodes[0], -1}
	case "corrupt":
		r.engine.Act()
		if err := r.put(h); err != nil {
			return err
		}
		for k := range r.heard { // nobody has heard of it yet
			if i := receiver(r.net, k); (next.gone>>i|next.gone>>r.net.Nbr[k])&1 == 0 {
				r.hear(k)
			}
		}
		next.fault = &strike{"corrupt", h.nodes[0], -1}
	default:
		r.engine.Act()
		k := direction(r.net, h.nodes[1], h.nodes[0])
		if h.what == "deliver" {
			r.heard[k], r.missed[k] = r.engine.Export(h.nodes[1]), 0
			next.delivers = []int{k}
		} else {
			r.missed[k]++
			next.fault = &strike{"lose", h.nodes[0], h.nodes[1]}
		}
		r.hear(k)
	}
	seen := r.look()
	seen.gone, seen.acts, seen.delivers, seen.fault = next.gone, next.acts, next.delivers, next.fault
	r.scenes = append(r.scenes, seen)
	return nil
}

// look gives what the engine's nodes hold.
func (r *replay) look() still {
	s := still{outcomes: r.engine.Outcomes(), heard: slices.Clone(r.heard), missed: slices.Clone(r.missed)}
	for i := range r.net.Len() {
		s.states, s.says = append(s.states, r.engine.State(i)), append(s.says, r.engine.Export(i))
	}
	return s
}

// end finds out whether the run ends as the text says: as after some of the steps, or standing still.
func (r *replay) end(items []doing) error {
	last := len(r.scenes) - 1
	if n := len(items); n > 0 && items[n-1].what == "again" {
		r.loop = items[n-1].count
		if r.loop >= last || !same(r.algo, r.scenes[r.loop], r.scenes[last]) {
			return fmt.Errorf("the replay is not at its end as after %s, as it says: it is of another run", plural(r.loop, "step"))
		}
		return nil
	}
	r.loop = last
	gone := r.scenes[last].gone
	for range standstill {
		for k := range r.heard {
			i, j := receiver(r.net, k), int(r.net.Nbr[k])
			if (gone>>i|gone>>j)&1 == 0 {
				r.engine.Hear(i, j, r.engine.Export(j), 0)
			}
		}
		var all []int
		for i := range r.net.Len() {
			if gone&(1<<i) == 0 {
				all = append(all, i)
			}
		}
		r.engine.Act(all...)
		for _, i := range all {
			if a, b := r.engine.Outcomes()[i], r.scenes[last].outcomes[i]; a != b {
				return fmt.Errorf("the replay goes on after its end: %d comes from %s to %s", r.net.IDs[i], outcomeText(b), outcomeText(a))
			}
		}
	}
	return nil
}

// standstill is for how many rounds of all nothing must change at the end.
const standstill = 3

// judge tells what is right on the network that is left at the end, by node, nil where that is not one thing, and
// whether what goes on there is.
func (r *replay) judge() (wanted []caucus.Outcome, right bool) {
	last := &r.scenes[len(r.scenes)-1]
	y := &system{algo: r.algo}
	var nodes []int
	y.net, nodes = less(r.net, last.gone)
	y.chooseJudge()
	right = true
	for _, s := range r.scenes[r.loop:] {
		var outcomes []caucus.Outcome
		for k, i := range nodes {
			outcomes = append(outcomes, s.outcomes[i])
			right = right && (y.want == nil || asWanted(s.outcomes[i], y.want[k]))
		}
		right = right && (y.want != nil || y.right(outcomes))
	}
	if y.want != nil {
		wanted = make([]caucus.Outcome, r.net.Len())
		for k, i := range nodes {
			wanted[i] = y.want[k]
		}
	}
	return wanted, right
}

// happenings turns scenes into what a space-time diagram shows.
func happenings(net *caucus.Network, scenes []still) []sim.Happening {
	var out []sim.Happening
	said := make([]int, net.Len()) // by node: the entry of out that has its last message
	number := uint64(0)
	read := map[[2]int]bool{} // entry and reader
	add := func(r, i int, what string) {
		o := scenes[r].outcomes[i]
		said[i] = len(out)
		out = append(out, sim.Happening{Time: float64(r), What: what, Node: i, Role: o.Role, Leader: o.Leader, Initiator: true})
	}
	arrive := func(r, i, j int) {
		if from := said[j]; !read[[2]int{from, i}] {
			read[[2]int{from, i}] = true
			number++
			out[from].Sends = append(out[from].Sends, sim.Sending{To: i, Number: number})
			out = append(out, sim.Happening{Time: float64(r), What: sim.Arrival, Node: i, From: j, Number: number, Role: scenes[r].outcomes[i].Role, Leader: scenes[r].outcomes[i].Leader})
		}
	}
	for i := range net.IDs {
		add(0, i, sim.WakeUp)
	}
	for r := range scenes[1:] {
		s := &scenes[r+1]
		for _, k := range s.delivers {
			arrive(r+1, receiver(net, k), int(net.Nbr[k]))
		}
		for i := range net.IDs {
			if s.acts&(1<<i) != 0 && s.heard == nil {
				for _, j := range net.Nbr[net.Off[i]:net.Off[i+1]] {
					if s.gone&(1<<j) == 0 {
						arrive(r+1, i, int(j))
					}
				}
			}
		}
		for i := range net.IDs {
			if s.acts&(1<<i) != 0 {
				add(r+1, i, sim.Acted)
			}
		}
		if f := s.fault; f != nil && f.kind == "crash" {
			add(r+1, f.node, sim.Crashed)
		} else if f != nil && f.kind == "corrupt" {
			add(r+1, f.node, sim.Acted)
		}
	}
	return out
}
