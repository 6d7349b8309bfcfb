package operate

import (
	"errors"

	"caucus.example/caucus"
)

// Exit codes, the same for every verb.
const (
	ExitOK        = 0
	ExitFailed    = 1  // a property does not hold, a run did not converge, a file could not be written
	ExitMisuse    = 2  // wrong usage or configuration
	ExitUndecided = 3  // a limit was reached first
	ExitAgain     = 75 // a part of a sweep was interrupted: run it again (EX_TEMPFAIL)
)

type ExitError struct {
	error
	code int
}

func (e ExitError) Unwrap() error { return e.error }

// Misuse marks an error of the command line, a configuration or an input file.
func Misuse(err error) error { return WithCode(err, ExitMisuse) }

// Failed marks the answer "no": not converged, violated, not reachable.
func Failed(err error) error { return WithCode(err, ExitFailed) }

// Undecided marks a limit that was reached before there was an answer.
func Undecided(err error) error { return WithCode(err, ExitUndecided) }

// WithCode marks an error that has no code yet: who knew first what it was about knew best.
func WithCode(err error, code int) error {
	if err == nil || errors.As(err, new(ExitError)) {
		return err
	}
	return ExitError{err, code}
}

// ExitCode gives the code of an error that a verb returned. Without a mark, an
// error about a field of the user's input is misuse and anything else a failure.
func ExitCode(err error) int {
	var marked ExitError
	var field *caucus.FieldError
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &marked):
		return marked.code
	case errors.As(err, &field):
		return ExitMisuse
	}
	return ExitFailed
}
