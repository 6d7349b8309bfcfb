package crew

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"

	"caucus.example/caucus/internal/results"
)

// answer is what became of a job.
type answer struct {
	Rows  results.Rows `json:"rows,omitempty"`
	Error string       `json:"error,omitempty"`
}

// short is how many bytes of JSON are sent as they are; more are packed by gzip.
const short = 4096

func (a answer) pack() ([]byte, error) {
	text, err := json.Marshal(a)
	if err != nil || len(text) <= short {
		return text, err
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err = z.Write(text)
	if end := z.Close(); err == nil {
		err = end
	}
	return b.Bytes(), err
}

// mostUnpacked keeps a packed answer from filling the memory.
const mostUnpacked = 1 << 30

func unpack(data []byte) (a answer, err error) {
	if bytes.HasPrefix(data, []byte{'{'}) {
		return a, json.Unmarshal(data, &a)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err == nil {
		err = json.NewDecoder(io.LimitReader(z, mostUnpacked)).Decode(&a)
	}
	return a, err
}
