package agent

import (
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"

	"caucus.example/caucus"
)

// logbook keeps on disk a term that is at least as large as every term that this node has seen, so that terms go on
// growing when all nodes restart. It is ahead by a block: most new terms need no write. What is not on disk yet is
// neither reported nor told to anybody.
//
// The disk may take its time, or be full: nobody waits for it.
type logbook struct {
	dir      string
	lock     *os.File
	reserved atomic.Uint64 // on disk
	wanted   atomic.Uint64
	wake     chan struct{}
	failure  atomic.Pointer[string] // why the last attempt to write has failed; nil: it has not
}

const (
	logbookFile   = "terms"
	logbookBlock  = 64
	logbookFormat = "caucus-terms 1 %d %08x\n"
)

// openLogbook locks a directory and reads what it keeps, and makes sure that it can be written; nil without one.
func openLogbook(dir string) (*logbook, error) {
	if dir == "" {
		return nil, nil
	}
	if err := checkStateDir(dir); err != nil {
		return nil, err
	}
	lock, err := lockDir(dir)
	if err != nil {
		return nil, err
	}
	b := &logbook{dir: dir, lock: lock, wake: make(chan struct{}, 1)}
	kept, err := readTerm(filepath.Join(dir, logbookFile))
	if err == nil {
		b.reserved.Store(kept)
		err = b.write(kept)
	}
	if err != nil {
		lock.Close()
		return nil, fmt.Errorf("state-dir: %w", err)
	}
	return b, nil
}

// readTerm gives 0 where nothing has been kept yet. A damaged file is not taken for that.
func readTerm(file string) (term uint64, err error) {
	data, err := readRegular(file)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(data))
	if len(fields) == 4 {
		term, err = strconv.ParseUint(fields[2], 10, 64)
	}
	if err != nil || string(data) != termLine(term) {
		found := string(data[:min(len(data), 60)])
		return 0, fmt.Errorf("%s is damaged: found %q, allowed: the line that this node wrote there. Put it back "+
			"from a copy; or remove it if other nodes of the group still have theirs, or if nothing out there "+
			"remembers a term",
			file, found)
	}
	if term >= last-1 {
		return 0, fmt.Errorf("%s: found term %d, allowed: less than %d; the numbers are used up: stop all nodes, and "+
			"remove this file at each of them once nothing remembers a term", file, term, uint64(last-1))
	}
	return term, nil
}

func termLine(term uint64) string {
	digits := strconv.FormatUint(term, 10)
	return fmt.Sprintf(logbookFormat, term, crc32.ChecksumIEEE([]byte(digits)))
}

// write puts a term on disk so that after a crash at any moment there is the former file or the new one.
func (b *logbook) write(term uint64) error {
	term = min(term, last-2)
	file := filepath.Join(b.dir, logbookFile)
	err := writeSynced(file+".new", termLine(term))
	if err == nil {
		err = os.Rename(file+".new", file)
	}
	if err == nil {
		err = syncDir(b.dir)
	}
	if err != nil {
		text := err.Error()
		b.failure.Store(&text)
		return err
	}
	b.failure.Store(nil)
	b.reserved.Store(term)
	return nil
}

func writeSynced(file, text string) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Sync(), f.Close())
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// withhold gives a term that may be told, 0 for one that is not on disk yet. The greatest number that this node knows
// of says what should be.
func (b *logbook) withhold(term, greatest uint64) uint64 {
	if b == nil {
		return term
	}
	reserved := b.reserved.Load()
	if reserved < last-2 && max(term, greatest) > reserved-min(reserved, logbookBlock/2) {
		b.wanted.Store(max(term, greatest) + logbookBlock)
		select {
		case b.wake <- struct{}{}:
		default:
		}
	}
	if term > reserved {
		return 0
	}
	return term
}

// keep writes what is wanted until done. What fails is tried again with the next round that wants it.
func (b *logbook) keep(done <-chan struct{}, failed func(error)) {
	for {
		select {
		case <-b.wake:
		case <-done:
			return
		}
		before := b.failure.Load()
		if err := b.write(b.wanted.Load()); err != nil && before == nil {
			failed(err)
		}
	}
}

// trouble is why terms are not kept at present, "" if they are.
func (b *logbook) trouble() string {
	if b == nil {
		return ""
	}
	if text := b.failure.Load(); text != nil {
		return *text
	}
	return ""
}

// close ends the use of the directory. Who ends in order knows its greatest term and gives the rest of the block back;
// 0: it does not.
func (b *logbook) close(greatest uint64) {
	if b == nil {
		return
	}
	if greatest > 0 && greatest < b.reserved.Load() {
		_ = b.write(greatest) // what is there is greater
	}
	b.lock.Close()
}

// remember makes all terms of this node exceed those of its former lives.
func (a *Agent) remember(b *logbook) error {
	if a.logbook = b; b == nil {
		return nil
	}
	a.terms.seen = b.reserved.Load() // so that others as large are believed
	return a.ExceedTerm(a.terms.seen)
}

func (a *Agent) keepTerms(done <-chan struct{}) {
	a.logbook.keep(done, func(err error) {
		a.cfg.Logger.Error("terms cannot be kept; beyond those that are this node has none, so that it does not lead",
			"error", err)
	})
}

// finalTerm is the greatest term of a node that has left; 0 for one that was killed.
func (a *Agent) finalTerm() uint64 {
	if a.lead.Role != Left {
		return 0
	}
	return a.terms.greatest()
}

// greatest is the largest number that a node has seen, reported or needs.
func (t *terms) greatest() uint64 {
	return max(t.seen, t.reported, t.heard, t.need, t.others)
}

// checkStateDir wants the directory to be there: a disk that is not mounted must not be taken for a new node.
func checkStateDir(dir string) error {
	info, err := os.Stat(dir)
	found := dir
	switch {
	case err != nil:
		found = err.Error()
	case info.IsDir():
		return nil
	}
	return caucus.Wrong("state-dir", found, "a directory that exists and belongs to this node alone")
}
