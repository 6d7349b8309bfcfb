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
