package view

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"caucus.example/caucus/internal/frames"
)

// Simulator is the file of a site that holds the simulator: internal/release makes it of internal/view/worker.
const Simulator = "simulator.js"

// alone lets a page without a server ask nobody but the files beside it.
const alone = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' ` +
	`'wasm-unsafe-eval'; worker-src blob:; style-src 'self' 'unsafe-inline'; img-src data: blob:">`

// Site writes the files of a page that has its simulator beside it, in place of a server: any server of files has
// them, and they can be opened from a folder. It begins with the given run.
func Site(folder string, simulator []byte, begin frames.Request) error {
	first, err := json.Marshal(begin)
	if err != nil {
		return err
	}
	html, err := page.ReadFile("page/index.html")
	if err != nil {
		return err
	}
	css, err := page.ReadFile("page/dist/app.css")
	if err != nil {
		return err
	}
	js, err := page.ReadFile("page/dist/app.js")
	if err != nil {
		return err
	}
	version := fmt.Sprintf("%.6x", sha256.Sum256(js))
	if !bytes.Contains(simulator, []byte(`{version: "`+version+`"`)) {
		return fmt.Errorf("%s is of another version than this program, whose page is %s: it has to be of the same "+
			"package, or made of the same sources", Simulator, version)
	}
	// A browser opens no module from a folder. JSON has no < here: the library writes it otherwise.
	text := strings.NewReplacer(
		`<meta charset="utf-8">`, `<meta charset="utf-8">`+alone,
		`<body>`, `<body data-version="`+version+`">`,
		`<script type="module" src="app.js"></script>`, `<script type="application/json" id="begin">`+string(first)+
			"</script>\n"+`<script src="`+Simulator+`"></script>`+"\n"+`<script src="app.js"></script>`,
	).Replace(string(html))
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for name, content := range map[string]string{"index.html": text, "app.css": string(css),
		"app.js": "(() => {" + string(js) + "})();\n", Simulator: string(simulator)} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o666); err != nil {
			return err
		}
	}
	return nil
}
