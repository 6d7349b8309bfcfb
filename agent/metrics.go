package agent

import (
	"github.com/prometheus/client_golang/prometheus"

	"caucus.example/caucus"
)

// collector turns the snapshot into metrics when somebody asks, so that rounds do not pay.
type collector struct{ agent *Agent }

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("caucus_"+name, help, labels, nil)
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
	descDuplicates = desc("duplicate_ids", "Pairs of instances found to share an ID.")
)

func (c collector) Describe(out chan<- *prometheus.Desc) { prometheus.DescribeByCollect(c, out) }

func (c collector) Collect(out chan<- prometheus.Metric) {
	s := c.agent.Status()
	counter := func(d *prometheus.Desc, v uint64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(v), labels...)
	}
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
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
	live := 0
	for _, n := range s.Neighbours {
		if n.Live {
			live++
		}
	}
	gauge(descNeighbours, float64(live), "live")
	gauge(descNeighbours, float64(len(s.Neighbours)-live), "silent")
	counter(descChanges, s.Counters.LeaderChanges)
	gauge(descTerm, float64(s.Term))
	leads := 0.0
	if s.Role == caucus.Leader.String() {
		leads = 1
	}
	gauge(descIsLeader, leads)
	gauge(descStrength, s.Strength)
	gauge(descDuplicates, float64(len(s.Duplicates)))
}
