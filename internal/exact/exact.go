// Package exact has functions of package math whose last bit is the same on every machine. Compilers for arm64, riscv64
// and others multiply and add in one step, with one rounding in place of two, also inside package math; some have
// functions of package math in assembly. Here results are computed to about twice as many digits and rounded once, by
// operations that are exact everywhere.
package exact

import (
	"math"
	"sync"
)

// pair is a number as a sum, of which lo is less than half of the last bit of hi.
type pair struct{ hi, lo float64 }

// sum adds without loss (Knuth).
func sum(a, b float64) pair {
	s := a + b
	v := s - a
	return pair{s, (a - (s - v)) + (b - v)}
}

// product multiplies without loss.
func product(a, b float64) pair {
	p := float64(a * b)
	return pair{p, math.FMA(a, b, -p)}
}

func (a pair) add(b pair) pair {
	s, t := sum(a.hi, b.hi), sum(a.lo, b.lo)
	s = sum(s.hi, s.lo+t.hi)
	return sum(s.hi, s.lo+t.lo)
}

func (a pair) times(b pair) pair {
	p := product(a.hi, b.hi)
	cross := float64(a.hi*b.lo) + float64(a.lo*b.hi)
	return sum(p.hi, p.lo+cross)
}

// over divides by a small whole number.
func (a pair) over(n float64) pair {
	q := a.hi / n
	p := product(q, n)
	return sum(q, ((a.hi-p.hi)-p.lo+a.lo)/n)
}

func (a pair) minus() pair { return pair{-a.hi, -a.lo} }

func (a pair) round() float64 { return a.hi + a.lo }

var (
	twoPi = pair{6.283185307179586, 2.4492935982947064e-16}
	ln2   = pair{0.6931471805599453, 2.3190468138462996e-17}
	one   = pair{1, 0}
)

// Sincos gives sine and cosine of a share of a full turn, from 0 to 1.
func Sincos(turn float64) (sin, cos float64) {
	eighth := math.Floor(float64(turn*8) + 0.5) // exact: the angle left is no more than a sixteenth of a turn
	s, c := turned(twoPi.times(pair{turn - eighth/8, 0}), int(eighth))
	return s.round(), c.round()
}

// turned is for a small angle and so many eighths of a turn.
func turned(x pair, eighths int) (sin, cos pair) {
	s, c := small(x)
	half := pair{math.Sqrt2 / 2, -4.833646656726457e-17} // of the square root of 2
	for range eighths & 7 {                              // (s+c, c-s) times that is an eighth more
		s, c = s.add(c).times(half), c.add(s.minus()).times(half)
	}
	return s, c
}

// Atan2 is the angle of a vector, in radians: one step of Newton's from what package math gives.
func Atan2(y, x float64) float64 {
	angle := pair{math.Atan2(y, x), 0}
	if y == 0 || math.IsNaN(angle.hi) {
		return angle.hi
	}
	eighths := math.Floor(float64(angle.hi*(4/math.Pi)) + 0.5)
	s, c := turned(angle.add(twoPi.times(pair{-eighths / 8, 0})), int(eighths))
	across := c.times(pair{y, 0}).add(s.times(pair{x, 0}).minus())
	along := c.times(pair{x, 0}).add(s.times(pair{y, 0}))
	return angle.add(pair{across.hi / along.hi, 0}).round()
}

// small is for angles of up to half a radian, by their series.
func small(x pair) (sin, cos pair) {
	square := x.times(x)
	square = square.minus()
	term, sin, cos := one, pair{}, one
	for n := 1.0; n < 28; n += 2 {
		odd := term.over(n) // x^(n-1)/n! with its sign, without one x
		sin = sin.add(odd)
		term = odd.times(square).over(n + 1)
		cos = cos.add(term)
	}
	return sin.times(x), cos
}

// exp is e to the x, for |x| up to 700.
func exp(x pair) pair {
	k := math.Floor(float64(x.hi*math.Log2E) + 0.5)
	r := x.add(ln2.times(pair{-k, 0}))
	const halvings = 8 // of the rest, which is then squared as often
	r = pair{math.Ldexp(r.hi, -halvings), math.Ldexp(r.lo, -halvings)}
	term, total := one, pair{} // e^r - 1, so that nothing is lost
	for n := 1.0; n < 12; n++ {
		term = term.times(r).over(n)
		total = total.add(term)
	}
	for range halvings { // (1+t)² - 1 = 2t + t²
		total = total.add(total).add(total.times(total))
	}
	total = total.add(one)
	return pair{math.Ldexp(total.hi, int(k)), math.Ldexp(total.lo, int(k))}
}

// log is the natural logarithm of x > 0: one step of Newton's from what package math gives, whose last bit is lost in
// it.
func log(x pair) pair {
	if _, k := math.Frexp(x.hi); k < -1000 || k > 1000 { // out of exp's reach
		return log(pair{math.Ldexp(x.hi, -k), math.Ldexp(x.lo, -k)}).add(ln2.times(pair{float64(k), 0}))
	}
	y := pair{math.Log(x.hi), 0}
	return y.add(x.times(exp(y.minus())).add(one.minus())) // y + x/e^y - 1
}

// logs are numbers near 1/m for m = i/128, of few digits so that a product with one loses nothing, and minus their
// logarithms; made when the first is asked for.
var logs = sync.OnceValue(func() *[182]inverse {
	var t [182]inverse
	for i := 90; i < len(t); i++ {
		t[i].of = math.Round(128*256/float64(i)) / 256
		t[i].log = log(pair{t[i].of, 0}).minus()
	}
	return &t
})

type inverse struct {
	of  float64
	log pair
}

// brief is the natural logarithm of x > 0 but for its last digits, off by less than 2^-62 of it, in a seventh of log's
// time: k ln 2 - ln c + ln(1+r), where x = 2^k m and c is near 1/m, so r = mc-1 less than 1/120 in size.
func brief(x pair) pair {
	m, k := math.Frexp(x.hi)
	if m < math.Sqrt2/2 {
		m, k = 2*m, k-1
	}
	near := &logs()[int(m*128+0.5)]
	p := product(m, near.of)
	r := sum(p.hi-1, p.lo)
	if x.lo != 0 {
		r = sum(r.hi, r.lo+math.Ldexp(x.lo, -k)*near.of)
	}
	t, square := r.hi, product(r.hi, r.hi)
	rest := 1.0 / 3
	if t != 0 { // of the series from the third power on, in one number: t³ is small
		rest -= t * (1.0/4 - t*(1.0/5-t*(1.0/6-t*(1.0/7-t*(1.0/8-t*(1.0/9-t/10))))))
	}
	tail := t*square.hi*rest - square.lo/2 + (r.lo - t*r.lo)
	y := sum(t, -square.hi/2).add(pair{tail, 0})
	if k == 0 {
		return y.add(near.log)
	}
	return y.add(near.log).add(ln2.times(pair{float64(k), 0}))
}

// logarithm is that of x > 0. Where brief is far enough from the middle between two numbers, log would be rounded
// to the same one.
func logarithm(x pair) float64 {
	y := brief(x)
	slack := math.Abs(y.hi) * 0x1p-62
	if low, high := y.hi+(y.lo-slack), y.hi+(y.lo+slack); low == high {
		return low
	}
	return log(x).round()
}

// Log is the natural logarithm of x, as math.Log has it for what is not a number above 0.
func Log(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return math.Log(x)
	}
	return logarithm(pair{x, 0})
}

// Log1p is that of 1 + x.
func Log1p(x float64) float64 {
	if math.Abs(x) < 1e-9 {
		return x - float64(float64(x*x)/2) // what follows is less than the last bit
	}
	if !(x > -1) || math.IsInf(x, 1) {
		return math.Log1p(x)
	}
	return logarithm(sum(1, x))
}

// Pow is x to the power y: for x > 0, as far as the result is from 1e-300 to 1e300, else as math.Pow has it.
func Pow(x, y float64) float64 {
	if rough := math.Pow(x, y); !(x > 0) || !(rough > 1e-300 && rough < 1e300) {
		return rough
	}
	return exp(log(pair{x, 0}).times(pair{y, 0})).round()
}

// Hypot is the length of a vector.
func Hypot(x, y float64) float64 { return math.Sqrt(float64(x*x) + float64(y*y)) }
