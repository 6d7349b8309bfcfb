package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"caucus"
)

// checkOutput refuses to overwrite a file, unless forced to, and finds out before a long
// run whether its folder is there.
func checkOutput(field, name string, force bool) error {
	if name == "" {
		return nil
	}
	if _, err := os.Stat(filepath.Dir(name)); err != nil {
		return misuse(fmt.Errorf("%s: %w", field, err))
	}
	st, err := os.Stat(name)
	switch {
	case err == nil && st.IsDir():
		return misuse(&caucus.FieldError{Field: field, Found: name, Allowed: "a file, not a folder"})
	case err == nil && !force:
		return misuse(&caucus.FieldError{Field: field, Found: name, Allowed: "a file that does not exist yet, or --force to replace it"})
	}
	return nil
}

// writeFile writes a file as a whole or not at all: under a temporary name beside it, renamed
// when complete.
func writeFile(name string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
			err = fmt.Errorf("%s: %w", name, err)
		}
	}()
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
