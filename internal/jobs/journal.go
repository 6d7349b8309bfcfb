package jobs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/results"
)

// The journal is a file of lines: a header with all that the rows depend on, then one line for each finished job. Each
// begins with a checksum of the rest. A line is written at once, so that a program that is killed leaves at most its
// last line torn; a disk that is full leaves none.
const (
	journalName   = "journal.jsonl"
	journalFormat = "caucus.journal/2"
)

// Unfinished is how the names of files end that are being written: they begin with a dot, and are taken away from a
// folder with a journal when the next call opens it.
const Unfinished = ".unfinished"

type header struct {
	Journal    string   `json:"journal"`
	Experiment string   `json:"experiment"`
	Version    string   `json:"version"`
	Build      string   `json:"build,omitempty"`
	Study      string   `json:"study"` // hash of the experiment and its options
	Options    []Option `json:"options"`
}

type entry struct {
	Job  int             `json:"job"`
	Rows json.RawMessage `json:"rows"`
	line int
}

type journal struct {
	name string
	file *os.File
	size int64 // of all whole lines
}

// openJournal opens the journal of a folder for more lines and gives those that it holds, or begins one.
func openJournal(dir string, h header, force bool) (*journal, []entry, error) {
	if dir == "-" {
		return nil, nil, &caucus.FieldError{Field: "output folder", Found: dir,
			Allowed: "a folder, since there are several files; --json writes the report to standard output"}
	}
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
		return nil, &caucus.FieldError{
			Field:   "output folder",
			Found:   dir,
			Allowed: "a folder that no other process writes to",
		}
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
	left, err := filepath.Glob(filepath.Join(dir, ".*"+Unfinished))
	for _, name := range left {
		os.Remove(name)
	}
	if err == nil {
		err = j.file.Truncate(int64(whole))
	}
	if j.size = int64(whole); err == nil && whole == 0 {
		err = j.write(h)
	}
	return entries, err
}

// checkEmpty refuses a folder that is in use for something else.
func checkEmpty(dir string) error {
	files, err := os.ReadDir(dir)
	if err == nil && len(files) > 0 {
		return &caucus.FieldError{
			Field: "output folder",
			Found: dir,
			Allowed: "a new or empty folder, or one with a " + journalName +
				" to go on with: " + files[0].Name() + " is in this one; --force replaces files of the same names",
		}
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
		row, err := unseal(text[whole : whole+end])
		if line == 1 {
			var old header
			if err != nil || json.Unmarshal(row, &old) != nil || old.Journal != journalFormat {
				return nil, 0, j.damaged(line, fmt.Errorf("no header of format %s", journalFormat))
			}
			if err := h.compare(old, dir); err != nil {
				return nil, 0, err
			}
		} else {
			e := entry{Job: -1, line: line}
			if err == nil {
				err = json.Unmarshal(row, &e)
			}
			if err != nil {
				return nil, 0, j.damaged(line, err)
			}
			entries = append(entries, e)
		}
		whole += end + 1
	}
}

// seal puts a checksum before a line.
func seal(text []byte) []byte { return fmt.Appendf(nil, "%08x %s\n", crc32.ChecksumIEEE(text), text) }

// unseal takes it off again.
func unseal(line []byte) ([]byte, error) {
	sum, text, ok := bytes.Cut(line, []byte(" "))
	if !ok || string(sum) != fmt.Sprintf("%08x", crc32.ChecksumIEEE(text)) {
		return nil, errors.New("the line is damaged: its checksum does not fit")
	}
	return text, nil
}

// damaged says that a line was not written by this program.
func (j *journal) damaged(line int, err error) error {
	return fmt.Errorf("%s:%d: %w; --force starts anew", j.name, line, err)
}

// compare names the first option in which a batch differs from the one that the folder was begun with.
func (h header) compare(old header, dir string) error {
	differs := func(field, found, begun string) error {
		return &caucus.FieldError{
			Field: field,
			Found: found,
			Allowed: fmt.Sprintf(
				"%s, with which %s was begun; take another folder, or --force to start anew",
				begun,
				dir,
			),
		}
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
	switch { // last: these tell least
	case h.Study != old.Study:
		return differs("study", h.Study, old.Study)
	case h.Version != old.Version:
		return differs("version", h.Version, old.Version)
	case h.Build != old.Build:
		return differs("build", h.Build, old.Build)
	}
	return nil
}

func (j *journal) add(job int, rows results.Rows) error {
	text, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	return j.write(entry{Job: job, Rows: text})
}

// rewrite replaces the journal of a finished batch by one in the order of the jobs, so that the folder does not tell
// who did which, and when.
func (j *journal) rewrite(h header, list []results.Rows, done []bool) (err error) {
	sorted := &journal{name: filepath.Join(filepath.Dir(j.name), "."+journalName+Unfinished)}
	if sorted.file, err = os.Create(sorted.name); err != nil {
		return err
	}
	err = sorted.write(h)
	for job := 0; job < len(list) && err == nil; job++ {
		if done[job] {
			err = sorted.add(job, list[job])
		}
	}
	if e := sorted.file.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(sorted.name, j.name)
	}
	if err != nil {
		os.Remove(sorted.name)
	}
	return err
}

// write adds a line in one piece, or none.
func (j *journal) write(line any) error {
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	n, err := j.file.Write(seal(text))
	if err != nil {
		j.file.Truncate(j.size)
		return err
	}
	j.size += int64(n)
	return nil
}

func (j *journal) close() { j.file.Close() }
