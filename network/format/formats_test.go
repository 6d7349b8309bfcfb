package format

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"caucus.example/caucus/network"
)

// counted is what an independent reader counted in one of the sample files.
type counted struct {
	File       string `json:"file"`
	Nodes      int    `json:"nodes"`
	Edges      int    `json:"edges"`
	Records    int    `json:"records"`
	SelfLoops  int    `json:"self_loops_dropped"`
	Repeats    int    `json:"duplicate_records_dropped"`
	Components int    `json:"components"`
	Isolated   int    `json:"isolated"`
	Largest    int    `json:"largest_component_nodes"`
	Diameter   int    `json:"largest_component_diameter"`
	MaxDegree  int    `json:"max_degree"`
	Clique     []int  `json:"nodes_edges_components_diameter_if_a_transit_network_becomes_a_clique_of_its_routers"`
	NoVPN      *int   `json:"edges_without_vpn"`
	PartsNoVPN int    `json:"components_without_vpn"`
	At90       []int  `json:"at_-90_dB_edges_either_way_and_both_ways_and_components_either_way"`
	At95       []int  `json:"at_-95_dB_edges_either_way_and_both_ways_and_components_either_way"`
	Each       []struct {
		Nodes, Edges, Components int
	} `json:"each_graph"`
}

// ofTraces are the folders that hold traces rather than networks.
var ofTraces = map[string]bool{"crawdad-contacts": true, "one-conn": true, "gpx-fleet": true}

// samples calls f with each sample file and what is known of it.
func samples(t *testing.T, f func(path string, want counted)) {
	all, err := filepath.Glob(filepath.Join(shared, "formats", "*", "facts.json"))
	if err != nil || len(all) == 0 {
		t.Skipf("%s is not there: it holds real files that are not ours to ship", filepath.Join(shared, "formats"))
	}
	for _, facts := range all {
		dir := filepath.Dir(facts)
		if ofTraces[filepath.Base(dir)] {
			continue
		}
		data, err := os.ReadFile(facts)
		if err != nil {
			t.Fatal(err)
		}
		var list []counted
		if err := json.Unmarshal(data, &list); err != nil {
			t.Fatalf("%s: %v", facts, err)
		}
		for _, want := range list {
			f(filepath.Join(dir, want.File), want)
		}
	}
}

// TestSampleFiles reads a real file or more of every format that network people hold and compares all counts.
func TestSampleFiles(t *testing.T) {
	read := 0
	samples(t, func(path string, want counted) {
		read++
		t.Run(filepath.Base(path), func(t *testing.T) {
			g, r, err := ReadFile(path, "", Options{})
			if err != nil {
				t.Fatal(err)
			}
			m := network.Measure(context.Background(), g, network.DiameterBudget)
			got := counted{File: want.File, Nodes: m.Nodes, Edges: m.Edges, Records: r.Merged.Records,
				SelfLoops: r.Merged.SelfLoops, Repeats: r.Merged.Repeats, Components: m.Components,
				Isolated: m.Isolated,
				Largest:  m.Largest, Diameter: m.Diameter.Hops, MaxDegree: m.MaxDegree}
			same := want
			same.Clique, same.NoVPN, same.At90, same.At95, same.Each, same.PartsNoVPN = nil, nil, nil, nil, nil, 0
			if a, b := asJSON(got), asJSON(same); a != b {
				t.Errorf("%s:\ngot  %s\nwant %s", r.Format, a, b)
			}
			checkChoices(t, path, want)
		})
	})
	if read < 30 {
		t.Errorf("only %d files read", read)
	}
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// checkChoices compares the counts under the options that choose edges.
func checkChoices(t *testing.T, path string, want counted) {
	read := func(o Options) network.Measures {
		g, _, err := ReadFile(path, "", o)
		if err != nil {
			t.Errorf("%+v: %v", o, err)
			return network.Measures{}
		}
		return network.Measure(context.Background(), g, network.DiameterBudget)
	}
	if want.Clique != nil {
		m := read(Options{Clique: true})
		if got := []int{m.Nodes, m.Edges, m.Components, m.Diameter.Hops}; asJSON(got) != asJSON(want.Clique) {
			t.Errorf("as cliques: %v, want %v", got, want.Clique)
		}
	}
	if want.NoVPN != nil {
		if m := read(Options{Without: "vpn"}); m.Edges != *want.NoVPN || m.Components != want.PartsNoVPN {
			t.Errorf("without vpn: %d edges, %d components; want %d, %d", m.Edges, m.Components, *want.NoVPN,
				want.PartsNoVPN)
		}
	}
	for gain, at := range map[string][]int{"-90": want.At90, "-95": want.At95} {
		if at == nil {
			continue
		}
		if m := read(Options{MinGain: gain}); m.Edges != at[0] || m.Components != at[2] {
			t.Errorf("at %s: %d edges, %d components; want %v", gain, m.Edges, m.Components, at)
		}
	}
	for k, each := range want.Each {
		if len(want.Each) == 1 {
			break
		}
		if m := read(Options{Graph: string(rune('1' + k))}); m.Nodes != each.Nodes || m.Edges != each.Edges ||
			m.Components != each.Components {
			t.Errorf("graph %d: %d nodes, %d edges, %d components; want %+v", k+1, m.Nodes, m.Edges, m.Components, each)
		}
	}
}
