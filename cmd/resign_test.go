//go:build unix

package cmd

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"caucus.example/caucus/agent"
)

// A lone agent that resigns does not act, says so, and acts again.
func TestResign(t *testing.T) {
	t.Parallel()
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

// A hand-over is over when the node leads; one to a node that is not there fails.
func TestHandOver(t *testing.T) {
	cmd, _, _, addr := lonely(t)
	healthy(t, addr)
	_, out, _ := caucusRun(t, "status", "--addr", addr, "--json")
	var s agent.Status
	if err := json.Unmarshal([]byte(out), &s); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := caucusRun(t, "hand-over", s.Name, "--addr", addr); code != exitOK ||
		!strings.HasPrefix(out, "handed-over=true leader="+s.Name) {
		t.Error(code, out, errs)
	}
	if code, out, errs := caucusRun(t, "hand-over", "nobody", "--addr", addr, "--wait", "300ms"); code != exitFailed ||
		!strings.Contains(errs, "nobody does not lead after 300ms") {
		t.Error(code, out, errs)
	}
	if code, out, errs := caucusRun(t, "hand-over", s.Name, "--addr", addr, "--for", "0s"); code != exitOK ||
		out != "handed-over=false\n" {
		t.Error(code, out, errs)
	}
	if code, _, errs := caucusRun(t, "hand-over", s.Name, "--addr", addr, "--for", "25h"); code != exitMisuse ||
		!strings.Contains(errs, "allowed: 0") {
		t.Error(code, errs)
	}
	ends(t, cmd)
}
