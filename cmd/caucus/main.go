// Command caucus simulates, checks and deploys leader elections.
package main

import "caucus.example/caucus/cmd"

func main() { cmd.Main() }
