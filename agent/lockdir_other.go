//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package agent

import (
	"os"

	"caucus.example/caucus"
)

func lockDir(dir string) (*os.File, error) {
	return nil, &caucus.FieldError{Field: "state-dir", Found: dir, Allowed: "nothing on this system: it locks no files"}
}
