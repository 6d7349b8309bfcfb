//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package agent

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"

	"caucus.example/caucus"
)

// lockDir keeps a directory for this agent until the file is closed or the process ends, however it ends.
func lockDir(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, unlockable(err.Error(), "a directory that this node may write to")
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return f, nil
	}
	f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, unlockable(dir+", which another agent uses", "a directory for each node")
	}
	return nil, unlockable(dir+": "+err.Error(), "a file system that can lock files")
}

func unlockable(found, allowed string) error {
	return caucus.Wrong("state-dir", found, allowed)
}
