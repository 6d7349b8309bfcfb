package cmd

import (
	"context"
	"errors"
	"fmt"
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
	done := begin(do)
	stop := showPhase(cmd.ErrOrStderr(), what)
	defer stop()
	select {
	case a := <-done:
		return a.value, a.err
	case <-cmd.Context().Done():
		removeUnfinished()
		var none T
		return none, undecided(fmt.Errorf("interrupted while %s; nothing is written", what))
	}
}

// grace is how long a run that is interrupted may take to come to the end of its round.
const grace = time.Second

// errNothingYet says that a run was interrupted before its first round was over.
var errNothingYet = undecided(errors.New("interrupted before the first round was over; there are no results"))

// firstRound runs do and gives it up when the context ends before there is anything to keep; rounds tells how many are
// done.
func firstRound[T any](ctx context.Context, rounds func() int, do func() (*T, error)) (*T, error) {
	done := begin(do)
	select {
	case a := <-done:
		return a.value, a.err
	case <-ctx.Done():
	}
	if rounds() == 0 {
		select {
		case a := <-done:
			return a.value, a.err
		case <-time.After(grace):
			return nil, errNothingYet
		}
	}
	a := <-done
	return a.value, a.err
}
