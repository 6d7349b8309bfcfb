package fleet

import (
	"context"
	"strings"
	"testing"

	"caucus.example/caucus/agent"
)

// Only a process can be a host of its own.
func TestNamespacesNeedProcesses(t *testing.T) {
	f, err := Start(context.Background(), Config{Agents: []agent.Config{{Name: "a"}}, Edges: [][]Edge{nil},
		Namespaces: true})
	if err == nil {
		f.Stop()
	}
	if err == nil || !strings.Contains(err.Error(), "Namespaces without Command") {
		t.Error(err)
	}
}
