package agent

import (
	"context"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestCliqueElectsAndReelects(t *testing.T) {
	for _, host := range []string{"127.0.0.1", "::1"} {
		for _, n := range []int{3, 5} {
			t.Run(host, func(t *testing.T) {
				f := launch(t, configs(loopback(host)(t, n), clique(n)))
				term := agree(t, "n1", f.agents...)
				f.agents[0].Kill()
				next := agree(t, "n2", f.agents[1:]...)
				if next <= term {
					t.Errorf("term %d after %d", next, term)
				}
			})
		}
	}
}

func TestLeave(t *testing.T) {
	f := launch(t, configs(loopback("127.0.0.1")(t, 4), line(4)))
	agree(t, "n1", f.agents...)
	if err := f.agents[0].Leave(context.Background()); err != nil {
		t.Fatal(err)
	}
	agree(t, "n2", f.agents[1:]...)
}
