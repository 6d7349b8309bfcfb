package sim

import (
	"caucus.example/caucus"
)

// What happens in a run of the events engine.
const (
	WakeUp     = "wake"    // a node starts
	Arrival    = "message" // a node receives a message
	TimerFired = "timer"   // a timer of a node goes off
	Lost       = "lost"    // a message comes to a node that is down
	Crashed    = "crash"   // a node goes down; that it starts again shows as a wake-up
	Acted      = "act"     // not of this engine: a step of a node in a run of rounds that is shown in the same way
)

// Happening is one event as Config.Watch sees it.
type Happening struct {
	Time          float64
	What          string
	Node          int
	Initiator     bool // of a wake-up: by itself, not by a message
	Port          int  // of a message: at the receiver
	From          int  // of a message: its sender
	Number        uint64
	Kind          int // of a message, as in Spec.Kinds
	Message       Dump
	Timer         int
	Before, After Dump // state of the node
	Role          caucus.Role
	Leader        caucus.ID
	Sends         []Sending
}

// Sending is a message that a node puts on its way.
type Sending struct {
	Port    int
	To      int
	Number  uint64 // in the order of sending, from 1; 0: it is lost on the way
	Kind    int
	Message Dump
}

// watcher puts together what Config.Watch is told.
type watcher[M any] struct {
	cfg  *Config
	kind func(*M) int
	h    Happening
	stop bool
}

func newWatcher[M any](cfg *Config, kind func(*M) int) *watcher[M] {
	return &watcher[M]{cfg: cfg, kind: kind}
}

func (w *watcher[M]) stopped() bool { return w != nil && w.stop }

func (w *watcher[M]) begin(what string, node int, state any) {
	w.h = Happening{What: what, Node: node, Before: DumpOf(state)}
}

func (w *watcher[M]) wake(i int, initiator bool, state any) {
	w.begin(WakeUp, i, state)
	w.h.Initiator = initiator
}

func (w *watcher[M]) timer(i, timer int, state any) {
	w.begin(TimerFired, i, state)
	w.h.Timer = timer
}

func (w *watcher[M]) message(i, port int, number uint32, m M, state any) {
	w.begin(Arrival, i, state)
	w.carries(i, port, number, m)
}

// carries takes the message by value: its address would make every message of every run escape
// to the heap.
func (w *watcher[M]) carries(i, port int, number uint32, m M) {
	g := w.cfg.Graph
	w.h.Port, w.h.From, w.h.Number = port, int(g.Nbr[g.Off[i]+port]), uint64(number)+1
	w.h.Kind, w.h.Message = w.kind(&m), DumpOf(m)
}

func (w *watcher[M]) send(port, to, kind int, m *M, number uint64) {
	w.h.Sends = append(w.h.Sends, Sending{port, to, number, kind, DumpOf(m)})
}

func (w *watcher[M]) done(now float64, state any, is seen) {
	w.h.Time, w.h.After, w.h.Role, w.h.Leader = now, DumpOf(state), is.role, is.leader
	w.tell()
}

func (w *watcher[M]) lost(i, port int, number uint32, m M, now float64) {
	w.h = Happening{What: Lost, Node: i, Time: now}
	w.carries(i, port, number, m)
	w.tell()
}

func (w *watcher[M]) crash(i int, now float64) {
	w.h = Happening{What: Crashed, Node: i, Time: now}
	w.tell()
}

func (w *watcher[M]) tell() {
	h := w.h
	if !w.cfg.Watch(&h) {
		w.stop = true
	}
}
