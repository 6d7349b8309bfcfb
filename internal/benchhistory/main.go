// Command benchhistory runs the benchmarks that matter, appends a line for each to a history and draws it:
//
//	go run ./internal/benchhistory
//
// The history is docs/benchmarks.csv. Beside the time of an operation by the clock it has its processor time, which a
// busy machine spoils less, and how often that of the first run on the same machine this is.
//
//	go run ./internal/benchhistory -growth growth.txt
//
// draws how time and memory of the engine for rounds grow with the network, from what BenchmarkGrowth has printed.
package main

import (
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"caucus.example/caucus/internal/picture"
)

// benchmarks are a package and a pattern each, whole names: larger networks begin with the same digits.
var benchmarks = [][2]string{
	{"sim/engine", "^BenchmarkRounds$/^sync$/^n=100000$/^workers=1$"},
	{"sim/engine", "^BenchmarkRounds$/^async$/^n=100000$/^workers=1$"},
	{"sim/engine", "^BenchmarkEvents$/^as-far$/^n=1000$/^unit$"},
	{"check", "^BenchmarkExplore$/^complete$/^central$"},
}

const history, drawing = "docs/benchmarks.csv", "docs/benchmarks.svg"

var columns = []string{"date", "commit", "machine", "benchmark", "ns_per_op", "cpu_ns_per_op", "times_first"}

// row is one benchmark of one day.
type row struct {
	date, commit, machine, name string
	clock, processor            float64 // nanoseconds for one operation
}

var growth = flag.String("growth", "", "draw growth from what BenchmarkGrowth has printed into this `file`")

func main() {
	flag.Parse()
	work := run
	if *growth != "" {
		work = func() error { return drawGrowth(*growth) }
	}
	if err := work(); err != nil {
		fmt.Fprintln(os.Stderr, "benchhistory:", err)
		os.Exit(1)
	}
}

func run() error {
	rows, err := read(history)
	if err != nil {
		return err
	}
	commit, err := exec.Command("git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		return fmt.Errorf("git: %w", err)
	}
	before := len(rows)
	for _, b := range benchmarks {
		r, err := measure(b[0], b[1])
		if err != nil {
			return err
		}
		r.date, r.commit = time.Now().UTC().Format(time.DateOnly), strings.TrimSpace(string(commit))
		r.machine = machine()
		rows = append(rows, r)
	}
	ratios := timesFirst(rows)
	for k, r := range rows[before:] {
		fmt.Printf("%s: %.4g ms by the clock, %.4g ms of processor time, %.2f times the first\n", r.name, r.clock/1e6,
			r.processor/1e6, ratios[before+k])
	}
	if err := write(history, rows); err != nil {
		return err
	}
	return draw(drawing, rows)
}

// machine says on what this runs: times of different ones are not compared.
func machine() string {
	model := runtime.GOARCH
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if m := regexp.MustCompile(`(?m)^model name\s*: *(.+)$`).FindSubmatch(info); m != nil {
			model = strings.Join(strings.Fields(string(m[1])), " ")
		}
	}
	return fmt.Sprintf("%d x %s, %s, %s", runtime.NumCPU(), model, runtime.GOOS, runtime.Version())
}

// timesFirst is, for each row, its processor time over that of the first run of this benchmark on this machine.
func timesFirst(rows []row) []float64 {
	first, ratios := map[[2]string]float64{}, make([]float64, len(rows))
	for k, r := range rows {
		key := [2]string{r.machine, r.name}
		if first[key] == 0 {
			first[key] = r.processor
		}
		ratios[k] = r.processor / first[key]
	}
	return ratios
}

var result = regexp.MustCompile(`(?m)^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+([0-9.]+) ns/op`)

// measure compiles the tests of a package and runs a benchmark in processes of its own, once and many times over: the
// processor time that the second takes longer is that of the operations, without what comes before them. Of three
// tries the least of each counts.
func measure(folder, pattern string) (row, error) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return row{}, err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "test")
	if out, err := exec.Command("go", "test", "-c", "-o", binary, "./"+folder).CombinedOutput(); err != nil {
		return row{}, fmt.Errorf("go test -c ./%s: %w\n%s", folder, err, out)
	}
	const more = 40
	var found row
	var least [2]time.Duration // of once, and of once and more
	for try := range 3 {
		for k, times := range []int{1, 1 + more} {
			c := exec.Command(binary, "-test.run", "^$", "-test.bench", pattern, "-test.benchtime",
				fmt.Sprint(times, "x"))
			c.Dir = folder
			out, err := c.Output()
			if err != nil {
				return row{}, fmt.Errorf("%s %s: %w", folder, pattern, err)
			}
			r, ok := parse(folder, string(out))
			if !ok {
				return row{}, fmt.Errorf("%s: not one benchmark matches %s", folder, pattern)
			}
			took := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
			if try == 0 || took < least[k] {
				least[k] = took
			}
			if k == 1 && (try == 0 || r.clock < found.clock) {
				found = r
			}
		}
	}
	found.processor = max(1, float64(least[1]-least[0])/more)
	return found, nil
}

// parse reads what one benchmark printed.
func parse(folder, out string) (row, bool) {
	m := result.FindAllStringSubmatch(out, -1)
	if len(m) != 1 {
		return row{}, false
	}
	clock, err := strconv.ParseFloat(m[0][2], 64)
	return row{name: folder + "/" + m[0][1], clock: clock}, err == nil
}

func read(file string) ([]row, error) {
	f, err := os.Open(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var rows []row
	for i, r := range records {
		if i == 0 {
			if !slices.Equal(r, columns) {
				return nil, fmt.Errorf("%s:1: found %v, allowed: %v", file, r, columns)
			}
			continue
		}
		clock, err1 := strconv.ParseFloat(r[4], 64)
		processor, err2 := strconv.ParseFloat(r[5], 64)
		if err := errors.Join(err1, err2); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
		rows = append(rows, row{r[0], r[1], r[2], r[3], clock, processor})
	}
	return rows, nil
}

func write(file string, rows []row) error {
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.Write(columns)
	ratios := timesFirst(rows)
	for k, r := range rows {
		w.Write([]string{r.date, r.commit, r.machine, r.name, fmt.Sprintf("%.0f", r.clock),
			fmt.Sprintf("%.0f", r.processor), fmt.Sprintf("%.3f", ratios[k])})
	}
	w.Flush()
	return os.WriteFile(file, []byte(b.String()), 0o644)
}

// draw shows the processor time of every benchmark, run by run, against that of its first on the same machine.
func draw(file string, rows []row) error {
	c := picture.Chart{Title: "Benchmarks, run by run",
		Subtitle: "processor time of an operation, the first run on a machine is 1",
		XLabel:   "run", YLabel: "times the first"}
	index, ratios := map[string]int{}, timesFirst(rows)
	for i, r := range rows {
		k, ok := index[r.name]
		if !ok {
			k = len(c.Series)
			index[r.name] = k
			c.Series = append(c.Series, picture.Series{Name: r.name, Style: picture.LinePoints})
		}
		s := &c.Series[k]
		s.X = append(s.X, float64(len(s.X)+1))
		s.Y = append(s.Y, ratios[i])
	}
	return create(file, func(w io.Writer) error { return c.Write(w, file) })
}
