package study

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"caucus.example/caucus"
)

// The journal is a file of lines: a header with all that the results depend on, then one line for each
// finished job. A line is written at once, so that a program that is killed leaves at most its last line torn.
const (
	journalName   = "journal.jsonl"
	journalFormat = "caucus.journal/1"
)

type header struct {
	Journal    string   `json:"journal"`
	Experiment string   `json:"experiment"`
	Version    string   `json:"version"`
	Options    []Option `json:"options"`
}

type entry struct {
	Job    int             `json:"job"`
	Result json.RawMessage `json:"result"`
	line   int
}

type journal struct {
	name string
	file *os.File
}

// openJournal opens the journal of a folder for more lines and gives those that it holds, or begins one.
func openJournal(dir string, h header, force bool) (*journal, []entry, error) {
	if st, err := os.Stat(dir); err == nil && !st.IsDir() {
		return nil, nil, &caucus.FieldError{Field: "output folder", Found: dir, Allowed: "a folder; this is a file"}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, nil, err
	}
	j := &journal{name: filepath.Join(dir, journalName)}
	if _, err := os.Stat(j.name); errors.Is(err, fs.ErrNotExist) && !force {
		if err := checkEmpty(dir); err != nil {
			return nil, nil, err
		}
	}
	var err error
	if j.file, err = os.OpenFile(j.name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644); err != nil {
		return nil, nil, err
	}
	entries, err := j.resume(h, dir, force)
	if err != nil {
		j.close()
		return nil, nil, err
	}
	return j, entries, nil
}

// resume reads what the file holds, once no other process can write to it, and makes it ready for more.
func (j *journal) resume(h header, dir string, force bool) ([]entry, error) {
	if lock(j.file) != nil {
		return nil, &caucus.FieldError{Field: "output folder", Found: dir, Allowed: "a folder that no other process writes to"}
	}
	var text []byte
	if !force {
		var err error
		if text, err = io.ReadAll(j.file); err != nil {
			return nil, err
		}
	}
	entries, whole, err := j.read(text, h, dir)
	if err != nil {
		return nil, err
	}
	if err = j.file.Truncate(int64(whole)); err == nil && whole == 0 {
		err = j.write(h)
	}
	return entries, err
}

// checkEmpty refuses a folder that is in use for something else.
func checkEmpty(dir string) error {
	files, err := os.ReadDir(dir)
	if err == nil && len(files) > 0 {
		return &caucus.FieldError{Field: "output folder", Found: dir, Allowed: "a new or empty folder, or one with a " + journalName +
			" to go on with: " + files[0].Name() + " is in this one; --force replaces files of the same names"}
	}
	return err
}

// read checks the header against the present one and lists the jobs. A torn last line does not count; whole is
// the length of the rest.
func (j *journal) read(text []byte, h header, dir string) (entries []entry, whole int, err error) {
	for line := 1; ; line++ {
		end := bytes.IndexByte(text[whole:], '\n')
		if end < 0 {
			return entries, whole, nil
		}
		row := text[whole : whole+end]
		if line == 1 {
			var old header
			if err := json.Unmarshal(row, &old); err != nil || old.Journal != journalFormat {
				return nil, 0, j.damaged(line, fmt.Errorf("no header of format %s", journalFormat))
			}
			if err := h.compare(old, dir); err != nil {
				return nil, 0, err
			}
		} else {
			e := entry{line: line}
			if err := json.Unmarshal(row, &e); err != nil {
				return nil, 0, j.damaged(line, err)
			}
			entries = append(entries, e)
		}
		whole += end + 1
	}
}

// damaged says that a line was not written by this program.
func (j *journal) damaged(line int, err error) error {
	return fmt.Errorf("%s:%d: %w; --force starts anew", j.name, line, err)
}

// compare names the first option in which a sweep differs from the one that the folder was begun with.
func (h header) compare(old header, dir string) error {
	differs := func(field, found, begun string) error {
		return &caucus.FieldError{Field: field, Found: found, Allowed: fmt.Sprintf("%s, with which %s was begun; take another folder, or --force to start anew", begun, dir)}
	}
	if h.Experiment != old.Experiment {
		return differs("experiment", h.Experiment, old.Experiment)
	}
	begun := map[string]string{}
	for _, o := range old.Options {
		begun[o.Name] = o.Value
	}
	for _, o := range h.Options {
		if was, ok := begun[o.Name]; !ok {
			return differs(o.Name, o.Value, "no such option")
		} else if was != o.Value {
			return differs(o.Name, o.Value, was)
		}
		delete(begun, o.Name)
	}
	for _, o := range old.Options {
		if _, left := begun[o.Name]; left {
			return differs(o.Name, "no such option", o.Value)
		}
	}
	if h.Version != old.Version { // last: it tells least
		return differs("version", h.Version, old.Version)
	}
	return nil
}

func (j *journal) add(job int, result any) error {
	text, err := json.Marshal(result)
	if err != nil {
		return err
	}
	return j.write(entry{Job: job, Result: text})
}

// rewrite replaces the journal of a finished sweep by one in the order of the jobs, so that the folder does not tell
// who did which, and when.
func rewrite[T any](j *journal, h header, results []T) (err error) {
	sorted := &journal{name: j.name + ".sorted"}
	if sorted.file, err = os.Create(sorted.name); err != nil {
		return err
	}
	err = sorted.write(h)
	for job := 0; job < len(results) && err == nil; job++ {
		err = sorted.add(job, results[job])
	}
	if e := sorted.file.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(sorted.name, j.name)
}

// write adds a line in one piece.
func (j *journal) write(line any) error {
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	_, err = j.file.Write(append(text, '\n'))
	return err
}

func (j *journal) close() { j.file.Close() }
