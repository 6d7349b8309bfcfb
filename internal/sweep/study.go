package sweep

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/crew"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/internal/scenario"
)

// described is what a worker on another machine needs to make runs of a sweep.
type described struct {
	File  string             `json:"file"` // the name of the plan; files that it names are seen from there
	Text  string             `json:"text"`
	Files []scenario.Content `json:"files,omitempty"`
	Shard Shard              `json:"shard"`
}

// Study is the text from which [Open] makes the same jobs in another process.
func (s *Sweep) Study(file string) ([]byte, error) {
	return json.Marshal(described{file, s.Text, s.files, s.Shard})
}

// Open makes the jobs of a study ready. The files that it names have to be here under the same names, with the same
// content.
func Open(text []byte) (crew.Job, error) {
	var d described
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, err
	}
	plan, err := scenario.ParsePlan(d.File, []byte(d.Text))
	if err != nil {
		return nil, err
	}
	s, err := New(plan, d.Shard)
	if err != nil {
		return nil, err
	}
	for _, f := range d.Files {
		if !slices.Contains(s.files, f) {
			return nil, caucus.Wrong("file", f.Name, "what it holds where the sweep was started, under the same name")
		}
	}
	_, most := s.Runs()
	return func(ctx context.Context, job int) (results.Rows, error) {
		if job < 0 || job >= most {
			return nil, fmt.Errorf("job %d of %d", job, most)
		}
		return s.job(ctx, job)
	}, nil
}
