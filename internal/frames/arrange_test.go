package frames

import (
	"encoding/binary"
	"math"
	"os"
	"testing"
)

// Of a trace of contacts every node has a place of its own, at which it stays while links come and go.
func TestContactsHavePlaces(t *testing.T) {
	text, err := os.ReadFile("../../scenarios/meetings.yaml")
	if err != nil {
		t.Fatal(err)
	}
	q := Request{Scenario: string(text), Folder: "../../scenarios"}
	all, again := told(t, q), told(t, q)
	list := all[framePlaces]
	nodes, sizes := map[[2]float32]bool{}, map[int]bool{}
	first := list[0][8:]
	for k, f := range list {
		sizes[len(f)] = true
		if string(f) != string(again[framePlaces][k]) {
			t.Fatal("another time, other places")
		}
	}
	for i := 0; 8*i+8 <= len(first) && i < 3; i++ {
		x, y := binary.LittleEndian.Uint32(first[8*i:]), binary.LittleEndian.Uint32(first[8*i+4:])
		nodes[[2]float32{math.Float32frombits(x), math.Float32frombits(y)}] = true
	}
	if len(nodes) != 3 || len(sizes) < 2 {
		t.Errorf("%d places of three nodes, %d numbers of links", len(nodes), len(sizes))
	}
}
