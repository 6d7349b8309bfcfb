// Package tools holds what the project is made with. What it tests here are files for other programs, by the types and
// parsers of those programs, which nothing that is handed out should have to link.
package tools

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/promql/parser"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"
)

// Every object of the manifests has only fields that its kind has, of the right types.
func TestManifests(t *testing.T) {
	files, err := filepath.Glob("../packaging/kubernetes/*.yaml")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, doc := range strings.Split(string(text), "\n---\n") {
			var kind struct{ APIVersion, Kind string }
			if err := yaml.Unmarshal([]byte(doc), &kind); err != nil {
				t.Fatal(file, err)
			}
			into := map[string]any{
				"v1 Service": &corev1.Service{}, "v1 ConfigMap": &corev1.ConfigMap{},
				"policy/v1 PodDisruptionBudget": &policyv1.PodDisruptionBudget{},
				"apps/v1 StatefulSet":           &appsv1.StatefulSet{}, "apps/v1 DaemonSet": &appsv1.DaemonSet{},
			}[kind.APIVersion+" "+kind.Kind]
			if into == nil {
				t.Fatalf("%s: found kind %q of %q, which no test knows", file, kind.Kind, kind.APIVersion)
			}
			if err := yaml.UnmarshalStrict([]byte(doc), into); err != nil {
				t.Errorf("%s: %s: %v", file, kind.Kind, err)
			}
			agrees(t, file, into)
		}
	}
}

// agrees looks for what types do not show: labels that a selector does not select, volumes that are not there.
func agrees(t *testing.T, file string, object any) {
	t.Helper()
	var selector map[string]string
	var template corev1.PodTemplateSpec
	volumes := map[string]bool{}
	switch o := object.(type) {
	case *appsv1.StatefulSet:
		selector, template = o.Spec.Selector.MatchLabels, o.Spec.Template
		for _, c := range o.Spec.VolumeClaimTemplates {
			volumes[c.Name] = true
		}
	case *appsv1.DaemonSet:
		selector, template = o.Spec.Selector.MatchLabels, o.Spec.Template
	default:
		return
	}
	for k, v := range selector {
		if template.Labels[k] != v {
			t.Errorf("%s: the selector's %s=%s is no label of the pods", file, k, v)
		}
	}
	for _, v := range template.Spec.Volumes {
		volumes[v.Name] = true
	}
	for _, c := range template.Spec.Containers {
		for _, m := range c.VolumeMounts {
			if !volumes[m.Name] {
				t.Errorf("%s: no volume %s", file, m.Name)
			}
		}
	}
}

// The expressions of alerts and dashboard are ones that Prometheus takes.
func TestExpressions(t *testing.T) {
	text, err := os.ReadFile("../packaging/prometheus/alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var alerts struct {
		Groups []struct{ Rules []struct{ Expr string } }
	}
	if err := yaml.Unmarshal(text, &alerts); err != nil {
		t.Fatal(err)
	}
	var exprs []string
	for _, g := range alerts.Groups {
		for _, r := range g.Rules {
			exprs = append(exprs, r.Expr)
		}
	}
	var dashboard struct {
		Panels []struct{ Targets []struct{ Expr string } }
	}
	if text, err = os.ReadFile("../packaging/grafana/caucus.json"); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &dashboard); err != nil {
		t.Fatal(err)
	}
	for _, p := range dashboard.Panels {
		for _, target := range p.Targets {
			exprs = append(exprs, regexp.MustCompile(`\$\w+`).ReplaceAllString(target.Expr, ".*"))
		}
	}
	if len(exprs) < 15 {
		t.Errorf("%d expressions", len(exprs))
	}
	for _, e := range exprs {
		if _, err := parser.ParseExpr(e); err != nil {
			t.Errorf("%s: %v", e, err)
		}
	}
}
