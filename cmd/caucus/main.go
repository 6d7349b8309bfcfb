//go:build !agent

// Command caucus simulates, checks and deploys leader elections. Built with the tag agent it only deploys them, as a
// small program.
package main

import "caucus.example/caucus/cmd"

func main() { cmd.Main() }
