package view

import (
	"compress/gzip"
	"encoding/base64"
	"io"
	"strings"
)

// sealed lets a page in a file ask nobody for anything, be it a file beside it.
const sealed = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; ` +
	`style-src 'unsafe-inline'; img-src data: blob:">`

// Export writes the page with runs that are over, side by side, as one file that needs no server.
func Export(w io.Writer, recorded ...[]byte) error {
	var html, css, js string
	for name, text := range map[string]*string{"index.html": &html, "dist/app.css": &css, "dist/app.js": &js} {
		content, err := page.ReadFile("page/" + name)
		if err != nil {
			return err
		}
		*text = string(content)
	}
	var held strings.Builder
	for _, frames := range recorded {
		held.WriteString(`<script type="application/gzip" class="recorded">`)
		if err := squeeze(&held, frames); err != nil {
			return err
		}
		held.WriteString("</script>\n")
	}
	_, err := strings.NewReplacer(
		`<meta charset="utf-8">`, `<meta charset="utf-8">`+sealed,
		`<link rel="stylesheet" href="app.css">`, "<style>"+css+"</style>",
		`<script type="module" src="app.js"></script>`, held.String()+`<script type="module">`+js+"</script>",
	).WriteString(w, html)
	return err
}

// squeeze writes bytes as text, compressed.
func squeeze(w io.Writer, frames []byte) error {
	text := base64.NewEncoder(base64.StdEncoding, w)
	squeezed, err := gzip.NewWriterLevel(text, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := squeezed.Write(frames); err != nil {
		return err
	}
	if err := squeezed.Close(); err != nil {
		return err
	}
	return text.Close()
}
