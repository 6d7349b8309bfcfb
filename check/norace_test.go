//go:build !race

package check

// spillers is how many workers share mapped files in tests.
const spillers = 3
