package lease

import (
	"os"
	"runtime/debug"
	"testing"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // most of what tests allocate is soon forgotten
	os.Exit(m.Run())
}
