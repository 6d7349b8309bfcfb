//go:build !unix

package check

import "errors"

func mapFile(string, int64) ([]byte, error) {
	return nil, errors.New("spill: this system does not map files as unix does")
}

func unmap([]byte) {}
