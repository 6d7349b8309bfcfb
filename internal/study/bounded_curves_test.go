package study

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caucus.example/caucus/internal/jobs"
)

// Curves that are our own means are met in every bin; ones that are 0.1 higher are met in none.
func TestCurves(t *testing.T) {
	b := Bounded{Scenarios: []string{"scale-free"}, Seeds: 3, Faithful: "artefact"}
	report, err := b.Study().Run(context.Background(), jobs.Setting{})
	if err != nil {
		t.Fatal(err)
	}
	means := map[string]map[int]float64{}
	for _, r := range report.Rows {
		if r.Metric == "instability" {
			if means[r.Series] == nil {
				means[r.Series] = map[int]float64{}
			}
			means[r.Series][int(r.X)] += r.Value / 3
		}
	}
	for _, c := range []struct {
		above float64
		all   bool
	}{{0, true}, {0.1, false}} {
		text := "t,classic2,recursive,classic,proposed,sd_recursive,sd_classic,sd_proposed\n0,0,0,0,0,0,0,0\n"
		for s := 1; s <= boundedSeconds; s++ {
			text += fmt.Sprintf("%d,9,%g,%g,%g,0.01,0.01,0.01\n", s, means["recursive"][s]+c.above,
				means["classic"][s]+c.above, means["proposed"][s]+c.above)
		}
		file := filepath.Join(t.TempDir(), "c.csv")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		curve, err := ReadCurve("scale-free", file)
		if err != nil {
			t.Fatal(err)
		}
		b.Curves = []Curve{curve}
		var out, seconds bytes.Buffer
		r := b.Study().Report(report.Rows)
		if err := r.Text(&out); err != nil {
			t.Fatal(err)
		}
		bins, within := 0, 0
		for _, f := range r.Facts {
			fmt.Sscanf(f.String(), "scale-free-bins=%d", &bins)
			fmt.Sscanf(f.String(), "scale-free-bins-within=%d", &within)
		}
		if bins < 10 || (bins == within) != c.all || !c.all && within > 0 {
			t.Errorf("%d of %d bins\n%s", within, bins, out.String())
		}
		for _, f := range r.Files {
			if f.Name == "scale-free-curves.csv" {
				if err := f.Write(&seconds); err != nil {
					t.Fatal(err)
				}
			}
		}
		if n := strings.Count(seconds.String(), "\n"); n != 1+3*boundedSeconds {
			t.Errorf("%d lines", n)
		}
	}
}

func TestCurvesRefuse(t *testing.T) {
	head := "t,recursive,classic,proposed,sd_recursive,sd_classic,sd_proposed\n"
	for text, want := range map[string]string{
		"":                            "EOF",
		"t,recursive\n":               `found no column "sd_recursive"`,
		head + "1,2,3\n":              ":2: ",
		head + "1,2,x,4,5,6,7\n":      `:2: classic: found "x"`,
		head + "1,2,NaN,4,5,6,7\n":    `found "NaN"`,
		strings.Repeat("\x00", 10000): "no column",
	} {
		file := filepath.Join(t.TempDir(), "c.csv")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadCurve("random", file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}
