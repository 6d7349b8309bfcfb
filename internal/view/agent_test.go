package view

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"caucus.example/caucus"
	"caucus.example/caucus/agent"
	"caucus.example/caucus/registry"
	"caucus.example/caucus/registry/agents"
)

// three starts a line of agents on this machine, all of which serve the page. The first leads.
func three(t *testing.T, token string) (list []*agent.Agent) {
	t.Helper()
	e, err := registry.Get(caucus.DefaultAlgo)
	if err != nil {
		t.Fatal(err)
	}
	args, err := e.Spec.Resolve("", map[string]string{"radius": "4"})
	if err != nil {
		t.Fatal(err)
	}
	var ended sync.WaitGroup
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(func() { stop(); ended.Wait() })
	for i := range 3 {
		cfg := agent.Config{Name: string(rune('a' + i)), Listen: "127.0.0.1:0", HTTP: "127.0.0.1:0",
			Profile: "loopback", Region: true, Strength: float64(3 - i), HTTPToken: token, Page: AgentPage()}
		if i > 0 {
			cfg.Peers = []agent.Peer{{Addr: list[i-1].Addr().String()}}
		}
		a, err := agents.Of(e, args, cfg)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, a)
	}
	for i, a := range list {
		ended.Go(func() { a.Run(ctx) })
		if i+1 < len(list) {
			for start := time.Now(); a.Join(list[i+1].Addr().String()) != nil && time.Since(start) < time.Minute; {
				time.Sleep(5 * time.Millisecond)
			}
		}
	}
	return list
}

// The page at an agent shows its region and its links, with the agent's token where it wants one, and nothing without.
func TestPageOfAnAgent(t *testing.T) {
	t.Parallel()
	chromium(t)
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("0123456789abcdef0123456789abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, file, key string
		width, height   int
	}{{"open", "", "", 1280, 800}, {"token", file, "0123456789abcdef0123456789abcdef", 390, 844}} {
		t.Run(c.name, func(t *testing.T) {
			list := three(t, c.file)
			do := browse(t, fmt.Sprintf("http://%s/#%s", list[0].HTTPAddr(), c.key), c.width, c.height)
			// The leader knows c, which is no neighbour of it, by its region.
			do(until(`window.caucus && caucus.stages.length && caucus.stages[0].history.h.names.join() === "a,b,c" &&
				caucus.stages[0].history.now.leader.join() === "0,0,0"`),
				until(`/% lost/.test(caucus.stages[0].history.links[0].text)`),
				until(`/a leads, term/.test(document.getElementById("log").textContent)`),
				chromedp.Evaluate(`document.activeElement.blur()`, nil), chromedp.KeyEvent("n"),
				until(`/link to b/.test(document.getElementById("card").textContent)`))
			var fits bool
			if do(chromedp.Evaluate(`document.documentElement.scrollWidth <= innerWidth`, &fits)); !fits {
				t.Error("wider than the window")
			}
			shot(t, do, "agent-"+c.name)
		})
	}
}

// The page of an agent in several groups shows the first, and that which is chosen.
func TestPageOfGroups(t *testing.T) {
	t.Parallel()
	chromium(t)
	g, err := agent.NewGroups(agent.Config{Name: "pump", Listen: "127.0.0.1:0", HTTP: "127.0.0.1:0",
		Profile: "loopback", Page: AgentPage(), Groups: []agent.Config{{Group: "water", Strength: 7},
			{Group: "power", Strength: 9, Region: true}}}, agents.New)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var ended sync.WaitGroup
	ended.Go(func() { g.Run(ctx) })
	t.Cleanup(func() { stop(); ended.Wait() })
	do := browse(t, fmt.Sprintf("http://%s/", g.HTTPAddr()), 1280, 800)
	shows := func(strength string) chromedp.Action {
		return until(`window.caucus && caucus.stages.length && /strength` + strength +
			`.*would lead next/s.test(document.getElementById("card").textContent)`)
	}
	pick := chromedp.Evaluate(`document.activeElement.blur()`, nil)
	do(until(`[...document.getElementById("group").options].map((o) => o.value).join() === "water,power" &&
		!document.getElementById("groups").hidden`), pick, chromedp.KeyEvent("n"), shows("7"))
	do(chromedp.Evaluate(`{ const g = document.getElementById("group"); g.value = "power";
		g.dispatchEvent(new Event("change", { bubbles: true })); g.blur(); }`, nil),
		until(`caucus.stages[0].history.h.strengths[0] === 9`), chromedp.KeyEvent("n"), shows("9"))
	shot(t, do, "agent-groups")
}
