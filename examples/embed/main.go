// Command embed joins an election and reacts to changes of leadership. Run it two or three times:
// go run ./examples/embed a 7501 7502 7503; go run ./examples/embed b 7502 7501 7503; …
package main

import (
	"context"
	"log"
	"os"

	"caucus/agent"
	"caucus/algo/bounded"
)

func main() {
	cfg := agent.Config{Name: os.Args[1], Listen: "127.0.0.1:" + os.Args[2]}
	for _, port := range os.Args[3:] {
		cfg.Peers = append(cfg.Peers, agent.Peer{Addr: "127.0.0.1:" + port})
	}
	election, err := bounded.New(bounded.Default(10)) // one leader within 10 hops
	if err != nil {
		log.Fatal(err)
	}
	node, err := agent.New(election, &bounded.Spec, cfg)
	if err != nil {
		log.Fatal(err)
	}
	go node.Run(context.Background())
	for l := range node.Watch(context.Background()) {
		log.Println(l, "- do I lead?", l.Leads())
	}
}
