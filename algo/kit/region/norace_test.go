//go:build !race

package region_test

// explored is the greatest network that every execution is explored of.
const explored = 3
