//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package agent

import (
	"os"

	"caucus.example/caucus"
)

func lockDir(dir string) (*os.File, error) {
	return nil, caucus.Wrong("state-dir", dir, "nothing on this system: it locks no files")
}
