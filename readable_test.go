package caucus_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestAlgorithmsComeFirst measures whether algorithms read as their papers do: logic first, and more of it than of
// what goes with it.
//
// Logic is what a handler reaches: the functions, types, constants and variables of an algorithm, and of the kit,
// that Boot, Round, Wake, Receive and Timer name, directly or through one another (by name: no types are checked, so
// a method counts if any method of its name is called). A declaration counts with its lines of code and with the
// comments inside it, but not with the comment above it, nor with blank lines. What is measured against is every line
// of algo/ that is not blank: Spec, Config, New, Outcome, Domain, Oracle, imports, and all comments.
//
// The first line of logic is that of the first of Round, Wake, Receive and Timer in the file that has Round or
// Receive.
func TestAlgorithmsComeFirst(t *testing.T) {
	tree := parseAlgorithms(t)
	tree.reachHandlers()
	var firsts []int
	logic, functions, all := 0, 0, 0
	for path, f := range tree.files {
		logic += f.logicLines(false)
		functions += f.logicLines(true)
		all += f.lines()
		if line := f.firstHandler(); line > 0 && !strings.HasPrefix(path, "algo/kit/") {
			firsts = append(firsts, line)
			if line > 100 {
				t.Errorf("%s: logic begins in line %d; Spec, options and long explanations belong after it or "+
					"into spec.go", path, line)
			}
		}
	}
	slices.Sort(firsts)
	if len(firsts) < 20 {
		t.Fatalf("%d algorithms found", len(firsts))
	}
	median, share := firsts[len(firsts)/2], float64(logic)/float64(all)
	t.Logf("first line of logic: median %d of %d files, from %d to %d", median, len(firsts), firsts[0],
		firsts[len(firsts)-1])
	t.Logf("logic: %d of %d lines, %.1f %%; functions alone %.1f %%", logic, all, 100*share,
		100*float64(functions)/float64(all))
	if median >= 45 {
		t.Errorf("the median algorithm begins in line %d, 44 at most", median)
	}
	if share <= 0.5 {
		t.Errorf("%.1f %% of algo/ is logic, more than half should be", 100*share)
	}
}

// algorithms is the source below algo/, tests and what only tests and studies use aside (orders of IDs that cost most).
type algorithms struct {
	set   *token.FileSet
	files map[string]*source
	decls map[string]map[string][]*declaration // by folder and name
}

type source struct {
	*ast.File
	set   *token.FileSet
	text  []string
	decls []*declaration
}

type declaration struct {
	folder  string
	imports map[string]string // folders of the module by the name they are imported under
	node    ast.Node          // a spec or a function
	method  bool
	handler bool
	reached bool
}

func parseAlgorithms(t *testing.T) *algorithms {
	a := &algorithms{token.NewFileSet(), map[string]*source{}, map[string]map[string][]*declaration{}}
	for _, pattern := range []string{"algo/*/*/*.go", "algo/*/*/*/*.go"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(filepath.Dir(path), "test") &&
				!strings.HasSuffix(filepath.Dir(path), "worst") {
				a.parse(t, path)
			}
		}
	}
	return a
}

func (a *algorithms) parse(t *testing.T, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(a.set, path, text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	f := &source{File: file, set: a.set, text: strings.Split(string(text), "\n")}
	a.files[path] = f
	folder, imports := filepath.ToSlash(filepath.Dir(path)), map[string]string{}
	for _, i := range file.Imports {
		if in := inModule(strings.Trim(i.Path.Value, `"`)); strings.HasPrefix(in, "algo/") {
			imports[filepath.Base(in)] = in
		}
	}
	if a.decls[folder] == nil {
		a.decls[folder] = map[string][]*declaration{}
	}
	add := func(name string, d *declaration) {
		d.folder, d.imports = folder, imports
		a.decls[folder][name] = append(a.decls[folder][name], d)
		f.decls = append(f.decls, d)
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			handler := d.Recv != nil && slices.Contains([]string{"Boot", "Round", "Wake", "Receive", "Timer"},
				d.Name.Name)
			add(d.Name.Name, &declaration{node: d, method: d.Recv != nil, handler: handler})
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					add(s.Name.Name, &declaration{node: s})
				case *ast.ValueSpec:
					for _, name := range s.Names {
						add(name.Name, &declaration{node: s})
					}
				}
			}
		}
	}
}

func (a *algorithms) reachHandlers() {
	for _, f := range a.files {
		for _, d := range f.decls {
			if d.handler {
				a.reach(d)
			}
		}
	}
}

func (a *algorithms) reach(d *declaration) {
	if d.reached {
		return
	}
	d.reached = true
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr: // of another folder; or a field or a method, perhaps of a type of the kit
			if x, ok := n.X.(*ast.Ident); ok && d.imports[x.Name] != "" {
				a.name(d.imports[x.Name], n.Sel.Name, false)
				return false
			}
			a.name(d.folder, n.Sel.Name, true)
			for _, folder := range d.imports {
				a.name(folder, n.Sel.Name, true)
			}
			ast.Inspect(n.X, visit)
			return false
		case *ast.KeyValueExpr: // of a struct, mostly: the key is a field
			ast.Inspect(n.Value, visit)
			return false
		case *ast.Ident:
			a.name(d.folder, n.Name, false)
		}
		return true
	}
	ast.Inspect(d.node, visit)
}

func (a *algorithms) name(folder, name string, method bool) {
	for _, e := range a.decls[folder][name] {
		if e.method == method {
			a.reach(e)
		}
	}
}

// lines counts those that are not blank.
func (f *source) lines() (n int) {
	for _, line := range f.text {
		if strings.TrimSpace(line) != "" {
			n++
		}
	}
	return n
}

// logicLines counts those of the declarations reached, or of the functions among them.
func (f *source) logicLines(onlyFunctions bool) (n int) {
	counted := map[int]bool{}
	for _, d := range f.decls {
		if _, ok := d.node.(*ast.FuncDecl); !d.reached || onlyFunctions && !ok {
			continue
		}
		first, last := d.node.Pos(), d.node.End()
		if fn, ok := d.node.(*ast.FuncDecl); ok {
			first = fn.Type.Pos()
		}
		for k := f.set.Position(first).Line; k <= f.set.Position(last).Line; k++ {
			if strings.TrimSpace(f.text[k-1]) != "" && !counted[k] {
				counted[k] = true
				n++
			}
		}
	}
	return n
}

// firstHandler gives the line in which the first handler begins; 0 where there is neither Round nor Receive.
func (f *source) firstHandler() (first int) {
	has := false
	for _, d := range f.decls {
		if fn, ok := d.node.(*ast.FuncDecl); ok && d.handler && fn.Name.Name != "Boot" {
			has = has || fn.Name.Name == "Round" || fn.Name.Name == "Receive"
			if line := f.set.Position(fn.Type.Pos()).Line; first == 0 || line < first {
				first = line
			}
		}
	}
	if !has {
		return 0
	}
	return first
}
