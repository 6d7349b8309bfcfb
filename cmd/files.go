package cmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/jobs"
)

// checkOutput refuses to overwrite a file, unless forced to, and finds out before a long
// run whether its folder is there.
func checkOutput(field, name string, force bool) error {
	if name == "" || name == "-" {
		return nil
	}
	if _, err := os.Stat(filepath.Dir(name)); err != nil {
		return misuse(fmt.Errorf("%s: %w", field, err))
	}
	st, err := os.Stat(name)
	switch {
	case err == nil && st.IsDir():
		return misuse(&caucus.FieldError{Field: field, Found: name, Allowed: "a file, not a folder"})
	case err == nil && !st.Mode().IsRegular():
		return misuse(&caucus.FieldError{Field: field, Found: name,
			Allowed: "a regular file: results are written beside it and renamed"})
	case err == nil && !force:
		return misuse(&caucus.FieldError{Field: field, Found: name,
			Allowed: "a file that does not exist yet, or --force to replace it"})
	}
	return nil
}

// outlets says which output has a file name, of which "-" is standard output.
type outlets map[string]string

// take refuses a name that another output has; without a name there is no output.
func (o outlets) take(field, name string) error {
	if name == "" {
		return nil
	}
	if other, ok := o[name]; ok {
		return &caucus.FieldError{Field: field, Found: name, Allowed: "another file than " + other}
	}
	o[name] = field
	return nil
}

// writeOutput writes a file, or to standard output for "-", and says on stderr what it wrote.
func writeOutput(stdout, logs io.Writer, name string, write func(io.Writer) error) error {
	if name == "-" {
		return failed(write(stdout))
	}
	if err := writeFile(name, write); err != nil {
		return err
	}
	fmt.Fprintln(logs, "wrote", name)
	return nil
}

// writeFile writes a file as a whole or not at all: under a temporary name beside it, renamed
// when complete.
func writeFile(name string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*"+jobs.Unfinished)
	if err != nil {
		return aboutFile(name, err)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
			err = aboutFile(name, err)
		}
	}()
	unfinished.Store(f.Name(), true)
	defer unfinished.Delete(f.Name())
	w := bufio.NewWriter(f)
	if err = write(w); err != nil {
		return err
	}
	if err = w.Flush(); err != nil {
		return err
	}
	if err = f.Chmod(0o644); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// unfinished are the temporary files that are being written.
var unfinished sync.Map

// removeUnfinished takes away what a phase that is left behind had begun to write.
func removeUnfinished() {
	unfinished.Range(func(name, _ any) bool {
		os.Remove(name.(string))
		return true
	})
}

// untilDone is a writer that refuses more when ctx ends, so that a long file is given up and its beginning removed.
func untilDone(ctx context.Context, w io.Writer) io.Writer { return &endingWriter{ctx, w} }

type endingWriter struct {
	ctx context.Context
	io.Writer
}

func (e *endingWriter) Write(b []byte) (int, error) {
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	return e.Writer.Write(b)
}

// aboutFile gives an error the name that the user knows instead of the temporary one.
func aboutFile(name string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return failed(fmt.Errorf("cannot write %s: %w", name, err))
}
