package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// running is what a worker of the page does with the program: it makes ready and then waits for one request, whose
// answer the program gives itself.
const running = `
const go = new Go();
go.exit = (code) => { if (code) postMessage("the simulator has ended with code " + code); };
let ready;
onmessage = async ({ data }) => {
  if (data instanceof WebAssembly.Module) {
    ready = WebAssembly.instantiate(data, go.importObject);
    return;
  }
  globalThis.asked = data;
  await go.run(await ready);
};
`

// simulatorInto makes the simulator of a page that has no server.
func simulatorInto(file string) error {
	script, err := simulator()
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, script, 0o666); err != nil {
		return err
	}
	fmt.Printf("wrote %s, %.1f MB\n", file, float64(len(script))/1e6)
	return nil
}

// simulator makes the script that gives a page without a server its simulator: the program as WebAssembly, packed, and
// what runs it, which is of the same Go as the program.
func simulator() ([]byte, error) {
	folder, err := os.MkdirTemp("", "caucus")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	program := filepath.Join(folder, "program")
	if err := run([]string{"GOOS=js", "GOARCH=wasm"}, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", program,
		"./internal/view/worker"); err != nil {
		return nil, err
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	script, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, err
	}
	wasm, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(wasm); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	text, err := json.Marshal(string(script) + running)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	page, err := os.ReadFile(filepath.FromSlash("internal/view/page/dist/app.js"))
	if err != nil {
		return nil, err
	}
	// The page that is of the same sources, and no other, understands what it is told.
	fmt.Fprintf(&out, "window.simulator = {version: \"%.6x\", script: %s,\nwasm: \"%s\"};\n", sha256.Sum256(page), text,
		base64.StdEncoding.EncodeToString(packed.Bytes()))
	return out.Bytes(), nil
}
