package frames

import (
	"strings"

	"caucus.example/caucus/network"
	"caucus.example/caucus/registry"
	"caucus.example/caucus/scenarios"
)

// Opening is what the page asks for first.
type Opening struct {
	Begin    Request  `json:"begin"`
	Live     bool     `json:"live"`
	Kills    bool     `json:"kills"` // of the agents some are this program's to kill
	Places   *Places  `json:"places,omitempty"`
	Recorded int      `json:"recorded"` // so many runs that are over
	Study    bool     `json:"study"`    // there is a sweep to look at
	Lessons  []Lesson `json:"lessons"`
	Scripts  []Script `json:"scenarios"` // that ship
	Algos    []algo   `json:"algos"`
}

// Places say where agents are whose network is known.
type Places struct {
	Names []string `json:"names"`
	placed
}

// PlacesOf are those of the nodes of a network, which have these names.
func PlacesOf(g *network.Graph, names []string) *Places {
	return &Places{names, placesOf(g)}
}

// Open gives what there is to be run, to a page that begins with a run.
func Open(begin Request) (Opening, error) {
	list, err := Lessons()
	return Opening{Begin: begin, Lessons: list, Scripts: shipped(), Algos: algorithms()}, err
}

// Script is a scenario that ships.
type Script struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

func shipped() (list []Script) {
	files, _ := scenarios.Files.ReadDir(".") // it is in the binary
	for _, f := range files {
		if strings.HasSuffix(f.Name(), ".yaml") {
			text, _ := scenarios.Files.ReadFile(f.Name())
			list = append(list, Script{f.Name(), string(text)})
		}
	}
	return list
}

type algo struct {
	Name  string `json:"name"`
	Shape string `json:"shape"`
	About string `json:"about"`
}

func algorithms() (list []algo) {
	for _, e := range registry.All {
		list = append(list, algo{e.Spec.Name, string(e.Spec.Shape), e.Spec.Elects})
	}
	return list
}
