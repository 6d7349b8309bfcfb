package experiment

import (
	"context"
	"testing"
	"time"
)

func TestUDPTry(t *testing.T) {
	p := NewPrasleUDP(NewPrasle())
	p.Topologies, p.Sizes, p.Runs, p.Faulty = []string{"ring", "clique"}, []int{6}, 2, 6
	s, err := p.Sweep("test")
	if err != nil {
		t.Fatal(err)
	}
	d, _ := p.Estimate()
	t.Log(s.Jobs, d)
	start := time.Now()
	jobs, err := s.Do(context.Background(), Setting{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(time.Since(start))
	for _, j := range jobs {
		t.Logf("%s %s %s k=%d rate=%g deploy %v\n   sim %+v\n   udp %+v", j.Topology, j.Algo, j.Of, j.K, j.Rate, j.Deployable, j.Sim, j.UDP)
	}
}
