package packaging

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"caucus.example/caucus/agent"
	"caucus.example/caucus/registry"
	"caucus.example/caucus/registry/agents"
)

// exported gives what a running agent with hooks tells Prometheus.
func exported(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.yaml")
	text := "name: a\nlisten: 127.0.0.1:0\nhttp: 127.0.0.1:0\nprofile: loopback\non: {any: [\"true\"]}\nchecks: " +
		"[{file: /, veto: true}]\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := agent.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	e, err := registry.Get(cfg.Algo)
	if err != nil {
		t.Fatal(err)
	}
	args, err := e.Spec.Resolve("", nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := agents.Of(e, args, cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- a.Run(ctx) }()
	defer func() { stop(); <-done }()
	// The check is there once it has run for the first time.
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		answer, err := http.Get("http://" + a.HTTPAddr() + "/metrics")
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(body), "\ncaucus_check{") || time.Now().After(end) {
			return string(body)
		}
	}
}

// Alerts are about metrics that there are: one with a wrong name never fires.
func TestAlertsNameMetrics(t *testing.T) {
	text, err := os.ReadFile("prometheus/alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Groups []struct {
			Name  string
			Rules []struct {
				Alert, Expr, For string
				Annotations      map[string]string
			}
		}
	}
	if err := yaml.UnmarshalWithOptions(text, &doc, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	names, metrics := regexp.MustCompile(`caucus_\w+`), exported(t)
	rules := 0
	for _, g := range doc.Groups {
		for _, r := range g.Rules {
			rules++
			used := names.FindAllString(r.Expr, -1)
			if len(used) == 0 || r.Annotations["summary"] == "" {
				t.Errorf("%s: no metric or no summary", r.Alert)
			}
			for _, name := range used {
				if !regexp.MustCompile(`(?m)^` + name + `[{ ]`).MatchString(metrics) {
					t.Errorf("%s: no agent exports %s", r.Alert, name)
				}
			}
		}
	}
	if rules < 5 {
		t.Errorf("%d rules", rules)
	}
}
