//go:build race

package region_test

// explored is the greatest network that every execution is explored of: the race detector takes ten times as long.
const explored = 2
