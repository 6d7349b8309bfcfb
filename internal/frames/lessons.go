package frames

import (
	"embed"
	"fmt"

	"github.com/goccy/go-yaml"
)

//go:embed lessons/*.yaml
var lessons embed.FS

// Lesson is a guided text, each page with a run of its own.
type Lesson struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Pages []Page `json:"pages"`
}

// Page is a text and what it is about.
type Page struct {
	Text     string   `json:"text"`
	Scenario string   `json:"scenario"`
	Rounds   int      `json:"rounds"`
	Beside   string   `json:"beside"` // an algorithm to run beside it on the same network
	Faults   []string `json:"faults"`
	Question string   `json:"question"` // answered by the run
	Measure  string   `json:"measure"`  // what answers it: messages, rounds, time or leaders
	Theorem  string   `json:"theorem"`  // what is known about it
}

var lessonNames = []string{"impossibility", "trees", "rings", "mega-merger", "bounded", "prasle", "ghosts"}

// Lessons are the teacher's path, in its order.
func Lessons() (list []Lesson, err error) {
	for _, name := range lessonNames {
		text, err := lessons.ReadFile("lessons/" + name + ".yaml")
		if err != nil {
			return nil, err
		}
		l := Lesson{Name: name}
		if err := yaml.UnmarshalWithOptions(text, &l, yaml.Strict()); err != nil {
			return nil, fmt.Errorf("lesson %s: %w", name, err)
		}
		list = append(list, l)
	}
	return list, nil
}
