package cmd

import (
	"errors"

	"caucus.example/caucus"
)

// Exit codes, the same for every verb.
const (
	exitOK        = 0
	exitFailed    = 1  // a property does not hold, a run did not converge, a file could not be written
	exitMisuse    = 2  // wrong usage or configuration
	exitUndecided = 3  // a limit was reached first
	exitAgain     = 75 // a part of a sweep was interrupted: run it again (EX_TEMPFAIL)
)

type exitError struct {
	error
	code int
}

func (e exitError) Unwrap() error { return e.error }

// misuse marks an error of the command line, a configuration or an input file.
func misuse(err error) error { return withCode(err, exitMisuse) }

// failed marks the answer "no": not converged, violated, not reachable.
func failed(err error) error { return withCode(err, exitFailed) }

// undecided marks a limit that was reached before there was an answer.
func undecided(err error) error { return withCode(err, exitUndecided) }

// withCode marks an error that has no code yet: who knew first what it was about knew best.
func withCode(err error, code int) error {
	if err == nil || errors.As(err, new(exitError)) {
		return err
	}
	return exitError{err, code}
}

// exitCode gives the code of an error that a verb returned. Without a mark, an
// error about a field of the user's input is misuse and anything else a failure.
func exitCode(err error) int {
	var marked exitError
	var field *caucus.FieldError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &marked):
		return marked.code
	case errors.As(err, &field):
		return exitMisuse
	}
	return exitFailed
}
