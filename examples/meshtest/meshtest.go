// Package meshtest gives the tests of the examples agents on real sockets of this machine.
package meshtest

import (
	"fmt"
	"testing"

	"caucus.example/caucus/agent"
)

// Configs are those of n agents that are all peers of each other, the first of them the strongest; their names are the
// prefix and a number from 0.
func Configs(t *testing.T, prefix string, n int) []agent.Config {
	t.Helper()
	list := make([]agent.Config, n)
	for i := range list {
		port, err := agent.Listen("127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		list[i] = agent.Config{Name: fmt.Sprint(prefix, i), Profile: "lan", Strength: float64(n - i), Transport: port}
	}
	for i := range list {
		for k := range list {
			if k != i {
				list[i].Peers = append(list[i].Peers, agent.Peer{Addr: list[k].Transport.Addr().String()})
			}
		}
	}
	return list
}
