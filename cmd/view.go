package cmd

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"caucus.example/caucus"
	"caucus.example/caucus/agent"
	"caucus.example/caucus/internal/frames"
	"caucus.example/caucus/internal/loopback"
	"caucus.example/caucus/internal/operate"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/internal/view"
)

type viewFlags struct {
	runFlags
	listen, lesson string
	export         string // folder
	agents         []string
	near           bool
	settings       []string // names of the flags that say what is run
	q              operate.Asking
}

func newViewCommand() *cobra.Command {
	var f viewFlags
	cmd := &cobra.Command{
		Use:   "view [SCENARIO|TRACE]",
		Short: "Watch elections on a page: runs, lessons, real agents",
		Long: `Serves a page on this machine and prints its address; Ctrl-C ends it. The page plays a run of the simulator, forward and back,
one or two algorithms side by side. What you do to the network there (crash, cut, corrupt, divide) becomes a line of the
scenario, which can be downloaded and repeated by "caucus run", to the bit. A trace of a run (.jsonl or .parquet) is shown as it
was recorded. With --agents it shows real agents instead, by the status addresses that are given. With --export it is written as
a site that needs no server: there the simulator runs in the browser.`,
		Example: `  caucus view
  caucus view scenarios/geant.yaml
  caucus view --algo as-far --topology ring:12 --ids random
  caucus view --lesson rings
  caucus view --export site/ scenarios/geant.yaml
  caucus view run.parquet
  caucus view --agents 127.0.0.1:7401,127.0.0.1:7411`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeScenario,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := f.server(cmd, args)
			if err != nil {
				return misuse(err)
			}
			if f.export != "" {
				return f.write(cmd, s)
			}
			return f.serve(cmd, s)
		},
	}
	flags := cmd.Flags()
	f.addScenario(flags)
	flags.VisitAll(func(flag *pflag.Flag) { f.settings = append(f.settings, flag.Name) })
	flags.StringVar(&f.listen, "listen", "127.0.0.1:7480",
		"`address` of the page, on the loopback interface; port 0 takes one that is free")
	flags.StringVar(&f.lesson, "lesson", "", "begin with a `lesson`: "+strings.Join(lessonNames(), ", "))
	flags.StringVar(&f.export, "export", "",
		"write the page with its simulator into a `folder`, for a server of files or none, and end")
	f.q.AddCredentials(cmd)
	flags.StringSliceVar(&f.agents, "agents", nil,
		"status `addresses` of agents to watch, as --addr of caucus status takes them")
	flags.BoolVar(&f.near, "near", false,
		"with --agents: ask their neighbours, too, and the neighbours of those, at the same port; the token is shown "+
			"to all of them")
	return cmd
}

func lessonNames() (names []string) {
	list, err := frames.Lessons()
	if err != nil {
		panic(err) // they are in the program
	}
	for _, l := range list {
		names = append(names, l.Name)
	}
	return names
}

// defaultView is what the page shows when nobody says what.
const defaultView = "name: first\nversion: 1\nalgo: bounded\ntopology: geant2012\nradius: 1500 km\nrounds: " +
	"80\nstable-for: 0\n" +
	"faults:\n  - {at: 40, kind: crash, leaders: true}\n"

// server resolves what is to be shown first, so that what is wrong with it is said here and not on the page.
func (f *viewFlags) server(cmd *cobra.Command, args []string) (*view.Server, error) {
	if host, _, err := net.SplitHostPort(f.listen); err != nil || !loopback.Is(host) {
		return nil, caucus.Wrong("listen", f.listen, "an address of the loopback interface, such as 127.0.0.1:7480")
	}
	if f.lesson != "" && !slices.Contains(lessonNames(), f.lesson) {
		return nil, caucus.NotAmong("lesson", f.lesson, lessonNames())
	}
	s := newPage(cmd)
	for _, addr := range f.agents {
		s.Agents = append(s.Agents, f.source(addr, addr))
	}
	if f.near {
		if len(f.agents) == 0 {
			return nil, caucus.Wrong("near", "true", "with --agents, whose neighbours these are")
		}
		s.Near = f.neighbours
	}
	given := len(args) > 0
	for _, name := range f.settings {
		flag := cmd.Flags().Lookup(name)
		if given = given || flag.Changed; flag.Changed && len(f.agents) > 0 {
			return nil, caucus.Wrong(name, flag.Value.String(), "nothing together with --agents, which run already")
		}
	}
	if len(args) > 0 && len(f.agents) > 0 {
		return nil, caucus.Wrong("scenario", args[0], "none together with --agents, which run already")
	}
	if !given {
		s.Begin = frames.Request{Scenario: defaultView}
		return s, nil
	}
	if len(args) == 1 && slices.Contains(scenario.RecordingEndings, filepath.Ext(args[0])) {
		if err := cmd.Flags().Set("replay", args[0]); err != nil {
			return nil, err
		}
		args = nil
	}
	if len(args) == 1 && filepath.Ext(args[0]) == ".txt" {
		return nil, caucus.Wrong("scenario", args[0], "a scenario in YAML, or a trace that ends in .jsonl or .parquet")
	}
	made, err := readScenario(cmd, args, f.runFlags)
	if err != nil {
		return nil, err
	}
	r, err := resolve(cmd, made)
	if err != nil {
		return nil, err
	}
	return s, show(s, r, args)
}

// show has a page begin with a run, or show one that has been recorded.
func show(s *view.Server, r *scenario.Run, args []string) error {
	s.Begin = beginning(r, args)
	if r.Recorded == "" {
		return nil
	}
	frames, err := s.Begin.Recorded(r.Recorded)
	s.Recorded = [][]byte{frames}
	return err
}

// beginning has the page begin with a run; what its file names is found beside that.
func beginning(r *scenario.Run, args []string) frames.Request {
	begin := frames.Request{Scenario: r.YAML()}
	if len(args) == 1 {
		begin.Folder = filepath.Dir(args[0])
	}
	return begin
}

// neighbours are those that an agent tells of, at the port of the first agent that was named.
func (f *viewFlags) neighbours(status json.RawMessage) (list []view.Source) {
	scheme, at := "", f.agents[0]
	if k := strings.Index(at, "://"); k >= 0 {
		scheme, at = at[:k+3], at[k+3:]
	}
	_, port, err := net.SplitHostPort(at)
	if err != nil {
		return nil // a socket in the file system: its neighbours have none here
	}
	var told struct{ Neighbours []agent.Neighbour }
	if json.Unmarshal(status, &told) != nil {
		return nil
	}
	for _, n := range told.Neighbours {
		if host, _, err := net.SplitHostPort(n.Addr); err == nil && n.Name != "" {
			list = append(list, f.source(n.Name, scheme+net.JoinHostPort(host, port)))
		}
	}
	return list
}

// source asks one agent.
func (f *viewFlags) source(name, addr string) view.Source {
	return view.Source{Name: name, Ask: func(ctx context.Context) (json.RawMessage, error) {
		q := f.q
		q.Addr = addr
		_, status, err := q.Statuses(ctx)
		return status, err
	}}
}

func (f *viewFlags) serve(cmd *cobra.Command, s *view.Server) error {
	query := ""
	if f.lesson != "" {
		query = "?lesson=" + f.lesson
	}
	return servePage(cmd.Context(), f.listen, cmd.OutOrStdout(), s, query)
}

// anyPage is where the page of another verb is served: at a port that is free.
const anyPage = "127.0.0.1:0"

// newPage is a page that tells of what goes wrong in it.
func newPage(cmd *cobra.Command) *view.Server {
	return &view.Server{Key: rand.Text(),
		Report: func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), "page:", text) }}
}

// checkPage refuses what is no file for a page.
func checkPage(name string, force bool) error {
	if name != "" && name != "-" && filepath.Ext(name) != ".html" {
		return caucus.Wrong("page", name, "a file name that ends in .html, or - for standard output")
	}
	return checkOutput("page", name, force)
}

// writePage writes runs that are over as a page that needs no server.
func writePage(cmd *cobra.Command, name string, recorded ...[]byte) error {
	return writeOutput(cmd.OutOrStdout(), cmd.ErrOrStderr(), name,
		func(w io.Writer) error { return view.Export(w, recorded...) })
}

// servePage serves a page until ctx is done. It prints its address first.
func servePage(ctx context.Context, listen string, out io.Writer, s *view.Server, query string) error {
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return failed(err)
	}
	fmt.Fprintf(out, "http://%s/%s#%s\n", listener.Addr(), query, s.Key)
	server := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 5 * time.Second,
		BaseContext: func(net.Listener) context.Context { return ctx }}
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	select {
	case err := <-done:
		return failed(err)
	case <-ctx.Done():
		return failed(server.Close())
	}
}
