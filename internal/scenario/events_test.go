package scenario

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/story"
)

// load writes files into one folder and resolves the scenario s.yaml among them.
func load(t *testing.T, files map[string]string) (*Run, error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Load(filepath.Join(dir, "s.yaml"))
	if err != nil {
		return nil, err
	}
	return s.Resolve()
}

// What a scenario names may lie beside it, and everything of event algorithms reaches the engine.
func TestEventSettings(t *testing.T) {
	r, err := load(t, map[string]string{
		"s.yaml": "algo: as-far\ntopology: ring:3\nids: ids.txt\ninitiators: '3, 1'\nfifo: false\nchannel: 3\n" +
			"events: 50\nreplay: run.txt\n",
		"ids.txt": "9 # the largest\n\n4\n7\n", "run.txt": "# a comment\n0 wake 1 initiator\n1.5 message 2 #1\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	c := r.Config
	if !slices.Equal(c.IDs, []caucus.ID{9, 4, 7}) || !slices.Equal(c.Initiators, []int{2, 0}) || !c.NoFIFO ||
		c.Channel != 3 || c.MaxEvents != 50 {
		t.Errorf("%+v", c)
	}
	if len(c.Replay.Steps) != 2 || c.Replay.Steps[1].Time != 1.5 || c.Replay.Steps[1].What != story.Message ||
		c.Replay.Steps[1].Node != 1 || c.Replay.Steps[1].Number != 1 ||
		!strings.HasSuffix(c.Replay.Steps[1].Where, "run.txt:3") {
		t.Errorf("replay %+v", c.Replay)
	}
	// 1 is nobody's
	for id, place := range map[caucus.ID]caucus.ID{9: 1, 4: 2, 7: 3, caucus.None: caucus.None, 1: 4, 50: 50} {
		if got := r.Place(id); got != place {
			t.Errorf("ID %d has place %d, want %d", id, got, place)
		}
	}
}

func TestRandomIDs(t *testing.T) {
	ids := func(seed string) []caucus.ID {
		r, err := load(t, map[string]string{"s.yaml": "algo: as-far\ntopology: ring:9\nids: random\nseed: " + seed +
			"\n"})
		if err != nil {
			t.Fatal(err)
		}
		return r.Config.IDs
	}
	a := ids("1")
	if slices.Equal(a, ids("2")) || !slices.Equal(a, ids("1")) {
		t.Error("random IDs do not depend on the seed alone")
	}
	slices.Sort(a)
	if !slices.Equal(a, []caucus.ID{1, 2, 3, 4, 5, 6, 7, 8, 9}) {
		t.Errorf("%v", a)
	}
}

func TestRestartSetting(t *testing.T) {
	r, err := load(t, map[string]string{"s.yaml": "algo: as-far\ntopology: ring:9\nrestart: 8\n"})
	if err != nil {
		t.Fatal(err)
	}
	if kinds := r.Entry.Spec.Kinds; !slices.Equal(kinds, []string{"elect", "notify", "detour", "beat"}) ||
		!r.Entry.Spec.Endless {
		t.Errorf("%+v", r.Entry.Spec)
	}
	if echo := r.Echo("v")[0]; !strings.Contains(echo, " restart=8 ") || !strings.Contains(echo, " stable-for=25 ") {
		t.Error(echo)
	}
}

func TestEventErrors(t *testing.T) {
	for text, want := range map[string]string{
		"ids: no-such": "s.yaml:3: ids: found \"no-such\", allowed: increasing, decreasing, " +
			"random or a file",
		"initiators: '1,7'": "s.yaml:3: initiators: found \"7\"",
		"initiators: ','":   "s.yaml:3: initiators: found \",\"",
		"replay: no-such":   "s.yaml:3: replay: ",
		"restart: 2":        "s.yaml:3: restart: found \"2\", allowed: 0, or from 4",
		"scheduler: never":  "s.yaml:3: scheduler: found \"never\"",
		"diagram: x.gif": "s.yaml:3: diagram: found \"x.gif\", allowed: a file name that ends " +
			"in .svg, .png or .pdf",
		"algo: bounded\nradius: 2\nstep: true": "unknown field \"step\"",
	} {
		head := "algo: as-far\ntopology: ring:5\n"
		if strings.HasPrefix(text, "algo") {
			head = "topology: ring:5\n"
		}
		if _, err := load(t, map[string]string{"s.yaml": head + text + "\n"}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

// A replay stands in a file, or in the scenario itself.
func TestReplayInOneLine(t *testing.T) {
	const ring = "version: 1\nalgo: as-far\ntopology: ring:4\nreplay: "
	s, err := Parse("s.yaml", []byte(ring+"'message 3 #2; message 2 #1'\n"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	steps := r.Config.Replay.Steps
	if len(steps) != 2 || steps[0].Node != 2 || steps[0].Number != 2 || steps[1].Node != 1 {
		t.Errorf("read %+v", steps)
	}
	s, err = Parse("s.yaml", []byte(ring+"'message 9 #2'\n"))
	if err == nil {
		_, err = s.Resolve()
	}
	if err == nil || !strings.Contains(err.Error(), `s.yaml:4: replay: message 9`) {
		t.Errorf("a node that is not there: %v", err)
	}
}
