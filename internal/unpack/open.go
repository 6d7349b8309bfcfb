package unpack

import (
	"fmt"
	"io/fs"
	"os"

	"caucus.example/caucus"
)

// Open opens a file for reading: a regular one only, since a device need not end, and a pipe need not begin.
func Open(path string) (*os.File, error) {
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", path, caucus.Wrong("file", kindOf(st.Mode()), "a regular file"))
	}
	return os.Open(path)
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "a socket, or something else"
}
