package loopback

import "testing"

func TestIs(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "LocalHost:80": true, "127.0.0.1": true, "127.8.8.8:1": true, "[::1]:80": true, "::1": true,
		"[::1]": true, "": false, ":80": false, "0.0.0.0:80": false, "10.0.0.1:80": false, "[::]:80": false,
		"localhost.example": false, "127.0.0.1.example:80": false, "::ffff:10.0.0.1": false,
	} {
		if Is(host) != want {
			t.Errorf("%q: %v", host, !want)
		}
	}
}
