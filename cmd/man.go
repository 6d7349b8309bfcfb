package cmd

import (
	"fmt"
	"io"
	"strings"

	"caucus.example/caucus/internal/operate"
	"github.com/spf13/cobra"
)

// eachVerb calls do for a verb and all that it has below it, but for those that are not shown.
func eachVerb(cmd *cobra.Command, do func(*cobra.Command) error) error {
	if cmd.Hidden {
		return nil
	}
	if err := do(cmd); err != nil {
		return err
	}
	for _, sub := range cmd.Commands() {
		if err := eachVerb(sub, do); err != nil {
			return err
		}
	}
	return nil
}

// writeMan writes the manual page of a verb, with its flags in the groups of its help. It has no date, so that the same
// program writes the same pages.
func writeMan(cmd *cobra.Command, w io.Writer) error {
	name := manName(cmd)
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %q 1 \"\" \"caucus %s\" Caucus\n", strings.ToUpper(name), version())
	section := func(title, text string) {
		if text = strings.Trim(text, "\n"); text != "" {
			fmt.Fprintf(&b, ".SH %s\n.nf\n%s\n.fi\n", title, roff(text))
		}
	}
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(cmd.Short))
	if cmd.Runnable() {
		section("SYNOPSIS", cmd.UseLine())
	}
	section("DESCRIPTION", cmd.Long)
	section("OPTIONS", operate.FlagUsages(cmd, 76, true))
	section("EXAMPLES", cmd.Example)
	var others []string
	if cmd.HasParent() {
		others = append(others, manName(cmd.Parent())+"(1)")
	}
	for _, sub := range cmd.Commands() {
		if !sub.Hidden {
			others = append(others, manName(sub)+"(1)")
		}
	}
	section("SEE ALSO", strings.Join(others, "\n"))
	_, err := io.WriteString(w, b.String())
	return err
}

func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// roff writes a text so that the reader of manuals shows it as it is.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
