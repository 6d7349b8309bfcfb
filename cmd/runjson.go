package cmd

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/results"
)

// Schema caucus.run/2, to which regions and outcomes are added, of regionDocument and nodeDocument. Distances are null
// where the algorithm measures none.
type runHead struct {
	Schema    string           `json:"schema"`
	Version   string           `json:"version"`
	Options   map[string]any   `json:"options"`
	Faults    []string         `json:"faults,omitempty"`
	Nodes     int              `json:"nodes"`
	Edges     int              `json:"edges"`
	Unit      string           `json:"unit,omitempty"`
	Converged bool             `json:"converged"`
	Rounds    int              `json:"rounds"`
	Settled   int              `json:"settled"`
	Leaders   int              `json:"leaders"`
	Messages  int64            `json:"messages"`
	Kinds     map[string]int64 `json:"kinds,omitempty"`
	Bits      int64            `json:"bits,omitempty"`
	Events    int64            `json:"events,omitempty"`
	Frames    int64            `json:"frames,omitempty"` // with the option channel
	Seconds   float64          `json:"seconds"`
	Joules    *float64         `json:"joules,omitempty"` // of all nodes together
	Trace     string           `json:"trace"`
}

type regionDocument struct {
	Leader   string   `json:"leader"`
	Leads    bool     `json:"leads"`
	Strength *float64 `json:"strength"`
	Farthest string   `json:"farthest,omitempty"`
	Distance *float64 `json:"distance"`
	Members  nameList `json:"members"`
	Counted  *int     `json:"counted,omitempty"` // by the leader, with --region
}

type nodeDocument struct {
	Name     string   `json:"name"`
	ID       uint64   `json:"id"`
	Role     string   `json:"role"` // of caucus.Role, or "down"
	Leader   string   `json:"leader"`
	Parent   string   `json:"parent,omitempty"` // neighbour towards the leader, of algorithms that build a tree
	Distance *float64 `json:"distance"`
	Strength float64  `json:"strength"`
	Sent     *int64   `json:"sent,omitempty"` // messages, of event algorithms and where energy is accounted for
	Received *int64   `json:"received,omitempty"`
	Joules   *float64 `json:"joules,omitempty"`
}

func (r *report) nodes(yield func(*nodeDocument) bool) {
	joules := r.Joules(r.result)
	for i, o := range r.result.Outcomes {
		id := caucus.ID(i + 1)
		n := nodeDocument{Name: r.Names.Name(id), ID: uint64(r.Config.ID(i)), Role: "down", Leader: "-",
			Strength: r.Config.Strength(i)}
		if r.result.Live[i] {
			n.Role, n.Leader, n.Distance = o.Role.String(), r.Names.Name(o.Leader), known(o.Distance)
			n.Parent = r.parent(i, int(o.Parent)-1)
		}
		if r.result.Sent != nil {
			n.Sent, n.Received = &r.result.Sent[i], &r.result.Received[i]
		}
		if joules != nil {
			n.Joules = &joules[i]
		}
		if !yield(&n) {
			return
		}
	}
}

func (r *report) regionDocuments(yield func(*regionDocument) bool) {
	list := r.regions()
	members := r.members(list)
	for k, g := range list {
		row := regionDocument{Leader: r.Names.Name(g.leader), Leads: g.leads, Strength: known(g.strength),
			Distance: known(g.distance)}
		if g.distance >= 0 {
			row.Farthest = r.Names.Name(caucus.ID(g.farthest + 1))
		}
		row.Members = func(yield func(string) bool) {
			for _, i := range members[k] {
				if !yield(r.Names.Name(caucus.ID(i + 1))) {
					return
				}
			}
		}
		if counted, knows := r.counted(g); knows {
			row.Counted = &counted
		}
		if !yield(&row) {
			return
		}
	}
}

// parent names the neighbour of node i at a port.
func (r *report) parent(i, port int) string {
	if list := r.Config.Graph.Neighbours(i); port >= 0 && port < len(list) {
		return r.Names.Name(caucus.ID(list[port] + 1))
	}
	return ""
}

func known(x float64) *float64 {
	if x < 0 {
		return nil
	}
	return &x
}

func (r *report) json(out io.Writer) error {
	d := runHead{
		Schema: "caucus.run/2", Version: version(), Options: map[string]any{}, Faults: r.Echo(version())[1:],
		Nodes: r.Config.Graph.Len(), Edges: r.Config.Graph.Edges(), Unit: r.Unit(),
		Converged: r.converged(), Rounds: r.result.Rounds, Settled: r.result.SettledAt, Leaders: r.leaders(),
		Messages: r.result.Messages, Bits: r.bits(),
		Events: r.result.Events, Frames: r.result.Frames, Seconds: r.seconds(),
		Trace: fmt.Sprintf("%016x", r.result.TraceHash),
	}
	if joules := r.Joules(r.result); joules != nil {
		sum := total(joules)
		d.Joules = &sum
	}
	for _, o := range r.Options() {
		d.Options[o.Name] = results.Typed(o.Value)
	}
	for k, n := range r.result.Kinds {
		if d.Kinds == nil {
			d.Kinds = map[string]int64{}
		}
		d.Kinds[r.kind(k)] = n
	}
	return writeLong(out, d, longList{"regions", values(r.regionDocuments)},
		longList{"outcomes", values(r.nodes)})
}

// longList is a last field of a document, with many entries.
type longList struct {
	name    string
	entries iter.Seq[any]
}

func values[T any](of iter.Seq[T]) iter.Seq[any] {
	return func(yield func(any) bool) {
		of(func(v T) bool { return yield(v) })
	}
}

// nameList is a field of an entry that may be as long as all entries together. It is encoded as null, which
// writeNames replaces.
type nameList iter.Seq[string]

func (nameList) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// writeNames replaces the members of a region in its text.
func writeNames(w *bufio.Writer, text *bytes.Buffer, names nameList) error {
	before, after, _ := bytes.Cut(text.Bytes(), []byte(`"members": null`)) // in a string its quotes would be escaped
	w.Write(before)
	var name bytes.Buffer
	encode := json.NewEncoder(&name)
	encode.SetEscapeHTML(false)
	begin := `"members": [`
	for n := range names {
		name.Reset()
		if err := encode.Encode(n); err != nil {
			return err
		}
		w.WriteString(begin + "\n        ")
		w.Write(bytes.TrimSuffix(name.Bytes(), []byte("\n")))
		begin = ","
	}
	w.WriteString("\n      ]")
	_, err := w.Write(after)
	text.Reset()
	return err
}

// writeLong writes a document as writeJSON would, with long lists added, of which it holds an entry at a time.
func writeLong(out io.Writer, document any, lists ...longList) error {
	var text bytes.Buffer
	if err := writeJSON(&text, document); err != nil {
		return err
	}
	text.Truncate(text.Len() - len("\n}\n"))
	w := bufio.NewWriterSize(out, 1<<16)
	entry := json.NewEncoder(&text)
	entry.SetEscapeHTML(false)
	entry.SetIndent("    ", "  ")
	for _, list := range lists {
		fmt.Fprintf(&text, ",\n  %q: [", list.name)
		some := false
		for e := range list.entries {
			if some {
				text.WriteByte(',')
			}
			some = true
			text.WriteString("\n    ")
			if err := entry.Encode(e); err != nil {
				return err
			}
			text.Truncate(text.Len() - len("\n"))
			if region, ok := e.(*regionDocument); ok {
				if err := writeNames(w, &text, region.Members); err != nil {
					return err
				}
			}
			if _, err := text.WriteTo(w); err != nil {
				return err
			}
		}
		if some {
			text.WriteString("\n  ")
		}
		text.WriteByte(']')
	}
	text.WriteString("\n}\n")
	if _, err := text.WriteTo(w); err != nil {
		return err
	}
	return w.Flush()
}
