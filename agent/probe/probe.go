// Package probe looks after what a node needs to lead: programs, servers, files, processes, the machine itself. What
// fails makes the node weaker, or keeps it from leading at all.
package probe

import (
	"fmt"
	"math"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"time"

	"caucus.example/caucus"
)

// Probe is one check. Exactly one of Shell, Run, HTTP, TCP, File, Process, Unit and Gauge is set, and at least one of
// Add, Multiply and Veto, which hold while it fails.
type Probe struct {
	Name string `yaml:"name,omitempty"` // in logs and status; default what is checked

	Shell   string   `yaml:"shell,omitempty"`   // a line for /bin/sh, exit code 0
	Run     []string `yaml:"run,omitempty"`     // a program and its arguments, exit code 0
	HTTP    string   `yaml:"http,omitempty"`    // URL that answers GET with a status below 400
	TCP     string   `yaml:"tcp,omitempty"`     // host:port that takes a connection
	File    string   `yaml:"file,omitempty"`    // path that exists
	Process string   `yaml:"process,omitempty"` // name of a program that runs here (Linux)
	Unit    string   `yaml:"unit,omitempty"`    // systemd unit that is active
	Gauge   string   `yaml:"gauge,omitempty"`   // load, memory, temperature or battery (Linux); see gauges

	// A gauge passes from Least to Most.
	Least float64 `yaml:"least,omitempty"`
	Most  float64 `yaml:"most,omitempty"`

	Every   time.Duration `yaml:"every,omitempty"`   // 100ms to 1h; default 5s
	Timeout time.Duration `yaml:"timeout,omitempty"` // 10ms to Every; default Every, at most 5s
	Rise    int           `yaml:"rise,omitempty"`    // successes in a row until it passes, 1 to 100; default 1
	Fall    int           `yaml:"fall,omitempty"`    // failures in a row until it fails, 1 to 100; default 3

	Add      float64  `yaml:"add,omitempty"`      // to the strength, after all factors
	Multiply *float64 `yaml:"multiply,omitempty"` // the strength, 0 or more
	Veto     bool     `yaml:"veto,omitempty"`     // the node does not lead
}

// gauges are what is measured of the machine.
var gauges = []string{
	"load",        // of the last minute, a processor
	"memory",      // share that is available, 0 to 1
	"temperature", // hottest zone, in degrees Celsius
	"battery",     // least charge, 0 to 1; passes where there is none
}

// maxProbes bounds what one node looks after.
const maxProbes = 64

// Check fills in defaults and refuses what cannot be checked, as a *caucus.FieldError.
func Check(list []Probe) error {
	if len(list) > maxProbes {
		return caucus.Wrong("checks", len(list), fmt.Sprint("at most ", maxProbes))
	}
	for i := range list {
		p := &list[i]
		p.defaults()
		if err := p.check(fmt.Sprintf("checks[%d]", i)); err != nil {
			return err
		}
	}
	return nil
}

func (p *Probe) defaults() {
	if p.Every == 0 {
		p.Every = 5 * time.Second
	}
	if p.Timeout == 0 {
		p.Timeout = min(p.Every, 5*time.Second)
	}
	if p.Rise == 0 {
		p.Rise = 1
	}
	if p.Fall == 0 {
		p.Fall = 3
	}
	if p.Gauge != "" && p.Most == 0 {
		p.Most = math.Inf(1)
	}
	if p.Name == "" {
		p.Name = p.what()
	}
}

// what names what is checked.
func (p *Probe) what() string {
	switch {
	case len(p.Run) > 0:
		return p.Run[0]
	default:
		for _, s := range []string{p.Shell, p.HTTP, p.TCP, p.File, p.Process, p.Unit, p.Gauge} {
			if s != "" {
				return s
			}
		}
	}
	return ""
}

func (p *Probe) check(field string) error {
	wrong := func(name string, found any, allowed string) error {
		return caucus.Wrong(field+name, found, allowed)
	}
	set := 0
	for _, is := range []bool{p.Shell != "", len(p.Run) > 0, p.HTTP != "", p.TCP != "", p.File != "", p.Process != "",
		p.Unit != "", p.Gauge != ""} {
		if is {
			set++
		}
	}
	switch {
	case set != 1:
		return wrong("", fmt.Sprint(set, " of shell, run, http, tcp, file, process, unit and gauge"),
			"exactly one of them")
	case p.Add == 0 && p.Multiply == nil && !p.Veto:
		return wrong("", "none of add, multiply and veto", "at least one of them")
	case math.IsNaN(p.Add) || math.IsInf(p.Add, 0):
		return wrong(".add", p.Add, "a finite number")
	case p.Multiply != nil && (!(*p.Multiply >= 0) || math.IsInf(*p.Multiply, 1)):
		return wrong(".multiply", *p.Multiply, "a finite number of 0 or more")
	case p.Every < 100*time.Millisecond || p.Every > time.Hour:
		return wrong(".every", p.Every, "100ms to 1h")
	case p.Timeout < 10*time.Millisecond || p.Timeout > p.Every:
		return wrong(".timeout", p.Timeout, "10ms to every, "+p.Every.String())
	case p.Rise < 1 || p.Rise > 100:
		return wrong(".rise", p.Rise, "1 to 100")
	case p.Fall < 1 || p.Fall > 100:
		return wrong(".fall", p.Fall, "1 to 100")
	case len(p.Run) > 0 && p.Run[0] == "":
		return wrong(".run", "no program", "a program and its arguments")
	case p.File != "" && !filepath.IsAbs(p.File):
		return wrong(".file", p.File, "an absolute path")
	case p.Gauge != "" && !slices.Contains(gauges, p.Gauge):
		return caucus.NotAmong(field+".gauge", p.Gauge, gauges)
	case p.Gauge == "" && (p.Least != 0 || p.Most != 0):
		return wrong(".least", "least or most", "only with gauge")
	case p.Gauge != "" && !(p.Least <= p.Most):
		return wrong(".least", p.Least, "at most "+fmt.Sprint(p.Most))
	}
	if p.TCP != "" {
		if _, port, err := net.SplitHostPort(p.TCP); err != nil || port == "" {
			return wrong(".tcp", p.TCP, "host:port")
		}
	}
	if p.HTTP != "" {
		if u, err := url.Parse(p.HTTP); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return wrong(".http", p.HTTP, "a URL with http or https")
		}
	}
	return nil
}
