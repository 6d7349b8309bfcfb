package exact

import (
	"hash/fnv"
	"math"
	"math/big"
	"testing"

	"caucus.example/caucus"
)

// near tells whether two numbers differ by no more than so many of the last bits.
func near(a, b float64, bits float64) bool {
	return math.Abs(a-b) <= bits*math.Max(math.Nextafter(math.Abs(b), math.Inf(1))-math.Abs(b), 1e-320)
}

// Results are those of package math but for its last bit. The known values are right to the last one.
func TestNearMath(t *testing.T) {
	draw := caucus.NewRand(1, "exact")
	for range 20_000 {
		u, y := 1-draw.Float64(), 4*draw.Float64()-2
		s, c := Sincos(u)
		ms, mc := math.Sincos(2 * math.Pi * u)
		if math.Abs(s-ms) > 1e-15 || math.Abs(c-mc) > 1e-15 {
			t.Fatalf("Sincos(%g): %g %g, %g %g", u, s, c, ms, mc)
		}
		if x := 100 * u; !near(Log(x), math.Log(x), 2) && math.Abs(math.Log(x)) > 1e-3 {
			t.Fatalf("Log(%g): %g, %g", x, Log(x), math.Log(x))
		}
		if !near(Pow(u, y), math.Pow(u, y), 4) {
			t.Fatalf("Pow(%g, %g): %g, %g", u, y, Pow(u, y), math.Pow(u, y))
		}
		if x := -u * 0.99; !near(Log1p(x), math.Log1p(x), 2) || !near(Log1p(x*1e-7), math.Log1p(x*1e-7), 2) {
			t.Fatalf("Log1p(%g): %g, %g", x, Log1p(x), math.Log1p(x))
		}
	}
	for range 20_000 {
		y, x := draw.Float64()-0.5, draw.Float64()-0.5
		if !near(Atan2(y, x), math.Atan2(y, x), 2) {
			t.Fatalf("Atan2(%g, %g): %g, %g", y, x, Atan2(y, x), math.Atan2(y, x))
		}
	}
	if Atan2(1, 1) != math.Pi/4 || Atan2(0, -1) != math.Pi || Atan2(-1, 0) != -math.Pi/2 {
		t.Errorf("%g %g %g", Atan2(1, 1), Atan2(0, -1), Atan2(-1, 0))
	}
	for _, c := range []struct{ turn, sin, cos float64 }{
		{0, 0, 1}, {0.25, 1, 0}, {0.5, 0, -1}, {0.75, -1, 0}, {0.125, math.Sqrt2 / 2, math.Sqrt2 / 2}, {1, 0, 1},
	} {
		if s, cos := Sincos(c.turn); math.Abs(s-c.sin) > 1e-30 || math.Abs(cos-c.cos) > 1e-30 {
			t.Errorf("Sincos(%g) = %g, %g", c.turn, s, cos)
		}
	}
	if Log(0) != math.Inf(-1) || Log1p(-1) != math.Inf(-1) || !math.IsNaN(Log(-1)) || Pow(2, 5000) != math.Inf(1) ||
		Pow(0, 2) != 0 {
		t.Error("limits")
	}
	if Log(1) != 0 || Log(2) != math.Ln2 || Pow(4, 0.5) != 2 || Pow(2, -1) != 0.5 || Pow(7, 1) != 7 ||
		Hypot(3, 4) != 5 {
		t.Errorf("%g %g %g %g %g", Log(1), Log(2), Pow(4, 0.5), Pow(2, -1), Pow(7, 1))
	}
}

// The short way to a logarithm comes to the number that the long way is rounded to, and is mostly enough.
func TestBrief(t *testing.T) {
	draw, long := caucus.NewRand(1, "brief"), 0
	const tries = 300_000
	for i := range tries {
		u := 1 - draw.Float64()
		x := pair{u, 0}
		switch i % 6 {
		case 1: // near 1
			x = pair{1 + (u-0.5)/64, 0}
		case 2: // as small and as large as numbers are
			x = pair{math.Ldexp(u, draw.IntN(2097)-1073), 0}
		case 3:
			x = sum(1, -u)
		case 4: // for Log1p
			x = sum(1, math.Ldexp(u-0.5, -draw.IntN(29)))
		case 5:
			x = pair{float64(1 + draw.IntN(10_000)), 0}
		}
		if x.hi <= 0 {
			continue
		}
		y, want := brief(x), log(x)
		if off := math.Abs(y.add(want.minus()).round()); off > math.Abs(want.hi)*0x1p-63 {
			t.Fatalf("logarithm of %v: %v, %v", x, y, want)
		}
		if got := logarithm(x); got != want.round() {
			t.Fatalf("logarithm of %v: %v, %v", x, got, want)
		}
		if slack := math.Abs(y.hi) * 0x1p-62; y.hi+(y.lo-slack) != y.hi+(y.lo+slack) {
			long++
		}
	}
	if long > tries/100 {
		t.Errorf("%d of %d go the long way", long, tries)
	}
	if Log(5e-324) != -744.4400719213812 || Log(math.MaxFloat64) != 709.782712893384 {
		t.Errorf("%v %v", Log(5e-324), Log(math.MaxFloat64))
	}
}

// Constants are numbers of twice as many digits.
func TestConstants(t *testing.T) {
	for text, p := range map[string]pair{
		"6.28318530717958647692528676655900576839433879875021":  twoPi,
		"0.693147180559945309417232121458176568075500134360255": ln2,
	} {
		want, _, err := big.ParseFloat(text, 10, 200, big.ToNearestEven)
		if err != nil {
			t.Fatal(err)
		}
		got := new(big.Float).SetPrec(200).Add(big.NewFloat(p.hi), big.NewFloat(p.lo))
		if d, _ := new(big.Float).Sub(got, want).Float64(); math.Abs(d) > 1e-31 {
			t.Errorf("%s: off by %g", text, d)
		}
	}
}

// The same bits on every machine: this number was made on amd64.
func TestSameBits(t *testing.T) {
	draw, h := caucus.NewRand(2, "exact"), fnv.New64a()
	put := func(x float64) {
		b := math.Float64bits(x)
		for range 8 {
			h.Write([]byte{byte(b)})
			b >>= 8
		}
	}
	for range 20_000 {
		u := 1 - draw.Float64()
		s, c := Sincos(u)
		put(s)
		put(c)
		put(Log(u))
		put(Log1p(-u / 2))
		put(Pow(u, -1/1.6))
		put(Hypot(u, s))
		put(Atan2(s, c))
	}
	if got, want := h.Sum64(), uint64(0xb37873187acc31ef); got != want {
		t.Errorf("%#x, want %#x", got, want)
	}
}

func BenchmarkLog(b *testing.B) {
	x := 0.3
	for b.Loop() {
		x = -Log(x)
	}
}
