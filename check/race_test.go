//go:build race

package check

// spillers is one with the race detector, which does not see what atomic operations on mapped files order.
const spillers = 1
