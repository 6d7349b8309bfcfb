package act

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"caucus.example/caucus"
)

// Hooks are what is told of a change: those of the new role, and then those of any.
type Hooks struct {
	Lead      []Hook `yaml:"lead,omitempty"`
	Follow    []Hook `yaml:"follow,omitempty"`
	Undecided []Hook `yaml:"undecided,omitempty"`
	Any       []Hook `yaml:"any,omitempty"`
}

// Hook is one command, web server or stream. Exactly one of Shell, Run, Webhook and Stream is set.
type Hook struct {
	Shell   string   `yaml:"shell,omitempty"`   // a line for /bin/sh
	Run     []string `yaml:"run,omitempty"`     // a program and its arguments
	Webhook string   `yaml:"webhook,omitempty"` // the event goes there by POST
	Stream  string   `yaml:"stream,omitempty"`  // a FIFO or unix socket that gets the event as a line

	Style   string        `yaml:"style,omitempty"`   // "keepalived": Run gets what its notify scripts get
	Timeout time.Duration `yaml:"timeout,omitempty"` // 10ms to 1h; default defaultTimeout
}

// defaultTimeout is how long a hook may take before it is ended.
const defaultTimeout = time.Minute

// maxHooks bounds what is to be done for one event.
const maxHooks = 64

// UnmarshalYAML reads a hook, which may be a line for the shell or a list of program and arguments alone.
func (h *Hook) UnmarshalYAML(decode func(any) error) error {
	var line string
	if decode(&line) == nil {
		*h = Hook{Shell: line}
		return nil
	}
	var run []string
	if decode(&run) == nil {
		*h = Hook{Run: run}
		return nil
	}
	type fields Hook // without this method
	return decode((*fields)(h))
}

// Empty tells whether there is nothing to do.
func (h *Hooks) Empty() bool { return len(h.Lead)+len(h.Follow)+len(h.Undecided)+len(h.Any) == 0 }

// Check refuses what cannot be carried out, as a *caucus.FieldError.
func (h *Hooks) Check() error {
	for _, list := range []struct {
		name  string
		hooks []Hook
	}{{Lead, h.Lead}, {Follow, h.Follow}, {Undecided, h.Undecided}, {"any", h.Any}} {
		if len(list.hooks) > maxHooks {
			found := fmt.Sprint(len(list.hooks), " hooks")
			return caucus.Wrong("on."+list.name, found, fmt.Sprint("at most ", maxHooks))
		}
		for i := range list.hooks {
			if err := list.hooks[i].check(fmt.Sprintf("on.%s[%d]", list.name, i)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (h *Hook) check(field string) error {
	wrong := func(name, found, allowed string) error {
		return caucus.Wrong(field+name, found, allowed)
	}
	set := 0
	for _, is := range []bool{h.Shell != "", len(h.Run) > 0, h.Webhook != "", h.Stream != ""} {
		if is {
			set++
		}
	}
	switch {
	case set != 1:
		return wrong("", fmt.Sprint(set, " of shell, run, webhook and stream"), "exactly one of them")
	case len(h.Run) > 0 && h.Run[0] == "":
		return wrong(".run", "no program", "a program and its arguments")
	case h.Style != "" && h.Style != "keepalived":
		return wrong(".style", h.Style, "keepalived")
	case h.Style != "" && len(h.Run) == 0:
		return wrong(".style", h.Style, "only with run, the program and its first arguments as a list")
	case h.Timeout != 0 && (h.Timeout < 10*time.Millisecond || h.Timeout > time.Hour):
		return wrong(".timeout", h.Timeout.String(), "10ms to 1h")
	case h.Stream != "" && !filepath.IsAbs(h.Stream):
		return wrong(".stream", h.Stream, "an absolute path")
	}
	if h.Webhook != "" {
		if u, err := url.Parse(h.Webhook); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return wrong(".webhook", h.Webhook, "a URL with http or https")
		}
	}
	return nil
}

// of lists the hooks of a role.
func (h *Hooks) of(role string) []Hook {
	own := map[string][]Hook{Lead: h.Lead, Follow: h.Follow, Undecided: h.Undecided}[role]
	return append(own[:len(own):len(own)], h.Any...)
}

// String names a hook in logs and status.
func (h *Hook) String() string {
	switch {
	case h.Shell != "":
		return h.Shell
	case h.Webhook != "":
		return h.Webhook
	case h.Stream != "":
		return h.Stream
	}
	return strings.Join(h.Run, " ")
}
