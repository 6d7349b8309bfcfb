package agent
import ("testing";"fmt";"time";"caucus.example/caucus/algo/aggregate/bounded";"caucus.example/caucus")
func TestDbg(t *testing.T) {
	for seed := range uint64(20) {
		n, links := linksOf(t, "ring:20", false, seed)
		v := newVirtual(t, seed, n, links)
		v.upAll(); v.settle("n1",200)
		phase := caucus.NewRand(seed, "kill")
		v.run(10*period + time.Duration(phase.Float64()*float64(period)))
		v.run(32*period)
		st := func(i int) bounded.Candidacy { return *v.nodes[i].agent.rounds.(*erased).State().(*bounded.Candidacy) }
		for i, a := range v.alive() { fmt.Printf("%d: last %v due %v st %v\n", i+1, v.now.Sub(a.lastRun), a.due.Sub(v.now), st(i)) }
		v.kill(0); k := v.now
		last := make([]caucus.ID, n)
		lastm := 0.0
		log := ""
		v.seen = func(i int, l Leadership) {
			if last[i] != l.LeaderID { last[i]=l.LeaderID; lastm = float64(v.now.Sub(k))/float64(period); log += fmt.Sprintf("%.3f n%d -> n%d %+v\n", lastm, i+1, l.LeaderID, st(i)) }
		}
		v.run(20*period)
		if lastm > 4 { fmt.Println(seed); fmt.Println(log); return }
	}
}
