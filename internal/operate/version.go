package operate

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/spf13/cobra"
)

// Version is the module version that the Go tool stamped into the binary.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}

// buildDocument is what the Go tool wrote into the binary about its making.
type buildDocument struct {
	Schema   string `json:"schema"`
	Version  string `json:"version"`
	Commit   string `json:"commit"` // "" outside a checkout
	Modified bool   `json:"modified"`
	Time     string `json:"time"` // of the commit
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func build() buildDocument {
	d := buildDocument{Schema: "caucus.version/1", Version: Version(), Go: runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return d
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			d.Commit = s.Value
		case "vcs.time":
			d.Time = s.Value
		case "vcs.modified":
			d.Modified = s.Value == "true"
		}
	}
	return d
}

// BuildHash tells this build from others, whatever their version: the commit or, of a program that was made outside a
// checkout or of one with changes, the program itself.
var BuildHash = sync.OnceValue(func() string {
	if d := build(); d.Commit != "" && !d.Modified {
		return d.Commit[:min(12, len(d.Commit))]
	}
	name, err := os.Executable()
	if err != nil {
		return ""
	}
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return fmt.Sprintf("program-%x", h.Sum(nil)[:6])
})

func NewVersionCommand() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Say which build this is: version, commit, Go",
		Args:  cobra.NoArgs,
		Example: `  caucus version
  caucus version --json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d := build()
			if asJSON {
				return WriteJSON(cmd.OutOrStdout(), d)
			}
			commit := d.Commit
			switch {
			case commit == "":
				commit = "unknown"
			case d.Modified:
				commit += " (modified)"
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "caucus %s\ncommit %s\n%s %s\n", d.Version, commit, d.Go,
				d.Platform)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, schema caucus.version/1")
	return cmd
}

// WriteJSON writes v as people read it.
func WriteJSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
