//go:build !linux

package fleet

import (
	"errors"
	"os/exec"
)

var errNoNamespaces = errors.New("network namespaces need Linux")

const nodePort = "7400"

// Isolate does nothing on this system, see MayIsolate.
func Isolate(*exec.Cmd) {}

// MayIsolate tells why there can be no fleet in namespaces here.
func MayIsolate() error { return errNoNamespaces }

func nodeIP(int) string           { return "" }
func makeHub() error              { return errNoNamespaces }
func enterNode(int, []Edge) error { return errNoNamespaces }
