//go:build agent

package main

import "caucus.example/caucus/internal/operate"

func main() { operate.Main() }
