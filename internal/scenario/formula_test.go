package scenario

import (
	"math"
	"strings"
	"testing"
)

func TestFormula(t *testing.T) {
	of := func(name string) float64 { return map[string]float64{"n": 8, "params.k": 3}[name] }
	for text, want := range map[string]float64{
		"7": 7, "-2^2": -4, "2^3^2": 512, "2*n + 1": 17, "n-1-1": 6, "8/2/2": 2, "3*(n - params.k)": 15,
		"n*log(n)": 24, "H(3)": 11.0 / 6, "max(n, 2) - min(n,2)": 6, "ceil(log(n+1))": 4, "1e2": 100, "- n": -8,
		"sqrt(n*2)": 4, "floor(n/params.k)": 2, "2 - -1": 3, "ln(1)": 0,
	} {
		f, err := parseFormula("value", text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := f.Value(of); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s = %g, want %g", text, got, want)
		}
	}
	for _, text := range []string{"", "n n", "2n", "(n", "n)", "log()", "log(1,2)", "max(1)", "sin(n)", "1+", "*", ",",
		"\x00", strings.Repeat("(", 2000)} {
		if f, err := parseFormula("value", text); err == nil {
			t.Errorf("%q is %v", text, f)
		}
	}
}

func FuzzFormula(f *testing.F) {
	for _, text := range []string{"2*n + 1", "max(n, 2) - H(n)^2", "(((", "-x/ln(3)"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if g, err := parseFormula("value", text); err == nil {
			g.Value(func(string) float64 { return 3 })
		}
	})
}
