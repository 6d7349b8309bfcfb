// Package view serves the page on which one watches elections: runs of the simulator, which a reader can disturb, and
// real agents. The page is in the binary and asks nobody else for anything.
package view

import (
	"crypto/subtle"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"caucus.example/caucus/internal/frames"
	"caucus.example/caucus/internal/loopback"
)

// page/src is bundled into page/dist, which is committed: whoever builds needs Go alone.
//
//go:generate npm --prefix page ci --silent
//go:generate go tool -modfile=../../tools/go.mod esbuild page/src/main.ts --bundle --minify --format=esm --target=es2022 --log-level=warning --outfile=page/dist/app.js
//go:embed page/index.html page/dist
var page embed.FS

// maxRequest is more than any scenario with what a reader has done to it needs.
const maxRequest = 1 << 20

// Server is the page and what it asks for.
type Server struct {
	// Begin is what the page shows first.
	Begin frames.Request
	// Recorded are runs that are over, side by side, to show instead: frames.
	Recorded [][]byte
	// Study is a sweep to show instead.
	Study *Study
	// Agents are the status addresses of real agents to show instead.
	Agents []Source
	// Places are theirs; nil: not known, so that they stand around a circle.
	Places *frames.Places
	// Near gives the agents that one tells of in its status, by the names they have there; nil: only those that are
	// named above are shown.
	Near func(status json.RawMessage) []Source
	// Key is what the page has to show with everything that it asks for: other users of this machine have not got it.
	Key string
	// Report is told what went wrong in the page.
	Report func(string)
}

// Handler serves the page. It answers requests to loopback names only, so that no page of another origin can use a name
// of its own for this server, and takes runs only as JSON, which no form of another origin can send.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	files, err := fs.Sub(page, "page/dist")
	if err != nil {
		panic(err) // the name is a constant
	}
	mux.Handle("GET /", http.FileServerFS(files))
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, page, "page/index.html")
	})
	mux.HandleFunc("GET /api/begin", s.keyed(s.begin))
	mux.HandleFunc("POST /api/run", s.keyed(s.run))
	mux.HandleFunc("POST /api/check", s.keyed(s.check))
	mux.HandleFunc("GET /api/recorded/{place}", s.keyed(s.recorded))
	if s.Study != nil {
		mux.HandleFunc("GET /api/study", s.keyed(s.Study.look))
		mux.HandleFunc("GET /api/study/{run}", s.keyed(s.Study.pick))
	}
	mux.HandleFunc("POST /api/error", s.keyed(s.wrong))
	mux.HandleFunc("GET /api/live", s.keyed(func(w http.ResponseWriter, r *http.Request) {
		newCrowd(s.Agents, s.Near).live(w, r)
	}))
	mux.HandleFunc("POST /api/kill", s.keyed(s.kill))
	return guarded(mux)
}

func (s *Server) keyed(next http.HandlerFunc) http.HandlerFunc {
	want := []byte("Bearer " + s.Key)
	return func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), want) != 1 {
			http.Error(w, "found no key, or another one, allowed: the address as it was printed, with all that is "+
				"behind #", http.StatusForbidden)
			return
		}
		next(w, r)
	}
}

func guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		contain(w.Header())
		if !loopback.Is(r.Host) {
			http.Error(w, "found host "+r.Host+", allowed: localhost or a loopback address", http.StatusForbidden)
			return
		}
		if r.Method == http.MethodPost && !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
			http.Error(w, "found content of another type, allowed: application/json", http.StatusUnsupportedMediaType)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// contain keeps the page from asking other origins for anything, and others from framing it.
func contain(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: "+
		"blob:; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
}

func (s *Server) begin(w http.ResponseWriter, _ *http.Request) {
	o, err := frames.Open(s.Begin)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	o.Live, o.Kills, o.Recorded = len(s.Agents) > 0, slices.ContainsFunc(s.Agents, mortal), len(s.Recorded)
	o.Study, o.Places = s.Study != nil, s.Places
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(o); err != nil && s.Report != nil {
		s.Report(err.Error())
	}
}

func (s *Server) wrong(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 4096))
	if err == nil && s.Report != nil {
		s.Report(strings.ToValidUTF8(string(text), "?"))
	}
	w.WriteHeader(http.StatusNoContent)
}

func mortal(a Source) bool { return a.Kill != nil }

// kill ends an agent that the program that serves the page has started.
func (s *Server) kill(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Name string `json:"name"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 4096)).Decode(&q); err != nil {
		http.Error(w, "a request that names nobody: "+err.Error(), http.StatusBadRequest)
		return
	}
	k := slices.IndexFunc(s.Agents, func(a Source) bool { return a.Name == q.Name && mortal(a) })
	if k < 0 {
		http.Error(w, fmt.Sprintf("found %q, allowed: an agent that was started here", q.Name), http.StatusNotFound)
		return
	}
	s.Agents[k].Kill()
	w.WriteHeader(http.StatusNoContent)
}

func (s *Server) recorded(w http.ResponseWriter, r *http.Request) {
	k, err := strconv.Atoi(r.PathValue("place"))
	if err != nil || k < 0 || k >= len(s.Recorded) {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	_, _ = w.Write(s.Recorded[k]) // who does not read any more needs not be told
}

// stream is an answer that the page reads while it grows.
type stream struct {
	http.ResponseWriter
	*http.ResponseController
}

// run simulates what the page asks for and tells it while it goes on.
func (s *Server) run(w http.ResponseWriter, r *http.Request) {
	q, ok := asked(w, r)
	if !ok {
		return
	}
	p, err := q.Prepare()
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	// What goes wrong is told in the stream; who does not read any more needs not be told.
	_ = p.Tell(r.Context(), stream{w, http.NewResponseController(w)})
}

// check looks at every execution on the network of what the page asks for.
func (s *Server) check(w http.ResponseWriter, r *http.Request) {
	q, ok := asked(w, r)
	if !ok {
		return
	}
	found, err := q.Check(r.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(found) // who does not read any more needs not be told
}

// asked reads what the page asks for; if that is nothing that it may ask for, it says so.
func asked(w http.ResponseWriter, r *http.Request) (q frames.Request, ok bool) {
	decode := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxRequest))
	decode.DisallowUnknownFields()
	if err := decode.Decode(&q); err != nil {
		http.Error(w, "a request that is no run: "+err.Error(), http.StatusBadRequest)
		return q, false
	}
	return q, true
}
