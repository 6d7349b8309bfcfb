package format

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"slices"
	"strconv"
	"unsafe"

	"caucus.example/caucus/network"
)

// A large edge list of plain numbers, two a line, as SNAP has them, is read in pieces, on two cores, without its text
// or a name in memory. If there is anything else in it, the reader of all edge lists decides.

const (
	quickFrom  = 1 << 20 // bytes: what is smaller is read as quickly otherwise
	pieceSize  = 2 << 20
	tableLimit = 1 << 24 // numbers below it are looked up in a table, others in a map
)

// piece is a part of the file that ends at the end of a line, and the numbers in it.
type piece struct {
	text  []byte
	ends  []uint32
	plain bool // all lines are two numbers or comments
	done  chan struct{}
}

// numbering gives the numbers of a file indices in order of their first mention.
type numbering struct {
	table []int32 // index + 1
	large map[uint32]int32
	ids   []uint32
	ends  []int32
}

// readNumbers reads such a list; ok is false if the file is none, and then has been read in part.
func readNumbers(file *os.File, name string, f Format, o Options) (g *network.Graph, report Report, ok bool) {
	st, err := file.Stat()
	if f != "" && f != EdgeList || o != (Options{Lenient: o.Lenient}) || err != nil || st.Size() < quickFrom ||
		st.Size() > maxInput {
		return nil, report, false
	}
	b := bufio.NewReaderSize(file, 1<<16)
	head, _ := b.Peek(1 << 16)
	n := numbering{ends: make([]int32, 0, st.Size()/6), large: map[uint32]int32{}}
	if !startsAsNumbers(head) || !n.read(b) || len(n.ends) < 6 || n.ends[0] == n.ends[1] {
		return nil, report, false // equal numbers at first may be the header of METIS
	}
	d := &draft{report: Report{Format: EdgeList, Encoding: "UTF-8"}}
	d.suspectCounts(strconv.FormatUint(uint64(n.ids[n.ends[0]]), 10), strconv.FormatUint(uint64(n.ids[n.ends[1]]), 10),
		len(n.ends)/2)
	names := n.names()
	g, d.report.Merged = network.BuildPairs(len(n.ids), n.ends)
	g.Name, g.Names = base(name), names
	return g, d.report, true
}

// startsAsNumbers tells whether the beginning of a file is that of such a list, but for the line that is cut off.
func startsAsNumbers(head []byte) bool {
	end := bytes.LastIndexByte(head, '\n')
	if end < 0 || bytes.HasPrefix(head, []byte(edgeListMark)) {
		return false
	}
	p := piece{text: head[:end+1]}
	p.parse()
	return p.plain && len(p.ends) > 0
}

// read takes pieces off the file in order, while others are parsed.
func (n *numbering) read(b *bufio.Reader) bool {
	pieces := make(chan *piece, 2)
	free := make(chan *piece, 5)
	for range cap(free) {
		free <- &piece{text: make([]byte, 0, pieceSize+1024), ends: make([]uint32, 0, pieceSize/5)}
	}
	stop := make(chan struct{})
	failed := false
	go func() {
		defer close(pieces)
		var rest []byte
		for ended := false; !ended; {
			var p *piece
			select {
			case p = <-free:
			case <-stop:
				return
			}
			rest, ended = p.fill(b, rest)
			p.done = make(chan struct{})
			go p.parse()
			select {
			case pieces <- p:
			case <-stop:
				return
			}
		}
	}()
	for p := range pieces {
		<-p.done
		if failed = failed || !p.plain; failed {
			break
		}
		for _, id := range p.ends {
			n.ends = append(n.ends, n.index(id))
		}
		free <- p
	}
	close(stop)
	for range pieces { // until nobody reads the file any more
	}
	return !failed
}

// fill reads the next whole lines behind the rest of the piece before, and gives the rest behind them.
func (p *piece) fill(b *bufio.Reader, rest []byte) (next []byte, ended bool) {
	p.text = append(p.text[:0], rest...)
	have := len(p.text)
	p.text = p.text[:cap(p.text)]
	n, err := io.ReadFull(b, p.text[have:])
	p.text = p.text[:have+n]
	if err != nil { // the end; another error shows when the file is read again
		return nil, true
	}
	end := bytes.LastIndexByte(p.text, '\n') + 1
	next = slices.Clone(p.text[end:])
	p.text = p.text[:end] // nothing, if a line is longer than a piece: no line of two numbers
	return next, end == 0
}

// parse reads the lines of a piece.
func (p *piece) parse() {
	p.ends, p.plain = p.ends[:0], false
	if p.done != nil {
		defer close(p.done)
	}
	text := p.text
	for k := 0; k < len(text); {
		switch c := text[k]; {
		case c == '\n' || c == '\r' || c == ' ' || c == '\t':
			k++
			continue
		case c == '#' || c == '%':
			for k < len(text) && text[k] != '\n' {
				if text[k] >= 0x80 || text[k] == 0 || text[k] == '\r' && k+1 < len(text) && text[k+1] != '\n' {
					return
				}
				k++
			}
			continue
		}
		for end := range 2 {
			from := k
			id := uint64(0)
			for k < len(text) && text[k]-'0' < 10 {
				id = 10*id + uint64(text[k]-'0')
				k++
			}
			if k == from || k-from > 10 || id > 1<<32-1 || text[from] == '0' && k-from > 1 {
				return
			}
			p.ends = append(p.ends, uint32(id))
			from = k
			for k < len(text) && (text[k] == ' ' || text[k] == '\t') {
				k++
			}
			if end == 0 && k == from {
				return
			}
		}
		if k < len(text) && text[k] != '\n' && !(text[k] == '\r' && k+1 < len(text) && text[k+1] == '\n') {
			return
		}
	}
	p.plain = true
}

// index gives the index of a number.
func (n *numbering) index(id uint32) int32 {
	if id >= tableLimit {
		i, ok := n.large[id]
		if !ok {
			i = int32(len(n.ids))
			n.large[id] = i
			n.ids = append(n.ids, id)
		}
		return i
	}
	if int(id) >= len(n.table) {
		more := max(1<<16, len(n.table)/2, int(id)+1-len(n.table))
		n.table = append(n.table, make([]int32, more)...)
	}
	if n.table[id] == 0 {
		n.ids = append(n.ids, id)
		n.table[id] = int32(len(n.ids))
	}
	return n.table[id] - 1
}

// names writes the numbers; nil where they are those that nodes have without names. All names share one text.
func (n *numbering) names() []string {
	plain := true
	var all []byte
	offsets := make([]int32, 0, len(n.ids)+1)
	for i, id := range n.ids {
		plain = plain && int(id) == i+1
		offsets = append(offsets, int32(len(all)))
		all = strconv.AppendUint(all, uint64(id), 10)
	}
	if plain {
		return nil
	}
	offsets = append(offsets, int32(len(all)))
	text := unsafe.String(unsafe.SliceData(all), len(all))
	names := make([]string, len(n.ids))
	for i := range names {
		names[i] = text[offsets[i]:offsets[i+1]]
	}
	return names
}
