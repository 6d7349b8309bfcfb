package agent

import (
	"testing"

	"caucus.example/caucus/algo/aggregate/bounded"
)

// An agent that is dropped, or killed, ends at its next turn, however much waits for it: a process of a thousand agents
// that is interrupted ends as soon as each has had one.
func TestDropEndsAtOnce(t *testing.T) {
	for range 10 { // of several things to do, a select would take any
		c := configs(inMemory(t, 2), lineOf(2))
		a, err := New[bounded.Candidacy, bounded.Candidacy](election(t), &bounded.Spec, c[0])
		if err != nil {
			t.Fatal(err)
		}
		for len(a.in) < cap(a.in) {
			a.in <- datagram{buf: make([]byte, 64), n: 64, from: c[1].Transport.Addr(), at: a.now()}
		}
		waiting := len(a.in)
		a.Drop()
		if err := a.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if left := len(a.in); left != waiting {
			t.Fatalf("%d datagrams were taken", waiting-left)
		}
		c[1].Transport.Close()
	}
}
