package check

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// table is a long array that comes into being page by page where it is touched: entries stay at their place while it
// grows, so that workers can share it. What has not been touched is zero.
type table[T uint32 | uint64] struct {
	store *store
	pages []unsafe.Pointer // to [pageSize]T; with an atomic.Pointer peek would be too much to inline
}

const (
	pageBits = 13
	pageSize = 1 << pageBits
)

func newTable[T uint32 | uint64](s *store, most uint64) *table[T] {
	return &table[T]{store: s, pages: make([]unsafe.Pointer, (most+pageSize-1)/pageSize)}
}

// at is the place of entry k.
func (t *table[T]) at(k uint64) *T { return &t.run(k, 1)[0] }

// get is what entry k is.
func (t *table[T]) get(k uint64) (entry T) {
	if p := t.peek(k >> pageBits); p != nil {
		entry = p[k%pageSize]
	}
	return entry
}

// run is the entries from k on, of which there are count within a page.
func (t *table[T]) run(k, count uint64) []T {
	p := t.peek(k >> pageBits)
	if p == nil {
		p = t.page(k >> pageBits)
	}
	k %= pageSize
	return p[k : k+count : k+count]
}

// peek is page k; nil if nothing there has been touched.
func (t *table[T]) peek(k uint64) *[pageSize]T {
	return (*[pageSize]T)(atomic.LoadPointer(&t.pages[k]))
}

func (t *table[T]) page(k uint64) *[pageSize]T {
	t.store.mu.Lock()
	defer t.store.mu.Unlock()
	if p := t.peek(k); p != nil {
		return p
	}
	var one T
	p := (*[pageSize]T)(t.store.take(pageSize * int64(unsafe.Sizeof(one))))
	if p == nil {
		p = new([pageSize]T)
	}
	atomic.StorePointer(&t.pages[k], unsafe.Pointer(p))
	return p
}

// touched visits the entries of the pages that exist, in order, until visit says no.
func (t *table[T]) touched(visit func(k uint64, entry *T) bool) {
	for i := range t.pages {
		p := t.peek(uint64(i))
		if p == nil {
			continue
		}
		for j := range p {
			if !visit(uint64(i)<<pageBits+uint64(j), &p[j]) {
				return
			}
		}
	}
}

// store gives out memory for the configurations of one network under one daemon: from the heap, and when that is used
// up, from files. Its files have no name any more: nothing is left of them when the process ends, in whichever way.
type store struct {
	heap   int64  // bytes that may still come from the heap before files are used
	dir    string // for files; "": all comes from the heap
	rounds int64  // most bytes for counting rounds; 0: any
	chart  int64  // most bytes for configurations that are charted; 0: none are

	mu    sync.Mutex
	block []byte // what is left of the last file
	maps  [][]byte
	err   error
}

// perConfiguration is the most bytes that one of as many configurations as there may be takes: its key, its mark, its
// place in a list, and its slots. Another half of the memory is for counting rounds. A chart comes on top, for as many
// as fit the first half with it.
const perConfiguration = 24

// blockSize is how much of a file is mapped at a time.
const blockSize = 16 << 20

// take gives size bytes, aligned as a uint64 is; nil for memory from the heap. The caller holds mu.
func (s *store) take(size int64) unsafe.Pointer {
	if s.dir == "" || s.err != nil || s.heap >= size {
		s.heap -= size
		return nil
	}
	if int64(len(s.block)) < size {
		block, err := mapFile(s.dir, max(size, blockSize))
		if err != nil {
			s.err = err
			return nil
		}
		s.maps, s.block = append(s.maps, block), block
	}
	p := unsafe.Pointer(&s.block[0])
	s.block = s.block[size:]
	return p
}

// failed is the error of the file system, if there was one.
func (s *store) failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// spilled is how many bytes of files are in use.
func (s *store) spilled() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := int64(0)
	for _, m := range s.maps {
		n += int64(len(m))
	}
	return n
}

// close gives the files back; nothing that came from the store may be used any more.
func (s *store) close() {
	for _, m := range s.maps {
		unmap(m)
	}
	s.maps, s.block = nil, nil
}
