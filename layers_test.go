package caucus_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// parsed is a file of the module.
type parsed struct {
	folder, file string
	test         bool
	tree         *ast.File
}

// parseModule reads every Go file of the module, without types: the laws of this file go by names.
func parseModule(t *testing.T) (all []parsed) {
	t.Helper()
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasPrefix(name, "tools/") {
			return err
		}
		tree, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		folder := path.Dir(name)
		if folder == "." {
			folder = ""
		}
		all = append(all, parsed{folder, path.Base(name), strings.HasSuffix(name, "_test.go"), tree})
		return err
	})
	if err != nil || len(all) < 100 {
		t.Fatalf("%d files, %v", len(all), err)
	}
	return all
}

// declared lists what a file declares at its top level, methods aside.
func declared(f *ast.File) (names []string) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					names = append(names, s.Name.Name)
				case *ast.ValueSpec:
					for _, n := range s.Names {
						names = append(names, n.Name)
					}
				}
			}
		}
	}
	return names
}

// idle is how many exported names a folder may have that nobody outside of it uses, be it a test: these numbers may
// only fall. Not among them are what only this module can import (internal), programs and examples, and algorithms,
// whose names are those of their papers.
var idle = map[string]int{
	"": 2, "agent": 10, "agent/act": 2, "check": 18, "fault": 3, "network": 19, "network/format": 17,
	"network/mobility": 9, "registry": 1, "sim": 4, "sim/engine": 2, "story": 2,
}

// What nobody outside uses is not exported. A name counts as used wherever a file of another folder, or a test that
// stands outside of the package, names it.
func TestExportedIsUsed(t *testing.T) {
	all := parseModule(t)
	used := map[string]bool{} // folder.Name
	for _, s := range all {
		imported := map[string]string{} // local name to folder
		for _, i := range s.tree.Imports {
			importPath, _ := strconv.Unquote(i.Path.Value)
			if importPath != module && !strings.HasPrefix(importPath, module+"/") {
				continue
			}
			local := path.Base(importPath)
			if i.Name != nil {
				local = i.Name.Name
			}
			imported[local] = inModule(importPath)
		}
		ast.Inspect(s.tree, func(n ast.Node) bool {
			if x, ok := n.(*ast.SelectorExpr); ok {
				if local, ok := x.X.(*ast.Ident); ok {
					if folder, ok := imported[local.Name]; ok {
						used[folder+"."+x.Sel.Name] = true
					}
				}
			}
			return true
		})
	}
	unused := map[string][]string{}
	for _, s := range all {
		if s.test || s.tree.Name.Name == "main" || strings.HasPrefix(s.folder, "algo/") ||
			strings.HasPrefix(s.folder, "examples/") || strings.Contains("/"+s.folder, "/internal/") {
			continue
		}
		for _, name := range declared(s.tree) {
			if ast.IsExported(name) && !used[s.folder+"."+name] {
				unused[s.folder] = append(unused[s.folder], name)
			}
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(unused)) {
		slices.Sort(unused[folder])
		if len(unused[folder]) > idle[folder] {
			t.Errorf("%q exports %d names that nobody outside uses, %d is the number that may only fall: %v",
				folder, len(unused[folder]), idle[folder], unused[folder])
		}
	}
}

// Inside a folder one can read the files in an order in which each uses what stands in those after it: at most a tenth
// of the arrows, from a file to one of which it uses something, runs backward in the order that is found.
func TestFilesHaveAnOrder(t *testing.T) {
	folders := map[string][]parsed{}
	for _, s := range parseModule(t) {
		if !s.test {
			folders[s.folder] = append(folders[s.folder], s)
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		arrows := arrowsOf(folders[folder])
		back, all := against(arrows), 0
		for _, to := range arrows {
			all += len(to)
		}
		if 10*back > all {
			t.Errorf("%q: %d of %d arrows run backward, a tenth may", folder, back, all)
		}
	}
}

// arrowsOf tells for each file of a folder of which others it uses something. What is local, a field or a method is no
// use of a name of the folder.
func arrowsOf(files []parsed) map[string]map[string]bool {
	home, arrows := map[string]string{}, map[string]map[string]bool{}
	for _, s := range files {
		for _, name := range declared(s.tree) {
			home[name] = s.file
		}
	}
	for _, s := range files {
		to, fields := map[string]bool{}, map[*ast.Ident]bool{}
		arrows[s.file] = to
		ast.Inspect(s.tree, func(n ast.Node) bool {
			if lit, ok := n.(*ast.CompositeLit); ok {
				for _, e := range lit.Elts {
					if pair, ok := e.(*ast.KeyValueExpr); ok {
						if key, ok := pair.Key.(*ast.Ident); ok {
							fields[key] = true
						}
					}
				}
			}
			return true
		})
		for _, id := range s.tree.Unresolved {
			if h := home[id.Name]; h != "" && h != s.file && !fields[id] {
				to[h] = true
			}
		}
	}
	return arrows
}

// against counts the arrows that run backward in an order of the files which no move of a single file makes better.
func against(arrows map[string]map[string]bool) int {
	order := slices.Sorted(maps.Keys(arrows))
	back := backward(order, arrows)
	for better := true; better; {
		better = false
		for i := range order {
			for j := range order {
				moved := slices.Delete(slices.Clone(order), i, i+1)
				moved = slices.Insert(moved, j, order[i])
				if n := backward(moved, arrows); n < back {
					order, back, better = moved, n, true
				}
			}
		}
	}
	return back
}

func backward(order []string, arrows map[string]map[string]bool) (back int) {
	place := map[string]int{}
	for i, file := range order {
		place[file] = i
	}
	for from, list := range arrows {
		for to := range list {
			if place[to] < place[from] {
				back++
			}
		}
	}
	return back
}
