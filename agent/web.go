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

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/loopback"
)

const (
	keepAlive  = 10 * time.Second // between comments on a silent stream
	webTimeout = 5 * time.Second  // to read a request, to write an answer or one event
)

const pages = "/page/" // what is below it holds no data

// web is the HTTP endpoint.
type web struct {
	agent    *Agent
	listener net.Listener
	server   *http.Server
	token    string // "" for none
	streams  audience
}

func newWeb(a *Agent) (*web, error) {
	token := ""
	if file := a.cfg.HTTPToken; file != "" {
		var err error
		if token, err = ReadToken(file); err != nil {
			return nil, err
		}
	}
	listener, err := a.cfg.listenHTTP()
	if err != nil {
		return nil, err
	}
	w := &web{agent: a, listener: listener, token: token}
	registry := prometheus.NewRegistry()
	registry.MustRegister(collector{a})
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/status", w.status)
	mux.HandleFunc("GET /v1/leader", w.leader)
	mux.HandleFunc("GET /v1/region", w.region)
	mux.HandleFunc("GET /v1/directive", w.directive)
	mux.HandleFunc("POST /v1/directive", w.publish)
	mux.HandleFunc("GET /v1/watch", w.watch)
	mux.HandleFunc("POST /v1/resign", w.resign)
	mux.HandleFunc("POST /v1/hand-over", w.handOver)
	mux.HandleFunc("POST /v1/join", w.peer((*Agent).Join))
	mux.HandleFunc("POST /v1/forget", w.peer((*Agent).Forget))
	mux.HandleFunc("GET /healthz", w.health)
	mux.HandleFunc("GET /readyz", w.ready)
	if a.cfg.Page != nil {
		mux.Handle("GET "+pages, a.cfg.Page)
		mux.Handle("GET /{$}", http.RedirectHandler(pages, http.StatusFound))
	}
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	w.server = &http.Server{
		Handler: w.guarded(mux), ReadHeaderTimeout: webTimeout, ReadTimeout: webTimeout, WriteTimeout: 2 * webTimeout,
		IdleTimeout: time.Minute, MaxHeaderBytes: 8 << 10,
	}
	return w, nil
}

// HTTPAddr is the address of the HTTP endpoint, "" if it is off.
func (a *Agent) HTTPAddr() string {
	if a.web == nil {
		return ""
	}
	if strings.HasPrefix(a.cfg.HTTP, unixPrefix) {
		return a.cfg.HTTP
	}
	return a.web.listener.Addr().String()
}

func (w *web) serve() {
	if err := w.server.Serve(w.listener); err != nil && err != http.ErrServerClosed {
		w.agent.cfg.Logger.Error("http endpoint ended", "error", err)
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
	token, local := []byte("Bearer "+w.token), w.token == "" && !strings.HasPrefix(w.agent.cfg.HTTP, unixPrefix)
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		open := r.URL.Path == "/healthz" || r.URL.Path == "/readyz" || r.URL.Path == "/" ||
			strings.HasPrefix(r.URL.Path, pages)
		switch {
		case r.Method != http.MethodGet && r.Header.Get("Origin") != "":
			http.Error(out, "a page in a browser changes nothing here", http.StatusForbidden)
		case local && !loopback.Is(r.Host):
			http.Error(out, fmt.Sprintf("host %q is not this one; ask for %s", r.Host, w.agent.HTTPAddr()),
				http.StatusForbidden)
		case w.token != "" && !open && subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), token) != 1:
			out.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(out, "a token is needed: Authorization: Bearer TOKEN", http.StatusUnauthorized)
		default:
			next.ServeHTTP(out, r)
		}
	})
}

func (w *web) status(out http.ResponseWriter, _ *http.Request) {
	s := w.agent.Status()
	s.Now = time.Now()
	writeJSON(out, http.StatusOK, s)
}

// leaderAnswer is what /v1/leader and /v1/watch tell.
type leaderAnswer struct {
	Schema string `json:"schema"`
	Name   string `json:"name"` // of the node that answers
	Leadership
	Stale bool `json:"stale"` // see Status.Stale
}

func (w *web) answer(l Leadership) leaderAnswer {
	s := w.agent.Status()
	return leaderAnswer{"caucus.leader/1", s.Name, l, s.Stale(time.Now())}
}

func (w *web) leader(out http.ResponseWriter, _ *http.Request) {
	writeJSON(out, http.StatusOK, w.answer(w.agent.Status().Leadership))
}

// region tells what the node knows of its region.
func (w *web) region(out http.ResponseWriter, _ *http.Request) {
	r, on := w.agent.Region()
	if !on {
		http.Error(out, "this node knows no region: region is not on in its configuration", http.StatusNotFound)
		return
	}
	writeJSON(out, http.StatusOK, r)
}

// directive gives what the leader has told the region last.
func (w *web) directive(out http.ResponseWriter, _ *http.Request) {
	d, ok := w.agent.Directive()
	if !ok {
		http.Error(out, "this node has no directive", http.StatusNotFound)
		return
	}
	writeJSON(out, http.StatusOK, d)
}

// publish gives the region a directive: the body, as it is.
func (w *web) publish(out http.ResponseWriter, r *http.Request) {
	data, err := io.ReadAll(io.LimitReader(r.Body, MaxDirective+1))
	version := uint64(0)
	if err == nil {
		version, err = w.agent.Publish(data)
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

// handOver has another node lead for a while.
func (w *web) handOver(out http.ResponseWriter, r *http.Request) {
	during, err := time.ParseDuration(r.FormValue("for"))
	if err != nil {
		err = caucus.Wrong("for", r.FormValue("for"), "a duration of 0 to 24h")
	} else {
		err = w.agent.HandOver(r.FormValue("to"), during)
	}
	if err != nil {
		http.Error(out, err.Error(), http.StatusBadRequest)
		return
	}
	w.leader(out, r)
}

// peer changes the peers.
func (w *web) peer(change func(*Agent, string) error) http.HandlerFunc {
	return func(out http.ResponseWriter, r *http.Request) {
		if err := change(w.agent, r.FormValue("peer")); err != nil {
			http.Error(out, err.Error(), http.StatusBadRequest)
			return
		}
		w.status(out, r)
	}
}

// resign keeps the node from leading for a while.
func (w *web) resign(out http.ResponseWriter, r *http.Request) {
	during, err := time.ParseDuration(r.FormValue("for"))
	if err == nil {
		err = w.agent.Resign(during)
	}
	if err != nil {
		http.Error(out, fmt.Sprintf("for: found %q, allowed: a duration of 0 to 24h", r.FormValue("for")),
			http.StatusBadRequest)
		return
	}
	w.leader(out, r)
}

func (w *web) health(out http.ResponseWriter, _ *http.Request) {
	s := w.agent.Status()
	if s.Stale(time.Now()) {
		out.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprintf(out, "%s, last round %v ago\n", s.State, time.Since(s.LastRound).Round(time.Millisecond))
		return
	}
	io.WriteString(out, "ok\n")
}

// ready says whether the node takes part, and if not, why.
func (w *web) ready(out http.ResponseWriter, _ *http.Request) {
	s := w.agent.Status()
	why := ""
	switch {
	case s.Ready(time.Now()):
		io.WriteString(out, "ok\n")
		return
	case s.Stale(time.Now()):
		why = s.State + ", without a round for too long"
	case s.Unheard:
		why = "unheard: others are heard, but none of them hears this node"
	case s.Withdrawn != "":
		why = "withdrawn: " + s.Withdrawn
	case s.withheld():
		why = "no term, since it cannot be kept: " + s.Trouble
	case s.Unleased:
		why = "no lease: a majority has not granted this node to act"
	case s.Short:
		why = "short: " + s.Lacks
	default:
		why = s.Role
	}
	out.WriteHeader(http.StatusServiceUnavailable)
	fmt.Fprintln(out, why)
}

// watch streams leaderships as server-sent events: the present one, then every change.
func (w *web) watch(out http.ResponseWriter, r *http.Request) {
	ctx, leave := w.streams.join(r.Context(), r.RemoteAddr)
	defer leave()
	out.Header().Set("Content-Type", "text/event-stream")
	out.Header().Set("Cache-Control", "no-store")
	control := http.NewResponseController(out)
	silence := time.NewTicker(keepAlive)
	defer silence.Stop()
	changes := w.agent.Watch(ctx)
	for {
		var err error
		control.SetWriteDeadline(time.Now().Add(webTimeout))
		select {
		case l, open := <-changes:
			if !open {
				return
			}
			var data []byte
			if data, err = json.Marshal(w.answer(l)); err == nil {
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
