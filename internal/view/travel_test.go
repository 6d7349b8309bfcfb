package view

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"caucus.example/caucus/internal/frames"
)

// travelling gives, for each change of leader in a run on a line, the colours of the picture half a round before: in
// the middle between the node and the neighbour that followed that leader by then, beside what they have to be; and at
// the middle of all other links, which have to be of no leader.
const travelling = `(() => {
	const s = caucus.stages[0], h = s.history, wrong = [], over = [...s.el.querySelectorAll("canvas")].pop();
	const ratio = over.width / s.el.clientWidth, g = over.getContext("2d");
	const pixel = (i, j) => { const [x, y] = s.screen(i), [u, v] = s.screen(j);
		return [...g.getImageData(Math.round((x + u) / 2 * ratio), Math.round((y + v) / 2 * ratio), 1, 1).data]; };
	const css = (l) => [1, 3, 5].map((k) => parseInt(s.cssOf(l).slice(k, k + 2), 16)).join();
	let seen = 0;
	for (let m = 1; m < h.times.length; m++) {
		caucus.seek(h.times.data[m] - 0.5);
		const had = Array.from(h.now.leader), end = m + 1 < h.times.length ? h.first.data[m + 1] : h.node.length, moving = new Set();
		for (let c = h.first.data[m]; c < end; c++) {
			const i = h.node.data[c], l = h.leader.data[c];
			if (l < 0 || l === i || l === had[i]) continue;
			const from = [i - 1, i + 1].find((j) => had[j] === l);
			if (from === undefined) continue;
			moving.add(Math.min(i, from));
			seen++;
			if (pixel(i, from).slice(0, 3).join() !== css(l)) wrong.push([h.times.data[m], i, from, pixel(i, from).join(), css(l)].join(" "));
		}
		for (let i = 0; i + 1 < h.n; i++) if (!moving.has(i) && [...new Set(had)].some((l) => l >= 0 && pixel(i, i + 1).slice(0, 3).join() === css(l)) &&
			h.now.parent[i] < 0 && h.now.parent[i + 1] < 0) wrong.push("a dot at " + i + " at " + h.times.data[m]);
	}
	return [String(seen), ...wrong];
})()`

// A candidacy is on its way from who has it to who follows it next: half of the way half a round before.
func TestCandidaciesTravel(t *testing.T) {
	t.Parallel()
	begin := "topology: line:8\nradius: 3\nstrength: random\nrounds: 30\nstable-for: 0\n" +
		"faults: [{at: 12, kind: crash, leaders: true}]\n"
	do := browser(t, &Server{Begin: frames.Request{Scenario: begin}}, 1280, 800)
	var told []string
	do(until(runs), chromedp.Evaluate(`document.getElementById("play").click(); `+travelling, &told))
	if told[0] == "0" || len(told) > 1 {
		t.Errorf("%s candidacies on their way; wrong: %q", told[0], told[1:])
	}
}

// A site is not written with a simulator of another version, and one that has been mixed says so.
func TestSiteOfAnotherVersion(t *testing.T) {
	t.Parallel()
	js, err := page.ReadFile("page/dist/app.js")
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "site")
	err = Site(folder, []byte(`window.simulator = {version: "other"};`), frames.Request{})
	if err == nil || !strings.Contains(err.Error(), "of another version") {
		t.Errorf("a simulator of another version: %v", err)
	}
	if _, err := os.Stat(folder); err == nil {
		t.Error("something has been written")
	}
	own := fmt.Sprintf("%.6x", sha256.Sum256(js))
	if err := Site(folder, []byte(`window.simulator = {version: "`+own+`"};`), frames.Request{}); err != nil {
		t.Fatal(err)
	}
	err = os.WriteFile(filepath.Join(folder, Simulator), []byte(`window.simulator = {version: "other"};`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	do := browse(t, "file://"+filepath.Join(folder, "index.html"), 390, 800)
	var says string
	do(until(`document.querySelector("#status.wrong")`), chromedp.Text("#status", &says))
	if want := "simulator.js is of version other, this page of " + own; !strings.HasPrefix(says, want) {
		t.Errorf("the page says %q, want %q", says, want)
	}
}
