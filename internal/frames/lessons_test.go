package frames

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"testing"
)

// told runs a request and gives the frames that the page gets.
func told(t *testing.T, q Request) map[byte][][]byte {
	t.Helper()
	p, err := q.Prepare()
	if err != nil {
		t.Fatalf("%v\n%s", err, q.Scenario)
	}
	var out bytes.Buffer
	if err := p.Tell(t.Context(), &out); err != nil {
		t.Fatalf("%v\n%s", err, q.Scenario)
	}
	return apart(out.Bytes())
}

// apart gives the frames of a stream by their kinds.
func apart(b []byte) map[byte][][]byte {
	frames := map[byte][][]byte{}
	for len(b) > 0 {
		size, kind := binary.LittleEndian.Uint32(b), b[4]
		frames[kind] = append(frames[kind], b[5:5+size])
		b = b[5+size:]
	}
	return frames
}

func ended(t *testing.T, frames map[byte][][]byte) (e end) {
	t.Helper()
	if len(frames[frameHead]) != 1 || len(frames[frameEnd]) != 1 || len(frames[frameWrong]) != 0 {
		t.Fatalf("frames: %d heads, %d ends, wrong %s", len(frames[frameHead]), len(frames[frameEnd]),
			frames[frameWrong])
	}
	if err := json.Unmarshal(frames[frameEnd][0], &e); err != nil {
		t.Fatal(err)
	}
	return e
}

// Every page of every lesson is a run, beside another where it says so, and what it asks is answered by it.
func TestLessons(t *testing.T) {
	list, err := Lessons()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range list {
		if l.Title == "" || len(l.Pages) == 0 {
			t.Errorf("%s: empty", l.Name)
		}
		for k, p := range l.Pages {
			e := ended(t, told(t, Request{Scenario: p.Scenario, Faults: p.Faults, Rounds: p.Rounds}))
			t.Log(l.Name, k+1, e.Messages, e.Settled, e.Time)
			if p.Beside != "" {
				ended(t, told(t, Request{Scenario: p.Scenario, Faults: p.Faults, Rounds: p.Rounds, Algo: p.Beside}))
			}
			answer := map[string]float64{"messages": float64(e.Messages), "rounds": float64(e.Settled), "time": e.Time,
				"leaders": 1, "": 1}
			if v, ok := answer[p.Measure]; !ok || v <= 0 || (p.Question == "") != (p.Measure == "") {
				t.Errorf("%s, page %d: measure %q answers %v", l.Name, k+1, p.Measure, v)
			}
		}
	}
}
