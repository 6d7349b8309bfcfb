package probe

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"caucus.example/caucus"
)

var half, none = 0.5, 0.0

// try one check, with the defaults filled in.
func try(t *testing.T, p Probe) error {
	t.Helper()
	p.Veto = true
	list := []Probe{p}
	if err := Check(list); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), list[0].Timeout)
	defer cancel()
	return list[0].try(ctx)
}

// Each kind passes where it should and says why where it does not.
func TestKinds(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/bad" {
			http.Error(w, "no", http.StatusServiceUnavailable)
		}
	}))
	defer server.Close()
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone.Close()
	addr := strings.TrimPrefix(server.URL, "http://")
	self, err := os.ReadFile("/proc/self/comm")
	if err != nil {
		t.Skip("only where /proc is")
	}
	for _, x := range []struct {
		Probe
		want string // "" passes
	}{
		{Probe{Shell: "exit 0"}, ""}, {Probe{Shell: "echo why; exit 3"}, "exit status 3 why"},
		{Probe{Run: []string{"true"}}, ""}, {Probe{Run: []string{"/no/such"}}, "no such file"},
		{Probe{Shell: "sleep 9", Timeout: 50 * time.Millisecond}, "took too long"},
		{Probe{HTTP: server.URL}, ""}, {Probe{HTTP: server.URL + "/bad"}, "503"},
		{Probe{TCP: addr}, ""}, {Probe{TCP: gone.Addr().String()}, "refused"},
		{Probe{File: os.Args[0]}, ""}, {Probe{File: "/no/such"}, "no such file"},
		{Probe{Process: strings.TrimSpace(string(self))}, ""}, {Probe{Process: "no-such-program"}, "does not run"},
		{Probe{Gauge: "load"}, ""}, {Probe{Gauge: "load", Least: 1e6}, "load is "},
		{Probe{Gauge: "memory", Most: 1}, ""}, {Probe{Gauge: "memory", Least: 2}, "passes from 2 to +Inf"},
		{Probe{Unit: "no-such-unit.service"}, "."},
	} {
		err := try(t, x.Probe)
		if x.want == "." && err != nil { // systemd may not be there at all
			continue
		}
		if x.want == "" && err != nil || x.want != "" && (err == nil || !strings.Contains(err.Error(), x.want)) {
			t.Errorf("%+v: %v, want %q", x.Probe, err, x.want)
		}
	}
}

// Numbers of the machine, in their units.
func TestGauges(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a": "41000\n", "b": "63500\n", "c": "off\n",
		"mem": "MemTotal: 1000 kB\nMemAvailable: 250 kB\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if x, err := extreme(dir+"/[abc]", 1000, func(x, most float64) bool { return x > most }); err != nil || x != 63.5 {
		t.Error(x, err)
	}
	if x, err := extreme(dir+"/[abc]", 1000, func(x, least float64) bool { return x < least }); err != nil || x != 41 {
		t.Error(x, err)
	}
	if _, err := extreme(dir+"/none*", 1, nil); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if x, err := memory(dir + "/mem"); err != nil || x != 0.25 {
		t.Error(x, err)
	}
	if _, err := memory(dir + "/a"); err == nil {
		t.Error("no MemTotal is taken")
	}
}

// A check changes its mind after rise and fall tries in a row, and not before; all that fail count together.
func TestRiseAndFall(t *testing.T) {
	list := []Probe{
		{Shell: "x", Rise: 2, Fall: 3, Add: -4, Multiply: &half},
		{Shell: "y", Rise: 1, Fall: 1, Add: 1, Multiply: &half, Veto: true},
	}
	if err := Check(list); err != nil {
		t.Fatal(err)
	}
	var told []Health
	w := &Watch{probes: list, logger: slog.New(slog.DiscardHandler), tell: func(h Health) { told = append(told, h) },
		results: []Result{{Passes: true}, {Passes: true}}, streak: make([]int, 2)}
	bad := errors.New("no")
	for _, try := range []struct {
		probe int
		err   error
	}{{0, bad}, {0, bad}, {0, nil}, {0, bad}, {0, bad}, {0, bad}, {1, bad}, {0, nil}, {0, bad}, {0, nil}, {0, nil},
		{1, nil}} {
		w.count(try.probe, try.err)
	}
	want := []Health{{0.5, -4, false}, {0.25, -3, true}, {0.5, 1, true}, {1, 0, false}}
	if len(told) != len(want) {
		t.Fatalf("%+v, want %+v", told, want)
	}
	for i := range want {
		if told[i] != want[i] {
			t.Errorf("%d: %+v, want %+v", i, told[i], want[i])
		}
	}
	for h, want := range map[Health]float64{Healthy: 10, {0.5, -4, false}: 1, {0, -1, false}: 0, {2, 1, true}: 21} {
		if got := h.Strength(10); got != want {
			t.Errorf("%+v leaves %g of 10, want %g", h, got, want)
		}
	}
}

// Checks are tried at their own pace, and ended at once.
func TestWatch(t *testing.T) {
	file := filepath.Join(t.TempDir(), "alive")
	list := []Probe{{File: file, Every: 100 * time.Millisecond, Fall: 2, Veto: true},
		{Shell: "sleep 60; true", Every: time.Hour, Veto: true}}
	if err := Check(list); err != nil {
		t.Fatal(err)
	}
	told := make(chan Health, 8)
	w := Start(list, slog.New(slog.DiscardHandler), func(h Health) { told <- h })
	if h := <-told; !h.Veto {
		t.Errorf("%+v", h)
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if h := <-told; h != Healthy {
		t.Errorf("%+v", h)
	}
	if r := w.Results(); len(r) != 2 || !r[0].Passes || r[0].Last != "ok" || r[0].Name != file {
		t.Errorf("%+v", r)
	}
	begun := time.Now()
	w.Stop()
	if took := time.Since(begun); took > 10*time.Second {
		t.Errorf("the end took %v", took)
	}
}

func TestWrongChecks(t *testing.T) {
	negative := -1.0
	for want, p := range map[string]Probe{
		"checks[0]: found \"0 of shell":    {Veto: true},
		"checks[0]: found \"2 of shell":    {Veto: true, Shell: "x", TCP: "x:1"},
		"checks[0]: found \"none of add":   {Shell: "x"},
		"checks[0].multiply: found \"-1\"": {Shell: "x", Multiply: &negative},
		"checks[0].every: found \"1ms\"":   {Shell: "x", Multiply: &none, Every: time.Millisecond},
		"checks[0].timeout: found \"2s\", allowed: 10": {Shell: "x", Veto: true, Every: time.Second,
			Timeout: 2 * time.Second},
		"checks[0].gauge: found \"wind\", allowed: l":  {Gauge: "wind", Veto: true},
		"checks[0].least: found \"least or most\"":     {Shell: "x", Least: 1, Veto: true},
		"checks[0].least: found \"3\", allowed: at mo": {Gauge: "load", Least: 3, Most: 2, Veto: true},
		"checks[0].tcp: found \"x\", allowed: host:po": {TCP: "x", Veto: true},
		"checks[0].http: found \"ftp://x\"":            {HTTP: "ftp://x", Veto: true},
		"checks[0].file: found \"x\", allowed: an abs": {File: "x", Veto: true},
		"checks[0].rise: found \"-1\", allowed: 1 to":  {Shell: "x", Veto: true, Rise: -1},
	} {
		err := Check([]Probe{p})
		var field *caucus.FieldError
		if !errors.As(err, &field) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
