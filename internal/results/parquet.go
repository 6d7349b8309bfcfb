//go:build !js

package results

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"

	"github.com/parquet-go/parquet-go"
)

// groupRows is how many rows a row group of a Parquet file has: never more or less than the rows say, so that the bytes
// do not depend on who has measured them.
const groupRows = 1 << 16

// Parquet writes the table with its types, and what its rows depend on into the footer.
func (t *Table) Parquet(out io.Writer) error {
	w := NewParquet(out, t.Columns, t.Meta)
	t.Rows(w.Add)
	return w.Close()
}

// Parquet is a table that is written row by row.
type Parquet struct {
	// an interface, since the writer's own type would be compiled again in every package that has a table
	w interface {
		parquet.RowWriter
		io.Closer
	}
	batch  []parquet.Row
	single []bool // by column
	err    error
}

// NewParquet begins a table.
func NewParquet(out io.Writer, columns []Column, meta []Pair) *Parquet {
	fields := make([]reflect.StructField, len(columns))
	for k, c := range columns {
		of := []struct {
			reflect.Type
			encoding string
		}{Text: {reflect.TypeFor[string](), ",dict"}, Whole: {reflect.TypeFor[int64](), ""},
			Real: {reflect.TypeFor[float64](), ""}, Single: {reflect.TypeFor[float32](), ""},
			Names: {reflect.TypeFor[string](), ",delta"}}[c.Kind]
		fields[k] = reflect.StructField{Name: fmt.Sprint("C", k), Type: of.Type,
			Tag: reflect.StructTag(fmt.Sprintf(`parquet:"%s,optional,zstd%s"`, c.Name, of.encoding))}
	}
	options := []parquet.WriterOption{parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface()),
		parquet.MaxRowsPerRowGroup(groupRows), parquet.CreatedBy("caucus", "", "")}
	for _, m := range meta {
		options = append(options, parquet.KeyValueMetadata(m.Name, m.Value))
	}
	p := &Parquet{w: parquet.NewGenericWriter[any](out, options...), batch: make([]parquet.Row, 0, 1024)}
	for _, c := range columns {
		p.single = append(p.single, c.Kind == Single)
	}
	return p
}

// Add appends a row of cells as [Table] has them.
func (p *Parquet) Add(cells ...any) {
	row := make(parquet.Row, len(cells))
	for k, c := range cells {
		if v, ok := value(c); ok && p.single[k] {
			row[k] = parquet.FloatValue(float32(v.Double())).Level(0, 1, k)
		} else if ok {
			row[k] = v.Level(0, 1, k)
		} else {
			row[k] = parquet.NullValue().Level(0, 0, k)
		}
	}
	if p.batch = append(p.batch, row); len(p.batch) == cap(p.batch) {
		p.flush()
	}
}

func (p *Parquet) flush() {
	if p.err == nil {
		_, p.err = p.w.WriteRows(p.batch)
	}
	p.batch = p.batch[:0]
}

// Err is the first error of writing.
func (p *Parquet) Err() error { return p.err }

// Close ends the table, which is none before.
func (p *Parquet) Close() error {
	if p.flush(); p.err != nil {
		return p.err
	}
	return p.w.Close()
}

// value is a cell of a Parquet file; ok is false for an empty one.
func value(c any) (v parquet.Value, ok bool) {
	switch x := c.(type) {
	case string:
		return parquet.ByteArrayValue([]byte(x)), true
	case int:
		return parquet.Int64Value(int64(x)), true
	case int64:
		return parquet.Int64Value(x), true
	case uint64:
		return parquet.Int64Value(int64(x)), true
	case float64:
		return parquet.DoubleValue(x), !math.IsNaN(x)
	}
	return v, false
}

// ReadFile reads a table from a file of Parquet.
func ReadFile(f *os.File) (*Table, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return ReadParquet(f, st.Size())
}

// ReadParquet reads a table that Parquet has written.
func ReadParquet(in io.ReaderAt, size int64) (*Table, error) {
	r, err := OpenParquet(in, size)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var list [][]any
	for {
		cells, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		list = append(list, cells)
	}
	return &Table{Columns: r.Columns, Meta: r.Meta, Rows: func(row func(...any)) {
		for _, cells := range list {
			row(cells...)
		}
	}}, nil
}

// Reader reads a table of Parquet row by row.
type Reader struct {
	Columns []Column
	Meta    []Pair
	rows    interface {
		parquet.RowReader
		io.Closer
	}
	batch []parquet.Row
	left  []parquet.Row // of the batch
	read  int           // rows until now
	err   error         // that comes after the batch
}

// undamaged makes an error of what the library's reader trips over in a damaged file.
func undamaged(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("the file is damaged: %v", r)
	}
}

// OpenParquet begins to read a table that Parquet has written.
func OpenParquet(in io.ReaderAt, size int64) (r *Reader, err error) {
	defer undamaged(&err)
	f, err := parquet.OpenFile(in, size)
	if err != nil {
		return nil, err
	}
	r = &Reader{batch: make([]parquet.Row, 512)}
	for _, field := range f.Schema().Fields() {
		if !field.Leaf() {
			return nil, fmt.Errorf(
				"found a column %q with columns of its own, allowed: texts and numbers",
				field.Name(),
			)
		}
		kind, ok := map[parquet.Kind]Kind{parquet.ByteArray: Text, parquet.Int64: Whole,
			parquet.Double: Real, parquet.Float: Single}[field.Type().Kind()]
		if !ok {
			return nil, fmt.Errorf("found a column %q of %s, allowed: texts and numbers", field.Name(), field.Type())
		}
		r.Columns = append(r.Columns, Column{field.Name(), kind})
	}
	for _, m := range f.Metadata().KeyValueMetadata {
		r.Meta = append(r.Meta, Pair{m.Key, m.Value})
	}
	r.rows = parquet.NewReader(f)
	return r, nil
}

// Next gives the cells of the next row, and io.EOF after the last.
func (r *Reader) Next() (cells []any, err error) {
	defer undamaged(&err)
	if len(r.left) == 0 && r.err == nil {
		var n int
		n, r.err = r.rows.ReadRows(r.batch)
		r.left = r.batch[:n]
	}
	if len(r.left) == 0 && errors.Is(r.err, io.EOF) {
		return nil, io.EOF
	} else if len(r.left) == 0 {
		return nil, fmt.Errorf("after row %d: %w", r.read, r.err)
	}
	cells = make([]any, len(r.Columns))
	for _, v := range r.left[0] {
		cells[v.Column()] = cellOf(v, r.Columns[v.Column()].Kind)
	}
	r.left = r.left[1:]
	r.read++
	return cells, nil
}

// Close ends the reading; the file stays open.
func (r *Reader) Close() error { return r.rows.Close() }

func cellOf(v parquet.Value, kind Kind) any {
	switch {
	case v.IsNull():
		return nil
	case kind == Text:
		return string(v.ByteArray())
	case kind == Whole:
		return v.Int64()
	case kind == Single:
		return float64(v.Float())
	}
	return v.Double()
}
