//go:build race

package check

// raced says that the race detector is on, which makes searches ten times as long and does not see what atomic
// operations on mapped files order.
const raced = true
