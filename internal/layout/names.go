package layout

import (
	"path/filepath"
	"slices"
)

// Endings are those of the names of files into which pictures are written: they say the format.
var Endings = []string{".svg", ".png", ".pdf"}

// Allowed says what the name of such a file has to be.
const Allowed = "a file name that ends in .svg, .png or .pdf"

// Is tells a file for a picture from others.
func Is(name string) bool { return slices.Contains(Endings, filepath.Ext(name)) }
