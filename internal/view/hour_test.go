package view

import (
	"context"
	"fmt"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"caucus.example/caucus/internal/frames"
)

// hour plays as many frames as are asked for, of one run after the other: at the highest speed, again and again, with
// the time line drawn back every ten seconds and another node picked.
const hour = `(async (frames) => {
	const runs = [["topology: geant2012\nalgo: bounded\nradius: 1500 km\nrounds: 80\nstable-for: 0\nfaults: [{at: 40, kind: crash, leaders: true}]\n", ""],
		["topology: ring:24\nalgo: as-far\nids: random\n", ""],
		["topology: 'rgg:n=1000,degree=8,connected'\nradius: 3\nrounds: 200\nstable-for: 0\n", ""],
		["walkers: [{nodes: 100, motion: levy, speed: 2}]\narena: 300x300\nrange: 50\nradius: 90\nrounds: 200\n", ""],
		["topology: ring:40\nradius: 5\nrounds: 100\nstable-for: 0\n", "recursive"],
		["topology: geant2012\nalgo: bounded\nradius: 1500 km\nrounds: 60\nstable-for: 0\n", ""]];
	const play = document.getElementById("play"), speed = document.getElementById("speed"), beside = document.getElementById("beside");
	const text = document.getElementById("text"), apply = document.getElementById("apply"), breathe = () => new Promise((go) => setTimeout(go));
	speed.value = 6;
	speed.dispatchEvent(new Event("input"));
	window.clock ??= performance.now();
	for (const [scenario, other] of runs) {
		const shown = caucus.stages[0];
		text.value = scenario;
		if (beside.value !== other) { beside.value = other; beside.dispatchEvent(new Event("change")); text.value = scenario; }
		apply.click();
		while (caucus.stages[0] === shown || !caucus.stages.every((s) => s.history.last)) {
			if (document.querySelector("#status.wrong")) throw new Error(document.getElementById("status").textContent);
			await breathe();
		}
		for (let f = 1; f <= frames / runs.length; f++) {
			if (play.textContent === "Play") play.click();
			caucus.tick(clock += 1000 / 60);
			if (f % 600 === 0) {
				for (let k = 60; k > 0; k--) caucus.seek(caucus.time * k / 60);
				caucus.select(f / 600 % caucus.stages[0].history.n);
			}
			if (f % 60 === 0) await breathe();
		}
	}
	caucus.select(-1);
	return document.getElementById("status").textContent;
})`

// What an hour of 60 frames a second leaves in the memory of a page that plays.
func BenchmarkHour(b *testing.B) {
	s := &Server{Begin: frames.Request{Scenario: fading}, Key: "key", Report: func(text string) { b.Error(text) }}
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	do := browse(b, server.URL+"/#key", 390, 844)
	do(until(runs))
	used := func(frames int) (now float64) {
		var said string
		do(chromedp.Evaluate(fmt.Sprint(hour, "(", frames, ")"), &said, awaited), heapprofiler.CollectGarbage(),
			chromedp.ActionFunc(func(ctx context.Context) (err error) {
				now, _, _, _, err = runtime.GetHeapUsage().Do(ctx)
				return err
			}))
		if said != "" {
			b.Error("the page says ", said)
		}
		return now
	}
	used(3600)
	for b.Loop() {
		before := used(3600)
		after := used(216_000)
		b.ReportMetric(before, "bytes-before")
		b.ReportMetric(after-before, "bytes-more")
	}
}
