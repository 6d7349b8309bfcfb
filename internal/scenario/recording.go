package scenario

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/internal/unpack"
	"caucus.example/caucus/registry"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/story"
)

// Recording is the trace of a run, read step by step.
type Recording struct {
	Scenario string // the scenario file that was run; "": the trace says none
	Where    string // the last step's place in the file, for errors
	Single   bool   // distances are rounded to 24 bits
	file     *os.File
	read     func() (story.Record, error)
	ended    bool
}

// RecordingEndings are those of the files that a Recording can be read from.
var RecordingEndings = []string{".jsonl", ".parquet"}

// ScenarioKey is under which name a trace as a table has the scenario in its footer.
const ScenarioKey = "caucus.scenario"

// OpenRecording begins to read a trace: JSON lines, or a table of Parquet.
func OpenRecording(name string) (*Recording, error) {
	f, err := unpack.Open(name)
	if err != nil {
		return nil, err
	}
	r := &Recording{file: f, Where: name}
	switch filepath.Ext(name) {
	case ".jsonl":
		err = r.lines(name)
	case ".parquet":
		err = r.rows(name)
	default:
		err = caucus.Wrong("trace", name, "a file that ends in .jsonl or .parquet")
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return r, nil
}

// Close ends the reading.
func (r *Recording) Close() error { return r.file.Close() }

// Next gives the next step. After the last, with which a run ends, comes io.EOF.
func (r *Recording) Next() (story.Record, error) {
	x, err := r.read()
	switch {
	case err == io.EOF && !r.ended:
		return x, fmt.Errorf("%s: found no step %q after this one: the trace has been cut off", r.Where, story.End)
	case err == io.EOF:
		return x, err
	case err == nil && r.ended:
		err = fmt.Errorf("found %q after the step %q, allowed: nothing", x.Event, story.End)
	}
	if err != nil {
		return x, fmt.Errorf("%s: %w", r.Where, err)
	}
	r.ended = x.Event == story.End
	return x, nil
}

// maxRecord is more than a line of a trace of rounds needs, or its first one, which holds a scenario.
const maxRecord = maxFile

func (r *Recording) lines(name string) error {
	in := bufio.NewScanner(r.file)
	in.Buffer(make([]byte, 0, 1<<16), maxRecord)
	var head struct {
		Schema   string
		Scenario string
	}
	r.Where = name + ":1"
	if !in.Scan() || json.Unmarshal(in.Bytes(), &head) != nil || head.Schema != story.Schema {
		return fmt.Errorf("%s: %w", r.Where, caucus.Wrong("schema", head.Schema,
			story.Schema+": the first line of a trace"))
	}
	r.Scenario = head.Scenario
	line := 1
	r.read = func() (x story.Record, err error) {
		if !in.Scan() {
			if in.Err() != nil {
				return x, in.Err()
			}
			return x, io.EOF
		}
		line++
		r.Where = fmt.Sprintf("%s:%d", name, line)
		d := json.NewDecoder(bytes.NewReader(in.Bytes()))
		d.DisallowUnknownFields()
		if err = d.Decode(&x); err == nil && d.More() {
			err = errors.New("more after it")
		}
		if err != nil {
			found := caucus.Shown(string(in.Bytes()[:min(len(in.Bytes()), 80)]))
			return x, fmt.Errorf("%w (%v)", caucus.Wrong("line", found, "a step as JSON"), err)
		}
		return x, nil
	}
	return nil
}

func (r *Recording) rows(name string) error {
	st, err := r.file.Stat()
	if err != nil {
		return err
	}
	t, err := results.OpenParquet(r.file, st.Size())
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, m := range t.Meta {
		if m.Name == ScenarioKey {
			r.Scenario = m.Value
		}
	}
	place := map[string]int{}
	for k, c := range t.Columns {
		place[c.Name] = k
	}
	if _, ok := place["event"]; !ok {
		return fmt.Errorf("%s: found no column event, allowed: a trace of a run", name)
	}
	r.Single = true
	row := 0
	r.read = func() (x story.Record, err error) {
		cells, err := t.Next()
		if err != nil {
			return x, err
		}
		row++
		r.Where = fmt.Sprintf("%s: row %d", name, row)
		get := func(name string) any {
			if k, ok := place[name]; ok {
				return cells[k]
			}
			return nil
		}
		return record(get), nil
	}
	return nil
}

// record reads a row by the names of its columns; what is not there, or of another type, is empty.
func record(cell func(name string) any) (x story.Record) {
	text := func(name string) string { s, _ := cell(name).(string); return s }
	number := func(name string) *float64 {
		if v, ok := cell(name).(float64); ok {
			return &v
		}
		return nil
	}
	x.Event, x.Node, x.Role = text("event"), text("node"), text("role")
	x.Leader, x.Parent = text("leader"), text("parent")
	if t := number("time"); t != nil {
		x.Time = *t
	}
	sent, _ := cell("number").(int64)
	x.Number = uint64(sent)
	x.Distance, x.X, x.Y, x.DX, x.DY = number("distance"), number("x"), number("y"), number("dx"), number("dy")
	return x
}

// Recorded is the scenario that a trace says it is of. Of an algorithm of events the trace itself says what comes
// next.
func Recorded(file string) (*Scenario, error) {
	r, err := OpenRecording(file)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if r.Scenario == "" {
		return nil, fmt.Errorf("%s: %w", file, caucus.Wrong("scenario", "", "the one that was run; for a "+
			"trace without it, name the scenario as well"))
	}
	s, err := Parse(file+" (its scenario)", []byte(r.Scenario))
	if err != nil {
		return nil, err
	}
	if e, err := registry.Get(s.texts["algo"]); err == nil && e.Spec.Shape == caucus.ShapeEvents {
		s.texts["scheduler"], s.texts["delays"] = "", string(sim.UnitDelay)
	}
	return s, nil
}
