package agent

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	crand "crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What others could read is refused without a token, and so are files that are no secret.
func TestEndpointIsChecked(t *testing.T) {
	for text, want := range map[string]string{
		"http: 0.0.0.0:7401":                       `http: found "0.0.0.0:7401", allowed: an address of this host alone`,
		"http: :7401":                              `http: found ":7401", allowed: an address of this host alone`,
		"http: example.org:7401":                   `allowed: an address of this host alone`,
		"http: unix:relative":                      `http: found "unix:relative", allowed: unix: and an absolute path`,
		"http: 127.0.0.1:7401\nhttp-cert: x":       `http-cert: found "x", allowed: a file, and one for http-key`,
		"http: unix:/x\nhttp-cert: x\nhttp-key: y": `allowed: none with a unix socket`,
	} {
		if _, err := Parse("node.yaml", []byte("name: a\n"+text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{
		"http: localhost:7401", "http: '[::1]:7401'", "http: 127.8.0.1:0", "http: unix:/run/caucus.sock", "http: off",
		"http: 0.0.0.0:7401\nhttp-token-file: /etc/token",
	} {
		if _, err := Parse("node.yaml", []byte("name: a\n"+text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestReadToken(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	write := func(text string, mode os.FileMode) {
		if err := os.WriteFile(file, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		os.Chmod(file, mode)
	}
	write("0123456789abcdef\n", 0o640)
	if token, err := ReadToken(file); err != nil || token != "0123456789abcdef" {
		t.Error(token, err)
	}
	write("0123456789abcdef\n", 0o644)
	if _, err := ReadToken(file); err == nil || !strings.Contains(err.Error(), "with permissions 0644") {
		t.Error(err)
	}
	for _, text := range []string{"", "0123456789abcde", "0123456789 abcdef", "0123456789abcdef\nand more"} {
		write(text, 0o600)
		if _, err := ReadToken(file); err == nil || strings.Contains(err.Error(), text+"x") {
			t.Error(text, err)
		}
	}
}

// secured starts an agent whose endpoint is as configured, and gives a way to ask it.
func secured(t *testing.T, change func(*Config)) (a *Agent, ask func(e Endpoint, path string) (int, string)) {
	t.Helper()
	a = alone(t, change)
	left := make(chan error, 1)
	go func() { left <- a.Run(context.Background()) }()
	t.Cleanup(func() { a.Kill(); <-left })
	return a, func(e Endpoint, path string) (int, string) {
		t.Helper()
		e.Addr = strings.Replace(a.HTTPAddr(), "[::]", "127.0.0.1", 1)
		if e.CA != nil {
			e.Addr = "https://" + e.Addr
		}
		answer, err := e.Get(t.Context(), path)
		if err != nil {
			return 0, err.Error()
		}
		defer answer.Body.Close()
		text, _ := io.ReadAll(answer.Body)
		return answer.StatusCode, string(text)
	}
}

func TestToken(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("correct-horse-battery"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, ask := secured(t, func(c *Config) { c.HTTP, c.HTTPToken = ":0", file })
	for token, want := range map[string]int{"": 401, "wrong": 401, "correct-horse-battery": 200} {
		for _, path := range []string{"/v1/status", "/v1/leader", "/metrics"} {
			if code, body := ask(Endpoint{Token: token}, path); code != want {
				t.Errorf("%s with token %q: %d %s", path, token, code, body)
			}
		}
	}
	await(t, "probes need no token", func() bool { code, _ := ask(Endpoint{}, "/readyz"); return code == 200 })
}

// The page needs no token, for it holds nothing: what it asks for does.
func TestPageWithoutToken(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("correct-horse-battery"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, ask := secured(t, func(c *Config) {
		c.HTTP, c.HTTPToken = ":0", file
		c.Page = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "a page") })
	})
	for path, want := range map[string]int{"/": 200, "/page/": 200, "/page/app.js": 200, "/page": 401,
		"/v1/status": 401, "/page/../v1/status": 401} {
		code, body := ask(Endpoint{}, path)
		if code != want || code == 200 && body != "a page" {
			t.Errorf("%s: %d %s, want %d", path, code, body, want)
		}
	}
}

// A page that a browser has from elsewhere, and whose name now leads to this host, is refused: the browser says the
// name.
func TestRebinding(t *testing.T) {
	a, _ := secured(t, func(c *Config) { c.HTTP = "127.0.0.1:0" })
	for host, want := range map[string]int{"evil.example": 403, "evil.example:7401": 403, "localhost:1": 200,
		"[::1]:7": 200, "127.0.0.1": 200} {
		r, err := http.NewRequest("GET", "http://"+a.HTTPAddr()+"/v1/status", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		r.Close = true
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%s: %d, want %d", host, answer.StatusCode, want)
		}
	}
}

// A socket that a former life has left is replaced; one that is answered at, and other files, are not.
func TestUnixEndpoint(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	left, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	if err != nil {
		t.Fatal(err)
	}
	left.SetUnlinkOnClose(false)
	left.Close()
	_, ask := secured(t, func(c *Config) { c.HTTP = "unix:" + path })
	if code, body := ask(Endpoint{}, "/v1/status"); code != 200 || !strings.Contains(body, `"http": "unix:`+path) {
		t.Error(code, body)
	}
	if _, err := listenUnix(path); err == nil || !strings.Contains(err.Error(), "no other process answers") {
		t.Error(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := listenUnix(file); err == nil {
		t.Error("a file was replaced")
	}
}

func TestTLS(t *testing.T) {
	dir := t.TempDir()
	key, err := ecdsa.GenerateKey(elliptic.P256(), crand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "a"}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	cert, err := x509.CreateCertificate(crand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert})
	os.WriteFile(dir+"/cert", ca, 0o600)
	os.WriteFile(dir+"/key", pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), 0o600)
	a, ask := secured(t, func(c *Config) { c.HTTP, c.HTTPCert, c.HTTPKey = "127.0.0.1:0", dir+"/cert", dir+"/key" })
	if code, body := ask(Endpoint{CA: ca}, "/v1/status"); code != 200 {
		t.Error(code, body)
	}
	if answer, err := (&Endpoint{Addr: "https://" + a.HTTPAddr()}).Get(t.Context(), "/v1/status"); err == nil {
		answer.Body.Close()
		t.Error("a certificate that nobody trusts is taken")
	}
	if _, err := (&Endpoint{Addr: a.HTTPAddr(), CA: []byte("none")}).Get(t.Context(), "/"); err == nil {
		t.Error("no certificate is taken for one")
	}
}
