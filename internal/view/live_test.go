package view

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"testing"
)

// On the line a-b-c-d, of which a is named by its address and d answers nobody, a page is told of a, then of b as well,
// then of c. Nobody is told of twice, d is asked once and not shown.
func TestNeighboursOfNeighbours(t *testing.T) {
	near := map[string][]string{"a": {"b"}, "b": {"a", "c"}, "c": {"b", "d"}}
	var mu sync.Mutex
	asked := map[string]int{}
	source := func(called, name string) Source {
		return Source{Name: called, Ask: func(context.Context) (json.RawMessage, error) {
			mu.Lock()
			asked[name]++
			mu.Unlock()
			if near[name] == nil {
				return nil, errors.New("it does not answer")
			}
			return json.Marshal(map[string]string{"name": name})
		}}
	}
	c := newCrowd([]Source{source("127.0.0.1:7401", "a")},
		func(status json.RawMessage) (list []Source) {
			var is struct{ Name string }
			if err := json.Unmarshal(status, &is); err != nil {
				t.Error(err)
			}
			for _, n := range near[is.Name] {
				list = append(list, source(n, n))
			}
			return list
		})
	var shown []string
	for range 6 {
		shown = nil
		for _, s := range c.look(t.Context()) {
			shown = append(shown, s.Name)
		}
	}
	if want := []string{"127.0.0.1:7401", "b", "c"}; !slices.Equal(shown, want) || asked["d"] != 1 {
		t.Errorf("shown %v, want %v; d was asked %d times", shown, want, asked["d"])
	}
}
