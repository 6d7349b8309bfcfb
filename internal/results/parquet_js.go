package results

import (
	"errors"
	"io"
	"os"
)

// A page has no files, and the library for those of Parquet would make it half as large again.
var errNoParquet = errors.New("found a table in Parquet, allowed: none in a page")

// Parquet refuses.
func (*Table) Parquet(io.Writer) error { return errNoParquet }

// ReadFile refuses.
func ReadFile(*os.File) (*Table, error) { return nil, errNoParquet }

// Reader reads nothing.
type Reader struct {
	Columns []Column
	Meta    []Pair
}

// OpenParquet refuses.
func OpenParquet(io.ReaderAt, int64) (*Reader, error) { return nil, errNoParquet }

// Next refuses.
func (*Reader) Next() ([]any, error) { return nil, errNoParquet }

// Close does nothing.
func (*Reader) Close() error { return nil }

// Parquet is a table that is not written.
type Parquet struct{}

// NewParquet gives one.
func NewParquet(io.Writer, []Column, []Pair) *Parquet { return &Parquet{} }

// Add forgets a row.
func (*Parquet) Add(...any) {}

// Err refuses.
func (*Parquet) Err() error { return errNoParquet }

// Close refuses.
func (*Parquet) Close() error { return errNoParquet }
