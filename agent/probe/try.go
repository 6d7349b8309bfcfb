package probe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"caucus.example/caucus/agent/act"
)

// try checks once.
func (p *Probe) try(ctx context.Context) error {
	switch {
	case p.Shell != "":
		return command(ctx, "/bin/sh", "-c", p.Shell)
	case len(p.Run) > 0:
		return command(ctx, p.Run[0], p.Run[1:]...)
	case p.Unit != "":
		return command(ctx, "systemctl", "is-active", "--quiet", "--", p.Unit)
	case p.HTTP != "":
		return get(ctx, p.HTTP)
	case p.TCP != "":
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", p.TCP)
		if err != nil {
			return err
		}
		return conn.Close()
	case p.File != "":
		_, err := os.Stat(p.File)
		return err
	case p.Process != "":
		return running(p.Process)
	}
	x, err := gauge(p.Gauge)
	if err == nil && !(x >= p.Least && x <= p.Most) {
		err = fmt.Errorf("%s is %.3g, passes from %g to %g", p.Gauge, x, p.Least, p.Most)
	}
	return err
}

func command(ctx context.Context, program string, arguments ...string) error {
	return act.Execute(ctx, exec.Command(program, arguments...))
}

func get(ctx context.Context, url string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10))
	if answer.StatusCode >= 400 {
		return errors.New("answers " + answer.Status)
	}
	return nil
}

// running looks for a program by the name that ps shows, of which the kernel keeps 15 bytes.
func running(name string) error {
	files, err := filepath.Glob("/proc/[0-9]*/comm")
	if err != nil || len(files) == 0 {
		return errors.New("this system does not tell of its processes")
	}
	for _, f := range files {
		comm, err := os.ReadFile(f)
		if err == nil && strings.TrimSuffix(string(comm), "\n") == name[:min(len(name), 15)] {
			return nil
		}
	}
	return errors.New("does not run")
}

// gauge measures the machine.
func gauge(name string) (float64, error) {
	switch name {
	case "load":
		text, err := os.ReadFile("/proc/loadavg")
		if err != nil {
			return 0, err
		}
		first, _, _ := strings.Cut(string(text), " ")
		x, err := strconv.ParseFloat(first, 64)
		return x / float64(runtime.NumCPU()), err
	case "memory":
		return memory("/proc/meminfo")
	case "temperature":
		return extreme("/sys/class/thermal/thermal_zone*/temp", 1000, func(x, most float64) bool { return x > most })
	}
	x, err := extreme("/sys/class/power_supply/*/capacity", 100, func(x, least float64) bool { return x < least })
	if errors.Is(err, os.ErrNotExist) {
		return 1, nil // on mains
	}
	return x, err
}

// memory gives the share that is available.
func memory(file string) (float64, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	values := make(map[string]float64)
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) >= 2 {
			values[f[0]], _ = strconv.ParseFloat(f[1], 64)
		}
	}
	if values["MemTotal:"] <= 0 {
		return 0, fmt.Errorf("%s has no MemTotal", file)
	}
	return values["MemAvailable:"] / values["MemTotal:"], nil
}

// extreme gives the value, in units, that is further than all others among files of one number.
func extreme(pattern string, unit float64, further func(x, than float64) bool) (float64, error) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return 0, err
	}
	found, last := 0, 0.0
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			continue // a sensor that is off
		}
		x, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
		if err != nil {
			continue
		}
		if found++; found == 1 || further(x, last) {
			last = x
		}
	}
	if found == 0 {
		return 0, fmt.Errorf("%s: %w", pattern, os.ErrNotExist)
	}
	return last / unit, nil
}
