package format

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// dotToken is an ID or a piece of punctuation of DOT; the zero kind is the end.
type dotToken struct {
	kind dotKind
	text string
	line int
}

type dotKind byte

// Kinds of tokens. A bare ID may be a keyword; a quoted one never is.
const (
	dotEnd    dotKind = iota
	dotBare           // name or number
	dotQuoted         // "…" or <…>
	dotMark           // { } [ ] ; , : = -- ->
)

func (t dotToken) is(mark string) bool { return t.kind == dotMark && t.text == mark }
func (t dotToken) id() bool            { return t.kind == dotBare || t.kind == dotQuoted }

// keyword reports whether t is a keyword, which DOT writes in any case.
func (t dotToken) keyword(word string) bool {
	return t.kind == dotBare && strings.EqualFold(t.text, word)
}

func (t dotToken) String() string {
	if t.kind == dotEnd {
		return "the end of the file"
	}
	return `"` + t.text + `"`
}

// dotLexer splits DOT into tokens.
type dotLexer struct {
	d    *draft
	text string
	pos  int
	line int
}

func (l *dotLexer) next() (dotToken, error) {
	if err := l.blanks(); err != nil {
		return dotToken{}, err
	}
	rest := l.text[l.pos:]
	if rest == "" {
		return dotToken{line: l.line}, nil
	}
	switch {
	case rest[0] == '"':
		return l.strings()
	case rest[0] == '<':
		return l.html()
	case strings.HasPrefix(rest, "--"), strings.HasPrefix(rest, "->"):
		l.pos += 2
		return dotToken{dotMark, rest[:2], l.line}, nil
	case strings.IndexByte("{}[];,:=", rest[0]) >= 0:
		l.pos++
		return dotToken{dotMark, rest[:1], l.line}, nil
	}
	return l.bare(rest)
}

// blanks skips white space, comments and preprocessor lines.
func (l *dotLexer) blanks() error {
	for l.pos < len(l.text) {
		rest := l.text[l.pos:]
		switch {
		case rest[0] == '\n':
			l.line++
			l.pos++
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r' || rest[0] == '\f':
			l.pos++
		case strings.HasPrefix(rest, "//"), rest[0] == '#' && (l.pos == 0 || l.text[l.pos-1] == '\n'):
			l.skip(len(rest), strings.IndexByte(rest, '\n'))
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return l.d.errorf(l.line, "a comment is not closed")
			}
			l.line += strings.Count(rest[:end+4], "\n")
			l.pos += end + 4
		default:
			return nil
		}
	}
	return nil
}

func (l *dotLexer) skip(all, to int) {
	if to < 0 {
		to = all
	}
	l.pos += to
}

// bare reads a name or a number.
func (l *dotLexer) bare(rest string) (dotToken, error) {
	end := 0
	if number := rest[0] == '-' || rest[0] == '.' || rest[0] >= '0' && rest[0] <= '9'; number {
		end = numeral(rest)
	} else {
		for end < len(rest) {
			r, size := utf8.DecodeRuneInString(rest[end:])
			if r != '_' && r < 0x80 && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				break
			}
			end += size
		}
	}
	if end == 0 {
		r, _ := utf8.DecodeRuneInString(rest)
		return dotToken{}, l.d.errorf(l.line, "unexpected character %q", r)
	}
	l.pos += end
	return dotToken{dotBare, rest[:end], l.line}, nil
}

// numeral is the length of the number that s starts with, 0 for none.
func numeral(s string) int {
	k, digits, dot := 0, 0, false
	if s[0] == '-' {
		k = 1
	}
	for ; k < len(s); k++ {
		switch {
		case s[k] >= '0' && s[k] <= '9':
			digits++
		case s[k] == '.' && !dot:
			dot = true
		default:
			if digits == 0 {
				return 0
			}
			return k
		}
	}
	if digits == 0 {
		return 0
	}
	return k
}

// strings reads a quoted string and those that + adds to it. A backslash before a quote,
// a backslash or the end of a line is dropped; others stay.
func (l *dotLexer) strings() (dotToken, error) {
	t := dotToken{kind: dotQuoted, line: l.line}
	var b strings.Builder
	for {
		if err := l.quoted(&b); err != nil {
			return t, err
		}
		pos, line := l.pos, l.line
		if err := l.blanks(); err != nil {
			return t, err
		}
		if !strings.HasPrefix(l.text[l.pos:], "+") {
			l.pos, l.line = pos, line
			t.text = b.String()
			return t, nil
		}
		l.pos++
		if err := l.blanks(); err != nil {
			return t, err
		}
		if !strings.HasPrefix(l.text[l.pos:], `"`) {
			return t, l.d.errorf(l.line, "+ joins quoted strings only")
		}
	}
}

func (l *dotLexer) quoted(b *strings.Builder) error {
	from := l.line
	for l.pos++; l.pos < len(l.text); l.pos++ {
		c := l.text[l.pos]
		if c == '"' {
			l.pos++
			return nil
		}
		if c == '\\' && l.pos+1 < len(l.text) {
			switch e := l.text[l.pos+1]; e {
			case '"', '\\':
				b.WriteByte(e)
				l.pos++
				continue
			case '\n':
				l.line++
				l.pos++
				continue
			}
		}
		if c == '\n' {
			l.line++
		}
		b.WriteByte(c)
	}
	return l.d.errorf(from, "a string is not closed")
}

// html reads <…>, in which angle brackets nest.
func (l *dotLexer) html() (dotToken, error) {
	t := dotToken{kind: dotQuoted, line: l.line}
	depth := 0
	for k := l.pos; k < len(l.text); k++ {
		switch l.text[k] {
		case '\n':
			l.line++
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				t.text = l.text[l.pos : k+1]
				l.pos = k + 1
				return t, nil
			}
		}
	}
	return t, l.d.errorf(t.line, "an HTML string is not closed")
}
