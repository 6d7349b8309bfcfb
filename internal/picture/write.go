package picture

import (
	"image/color"
	"io"
	"path/filepath"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"
	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/layout"
)

const dpi = 160

// A PDF has no date and no order of its own, so that the same picture is the same file.
func init() {
	fpdf.SetDefaultCreationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultModificationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultCatalogSort(true)
}

// page is a PDF on which letters are drawn as outlines, so that it has those of every name, bold ones, too: the library
// gives a font only the letters of Windows-1252, and its bold style to none.
type page struct{ *vgpdf.Canvas }

func (p page) FillString(face font.Face, at vg.Point, text string) {
	var path vg.Path
	var b sfnt.Buffer
	f := face.Face
	em := fixed.Int26_6(f.UnitsPerEm()) << 6
	scale := func(x fixed.Int26_6) vg.Length { return face.Font.Size * vg.Length(x) / vg.Length(em) }
	var before sfnt.GlyphIndex
	for i, r := range text {
		glyph, _ := f.GlyphIndex(&b, r) // 0, a box, for a letter that the font does not have
		if i > 0 {
			kern, _ := f.Kern(&b, before, glyph, em, xfont.HintingNone) // 0 if it knows of none
			at.X += scale(kern)
		}
		segments, err := f.LoadGlyph(&b, glyph, em, nil)
		if err != nil {
			continue
		}
		for _, s := range segments {
			to := func(k int) vg.Point { return vg.Point{X: at.X + scale(s.Args[k].X), Y: at.Y - scale(s.Args[k].Y)} }
			switch s.Op {
			case sfnt.SegmentOpMoveTo:
				path.Move(to(0))
			case sfnt.SegmentOpLineTo:
				path.Line(to(0))
			case sfnt.SegmentOpQuadTo:
				path.QuadTo(to(0), to(1))
			case sfnt.SegmentOpCubeTo:
				path.CubeTo(to(0), to(1), to(2))
			}
		}
		width, _ := f.GlyphAdvance(&b, glyph, em, xfont.HintingNone)
		at.X += scale(width)
		before = glyph
	}
	p.Fill(path)
}

// SetColor gives the library a colour as it is before it has been multiplied by its opacity, which the library does.
func (p page) SetColor(c color.Color) {
	p.Canvas.SetColor(pure{color.NRGBAModel.Convert(c).(color.NRGBA)})
}

type pure struct{ color.NRGBA }

func (c pure) RGBA() (r, g, b, a uint32) {
	return uint32(c.R) * 0x101, uint32(c.G) * 0x101, uint32(c.B) * 0x101, uint32(c.A) * 0x101
}

// write draws in the format that the ending of the file's name says, on standard output, "-", as SVG.
func write(w io.Writer, name string, width, height vg.Length, draw func(vg.CanvasSizer)) error {
	var c interface {
		vg.CanvasSizer
		io.WriterTo
	}
	switch ending := filepath.Ext(name); {
	case ending == ".svg", name == "-":
		c = vgsvg.New(width, height)
	case ending == ".png":
		c = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi))}
	case ending == ".pdf":
		c = page{vgpdf.New(width, height)}
	default:
		return &caucus.FieldError{Field: "picture", Found: name, Allowed: layout.Allowed}
	}
	draw(c)
	_, err := c.WriteTo(w)
	return err
}

// written is a line of words above or below a picture.
type written struct {
	style text.Style
	words string
	y     vg.Length // below the upper edge
}

// heading breaks lines where they are too wide, the first from the top at a distance, and tells how much more height
// they take for that.
func heading(width, top vg.Length, lines ...written) (list []written, more vg.Length) {
	y := top
	for k, l := range lines {
		if k > 0 {
			y += 6 + l.style.Font.Size
		}
		for n, words := range broken(l.style, caucus.Shown(l.words), width) {
			if n > 0 {
				y += 1.25 * l.style.Font.Size
				more += 1.25 * l.style.Font.Size
			}
			list = append(list, written{l.style, words, y})
		}
	}
	return list, more
}

// put writes lines below a height.
func put(c draw.Canvas, lines []written, from vg.Length) {
	for _, l := range lines {
		c.FillText(l.style, vg.Point{X: margin, Y: from - l.y}, l.words)
	}
}

// broken are words in lines that are no wider than they may be, unless a word is.
func broken(s text.Style, words string, width vg.Length) (lines []string) {
	line := ""
	for _, word := range strings.Split(words, " ") {
		if longer := line + " " + word; line == "" {
			line = word
		} else if s.Width(longer) <= width {
			line = longer
		} else {
			lines, line = append(lines, shorten(s, line, width)), word
		}
	}
	return append(lines, shorten(s, line, width))
}
