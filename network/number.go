package network

import (
	"math"
	"strconv"
	"strings"
)

// maxNodes is set by the 32-bit node indices of Graph.Nbr.
const maxNodes = math.MaxInt32

// parseNumber reads a finite decimal number. Hexadecimal and "_" are refused: the
// letter x separates the two sides of a box.
func parseNumber(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	if strings.ContainsAny(s, "xX_") {
		return 0, false
	}
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil && !math.IsNaN(x) && !math.IsInf(x, 0)
}

// parseCount reads a whole number >= 0, perhaps as 1e6, 10k or 2M.
func parseCount(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	unit := 1.0
	switch {
	case strings.HasSuffix(s, "k"), strings.HasSuffix(s, "K"):
		unit = 1e3
	case strings.HasSuffix(s, "M"):
		unit = 1e6
	}
	if unit > 1 {
		s = s[:len(s)-1]
	}
	x, ok := parseNumber(s)
	// 1.1 × 1000 is not quite 1100: round what the unit may have broken.
	n := math.Round(x * unit)
	return n, ok && n >= 0 && math.Abs(x*unit-n) <= 1e-9*n
}

// parseLength reads a length between 1e-9 and 1e9: squares and products of such
// numbers neither overflow nor vanish.
func parseLength(s string) (float64, bool) {
	x, ok := parseNumber(s)
	return x, ok && x >= 1e-9 && x <= 1e9
}
