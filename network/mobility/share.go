package mobility

// Share gives n views of one network, for n simulators that run on it in step: every one makes the same
// calls in the same order, and in each stretch of the run the first makes all of its calls before the second begins.
// The first view asks the network; the others are told what it was told. No two calls of views may overlap.
func Share(net Net, n int) []Net {
	s := &joint{net: net, told: make([]mark, n)}
	views := make([]Net, n)
	for k := range views {
		views[k] = &view{s, k}
		if located, ok := net.(Located); ok {
			views[k] = &locatedView{view{s, k}, located}
		}
	}
	return views
}

// Lender is a Net that has whom a node hears at hand, as the views of one network do.
type Lender interface {
	Net
	// Lend is Neighbours without a copy: the slices are the network's own and stay until the next call of this or
	// another view. The first to whom a row is lent may change the lengths, for all that it will be lent to.
	Lend(i int, now float64) (row []int32, dist []float64, first bool)
}

// Underlying is the network of which net is a view, for whoever looks at it between two steps; net itself if it is
// no view.
func Underlying(net Net) Net {
	if v, ok := net.(interface{ underlying() Net }); ok {
		return v.underlying()
	}
	return net
}

// joint keeps what the first view was told in the present stretch.
type joint struct {
	net     Net
	present []bool
	ends    []int  // of each row
	lent    []bool // a row has been lent
	row     []int32
	dist    []float64
	told    []mark // how far each view is; that of the first is not used
}

type mark struct{ present, rows int }

// begin forgets the last stretch once all views have been told of it.
func (s *joint) begin() {
	end := mark{len(s.present), len(s.ends)}
	for _, m := range s.told[1:] {
		if m != end {
			return
		}
	}
	clear(s.told)
	s.present, s.ends, s.lent, s.row, s.dist = s.present[:0], s.ends[:0], s.lent[:0], s.row[:0], s.dist[:0]
}

type view struct {
	*joint
	k int
}

func (v *view) underlying() Net { return v.net }
func (v *view) Len() int        { return v.net.Len() }

func (v *view) Advance(to float64) {
	if v.k == 0 {
		v.begin()
		v.net.Advance(to)
	}
}

func (v *view) Present(i int) bool {
	if v.k == 0 {
		v.present = append(v.present, v.net.Present(i))
		return v.present[len(v.present)-1]
	}
	m := &v.told[v.k]
	m.present++
	return v.present[m.present-1]
}

func (v *view) Neighbours(i int, now float64, row []int32, dist []float64) ([]int32, []float64) {
	from, to, _ := v.next(i, now)
	return append(row, v.row[from:to]...), append(dist, v.dist[from:to]...)
}

// Lend is Neighbours of a [Lender].
func (v *view) Lend(i int, now float64) (row []int32, dist []float64, first bool) {
	from, to, at := v.next(i, now)
	first, v.lent[at] = !v.lent[at], true
	return v.row[from:to], v.dist[from:to], first
}

// next finds what is to be told next: the row number at.
func (v *view) next(i int, now float64) (from, to, at int) {
	at = len(v.ends)
	if v.k == 0 {
		v.row, v.dist = v.net.Neighbours(i, now, v.row, v.dist)
		v.ends, v.lent = append(v.ends, len(v.row)), append(v.lent, false)
	} else {
		at = v.told[v.k].rows
		v.told[v.k].rows++
	}
	if at > 0 {
		from = v.ends[at-1]
	}
	return from, v.ends[at], at
}

func (v *view) Spoke(i int, now float64) {
	if v.k == 0 {
		v.net.Spoke(i, now)
	}
}

func (v *view) Silence(i int) {
	if v.k == 0 {
		v.net.Silence(i)
	}
}

// locatedView is a view of a network that knows where nodes are.
type locatedView struct {
	view
	located Located
}

func (v *locatedView) Position(i int) (x, y float64) { return v.located.Position(i) }
