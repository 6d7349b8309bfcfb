//go:build unix

package check

import (
	"fmt"
	"os"
	"syscall"
)

// mapFile makes a file of zeros without a name and maps it into memory. The zeros are written, so that a full disk
// shows here and not in the middle of the search.
func mapFile(dir string, size int64) ([]byte, error) {
	file, err := os.CreateTemp(dir, "caucus-check-*")
	if err != nil {
		return nil, fmt.Errorf("spill: %w", err)
	}
	defer file.Close()
	if err := os.Remove(file.Name()); err != nil {
		return nil, fmt.Errorf("spill: %w", err)
	}
	zeros := make([]byte, 1<<20)
	for at := int64(0); at < size; at += int64(len(zeros)) {
		if _, err := file.WriteAt(zeros[:min(int64(len(zeros)), size-at)], at); err != nil {
			return nil, fmt.Errorf("spill: %w", err)
		}
	}
	m, err := syscall.Mmap(int(file.Fd()), 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("spill: mapping %d bytes of a file in %s: %w", size, dir, err)
	}
	return m, nil
}

func unmap(m []byte) { _ = syscall.Munmap(m) }
