package agent

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/loopback"
)

// unixPrefix marks the path of a unix socket where an address may stand.
const unixPrefix = "unix:"

// checkHTTP refuses an endpoint that anybody in the network could read.
func (c *Config) checkHTTP() error {
	wrong := func(field, found, allowed string) error {
		return caucus.Wrong(field, found, allowed)
	}
	path, isUnix := strings.CutPrefix(c.HTTP, unixPrefix)
	switch {
	case (c.HTTPCert == "") != (c.HTTPKey == ""):
		return wrong("http-cert", c.HTTPCert, "a file, and one for http-key, or neither")
	case c.HTTP == Off:
		return nil
	case isUnix && (!filepath.IsAbs(path) || len(path) > 100):
		return wrong("http", c.HTTP, "unix: and an absolute path of at most 100 bytes")
	case isUnix && c.HTTPCert != "":
		return wrong("http-cert", c.HTTPCert, "none with a unix socket")
	case isUnix:
		return nil
	}
	if _, err := splitHostPort("http", c.HTTP, 0); err != nil {
		return err
	}
	if !loopback.Is(c.HTTP) && c.HTTPToken == "" {
		return wrong("http", c.HTTP, "an address of this host alone, such as "+DefaultHTTP+
			", or unix:PATH, or any with http-token-file")
	}
	return nil
}

// listen opens the endpoint that a configuration describes.
func (c *Config) listenHTTP() (net.Listener, error) {
	path, isUnix := strings.CutPrefix(c.HTTP, unixPrefix)
	if isUnix {
		return listenUnix(path)
	}
	listener, err := net.Listen("tcp", c.HTTP)
	if err != nil {
		return nil, &listenError{"http", c.HTTP, err}
	}
	if c.HTTPCert == "" {
		return listener, nil
	}
	pair, err := tls.LoadX509KeyPair(c.HTTPCert, c.HTTPKey)
	if err != nil {
		listener.Close()
		return nil, caucus.Wrong("http-cert", err.Error(), "a certificate and its key in PEM")
	}
	return tls.NewListener(listener, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}),
		nil
}

// listenUnix replaces a socket that a former life has left, and no other file.
func listenUnix(path string) (net.Listener, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSocket != 0 {
		if conn, err := net.DialTimeout("unix", path, time.Second); err == nil {
			conn.Close()
			return nil, caucus.Wrong("http", unixPrefix+path, "a socket that no other process answers at")
		}
		if err := os.Remove(path); err != nil {
			return nil, &listenError{"http", unixPrefix + path, err}
		}
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, &listenError{"http", unixPrefix + path, err}
	}
	return listener, os.Chmod(path, 0o660) // its folder says who else may come
}

// minToken is the least length of a token in bytes: 128 bits in hexadecimal digits take twice as many.
const minToken = 16

// ReadToken reads a file that holds a token for HTTP and nothing else. Nobody but its owner and its group may read it.
func ReadToken(file string) (string, error) {
	data, err := readSecret("http-token-file", file)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(data))
	if len(token) < minToken || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", caucus.Wrong("http-token-file", fmt.Sprintf("a token of %d bytes in %s", len(token), file),
			fmt.Sprintf("at least %d printable characters of ASCII without blanks", minToken))
	}
	return token, nil
}

// Endpoint is where an agent answers, for who asks.
type Endpoint struct {
	Addr  string // "host:port", "https://host:port" or "unix:PATH"
	Token string // "" for none
	CA    []byte // certificates in PEM to be trusted instead of the system's; nil for those
}

// Get asks for a path. The answer may have any status.
func (e *Endpoint) Get(ctx context.Context, path string) (*http.Response, error) {
	return e.do(ctx, http.MethodGet, path, nil)
}

// Post asks for something to be done.
func (e *Endpoint) Post(ctx context.Context, path string) (*http.Response, error) {
	return e.do(ctx, http.MethodPost, path, nil)
}

// Send is Post with something that it takes to do it.
func (e *Endpoint) Send(ctx context.Context, path string, body io.Reader) (*http.Response, error) {
	return e.do(ctx, http.MethodPost, path, body)
}

func (e *Endpoint) do(ctx context.Context, method, path string, body io.Reader) (*http.Response, error) {
	transport := &http.Transport{DisableKeepAlives: true}
	base := "http://" + e.Addr
	if socket, isUnix := strings.CutPrefix(e.Addr, unixPrefix); isUnix {
		base = "http://localhost"
		transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", socket)
		}
	} else {
		host, isTLS := strings.CutPrefix(e.Addr, "https://")
		if _, err := splitHostPort("addr", host, 1); err != nil {
			return nil, caucus.Wrong("addr", e.Addr, "host:port, https://host:port or unix:PATH, such as "+DefaultHTTP)
		}
		if isTLS {
			base = e.Addr
		}
	}
	if e.CA != nil {
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(e.CA) {
			return nil, errors.New("no certificate in PEM to trust")
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	}
	r, err := http.NewRequestWithContext(ctx, method, base+path, body)
	if err != nil {
		return nil, caucus.Wrong("addr", e.Addr, "host:port, https://host:port or unix:PATH")
	}
	if e.Token != "" {
		r.Header.Set("Authorization", "Bearer "+e.Token)
	}
	return (&http.Client{Transport: transport}).Do(r)
}
