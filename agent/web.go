package agent

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/loopback"
)

const (
	keepAlive  = 10 * time.Second // between comments on a silent stream
	webTimeout = 5 * time.Second  // to read a request, to write an answer or one event
)

const pages = "/page/" // what is below it holds no data

// web is the HTTP endpoint of the agents of a process.
type web struct {
	cfg      *Config
	agents   roster
	listener net.Listener
	server   *http.Server
	token    string // "" for none
	streams  audience
}

func newWeb(cfg *Config, agents roster) (*web, error) {
	token := ""
	if file := cfg.HTTPToken; file != "" {
		var err error
		if token, err = ReadToken(file); err != nil {
			return nil, err
		}
	}
	listener, err := cfg.listenHTTP()
	if err != nil {
		return nil, err
	}
	w := &web{cfg: cfg, agents: agents, listener: listener, token: token}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/status", w.statuses)
	mux.HandleFunc("GET /v1/leader", w.one(w.leader))
	mux.HandleFunc("GET /v1/region", w.one(w.region))
	mux.HandleFunc("GET /v1/directive", w.one(w.directive))
	mux.HandleFunc("POST /v1/directive", w.one(w.publish))
	mux.HandleFunc("POST /v1/ask", w.one(w.ask))
	mux.HandleFunc("GET /v1/watch", w.one(w.watch))
	mux.HandleFunc("POST /v1/resign", w.one(w.resign))
	mux.HandleFunc("POST /v1/hand-over", w.one(w.handOver))
	mux.HandleFunc("POST /v1/join", w.one(w.peer((*Agent).Join)))
	mux.HandleFunc("POST /v1/forget", w.one(w.peer((*Agent).Forget)))
	mux.HandleFunc("GET /healthz", w.each(health))
	mux.HandleFunc("GET /readyz", w.each(unready))
	mux.HandleFunc("GET /metrics", w.metrics)
	mux.Handle("GET /{$}", http.RedirectHandler(pages, http.StatusFound))
	mux.Handle("GET "+pages, cfg.page())
	w.server = &http.Server{
		Handler: w.guarded(mux), ReadHeaderTimeout: webTimeout, ReadTimeout: webTimeout, WriteTimeout: 2 * webTimeout,
		IdleTimeout: time.Minute, MaxHeaderBytes: 8 << 10,
	}
	return w, nil
}

// page is the page of the agent, or says why there is none.
func (c *Config) page() http.Handler {
	if c.Page == nil {
		return absent("the page is not in this build, which only runs agents: caucus status, /v1/status")
	}
	return c.Page
}

func absent(why string) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		http.Error(out, why, http.StatusNotFound)
	})
}

// HTTPAddr is the address of the HTTP endpoint, "" if it is off.
func (a *Agent) HTTPAddr() string { return a.web.addr() }

func (w *web) addr() string {
	switch {
	case w == nil:
		return ""
	case strings.HasPrefix(w.cfg.HTTP, unixPrefix):
		return w.cfg.HTTP
	}
	return w.listener.Addr().String()
}

func (w *web) serve() {
	if err := w.server.Serve(w.listener); err != nil && err != http.ErrServerClosed {
		w.cfg.Logger.Error("http endpoint ended", "error", err)
	}
}

// close lets answers that are being written end.
func (w *web) close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if w.server.Shutdown(ctx) != nil {
		w.server.Close()
	}
}

// guarded lets in who may read. A page in somebody's browser may not, though it comes from this host: what it asks
// for is named otherwise.
func (w *web) guarded(next http.Handler) http.Handler {
	token, local := []byte("Bearer "+w.token), w.token == "" && !strings.HasPrefix(w.cfg.HTTP, unixPrefix)
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		open := r.URL.Path == "/healthz" || r.URL.Path == "/readyz" || r.URL.Path == "/" ||
			strings.HasPrefix(r.URL.Path, pages)
		switch {
		case r.Method != http.MethodGet && r.Header.Get("Origin") != "":
			http.Error(out, "a page in a browser changes nothing here", http.StatusForbidden)
		case local && !loopback.Is(r.Host):
			http.Error(out, fmt.Sprintf("host %q is not this one; ask for %s", r.Host, w.addr()),
				http.StatusForbidden)
		case w.token != "" && !open && subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), token) != 1:
			out.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(out, "a token is needed: Authorization: Bearer TOKEN", http.StatusUnauthorized)
		default:
			next.ServeHTTP(out, r)
		}
	})
}

// one answers for the agent of the group that a request names. Where there is only one agent none need be named.
func (w *web) one(answer func(*Agent, http.ResponseWriter, *http.Request)) http.HandlerFunc {
	return func(out http.ResponseWriter, r *http.Request) {
		group, agents := r.URL.Query().Get("group"), w.agents()
		var names []string
		for _, a := range agents {
			if a.cfg.Group == group || group == "" && len(agents) == 1 {
				answer(a, out, r)
				return
			}
			names = append(names, a.cfg.Group)
		}
		http.Error(out, caucus.Wrong("group", group, strings.Join(names, ", ")).Error(), http.StatusNotFound)
	}
}

// each says "ok" if nothing is wrong with any of the agents, and otherwise what is.
func (w *web) each(wrong func(*Status) string) http.HandlerFunc {
	return func(out http.ResponseWriter, _ *http.Request) {
		var found []string
		agents := w.agents()
		for _, a := range agents {
			s := a.Status()
			switch why := wrong(&s); {
			case why != "" && len(agents) > 1:
				found = append(found, s.Group+": "+why)
			case why != "":
				found = append(found, why)
			}
		}
		if len(found) > 0 || len(agents) == 0 {
			out.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprintln(out, strings.Join(found, "\n"))
			return
		}
		io.WriteString(out, "ok\n")
	}
}

// Statuses are those of all groups of a process.
type Statuses struct {
	Schema string   `json:"schema"`
	Groups []Status `json:"groups"`
}

// GroupsSchema is the version of Statuses in JSON.
const GroupsSchema = "caucus.groups/1"

// statuses tells of one group or, where there are several and none is named, of all.
func (w *web) statuses(out http.ResponseWriter, r *http.Request) {
	agents := w.agents()
	if r.URL.Query().Get("group") != "" || len(agents) == 1 {
		w.one(status)(out, r)
		return
	}
	all := Statuses{GroupsSchema, make([]Status, len(agents))}
	for i, a := range agents {
		all.Groups[i] = a.Status()
		all.Groups[i].Now = time.Now()
	}
	writeJSON(out, http.StatusOK, all)
}

func status(a *Agent, out http.ResponseWriter, _ *http.Request) {
	s := a.Status()
	s.Now = time.Now()
	writeJSON(out, http.StatusOK, s)
}

// metrics has a label for the group where there are several. Config.checkGroups bounds how many.
func (w *web) metrics(out http.ResponseWriter, _ *http.Request) {
	e := exposition{values: map[*metric][]string{}}
	for _, a := range w.agents() {
		if e.group = ""; a.cfg.hub != nil {
			e.group = a.cfg.Group
		}
		s := a.Status()
		e.collect(&s)
		if r, ok := a.Region(); ok {
			e.collectRegion(&r)
		}
	}
	out.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	e.writeTo(out)
}

// leaderAnswer is what /v1/leader and /v1/watch tell.
type leaderAnswer struct {
	Schema string `json:"schema"`
	Name   string `json:"name"` // of the node that answers
	Leadership
	Stale bool `json:"stale"` // see Status.Stale
	// Until is when the lease that this node holds ends if no grant is renewed; left out where it holds none.
	Until time.Time `json:"until,omitzero"`
}

func answer(a *Agent, l Leadership) leaderAnswer {
	s := a.Status()
	until, _ := a.Holds()
	return leaderAnswer{"caucus.leader/1", s.Name, l, s.Stale(time.Now()), until}
}

func (w *web) leader(a *Agent, out http.ResponseWriter, _ *http.Request) {
	writeJSON(out, http.StatusOK, answer(a, a.Status().Leadership))
}

// region tells what the node knows of its region.
func (w *web) region(a *Agent, out http.ResponseWriter, _ *http.Request) {
	r, on := a.Region()
	if !on {
		http.Error(out, "this node knows no region: region is not on in its configuration", http.StatusNotFound)
		return
	}
	writeJSON(out, http.StatusOK, r)
}

// directive gives what the leader has told the region last.
func (w *web) directive(a *Agent, out http.ResponseWriter, _ *http.Request) {
	d, ok := a.Directive()
	if !ok {
		http.Error(out, "this node has no directive", http.StatusNotFound)
		return
	}
	writeJSON(out, http.StatusOK, d)
}

// publish gives the region a directive: the body, as it is.
func (w *web) publish(a *Agent, out http.ResponseWriter, r *http.Request) {
	data, err := io.ReadAll(io.LimitReader(r.Body, MaxDirective+1))
	version := uint64(0)
	if err == nil {
		version, err = a.Publish(data)
	}
	switch {
	case errors.Is(err, errTooLong):
		http.Error(out, fmt.Sprintf("found %d bytes or more, allowed: a directive of 1 to %d", len(data), MaxDirective),
			http.StatusRequestEntityTooLarge)
	case err != nil:
		http.Error(out, err.Error(), http.StatusConflict)
	default:
		writeJSON(out, http.StatusOK, Directive{Schema: DirectiveSchema, Version: version, At: time.Now()})
	}
}

// Answer is what the leader has answered to a request.
type Answer struct {
	Schema string `json:"schema"`
	Data   []byte `json:"data"`
}

// AnswerSchema is the version of Answer in JSON.
const AnswerSchema = "caucus.answer/1"

// ask asks the leader: the body, as it is. Whoever asks is told within webTimeout.
func (w *web) ask(a *Agent, out http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), webTimeout)
	defer cancel()
	data, err := io.ReadAll(io.LimitReader(r.Body, MaxRequest+1))
	if err == nil {
		data, err = a.Ask(ctx, data)
	}
	switch {
	case errors.Is(err, errRequestSize):
		http.Error(out, err.Error(), http.StatusRequestEntityTooLarge)
	case errors.Is(err, context.DeadlineExceeded):
		http.Error(out, fmt.Sprintf("no answer within %v: the leader may have done what it was asked, or not",
			webTimeout), http.StatusGatewayTimeout)
	case err != nil:
		http.Error(out, err.Error(), http.StatusConflict)
	default:
		writeJSON(out, http.StatusOK, Answer{AnswerSchema, data})
	}
}

// handOver has another node lead for a while.
func (w *web) handOver(a *Agent, out http.ResponseWriter, r *http.Request) {
	during, err := time.ParseDuration(r.FormValue("for"))
	if err != nil {
		err = caucus.Wrong("for", r.FormValue("for"), "a duration of 0 to 24h")
	} else {
		err = a.HandOver(r.FormValue("to"), during)
	}
	if err != nil {
		http.Error(out, err.Error(), http.StatusBadRequest)
		return
	}
	w.leader(a, out, r)
}

// peer changes the peers.
func (w *web) peer(change func(*Agent, string) error) func(*Agent, http.ResponseWriter, *http.Request) {
	return func(a *Agent, out http.ResponseWriter, r *http.Request) {
		if err := change(a, r.FormValue("peer")); err != nil {
			http.Error(out, err.Error(), http.StatusBadRequest)
			return
		}
		status(a, out, r)
	}
}

// resign keeps the node from leading for a while.
func (w *web) resign(a *Agent, out http.ResponseWriter, r *http.Request) {
	during, err := time.ParseDuration(r.FormValue("for"))
	if err == nil {
		err = a.Resign(during)
	}
	if err != nil {
		http.Error(out, fmt.Sprintf("for: found %q, allowed: a duration of 0 to 24h", r.FormValue("for")),
			http.StatusBadRequest)
		return
	}
	w.leader(a, out, r)
}

func health(s *Status) string {
	if s.Stale(time.Now()) {
		return fmt.Sprintf("%s, last round %v ago", s.State, time.Since(s.LastRound).Round(time.Millisecond))
	}
	return ""
}

// unready says why the node does not take part, "" if it does.
func unready(s *Status) string {
	switch {
	case s.Ready(time.Now()):
		return ""
	case s.Stale(time.Now()):
		return s.State + ", without a round for too long"
	case s.Unheard:
		return "unheard: others are heard, but none of them hears this node"
	case s.Withdrawn != "":
		return "withdrawn: " + s.Withdrawn
	case s.withheld():
		return "no term, since it cannot be kept: " + s.Trouble
	case s.Unleased:
		return "no lease: a majority has not granted this node to act"
	case s.Short:
		return "short: " + s.Lacks
	}
	return s.Role
}

// watch streams leaderships as server-sent events: the present one, then every change.
func (w *web) watch(a *Agent, out http.ResponseWriter, r *http.Request) {
	ctx, leave := w.streams.join(r.Context(), r.RemoteAddr)
	defer leave()
	out.Header().Set("Content-Type", "text/event-stream")
	out.Header().Set("Cache-Control", "no-store")
	control := http.NewResponseController(out)
	silence := time.NewTicker(keepAlive)
	defer silence.Stop()
	changes := a.Watch(ctx)
	for {
		var err error
		control.SetWriteDeadline(time.Now().Add(webTimeout))
		select {
		case l, open := <-changes:
			if !open {
				return
			}
			var data []byte
			if data, err = json.Marshal(answer(a, l)); err == nil {
				_, err = fmt.Fprintf(out, "id: %d\nevent: leadership\ndata: %s\n\n", l.Number, data)
			}
		case <-silence.C:
			_, err = io.WriteString(out, ": still here\n\n")
		}
		if err != nil || control.Flush() != nil {
			return
		}
	}
}

func writeJSON(out http.ResponseWriter, code int, v any) {
	out.Header().Set("Content-Type", "application/json")
	out.Header().Set("Cache-Control", "no-store")
	out.WriteHeader(code)
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	e.Encode(v) // the client may be gone
}
