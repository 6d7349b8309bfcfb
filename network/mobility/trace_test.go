package mobility

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func mustRead(t testing.TB, format Format, text string) *Trace {
	t.Helper()
	trace, err := Read(strings.NewReader(text), "t", format, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

func mustTracks(t testing.TB, trace *Trace, reach float64) *tracks {
	t.Helper()
	net, err := trace.Net(reach)
	if err != nil {
		t.Fatal(err)
	}
	return net.(*tracks)
}

type at struct{ t, x, y float64 }

func checkPlaces(t *testing.T, m *tracks, node int, want []at) {
	t.Helper()
	for _, w := range want {
		m.Advance(w.t)
		if got := m.place(node, w.t); math.Hypot(got.x-w.x, got.y-w.y) > 1e-9 {
			t.Errorf("node %d at %v: %v, want %v,%v", node, w.t, got, w.x, w.y)
		}
	}
}

// From (0,0) at t=10 to (100,0) at 10: turned at t=15, in (50,0), to (50,30) at 5, where it is
// at 21. From t=30 to (0,30) at 10, halted at 32 in (30,30).
func TestNS2(t *testing.T) {
	text := `# comment
$ns_ at 15.0 "$node_(7) setdest 50 30 5"
$ns_ at 32 "$node_(7) setdest 99 99 0"
$ns_ at 10.0 "$node_(7) setdest 100.0 0.0 10.0"
set god_ [God instance]
$god_ set-dist 0 1 2
$ns_ at 3.5 "$god_ set-dist 0 1 2"
$ns_ at 30 "$node_(7) setdest 0 30 10"
$node_(7) set X_ 0
$node_(7) set Y_ 0.0
$node_(7) set Z_ 0.0
`
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(text))
	z.Close()
	trace, err := Read(&packed, "t.gz", ns2Moves, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if trace.Names[0] != "7" || trace.Report.Records != 4 {
		t.Errorf("names %v, %d commands", trace.Names, trace.Report.Records)
	}
	checkPlaces(t, mustTracks(t, trace, 1), 0,
		[]at{{0, 0, 0}, {10, 0, 0}, {12, 20, 0}, {15, 50, 0}, {18, 50, 15}, {21, 50, 30}, {29, 50, 30}, {31, 40, 30},
			{32, 30, 30}, {90, 30, 30}})
}

// Cells are 10 wide. At 19 s node 0 is at 41.4, where node 1 at 49.3 hears it, but the grid still has
// it in the cell below 40, where it was at its last look, at 39.5.
func TestGridLagsBehind(t *testing.T) {
	m := mustTracks(t, mustRead(t, bonnMotion, "0 39.5 0 100 49.5 0\n0 49.3 0\n0 0 0\n0 100 0\n"), 8)
	m.Advance(19)
	m.Spoke(0, 19)
	if m.grid.perSide != 0.1 || m.grid.spot[0].cell != 3 {
		t.Fatalf("side %v, cell %d: the set-up is another", 1/m.grid.perSide, m.grid.spot[0].cell)
	}
	if row, _ := m.Neighbours(1, 19, nil, nil); !slices.Equal(row, []int32{0}) {
		t.Errorf("hears %v, want node 0", row)
	}
}

func TestBonnMotion(t *testing.T) {
	trace := mustRead(t, bonnMotion, "1 100 100 3 175 100 6 175 250\r\n1 300 100 3 225 100")
	m := mustTracks(t, trace, 10)
	checkPlaces(t, m, 0, []at{{0, 100, 100}, {1, 100, 100}, {2, 137.5, 100}, {4, 175, 150}, {9, 175, 250}})
	if x, y := m.Position(0); x != 175 || y != 250 {
		t.Errorf("position %v,%v", x, y)
	}
	if !m.Present(1) || trace.End != 6 {
		t.Error("a node that stands is gone")
	}
}

func TestFCDJoinsAndLeaves(t *testing.T) {
	m := mustTracks(t, mustRead(t, fcd, `<fcd-export>
<timestep time="0"><vehicle id="a" x="0" y="0"/></timestep>
<timestep time="1"><vehicle id="a" x="10" y="0"/><person id="b" x="12" y="0"/></timestep>
<timestep time="2"><person id="b" x="12" y="4"/></timestep>
<timestep time="3"><vehicle id="a" x="12" y="7"/><person id="b" x="12" y="4"/></timestep>
</fcd-export>`), 5)
	for k, want := range [][2]bool{{true, false}, {true, true}, {false, true}, {true, true}} {
		if m.Advance(float64(k)); m.Present(0) != want[0] || m.Present(1) != want[1] {
			t.Errorf("time %d: %v %v, want %v", k, m.Present(0), m.Present(1), want)
		}
		for i, here := range want {
			if here {
				m.Spoke(i, float64(k))
			}
		}
		row, dist := m.Neighbours(1, float64(k), nil, nil)
		switch k {
		case 1: // (10,0) from (12,0)
			if len(row) != 1 || dist[0] != 2 {
				t.Errorf("time 1: %v %v", row, dist)
			}
		case 2:
			if len(row) != 0 {
				t.Error("hears one that left")
			}
		}
	}
	// a joined again at 3: what b said before, it has not heard.
	m = mustTracks(t,
		mustRead(t, fcd,
			`<fcd-export><timestep time="0"><vehicle id="b" x="0" y="0"/></timestep><timestep time="1"><vehicle id="b" x="0" y="0"/><vehicle id="a" x="1" y="0"/></timestep></fcd-export>`), 5)
	m.Advance(0)
	m.Spoke(0, 0)
	m.Advance(1)
	if row, _ := m.Neighbours(1, 1, nil, nil); len(row) != 0 {
		t.Error("hears what was said before it joined")
	}
}

// One degree of latitude is π/180 of the earth's radius; at 60° north one of longitude is half of it.
func TestGPX(t *testing.T) {
	text := "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<gpx><trk><name>Caf\xe9</name><trkseg>" +
		`<trkpt lat="60" lon="10"><time>2020-01-01T00:00:00Z</time></trkpt>` +
		`<trkpt lat="60" lon="10.002"><time>2020-01-01T01:00:10+01:00</time></trkpt></trkseg><trkseg>` +
		`<trkpt lat="60.001" lon="10"><time>2020-01-01T00:01:00.5</time></trkpt>` +
		`<trkpt lat="60.001" lon="10"><time>2020-01-01T00:01:10Z</time></trkpt></trkseg></trk></gpx>`
	trace := mustRead(t, gpx, text)
	if trace.Names[0] != "Café" || trace.Origin != 1577836800 || trace.End != 70 {
		t.Errorf("name %q origin %f end %v", trace.Names[0], trace.Origin, trace.End)
	}
	degree := earth * math.Pi / 180
	m := mustTracks(t, trace, 10)
	checkPlaces(t, m, 0, []at{{0, 0, 0}, {5, 0.001 * degree / 2, 0}})
	for _, c := range []struct {
		t    float64
		here bool
	}{{9.9, true}, {10, false}, {60, false}, {60.5, true}, {70, false}} {
		if m.Advance(c.t); m.Present(0) != c.here {
			t.Errorf("time %v: present %v", c.t, m.Present(0))
		}
	}
	trace = mustRead(t, gpx, "\ufeff<gpx version='1.1'><trk><name>čć</name><trkseg><trkpt lat='1' "+
		"lon='1'><time>2020-01-01T00:00:00Z</time></trkpt></trkseg></trk></gpx>")
	if trace.Names[0] != "čć" {
		t.Errorf("name %q", trace.Names[0])
	}
}

func TestContacts(t *testing.T) {
	trace := mustRead(t, Intervals, "b c 130 140\r\na b 100 110\r\nb a 110 125\r\n# end\r\n")
	if trace.Origin != 100 || trace.End != 40 || len(trace.contacts) != 2 {
		t.Fatalf("%+v", trace)
	}
	net, err := trace.Net(0)
	if err != nil {
		t.Fatal(err)
	}
	const b, c, a = 0, 1, 2
	hears := func(i int, now float64, want ...int32) {
		t.Helper()
		row, dist := net.Neighbours(i, now, nil, nil)
		if !slices.Equal(row, want) || len(dist) != len(row) {
			t.Errorf("time %v: node %d hears %v, want %v", now, i, row, want)
		}
		for _, d := range dist {
			if d != 1 {
				t.Errorf("length %v", d)
			}
		}
	}
	net.Advance(0)
	if !net.Present(a) || !net.Present(b) || net.Present(c) {
		t.Error("who is there at 0")
	}
	hears(a, 0)
	net.Spoke(b, 0)
	hears(a, 0, b)
	net.Advance(24)
	hears(a, 24, b)
	net.Advance(25)
	hears(a, 25)
	if net.Present(a) || !net.Present(b) {
		t.Error("a stays, or b leaves")
	}
	net.Advance(30)
	hears(c, 30) // b has not spoken since they met
	net.Spoke(b, 30)
	hears(c, 30, b)
	net.Silence(b)
	hears(c, 30)
}

// Both steps, 5 and 15, are there once; the smaller is taken, so contacts at 10 and 15 are one of 10 to 20.
func TestContactsWithOneTime(t *testing.T) {
	for format, text := range map[Format]string{tij: "15 1 2\n10 2 1\n30 1 2\n", ijt: "1 2 15\n2 1 10\n1 2 30\n"} {
		trace := mustRead(t, format, text)
		want := []contact{{0, 1, 0, 10}, {0, 1, 20, 25}}
		if !slices.Equal(met(trace), want) {
			t.Errorf("%s: %v, want %v", format, met(trace), want)
		}
	}
}

func TestErrorsNameTheLine(t *testing.T) {
	for _, c := range []struct {
		format     Format
		text, want string
	}{
		{ns2Moves, "# x\n$node_(0) sets X_ 1", `f:2: line: found "$node_(0) sets X_ 1"`},
		{ns2Moves, "$node_(0) set X_ nan\n", `f:1: X_: found "nan"`},
		{ns2Moves, "\n$node_(0) set X_ 1\n", "f:2: node 0: found \"no initial position\""},
		{ns2Moves, "$ns_ at 1 \"$node_(0) setdest 1 1 -3\"", `f:1: speed: found "-3"`},
		{bonnMotion, "0 1 1\n0 1", `f:2: numbers: found "2"`},
		{bonnMotion, "0 1 1 0 2 2", `f:1: time: found "0"`},
		{bonnMotion, "", "f:1: nodes"},
		{fcd, "<fcd-export>\n<timestep time='x'/></fcd-export>", `f:2: time: found "x"`},
		{fcd, "<fcd-export><timestep time='2'/>\n\n<timestep time='1'/></fcd-export>", `f:3: time: found "1"`},
		{fcd, "<fcd-export><timestep time='2'><vehicle id='a' x='1' y='1'/>\n<vehicle id='a' x='1' " +
			"y='1'/></timestep></fcd-export>", `f:2: id: found "a"`},
		{fcd, "<fcd-export><vehicle/></fcd-export>", `f:1: element: found "vehicle"`},
		{fcd, "<gpx/>", `f:1: root element: found "gpx"`},
		{fcd, "", "f:1: XML: the file has no element"},
		{fcd, "<fcd-export>\n<a></b>", "f:2: XML:"},
		{gpx, "<gpx><trk><trkseg>\n<trkpt lat='1' lon='1'/></trkseg></trk></gpx>", `f:2: time: found "none"`},
		{gpx, "<gpx><trk><trkseg>\n<trkpt lat='91' lon='1'/></trkseg></trk></gpx>", `f:2: lat: found "91"`},
		{gpx, "<gpx><trk><trkseg><trkpt lat='1' lon='1'>\n<time>noon</time></trkpt></trkseg></trk></gpx>",
			`f:2: time: found "noon"`},
		{gpx, "<?xml version='1.0' encoding='EBCDIC'?><gpx/>", "EBCDIC"},
		{ns2Moves, "$node_(0) set Z_ 5", `f:1: Z_: found "5", allowed: 0`},
		{gpx, `<gpx><trk><trkseg><trkpt lat="0" lon="0"><time>2020-01-01T00:00:00Z</time></trkpt><trkpt lat="1" lon="0"><time>2020-01-01T00:00:00Z</time></trkpt></trkseg></trk></gpx>`, `f:1: time: found "the same at points 111195 m apart"`},
		{tij, "1 2 3\n1 2", `f:2: columns: found "1 2"`},
		{tij, "1 2 2", `f:1: contact`},
		{ijt, "\n\n1 2 x", `f:3: time: found "x"`},
		{Intervals, "1 2 9 8", `f:1: end: found "8"`},
		{tij, "", "f:1: nodes"},
		{ns2Moves, "", "f:1: nodes"},
		{gpx, "<gpx><trk/></gpx>", "f:1: nodes"},
		{"csv", "", `format: found "csv"`},
	} {
		_, err := Read(strings.NewReader(c.text), "f", c.format, Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q: error %v, want %s", c.format, c.text, err, c.want)
		}
	}
}

// randomTrace has nodes that come, go and jump.
func randomTrace(t *rapid.T) *Trace {
	trace := &Trace{}
	for i := range rapid.IntRange(1, 12).Draw(t, "nodes") {
		trace.Names = append(trace.Names, fmt.Sprint(i))
		var track []knot
		now := 0.0
		for range rapid.IntRange(0, 8).Draw(t, "knots") {
			now += rapid.Float64Range(0, 5).Draw(t, "dt")
			p := point{rapid.Float64Range(-50, 50).Draw(t, "x"), rapid.Float64Range(-50, 50).Draw(t, "y")}
			track = append(track, knot{now, p, rapid.IntRange(0, 4).Draw(t, "leaves") == 0 && len(track) > 0})
		}
		trace.tracks = append(trace.tracks, track)
	}
	return trace
}

func TestTracksHearWhatBruteForceHears(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trace := randomTrace(t)
		reach := rapid.Float64Range(0.5, 60).Draw(t, "range")
		m := newTracks(trace, reach)
		spoke := make([]fix, m.Len()) // t < 0: never
		since := make([]float64, m.Len())
		for i := range spoke {
			spoke[i].t, since[i] = -1, -1
		}
		now := 0.0
		for range 60 {
			now += rapid.Float64Range(0.01, 1).Draw(t, "step")
			m.Advance(now)
			for i := range m.Len() {
				if here, from := presence(trace.tracks[i], now); here != m.Present(i) {
					t.Fatalf("node %d at %v: present %v", i, now, m.Present(i))
				} else if !here {
					spoke[i].t = -1
				} else if since[i] != from {
					since[i], spoke[i].t = from, -1
				}
			}
			i := rapid.IntRange(0, m.Len()-1).Draw(t, "node")
			if !m.Present(i) {
				continue
			}
			var want []int32
			for j := range m.Len() {
				if j != i && m.Present(j) && spoke[j].t >= since[i] && spoke[j].t >= 0 && near(m.place(i, now),
					m.place(j, now), reach*reach) &&
					near(m.place(i, spoke[j].t), spoke[j].point, reach*reach) {
					want = append(want, int32(j))
				}
			}
			got, _ := m.Neighbours(i, now, nil, nil)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Fatalf("node %d at %v hears %v, want %v", i, now, got, want)
			}
			m.Spoke(i, now)
			spoke[i] = fix{now, m.place(i, now)}
		}
	})
}

// presence walks a track from its start: is the node there, and since when?
func presence(track []knot, now float64) (here bool, since float64) {
	for _, k := range track {
		switch {
		case k.t > now:
			return here, since
		case k.leaves:
			here = false
		case !here:
			here, since = true, k.t
		}
	}
	return here, since
}

func FuzzRead(f *testing.F) {
	seeds := map[Format]string{
		ns2Moves: "$node_(0) set X_ 1\n$node_(0) set Y_ 2\n$ns_ at 1 \"$node_(0) setdest 3 4 5\"\n$ns_ at 1.5 " +
			"\"$node_(0) setdest 3 4 0\"\n$god_ set-dist 1 2 3\n",
		bonnMotion: "0 1 1 2 3 3\n5 1 1",
		fcd: "<fcd-export><timestep time='0'><vehicle id='a' x='1' y='2'/></timestep><timestep " +
			"time='1'/></fcd-export>",
		gpx: "<?xml version='1.0' encoding='iso-8859-1'?><gpx><trk><trkseg><trkpt lat='1' " +
			"lon='2'><time>2020-01-01T00:00:00Z</time></trkpt></trkseg></trk></gpx>",
		"one":          "0 CONN a b up\n0 CONN a c up\n0 CONN a c down\n3 CONN b a down\n",
		"one-movement": "0 9 0 9 0 9\n0 a 1 2\n1 a 3 4\n",
		"crawdad":      "ID\tID other\tt1 t2\n1 2 3 3 1 0\n1 2 4 9 2 1\n",
		tij:            "1 2 3\n2 3 4",
		ijt:            "1 2 3",
		Intervals:      "1 2 3 4\r\n1 2 4 6",
	}
	formats := append(Formats(), "")
	for k, format := range formats {
		f.Add(uint8(k), []byte(seeds[format]), k%2 == 0)
	}
	f.Fuzz(func(t *testing.T, k uint8, text []byte, skip bool) {
		trace, err := Read(bytes.NewReader(text), "f", formats[int(k)%len(formats)], Options{SkipUntimed: skip})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Fatalf("no file and line: %v", err)
			}
			return
		}
		net, err := trace.Net(10)
		if err != nil {
			t.Fatal(err)
		}
		for _, now := range []float64{trace.Begin, (trace.Begin + trace.End) / 2, trace.End} {
			net.Advance(now)
			for i := range min(net.Len(), 20) {
				if net.Present(i) {
					net.Neighbours(i, now, nil, nil)
					net.Spoke(i, now)
				}
			}
		}
	})
}

func BenchmarkTrack(b *testing.B) {
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, "0 %d %d 1e6 %d %d\n", i*37%1200, i*91%1200, i*53%1200, i*71%1200)
	}
	m := mustTracks(b, mustRead(b, bonnMotion, text.String()), 50)
	m.Advance(0)
	for i := range m.Len() {
		m.Spoke(i, 0)
	}
	row, dist, now, i := []int32(nil), []float64(nil), 0.0, 0
	b.ReportAllocs()
	for b.Loop() {
		m.Advance(now)
		row, dist = m.Neighbours(i, now, row[:0], dist[:0])
		m.Spoke(i, now)
		i = (i + 1) % m.Len()
		now += 0.001
	}
}

// TestUsualStep: one odd time stamp does not shorten the contacts. The steps are 20, 20, 1, 19.
func TestUsualStep(t *testing.T) {
	trace := mustRead(t, tij, "0 a b\n20 a b\n40 a b\n41 c d\n60 a b\n")
	if trace.Report.Lasts != 20 || trace.End != 80 {
		t.Errorf("a contact lasts %g s and the trace ends at %g, want 20 and 80", trace.Report.Lasts, trace.End)
	}
}

// TestDetect: the content tells the format, whatever the file is called.
func TestDetect(t *testing.T) {
	for _, c := range []struct {
		file, text string
		want       Format
	}{
		{"t", "# c\n$node_(0) set X_ 1\n$node_(0) set Y_ 1\n", ns2Moves},
		{"t", "<?xml version='1.0'?><!-- c --><fcd-export><timestep time='0'><vehicle id='a' x='900' " +
			"y='2'/></timestep></fcd-export>",
			fcd},
		{"t", "0 CONN a b up\n5 CONN a b down\n", "one"},
		{"t", "0 100 0 50 0 50\n0 n1 1 2\n0 n2 3 4\n1 n1 2 2\n", "one-movement"},
		{"t", "ID\tID Encounter\tt1\tt2\tn\tgap\n1\t8\t121\t121\t1\t0\n", "crawdad"},
		{"t", "0 1 1 5 2 2\n0 3 3\n", bonnMotion},
		{"a.movements", "0 1 1\n", bonnMotion},
		{"a.tij", "20 5 7\n", tij},
		{"a.tij.gz", "20 5 7\n20 3 9\n", tij},
		{"a.ijt", "5 7 20\n", ijt},
		{"t", "20 5 7\n40 3 9\n40 5 7\n", tij},
		{"t", "t i j\n20 5 7\n40 3 9\n", tij},
		{"t", "20 5 7 x y\n40 3 9 x z\n", tij},
		{"t", "5 7 20\n3 9 40\n", ijt},
		{"t", "5 7 20 30\n3 9 40 50\n5 7 10 12\n", Intervals},
	} {
		trace, err := Read(strings.NewReader(c.text), c.file, "", Options{})
		if err != nil || trace.Format != c.want {
			t.Errorf("%q: read as %v, %v, want %s", c.text, trace, err, c.want)
		}
	}
	for _, text := range []string{"a b c\n", "20 5 20\n40 3 40\n", "<gml/>", "hello\n", "0 1 1 nan 2 2\n",
		"0 1 nan 5 2 2\n", "1 2 3 inf 1 0\n", "20 1 9\nnan 1 3\n40 3 2\n", "1 2 3 inf\n"} {
		if _, err := Read(strings.NewReader(text), "t", "", Options{}); err == nil {
			t.Errorf("%q is taken for a trace", text)
		}
	}
}

// TestDegrees: one degree of latitude is 111195 m; the file's own option, its speeds, or its extent tell degrees.
func TestDegrees(t *testing.T) {
	step := func(time, y, speed string) string {
		return "<timestep time='" + time + "'><vehicle id='a' x='7.1' y='" + y + "'" + speed + "/></timestep>"
	}
	for _, c := range []struct {
		what, text string
		o          Options
		metres     bool
	}{
		{"option of the file", "<!-- <fcd-output.geo value=\"true\"/> --><fcd-export>" + step("0", "50", "") +
			step("1", "53", "") + "</fcd-export>", Options{}, false},
		{"speed", "<fcd-export>" + step("0", "50", " speed='9'") + step("1", "50.0001", " speed='11'") +
			"</fcd-export>",
			Options{}, false},
		{"extent", "<fcd-export>" + step("0", "50", "") + step("1", "50.1", "") + "</fcd-export>", Options{}, false},
		{"declared", "<fcd-export>" + step("0", "50", " speed='1'") + step("1", "53", " speed='1'") + "</fcd-export>",
			Options{Geographic: true}, false},
		{"metres by speed", "<fcd-export>" + step("0", "50", " speed='1'") + step("1", "51", " speed='1'") +
			"</fcd-export>",
			Options{}, true},
		{"metres by place", "<fcd-export>" + step("0", "50", "") + step("1", "500", "") + "</fcd-export>", Options{},
			true},
	} {
		trace, err := Read(strings.NewReader(c.text), "t", "", c.o)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if metres := len(trace.Report.Notes) == 0; metres != c.metres {
			t.Errorf("%s: notes %q", c.what, trace.Report.Notes)
		}
		if !c.metres && trace.tracks[0][0].point != (point{}) {
			t.Errorf("%s: begins at %v", c.what, trace.tracks[0][0].point)
		}
	}
	_, err := Read(strings.NewReader("<fcd-export>"+step("0", "500", "")+"</fcd-export>"), "t", "",
		Options{Geographic: true})
	if err == nil || !strings.Contains(err.Error(), "degrees") {
		t.Errorf("places that are no degrees: %v", err)
	}
}

// TestDuration: the options say how long a contact lasts.
func TestDuration(t *testing.T) {
	trace, err := Read(strings.NewReader("0 a b\n20 a b\n"), "t", tij, Options{Lasts: 5})
	if err != nil || trace.End != 25 || len(trace.contacts) != 2 {
		t.Errorf("%+v, %v", trace, err)
	}
}

// met are the contacts with their times, on the trace's clock.
func met(t *Trace) (all []contact) {
	for _, s := range t.contacts {
		all = append(all, contact{s.a, s.b, t.begins(s), t.ends(s)})
	}
	return all
}

// TestONE: the first down ends a contact, however many ups there were, and one of no length joins nobody.
func TestONE(t *testing.T) {
	trace := mustRead(t, "one", "0 CONN a b up\n1 CONN b a up\n2 CONN a b down\n3 CONN a b down\n4 CONN a c up\n4 "+
		"CONN a c down\n"+
		"5 CONN b c up\n6 MSG x\n7 CONN a d up\n7 CONN a d down\n")
	if len(trace.contacts) != 2 || met(trace)[0].end != 2 || met(trace)[1].end != 7 ||
		trace.Report.Records != 4 ||
		len(trace.Report.Notes) != 4 {
		t.Errorf("%+v", trace)
	}
}

// TestNS2Variants: names of variables other than those of the manual, and lines that say nothing about places.
func TestNS2Variants(t *testing.T) {
	trace := mustRead(t, ns2Moves, "set val(x) 500\n$node(0) set X_ 1.0\n$node(0) set Y_ 2.0;\n$ns initial_node_pos "+
		"$node(0) 20\n"+
		"$node(0) random-motion 0\n$ns at 1.0 \"$node(0) setdest 4.0 2.0 1.0\"\n")
	checkPlaces(t, mustTracks(t, trace, 1), 0, []at{{0, 1, 2}, {2, 2, 2}, {9, 4, 2}})
}

// TestFoldedGlimpses: contacts come out as if each record were looked at alone, whatever the records are folded into.
func TestFoldedGlimpses(t *testing.T) {
	defer func(n int) { manyGlimpses = n }(manyGlimpses)
	manyGlimpses = 5
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		type record struct{ a, b, t int }
		var records []record
		now := 5
		for range rapid.IntRange(1, 60).Draw(t, "times") {
			now += rapid.SampledFrom([]int{20, 20, 20, 1, 40, 7}).Draw(t, "step")
			for range rapid.IntRange(0, 3).Draw(t, "contacts") {
				a := rapid.IntRange(0, 3).Draw(t, "a")
				records = append(records, record{a, a + rapid.IntRange(1, 2).Draw(t, "b"), now})
			}
		}
		for _, r := range records {
			fmt.Fprintf(&text, "%d %d %d\n", r.t, r.a, r.b)
		}
		lasts := rapid.SampledFrom([]float64{0, 1, 15, 20, 50}).Draw(t, "lasts")
		trace, err := Read(strings.NewReader(text.String()), "f", tij, Options{Lasts: lasts})
		if len(records) == 0 {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		lasts = trace.Report.Lasts
		all, number := met(trace), make([]int, len(trace.Names))
		for k, name := range trace.Names {
			number[k], _ = strconv.Atoi(name)
		}
		together := func(a, b int, at float64) bool {
			return slices.ContainsFunc(all, func(c contact) bool {
				x, y := number[c.a], number[c.b]
				return (x == a && y == b || x == b && y == a) && at >= c.start && at < c.end
			})
		}
		for at := trace.Begin + 0.5; at < trace.End+3; at++ {
			for a := range 6 {
				for b := range a {
					want := slices.ContainsFunc(records, func(r record) bool {
						since := at + trace.Origin - float64(r.t)
						return r.a == b && r.b == a && since >= 0 && since < lasts
					})
					if got := together(a, b, at); got != want {
						t.Fatalf("%d and %d at %g: together %v, want %v; %v", a, b, at, got, want, all)
					}
				}
			}
		}
		for k, c := range all[1:] {
			if before := all[k]; before.a == c.a && before.b == c.b && c.start <= before.end {
				t.Fatalf("%v and %v are one contact", before, c)
			}
		}
	})
}

// TestPackedTrap: a small packed trace must not unpack without end.
func TestPackedTrap(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for range 18 {
		if _, err := z.Write(bytes.Repeat([]byte("20 1 2\n"), 1<<17)); err != nil {
			t.Fatal(err)
		}
	}
	for range 18 {
		if _, err := z.Write(bytes.Repeat([]byte(" \n"), 1<<19)); err != nil {
			t.Fatal(err)
		}
	}
	z.Close()
	_, err := Read(&b, "f.gz", tij, Options{})
	if err == nil || !strings.Contains(err.Error(), "larger than the 16777216 bytes allowed for it") {
		t.Errorf("got %v", err)
	}
}
