package view

import (
	"bytes"
	"io/fs"
	"net/http"
)

// AgentPage is the page as an agent serves it, below /page/: it shows what the agent tells at its own address. It holds
// no data, and what it asks for is the agent's to guard: what stands behind # in the page's address it shows as the
// token.
func AgentPage() http.Handler {
	files, err := fs.Sub(page, "page/dist")
	if err != nil {
		panic(err) // the name is a constant
	}
	serve := http.StripPrefix("/page/", http.FileServerFS(files))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		contain(w.Header())
		if r.URL.Path != "/page/" {
			serve.ServeHTTP(w, r)
			return
		}
		text, _ := page.ReadFile("page/index.html") // it is in the binary
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		text = bytes.Replace(text, []byte("<body>"), []byte("<body data-agent>"), 1)
		_, _ = w.Write(text) // who is gone needs not be told
	})
}
