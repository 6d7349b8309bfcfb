package agent

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"caucus.example/caucus"
)

// metric is a family of values of one name. Those that only grow end in _total.
type metric struct {
	name, help string
	labels     []string
	histogram  bool
}

func desc(name, help string, labels ...string) *metric {
	return &metric{name: "caucus_" + name, help: help, labels: labels}
}

// exposition gathers metrics of agents when somebody asks, so that rounds do not pay, and writes them as Prometheus
// reads text: the values of a family stand together, whosever they are. It is all that is wanted of Prometheus's own
// library, which is a fifth of a program that only runs agents; the test reads it with that library's parser.
type exposition struct {
	group  string // of the agent that is being collected from, "" if it is the only one
	values map[*metric][]string
}

func (e *exposition) add(m *metric, v float64, values ...string) {
	e.sample(m, m.name, m.labels, v, values...)
}

// sample adds a value whose name may go on after that of its family.
func (e *exposition) sample(m *metric, name string, labels []string, v float64, values ...string) {
	var pairs []string
	if e.group != "" {
		pairs = append(pairs, labelled("group", e.group))
	}
	for i, label := range labels {
		pairs = append(pairs, labelled(label, values[i]))
	}
	text := strconv.FormatFloat(v, 'g', -1, 64) + "\n"
	if len(pairs) > 0 {
		text = "{" + strings.Join(pairs, ",") + "} " + text
	} else {
		text = " " + text
	}
	e.values[m] = append(e.values[m], name+text)
}

var escaped = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func labelled(name, value string) string {
	return name + `="` + escaped.Replace(strings.ToValidUTF8(value, "\uFFFD")) + `"`
}

func (e *exposition) writeTo(w io.Writer) {
	var families []*metric
	for m := range e.values {
		families = append(families, m)
	}
	slices.SortFunc(families, func(a, b *metric) int { return strings.Compare(a.name, b.name) })
	for _, m := range families {
		kind := "gauge"
		switch {
		case m.histogram:
			kind = "histogram"
		case strings.HasSuffix(m.name, "_total"):
			kind = "counter"
		}
		fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n%s", m.name, m.help, m.name, kind, strings.Join(e.values[m], ""))
	}
}

var (
	descRounds     = desc("rounds_total", "Rounds run.")
	descLate       = desc("late_rounds_total", "Rounds that began more than a period late.")
	descSent       = desc("datagrams_sent_total", "Datagrams sent.")
	descReceived   = desc("datagrams_received_total", "Datagrams received, dropped ones included.")
	descDropped    = desc("datagrams_dropped_total", "Datagrams received and dropped.", "reason")
	descSendErrors = desc("send_errors_total", "Datagrams that could not be sent.")
	descEmulated   = desc("emulated_losses_total", "Datagrams sent and then lost by the link emulator.")
	descSentBytes  = desc("sent_bytes_total", "Bytes of UDP payload sent.")
	descMessages   = desc("messages_total", "Messages of an event algorithm.", "what")
	descRecvBytes  = desc("received_bytes_total", "Bytes of UDP payload received.")
	descNeighbours = desc("neighbours", "Peers by state.", "state")
	descChanges    = desc("leader_changes_total", "Changes of this node's leader, losing it included.")
	descTerm       = desc("term", "Term of the leadership that this node reports, 0 if none.")
	descIsLeader   = desc("is_leader", "1 if this node leads its region.")
	descStrength   = desc("strength", "This node's strength.")
	descUnsent     = desc("datagrams_unsent_total", "Datagrams that could not be sent, by reason.", "reason")
	descLoss       = desc("neighbour_loss", "Share of a neighbour's datagrams that do not arrive, smoothed.", "peer")
	descLossOut    = desc("neighbour_loss_out",
		"Share of this node's datagrams that a neighbour misses; metric etx only.", "peer")
	descRTT = desc("neighbour_rtt_seconds", "Round-trip time to a neighbour, smoothed; metric rtt only.",
		"peer")
	descRegionStrength = &metric{name: "caucus_region_strength", histogram: true,
		help: "Standings of the members of the region that this node leads."}
	descFence = desc("fence_info",
		"1, with the fence of the leadership that this node reports, if it has a term.", "fence")
	descSuspended  = desc("suspensions_total", "Times that this process, or the machine, did not run for long.")
	descUnheard    = desc("unheard", "1 if others are heard of which none hears this node, so that it does not lead.")
	descBuild      = desc("build_info", "1, with the version of the program.", "version")
	descRefused    = desc("refused_peers", "Peers that do not fit together with this node.")
	descHooks      = desc("hooks_total", "Hooks that have ended, by result.", "result")
	descMembers    = desc("region_members", "Members of the region that this node leads; with min-region or region.")
	descUnread     = desc("unread_total", "Lines and events dropped because their reader was slow or gone.", "output")
	descTrouble    = desc("state_trouble", "1 if terms cannot be kept in state-dir.")
	descCheck      = desc("check", "1 if a check of this node passes.", "check")
	descUnsealed   = desc("unsealed", "1 if datagrams that are not sealed are let in although the group has keys.")
	descHops       = desc("region_hops", "Hops of this node to its leader, -1 without a place; with region only.")
	descRegionMin  = desc("region_strength_min", "The least standing in the region that this node leads.")
	descRegionMax  = desc("region_strength_max", "The greatest standing in the region that this node leads.")
	descDuplicates = desc("duplicate_ids", "Pairs of instances found to share an ID.")
)

// collect adds what an agent's status tells.
func (e *exposition) collect(s *Status) {
	counter := func(m *metric, v uint64, labels ...string) { e.add(m, float64(v), labels...) }
	gauge := e.add
	counter(descRounds, s.Counters.Rounds)
	counter(descLate, s.Counters.LateRounds)
	counter(descSent, s.Counters.Sent)
	counter(descReceived, s.Counters.Received)
	for _, r := range DropReasons {
		counter(descDropped, s.Counters.Dropped[r], r)
	}
	counter(descSendErrors, s.Counters.SendErrors)
	counter(descEmulated, s.Counters.Emulated.Lost+s.Counters.Emulated.Overflowed)
	counter(descSentBytes, s.Counters.SentBytes)
	counter(descRecvBytes, s.Counters.ReceivedBytes)
	counter(descMessages, s.Counters.Messages.Sent, "sent")
	counter(descMessages, s.Counters.Messages.Received, "received")
	counter(descMessages, s.Counters.Messages.Lost, "lost")
	for _, r := range UnsentReasons {
		counter(descUnsent, s.Counters.Unsent[r], r)
	}
	if h := s.Hooks; h != nil {
		counter(descHooks, h.Runs-h.Failures, "ok")
		counter(descHooks, h.Failures-h.Timeouts, "failed")
		counter(descHooks, h.Timeouts, "timeout")
	}
	e.collectNeighbours(s)
	counter(descSuspended, s.Counters.Suspensions)
	if s.Term > 0 {
		gauge(descFence, 1, s.Token.String())
	}
	gauge(descUnheard, truth(s.Unheard))
	gauge(descBuild, 1, s.Version)
	for name, n := range s.Counters.Unread {
		counter(descUnread, n, name)
	}
	if s.Members > 0 {
		gauge(descMembers, float64(s.Members))
	}
	for _, c := range s.Checks {
		gauge(descCheck, truth(c.Passes), c.Name)
	}
	gauge(descUnsealed, truth(s.Unsealed == acceptUnsealed || s.Unsealed == sendUnsealed))
	gauge(descTrouble, truth(s.Trouble != ""))
	counter(descChanges, s.Counters.LeaderChanges)
	gauge(descTerm, float64(s.Term))
	gauge(descIsLeader, truth(s.Role == caucus.Leader.String()))
	gauge(descStrength, s.Strength)
	gauge(descDuplicates, float64(len(s.Duplicates)))
}

// collectNeighbours tells of the neighbours one by one, and how many there are.
func (e *exposition) collectNeighbours(s *Status) {
	gauge := e.add
	live, oneWay, refused := 0, 0, 0
	for _, n := range s.Neighbours {
		switch {
		case n.Live && n.Hears:
			live++
			gauge(descLoss, n.Loss, n.Peer)
			if n.Theirs >= 0 {
				gauge(descLossOut, n.Theirs, n.Peer)
			}
			if n.RTT > 0 {
				gauge(descRTT, n.RTT.Seconds(), n.Peer)
			}
		case n.Live:
			oneWay++
		case n.Refused != "":
			refused++
		}
	}
	gauge(descNeighbours, float64(live), "live")
	gauge(descNeighbours, float64(oneWay), "one-way")
	gauge(descNeighbours, float64(len(s.Neighbours)-live-oneWay), "silent")
	gauge(descRefused, float64(refused))
}

// collectRegion tells, at the leader, of its region: figures of all, and the strengths as a histogram.
func (e *exposition) collectRegion(r *Region) {
	e.add(descHops, float64(r.Distance))
	if !r.Whole {
		return
	}
	e.add(descRegionMin, r.Min)
	e.add(descRegionMax, r.Max)
	m, below := descRegionStrength, 0
	bucket := func(upTo float64, count int) {
		e.sample(m, m.name+"_bucket", []string{"le"}, float64(count), strconv.FormatFloat(upTo, 'g', -1, 64))
	}
	for _, b := range slices.Backward(r.Histogram) {
		if below += b.Count; !math.IsInf(b.UpTo, 1) {
			bucket(b.UpTo, below)
		}
	}
	bucket(math.Inf(1), r.Count)
	e.sample(m, m.name+"_sum", nil, r.Sum)
	e.sample(m, m.name+"_count", nil, float64(r.Count))
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
