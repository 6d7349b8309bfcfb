//go:build js

// Command worker is the simulator for pages that have no server: compiled to WebAssembly it runs in a worker of the
// page, answers one request and ends. Who does not want the answer any more ends the worker.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"strings"
	"syscall/js"

	"caucus.example/caucus/internal/frames"
)

// port gives the page what is written, a piece at a time.
type port struct{ *bufio.Writer }

type pieces struct{}

func (pieces) Write(b []byte) (int, error) {
	piece := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(piece, b)
	js.Global().Call("postMessage", piece, []any{piece.Get("buffer")})
	return len(b), nil
}

func main() {
	asked := js.Global().Get("asked")
	out := port{bufio.NewWriterSize(pieces{}, 1<<16)}
	err := answer(asked.Get("path").String(), asked.Get("body").String(), out)
	if err == nil {
		err = out.Flush()
	}
	text := ""
	if err != nil {
		text = err.Error()
	}
	js.Global().Call("postMessage", text)
}

// answer is what the server of a page answers.
func answer(path, body string, out io.Writer) error {
	var q frames.Request
	if body != "" {
		decode := json.NewDecoder(strings.NewReader(body))
		decode.DisallowUnknownFields()
		if err := decode.Decode(&q); err != nil {
			return err
		}
	}
	switch path {
	case "/api/begin":
		o, err := frames.Open(q)
		if err != nil {
			return err
		}
		return json.NewEncoder(out).Encode(o)
	case "/api/check":
		found, err := q.Check(context.Background())
		if err != nil {
			return err
		}
		return json.NewEncoder(out).Encode(found)
	}
	p, err := q.Prepare()
	if err != nil {
		return err
	}
	_ = p.Tell(context.Background(), out) // what goes wrong is told in the frames
	return nil
}
