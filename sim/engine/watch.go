package engine

import (
	"reflect"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/story"
)

// watcher puts together what Config.Watch is told of a run of events.
type watcher struct {
	cfg     *sim.Config
	algo    columns.Events
	x       story.Step
	draw    uint64 // of the step of a story that is being carried out
	of      uint64
	outcome func(i int) caucus.Outcome
	stop    bool
}

func (w *watcher) stopped() bool { return w != nil && w.stop }

func (w *watcher) begin(what string, node int) {
	w.x = story.Step{What: what, Node: node, Before: story.ValueOf(w.algo.State(node))}
}

func (w *watcher) wake(i int, initiator bool) {
	w.begin(story.Wake, i)
	w.x.Initiator = initiator
}

func (w *watcher) timer(i, timer int) {
	w.begin(story.Timer, i)
	w.x.Timer = timer
}

func (w *watcher) message(i, port int, number uint32, slot int32) {
	w.begin(story.Message, i)
	w.carries(i, port, number, slot)
}

func (w *watcher) carries(i, port int, number uint32, slot int32) {
	g := w.cfg.Graph
	w.x.Port, w.x.From, w.x.Number = port, int(g.Nbr[g.Off[i]+port]), uint64(number)+1
	w.x.Kind, w.x.Message = w.algo.Kind(slot), story.ValueOf(w.algo.Message(slot))
}

func (w *watcher) send(m *columns.Send, to int, number uint64) {
	w.x.Sends = append(w.x.Sends, story.Sending{
		Port: int(m.Port), To: to, Number: number, Kind: w.algo.Kind(m.Slot),
		Message: story.ValueOf(w.algo.Message(m.Slot)),
	})
}

// done tells of a step once its node holds what it leads to.
func (w *watcher) done(now float64) {
	w.x.After, w.x.Outcome = story.ValueOf(w.algo.State(w.x.Node)), w.outcome(w.x.Node)
	w.tell(now)
}

func (w *watcher) lost(i, port int, number uint32, slot int32, now float64) {
	w.x = story.Step{What: story.Lost, Node: i}
	w.carries(i, port, number, slot)
	w.tell(now)
}

// happens tells of a step that changes no state.
func (w *watcher) happens(what string, i, timer int, now float64) {
	w.x = story.Step{What: what, Node: i, Timer: timer}
	w.tell(now)
}

func (w *watcher) tell(now float64) {
	x := w.x
	x.Time, x.Draw, x.Of = now, w.draw, w.of
	if !w.cfg.Watch(&x) {
		w.stop = true
	}
}

// read makes a value of what a step tells; the result points to it.
func read(told story.Value, typ reflect.Type) (any, error) {
	v := reflect.New(typ).Interface()
	return v, story.Set(told.Plain(), v)
}
