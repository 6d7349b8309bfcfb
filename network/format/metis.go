package format

import (
	"strconv"
	"strings"
)

var kindMETIS = kind{
	format: METIS, about: "METIS graph", extensions: []string{".graph", ".metis"},
	guess: func(s *sample) bool { return isMETIS(s.whole) }, read: readMETIS, unnamed: true,
}

// isMETIS reports a header of n and m, then n lines that hold 2m numbers from 1 to n, none the
// number of its own line. Files with weights are known by their extension only.
func isMETIS(text string) bool {
	l := &lines{rest: text}
	head, _ := l.data("%")
	f := strings.Fields(head)
	if len(f) < 2 || len(f) > 3 || len(f) == 3 && strings.Trim(f[2], "0") != "" {
		return false
	}
	n, err1 := strconv.Atoi(f[0])
	m, err2 := strconv.Atoi(f[1])
	if err1 != nil || err2 != nil || n < 1 || m < 1 || n > len(text) {
		return false
	}
	row, entries := 0, 0
	for {
		line, ok := l.next()
		if !ok {
			return row >= n && entries == 2*m
		}
		if strings.HasPrefix(line, "%") {
			continue
		}
		row++
		for _, cell := range strings.Fields(line) {
			k, err := strconv.Atoi(cell)
			if err != nil || k < 1 || k > n || k == row || row > n {
				return false
			}
			entries++
		}
	}
}

// metisHeader is the first line of a METIS file: nodes, edges, what the lines hold.
type metisHeader struct {
	nodes, edges                int64
	sizes, nodeWeights, weights bool
	perNode                     int // weights of a node
}

// readMETIS reads one line of neighbours for each node; lines of % are comments and a blank
// line is a node without neighbours. Node weights become the attribute "weight".
func readMETIS(d *draft, text string) error {
	l := &lines{rest: text}
	head, ok := l.data("%")
	if !ok {
		return d.errorf(l.n, "no header; expected nodes, edges and an optional format")
	}
	h, err := metisHead(d, head, l.n)
	if err != nil {
		return err
	}
	loops := 0
	for i := range int32(d.n) {
		line, ok := l.next()
		for ok && strings.HasPrefix(strings.TrimSpace(line), "%") {
			line, ok = l.next()
		}
		if !ok {
			return d.errorf(l.n, "the header says %d nodes, but %d lines follow it", d.n, i)
		}
		n, err := h.row(d, i, line, l.n)
		if err != nil {
			return err
		}
		loops += n
	}
	if line, ok := l.data("%"); ok {
		return d.errorf(l.n, "found %q after the lines of all %d nodes", line, d.n)
	}
	// Every edge stands at both ends; a self-loop may stand once.
	if got := int64(len(d.edges)); got != 2*h.edges && got+int64(loops) != 2*h.edges && got != h.edges {
		return d.errorf(l.n, "the header says %d edges, each in two lines, but the lines have %d neighbours", h.edges,
			got)
	}
	return nil
}

func metisHead(d *draft, head string, line int) (metisHeader, error) {
	var h metisHeader
	f := strings.Fields(head)
	wrong := d.errorf(line, "header: found %q, expected nodes, edges and an optional format of three digits 0 or 1",
		head)
	if len(f) < 2 || len(f) > 4 {
		return h, wrong
	}
	var err1, err2 error
	h.nodes, err1 = strconv.ParseInt(f[0], 10, 64)
	h.edges, err2 = strconv.ParseInt(f[1], 10, 64)
	if err1 != nil || err2 != nil || h.nodes < 0 || h.edges < 0 {
		return h, wrong
	}
	if len(f) > 2 {
		code := f[2]
		if len(code) > 3 || strings.Trim(code, "01") != "" {
			return h, wrong
		}
		code = strings.Repeat("0", 3-len(code)) + code
		h.sizes, h.nodeWeights, h.weights = code[0] == '1', code[1] == '1', code[2] == '1'
	}
	if h.nodeWeights {
		h.perNode = 1
	}
	if len(f) > 3 && h.nodeWeights {
		n, err := strconv.Atoi(f[3])
		if err != nil || n < 1 || n > 100 {
			return h, wrong
		}
		h.perNode = n
	}
	return h, d.number(h.nodes, line)
}

// row reads the line of node i. It returns how many self-loops the line has.
func (h *metisHeader) row(d *draft, i int32, line string, n int) (loops int, err error) {
	f := strings.Fields(line)
	lead := h.perNode
	if h.sizes {
		lead++
	}
	if len(f) < lead {
		return 0, d.errorf(n, "%d numbers, but a line starts with %d sizes and weights of its node", len(f), lead)
	}
	if h.perNode > 0 {
		d.nodeAttr(i, "weight", f[lead-h.perNode])
	}
	f = f[lead:]
	step := 1
	if h.weights {
		step = 2
	}
	if len(f)%step != 0 {
		return 0, d.errorf(n, "the neighbour %s lacks its weight", f[len(f)-1])
	}
	for k := 0; k < len(f); k += step {
		j, err := d.numbered(f[k], 1, n)
		if err != nil {
			return 0, err
		}
		w := nan
		if h.weights {
			if w, err = d.weightOf("weight", f[k+1], n); err != nil {
				return 0, err
			}
		}
		d.edge(i, j, w)
		if i == j {
			loops++
		}
	}
	return loops, nil
}
