package agent

import (
	"testing"
	"time"

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

// Of agents that share turns no more work at once than there are; who waits for a turn ends when it is dropped.
func TestTurns(t *testing.T) {
	c := configs(inMemory(t, 2), lineOf(2))
	turns := make(chan struct{}, 1)
	for i := range c {
		c[i].Turns = turns
	}
	turns <- struct{}{} // somebody works
	a, err := New[bounded.Candidacy, bounded.Candidacy](election(t), &bounded.Spec, c[0])
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- a.Run(t.Context()) }()
	for !a.running.Load() {
		time.Sleep(time.Millisecond)
	}
	if a.Status().State == "running" {
		t.Error("it works while somebody else has the turn")
	}
	a.Drop()
	if err := <-ended; err != nil || len(turns) != 1 {
		t.Errorf("%v, %d turns taken", err, len(turns))
	}
	<-turns
	b, err := New[bounded.Candidacy, bounded.Candidacy](election(t), &bounded.Spec, c[1])
	if err != nil {
		t.Fatal(err)
	}
	go func() { ended <- b.Run(t.Context()) }()
	for b.Status().State != "running" {
		time.Sleep(time.Millisecond)
	}
	b.Kill()
	if err := <-ended; err != nil || len(turns) != 0 {
		t.Errorf("%v, %d turns taken", err, len(turns))
	}
}
