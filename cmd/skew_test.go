//go:build unix

package cmd

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// skewed answers as an agent does whose machine's clock is wrong, and whose last round may be longer ago.
func skewed(t *testing.T, addr string, by, stalled *atomic.Int64) string {
	stamp := regexp.MustCompile(`"(last_round": ?")?\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)"`)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, err := http.Get("http://" + addr + r.URL.Path)
		if err != nil {
			t.Error(err)
			return
		}
		defer answer.Body.Close()
		body, _ := io.ReadAll(answer.Body)
		w.Header().Set("Content-Type", answer.Header.Get("Content-Type"))
		w.WriteHeader(answer.StatusCode)
		w.Write(stamp.ReplaceAllFunc(body, func(found []byte) []byte {
			field, text := "", strings.Trim(string(found), `"`)
			move := time.Duration(by.Load())
			if i := strings.LastIndexByte(text, '"'); i >= 0 {
				field, text = string(found[:len(found)-len(text[i+1:])-1]), text[i+1:]
				move -= time.Duration(stalled.Load())
			} else {
				field = `"`
			}
			at, err := time.Parse(time.RFC3339Nano, text)
			if err != nil {
				t.Errorf("%s: %v", found, err)
			}
			if at.IsZero() {
				return found
			}
			return fmt.Appendf(nil, `%s%s"`, field, at.Add(move).Format(time.RFC3339Nano))
		}))
	}))
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

// Whether an agent is stale goes by its own clock, however far that is from the clock of who asks.
func TestClocksThatDiffer(t *testing.T) {
	_, _, _, addr := lonely(t)
	healthy(t, addr)
	var by, stalled atomic.Int64
	there := skewed(t, addr, &by, &stalled)
	for _, skew := range []time.Duration{0, 3 * time.Second, -3 * time.Second, 10 * time.Hour, -10 * time.Hour} {
		by.Store(int64(skew))
		for stall, want := range map[time.Duration]string{0: "stale=false", 10 * time.Second: "stale=true"} {
			stalled.Store(int64(stall))
			var text, errs, says string
			right := func() bool {
				_, text, errs = caucusRun(t, "status", "--addr", there)
				_, says, _ = caucusRun(t, "doctor", "--addr", there)
				return strings.Contains(text, want) && strings.Contains(text, "STALE") == (stall > 0) &&
					strings.Contains(says, "last round is") == (stall > 0)
			}
			end := time.Now().Add(10 * time.Second) // a busy machine makes an agent stale for a moment
			ok := right()
			for ; !ok && time.Now().Before(end); ok = right() {
				time.Sleep(20 * time.Millisecond)
			}
			if !ok {
				t.Errorf("clocks %v apart, last round %v late: want %s\n%s%sdoctor says\n%s", skew, stall, want, text,
					errs, says)
			}
		}
	}
}
