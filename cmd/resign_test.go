//go:build unix

package cmd

import (
	"strings"
	"testing"
	"time"
)

// A lone agent that resigns does not act, says so, and acts again.
func TestResign(t *testing.T) {
	cmd, _, _, addr := lonely(t)
	healthy(t, addr)
	if code, out, errs := caucusRun(t, "resign", "--addr", addr, "--for", "1h"); code != exitOK ||
		out != "resigned=true for=1h0m0s\n" {
		t.Fatal(code, out, errs)
	}
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		_, out, errs := caucusRun(t, "status", "--addr", addr)
		if strings.Contains(out, "WITHDRAWN") && strings.Contains(out, "resigned") {
			break
		}
		if time.Now().After(end) {
			t.Fatal(out, errs)
		}
	}
	if code, out, errs := caucusRun(t, "resign", "--addr", addr, "--for", "0s"); code != exitOK ||
		!strings.Contains(out, "resigned=false") {
		t.Fatal(code, out, errs)
	}
	healthy(t, addr)
	for _, wrong := range []string{"-1s", "25h"} {
		if code, _, errs := caucusRun(t, "resign", "--addr", addr, "--for", wrong); code != exitMisuse ||
			!strings.Contains(errs, "allowed: 0 to 24h") {
			t.Error(code, errs)
		}
	}
	ends(t, cmd)
}
