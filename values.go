package caucus

// World bounds the values that Domain may use.
type World struct {
	IDs       []ID      // every ID that may be named: live nodes and ghosts
	Strengths []float64 // every strength that may be named
	Dists     []float64 // every distance that may be named, all >= 0
	Counter   int       // how many values of each counter (hops, ages, sequence numbers) to use; at least 1
}

// Values is a finite set of values, numbered from 0 to Len-1.
type Values[T any] struct {
	Len uint64
	At  func(k uint64) T
}

// Every gives all the values that one can build whose fields are picked one by one, each from its own few. The field
// picked first changes fastest from one number to the next. What is picked and from how many must not depend on what
// has been picked before: otherwise the numbers would not be those of a mixed radix, and the values not numbered.
func Every[T any](w *World, build func(p *Pick) T) Values[T] {
	count := Pick{World: w, size: 1}
	build(&count)
	return Values[T]{Len: count.size, At: func(k uint64) T {
		p := Pick{World: w, rest: k, size: 1}
		return build(&p)
	}}
}

// Pick picks the fields of one value of [Every].
type Pick struct {
	*World
	rest uint64 // of the value's number, above the fields picked so far
	size uint64 // how many values the fields picked so far have together
}

func (p *Pick) digit(n uint64) uint64 {
	p.size *= n
	if n == 0 {
		return 0 // no value at all: Len is 0, and only Every builds one, to see that
	}
	d := p.rest % n
	p.rest /= n
	return d
}

// Below picks a number from 0 to n-1.
func (p *Pick) Below(n int) int { return int(p.digit(uint64(max(n, 0)))) }

// Bool picks false or true.
func (p *Pick) Bool() bool { return p.Below(2) == 1 }

// ID picks an ID of the world.
func (p *Pick) ID() ID { return PickFrom(p, p.IDs) }

// AnyID picks an ID of the world or None, which comes first.
func (p *Pick) AnyID() ID {
	if k := p.Below(len(p.IDs) + 1); k > 0 {
		return p.IDs[k-1]
	}
	return None
}

// Strength picks a strength of the world.
func (p *Pick) Strength() float64 { return PickFrom(p, p.Strengths) }

// Dist picks a distance of the world.
func (p *Pick) Dist() float64 { return PickFrom(p, p.Dists) }

// PickFrom picks one of a list.
func PickFrom[T any](p *Pick, list []T) (one T) {
	if k := p.Below(len(list)); k < len(list) {
		one = list[k]
	}
	return one
}

// PickOf picks one of a set of values: the state that another wraps, say.
func PickOf[T any](p *Pick, v Values[T]) (one T) {
	if k := p.digit(v.Len); k < v.Len {
		one = v.At(k)
	}
	return one
}
