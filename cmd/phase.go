package cmd

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
)

// answer is what a function gave that was carried out beside its caller.
type answer[T any] struct {
	value T
	err   error
}

func begin[T any](do func() (T, error)) <-chan answer[T] {
	done := make(chan answer[T], 1)
	go func() {
		value, err := do()
		done <- answer[T]{value, err}
	}()
	return done
}

// phase carries out what has nothing to keep when it is interrupted: reading, generating, measuring, and writing of a
// file that is renamed when it is whole. It is left behind as soon as the context ends, and the program ends with it;
// the code that does the work need not look for that. Beyond two seconds a terminal sees what is going on.
func phase[T any](cmd *cobra.Command, what string, do func() (T, error)) (T, error) {
	return phaseWithin(cmd, what, 0, do)
}

// lastPhase is phase of what ends by itself with the context and has something to say even so, if that is soon enough.
func lastPhase[T any](cmd *cobra.Command, what string, do func() (T, error)) (T, error) {
	return phaseWithin(cmd, what, inTime, do)
}

func phaseWithin[T any](cmd *cobra.Command, what string, after time.Duration, do func() (T, error)) (T, error) {
	done := begin(do)
	stop := showPhase(cmd.ErrOrStderr(), what)
	defer stop()
	select {
	case a := <-done:
		return a.value, a.err
	case <-cmd.Context().Done():
	}
	select {
	case a := <-done:
		return a.value, a.err
	case <-time.After(after):
		removeUnfinished()
		var none T
		return none, undecided(fmt.Errorf("interrupted while %s; nothing is written", what))
	}
}

// inTime is how long after an interruption everything is over.
const inTime = 1800 * time.Millisecond

// watched notes when a context ends.
func watched(ctx context.Context) (ended func() time.Time) {
	var at atomic.Pointer[time.Time]
	context.AfterFunc(ctx, func() { now := time.Now(); at.Store(&now) })
	return func() time.Time {
		if t := at.Load(); t != nil {
			return *t
		}
		return time.Now()
	}
}

// deliver writes results. After an interruption, before it or meanwhile, it has what is left of inTime; then it is left
// behind, as a phase is, and the context of what it writes to ends.
func deliver(ctx context.Context, ended func() time.Time, do func(context.Context) error) error {
	lasting, giveUp := context.WithCancel(context.WithoutCancel(ctx))
	defer giveUp()
	done := begin(func() (none struct{}, err error) { return none, do(lasting) })
	select {
	case a := <-done:
		return a.err
	case <-ctx.Done():
	}
	select {
	case a := <-done:
		return a.err
	case <-time.After(time.Until(ended().Add(inTime))):
		removeUnfinished()
		return errCutShort
	}
}

// errCutShort says that a run was interrupted, and that there was no time for what it has found.
var errCutShort = undecided(errors.New("interrupted, and there was no time to write so many results: " +
	"a run that ends by itself, as with --rounds, has them"))

// grace is how long a run that is interrupted may take to come to the end of its first round.
const grace = time.Second

// errNothingYet says that a run was interrupted before its first round was over.
var errNothingYet = undecided(errors.New("interrupted before the first round was over; there are no results"))

// roundsIn runs do, which ends with the context at the end of a round, and gives it up if that is too far; rounds tells
// how many are done.
func roundsIn[T any](ctx context.Context, rounds func() int, do func() (*T, error)) (*T, error) {
	done := begin(do)
	select {
	case a := <-done:
		return a.value, a.err
	case <-ctx.Done():
	}
	within, cut := inTime, errCutShort
	if rounds() == 0 {
		within, cut = grace, errNothingYet
	}
	select {
	case a := <-done:
		return a.value, a.err
	case <-time.After(within):
		return nil, cut
	}
}
