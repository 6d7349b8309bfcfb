// Command embed joins an election. Try: go run ./examples/embed a 7501 7502, elsewhere embed b 7502 7501.
package main

import (
	"context"
	"log"
	"os"

	"caucus.example/caucus/agent"
	"caucus.example/caucus/algo/aggregate/bounded"
)

func main() {
	if len(os.Args) < 3 {
		log.Fatal("usage: embed NAME PORT [PORT OF PEER]...")
	}
	cfg := agent.Config{Name: os.Args[1], Listen: "127.0.0.1:" + os.Args[2]}
	for _, port := range os.Args[3:] {
		cfg.Peers = append(cfg.Peers, agent.Peer{Addr: "127.0.0.1:" + port})
	}
	election, _ := bounded.New(bounded.Default(10)) // one leader within 10 hops; an error only for a radius <= 0
	node, err := agent.New(election, &bounded.Spec, cfg)
	if err != nil {
		log.Fatal(err)
	}
	go node.Run(context.Background())
	for l := range node.Watch(context.Background()) {
		log.Println(l, "- do I lead?", l.Leads())
	}
}
