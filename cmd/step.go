package cmd

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"caucus.example/caucus/story"
	"golang.org/x/term"
)

// stepper shows a run event by event and asks before each how to go on.
type stepper struct {
	ctx    context.Context
	in     <-chan string
	out    io.Writer
	prompt io.Writer // nil when nobody sits at a terminal
	names  story.Names
	ahead  int  // events to show before the next question
	run    bool // to the end
	quit   bool
	shown  int
}

const stepHelp = "Enter: next event, a number: as many events, r: run to the end, q: quit"

// linesOf reads ahead, so that a question can be interrupted.
func linesOf(ctx context.Context, in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(in); s.Scan(); {
			select {
			case lines <- s.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

// promptFor gives where to ask: nowhere when the answers come from a file or pipe.
func promptFor(in io.Reader, logs io.Writer) io.Writer {
	if f, ok := in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return logs
	}
	return nil
}

func (s *stepper) show(h *story.Step) bool {
	s.shown++
	fmt.Fprintf(s.out, "%d: %s\n", s.shown, story.Line(h, s.names))
	if s.ahead--; s.ahead > 0 || s.run {
		return true
	}
	return s.ask()
}

// ask reads a command; false to quit. Without more commands the run goes on to its end.
func (s *stepper) ask() bool {
	for {
		if s.prompt != nil {
			fmt.Fprint(s.prompt, "> ")
		}
		var text string
		select {
		case <-s.ctx.Done():
			return false
		case line, ok := <-s.in:
			if s.run = !ok; s.run {
				return true
			}
			text = strings.TrimSpace(line)
		}
		switch text {
		case "":
			s.ahead = 1
			return true
		case "r":
			s.run = true
			return true
		case "q":
			s.quit = true
			return false
		default:
			n, err := strconv.Atoi(text)
			if err == nil && n > 0 {
				s.ahead = n
				return true
			}
			fmt.Fprintf(s.out, "found %q; %s\n", text, stepHelp)
		}
	}
}
