package network

import (
	"embed"
	"strings"
)

//go:embed data/*.graphml
var builtin embed.FS

// builtinFiles are real backbones of the Internet Topology Zoo; source, licence
// and citation are in data/ATTRIBUTION.md.
var builtinFiles = []struct{ name, file string }{
	{"abilene", "Abilene.graphml"},
	{"cogentco", "Cogentco.graphml"},
	{"geant2012", "Geant2012.graphml"},
	{"renater2010", "Renater2010.graphml"},
	{"uscarrier", "UsCarrier.graphml"},
}

// Builtin gives the bytes of an embedded topology as its source published them, and
// the file's name, whose extension tells the format. Names are case-insensitive.
func Builtin(name string) (data []byte, fileName string, ok bool) {
	for _, b := range builtinFiles {
		if strings.EqualFold(name, b.name) {
			data, err := builtin.ReadFile("data/" + b.file)
			return data, b.file, err == nil
		}
	}
	return nil, "", false
}

// BuiltinNames lists the embedded topologies in alphabetical order.
func BuiltinNames() []string {
	names := make([]string, len(builtinFiles))
	for i, b := range builtinFiles {
		names[i] = b.name
	}
	return names
}
