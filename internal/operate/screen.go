package operate

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// Screen writes lines that stay and, on a terminal, a table below them that is
// drawn anew again and again. With JSON it writes nothing.
type Screen struct {
	Out    io.Writer
	silent bool
	tty    bool
	shown  int   // lines of the live table on the screen
	Broken error // the first write that failed
}

// NewScreen makes one on out.
func NewScreen(out io.Writer, silent bool) Screen {
	f, ok := out.(*os.File)
	return Screen{Out: out, silent: silent, tty: ok && term.IsTerminal(int(f.Fd()))}
}

func (s *Screen) print(text string) {
	if _, err := io.WriteString(s.Out, text); err != nil && s.Broken == nil {
		s.Broken = err
	}
}

func (s *Screen) clear() {
	if s.shown > 0 {
		s.print(fmt.Sprintf("\x1b[%dA\x1b[J", s.shown))
		s.shown = 0
	}
}

// Line writes a line that stays.
func (s *Screen) Line(text string) {
	if s.silent {
		return
	}
	s.clear()
	s.print(text + "\n")
}

// Live draws the table, on a terminal only.
func (s *Screen) Live(table func(now time.Time) string) {
	if s.silent || !s.tty {
		return
	}
	text := table(time.Now())
	s.clear()
	f := s.Out.(*os.File)
	width, height, err := term.GetSize(int(f.Fd()))
	if err == nil {
		text = fit(text, width, height-1)
	}
	s.print(text)
	s.shown = strings.Count(text, "\n")
}

// renew draws text in place of the last, or below it where there is no terminal.
func (s *Screen) renew(text string) {
	if s.tty {
		s.Live(func(time.Time) string { return text })
	} else {
		s.print(text + "\n")
	}
}

// Static writes the table where there is no terminal to draw it live.
func (s *Screen) Static(table string) {
	if !s.silent && !s.tty {
		s.print(table)
	}
}

// Finish writes the last table so that it stays.
func (s *Screen) Finish(table string) {
	if !s.silent {
		s.clear()
		s.print(table)
	}
}

// fit cuts a table to the size of the terminal: a line that wraps, or scrolls away, could not be
// drawn over.
func fit(table string, width, height int) string {
	lines := strings.SplitAfter(table, "\n")
	lines = lines[:len(lines)-1]
	if len(lines) > height && height > 1 {
		more := len(lines) - height + 1
		lines = append(lines[:height-1:height-1], fmt.Sprintf("… %d more\n", more))
	}
	for i, l := range lines {
		if r := []rune(strings.TrimSuffix(l, "\n")); len(r) > width {
			lines[i] = string(r[:width]) + "\n"
		}
	}
	return strings.Join(lines, "")
}
