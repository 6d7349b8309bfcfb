package format

import "caucus.example/caucus"

// kinds in the order in which they are listed to users and looked for in a file.
var kinds = []*kind{
	&kindGraphML,
	&kindGML,
	&kindGEXF,
	&kindDOT,
	&kindMatrix,
	&kindAdjacencyList,
	&kindPajek,
	&kindMETIS,
	&kindMatrixMarket,
	&kindGraph6,
	&kindSparse6,
	&kindDIMACS,
	&kindNetJSON,
	&kindBatmanVis,
	&kindOLSRJSON,
	&kindOLSRText,
	&kindBMX,
	&kindJGF,
	&kindCytoscape,
	&kindGluonNodes,
	&kindNodeLink,
	&kindContainerlab,
	&kindNED,
	&kindCAIDA,
	&kindRocketfuel,
	&kindSNDlib,
	&kindSNDlibXML,
	&kindOSPF,
	&kindLLDP,
	&kindIPRoute,
	&kindInet,
	&kindBRITE,
	&kindGTITM,
	&kindTOSSIM,
	&kindEdgeList,
}

func kindOf(f Format) (*kind, error) {
	for _, k := range kinds {
		if k.format == f {
			return k, nil
		}
	}
	return nil, caucus.NotAmong("format", string(f), namesOf(Formats()))
}

// Formats lists every format that can be read.
func Formats() []Format {
	var all []Format
	for _, k := range kinds {
		all = append(all, k.format)
	}
	return all
}

// Writable lists every format that can be written.
func Writable() []Format {
	var all []Format
	for _, k := range kinds {
		if k.write != nil {
			all = append(all, k.format)
		}
	}
	return all
}

// About describes a format in a few words and lists its file name extensions.
func About(f Format) (text string, extensions []string) {
	k, err := kindOf(f)
	if err != nil {
		return "", nil
	}
	return k.about, k.extensions
}

func namesOf(formats []Format) []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = string(f)
	}
	return names
}
