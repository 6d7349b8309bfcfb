package cmd

import "caucus.example/caucus/internal/operate"

// What verbs here and there share.
const (
	exitOK        = operate.ExitOK
	exitFailed    = operate.ExitFailed
	exitMisuse    = operate.ExitMisuse
	exitUndecided = operate.ExitUndecided
	exitAgain     = operate.ExitAgain
)

var (
	misuse    = operate.Misuse
	failed    = operate.Failed
	undecided = operate.Undecided
	withCode  = operate.WithCode
	exitCode  = operate.ExitCode
	version   = operate.Version
	buildHash = operate.BuildHash
	profiles  = operate.Profiles
	writeJSON = operate.WriteJSON
	plural    = operate.Plural
)
