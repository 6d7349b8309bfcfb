package caucus

import (
	"fmt"
	"strings"
)

// UnknownField is the error about a field that a file has and should not have.
func UnknownField(name string, fields []string) error {
	if near := Nearest(name, fields); near != "" {
		return fmt.Errorf("unknown field %q; did you mean %q?", name, near)
	}
	return fmt.Errorf("unknown field %q; allowed: %s", name, strings.Join(fields, ", "))
}

// Nearest gives the name in list that a mistyped one most likely means, or "" when
// none is close: at most one edit for every three letters, case aside, and one for
// words of two letters; a single letter has too little in common with anything.
func Nearest(name string, list []string) string {
	letters := len([]rune(name))
	best, least := "", min(letters, max(1, letters/3)+1)
	for _, candidate := range list {
		if d := edits(strings.ToLower(name), strings.ToLower(candidate)); d < least {
			best, least = candidate, d
		}
	}
	return best
}

// edits counts the insertions, deletions, replacements and swaps of adjacent
// letters that turn a into b.
func edits(a, b string) int {
	s, t := []rune(a), []rune(b)
	before, last, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i := range s {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range t {
			replace := 1
			if s[i] == t[j] {
				replace = 0
			}
			row[j+1] = min(last[j]+replace, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && s[i] == t[j-1] && s[i-1] == t[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(t)]
}
