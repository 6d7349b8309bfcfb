// Buildtime adds up what a build has cost: go build -debug-actiongraph=FILE ./cmd/caucus && go run ./internal/buildtime
// FILE.
package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"
)

// action is what the go command notes of one of its steps; times in nanoseconds of processor time.
type action struct {
	Mode, Package   string
	CmdUser, CmdSys time.Duration
}

func (a action) cost() time.Duration { return a.CmdUser + a.CmdSys }

// least is what a package must cost to be listed.
const least = 50 * time.Millisecond

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: buildtime FILE, written by go build -debug-actiongraph=FILE")
		os.Exit(2)
	}
	if err := report(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "buildtime:", err)
		os.Exit(1)
	}
}

func report(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var actions []action
	if err := json.Unmarshal(text, &actions); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	slices.SortStableFunc(actions, func(a, b action) int { return cmp.Compare(b.cost(), a.cost()) })
	sum := time.Duration(0)
	for _, a := range actions {
		sum += a.cost()
		if a.cost() >= least {
			fmt.Printf("%6.2f s  %-5s %s\n", a.cost().Seconds(), a.Mode, a.Package)
		}
	}
	fmt.Printf("%6.2f s  in all\n", sum.Seconds())
	return nil
}
