package cmd

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"golang.org/x/term"
)

// screen writes lines that stay and, on a terminal, a table below them that is
// drawn anew again and again. With JSON it writes nothing.
type screen struct {
	out    io.Writer
	silent bool
	tty    bool
	shown  int   // lines of the live table on the screen
	broken error // the first write that failed
}

func newScreen(out io.Writer, silent bool) screen {
	f, ok := out.(*os.File)
	return screen{out: out, silent: silent, tty: ok && term.IsTerminal(int(f.Fd()))}
}

func (s *screen) print(text string) {
	if _, err := io.WriteString(s.out, text); err != nil && s.broken == nil {
		s.broken = err
	}
}

func (s *screen) clear() {
	if s.shown > 0 {
		s.print(fmt.Sprintf("\x1b[%dA\x1b[J", s.shown))
		s.shown = 0
	}
}

// line writes a line that stays.
func (s *screen) line(text string) {
	if s.silent {
		return
	}
	s.clear()
	s.print(text + "\n")
}

// live draws the table, on a terminal only.
func (s *screen) live(table func(now time.Time) string) {
	if s.silent || !s.tty {
		return
	}
	text := table(time.Now())
	s.clear()
	f := s.out.(*os.File)
	width, height, err := term.GetSize(int(f.Fd()))
	if err == nil {
		text = fit(text, width, height-1)
	}
	s.print(text)
	s.shown = strings.Count(text, "\n")
}

// renew draws text in place of the last, or below it where there is no terminal.
func (s *screen) renew(text string) {
	if s.tty {
		s.live(func(time.Time) string { return text })
	} else {
		s.print(text + "\n")
	}
}

// static writes the table where there is no terminal to draw it live.
func (s *screen) static(table string) {
	if !s.silent && !s.tty {
		s.print(table)
	}
}

// finish writes the last table so that it stays.
func (s *screen) finish(table string) {
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

// short rounds a length to four digits.
func short(x float64) float64 {
	x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	return x
}

// table shows the regions: leader, members, distance of the farthest, term and age of the leadership.
func (t *trial) table(now time.Time) string {
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "REGION\tLEADER\tMEMBERS\tFARTHEST\tTERM\tAGE\tNODES")
	for i, r := range t.rows(now) {
		nodes := strings.Join(r.Members, " ")
		if long := []rune(nodes); len(long) > 60 {
			nodes = string(long[:59]) + "…"
		}
		farthest := "-"
		if r.Farthest >= 0 {
			farthest = t.up.sim.Length(short(r.Farthest))
		}
		fmt.Fprintf(w, "%d\t%s\t%d\t%s\t%d\t%.1fs\t%s\n", i+1, r.Leader, len(r.Members), farthest, r.Term, r.Age, nodes)
	}
	w.Flush()
	return b.String()
}
