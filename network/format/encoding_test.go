package format

import (
	"strings"
	"testing"
)

// An XML declaration names the encoding; 0xdf is the sharp s in the two, 0x80 the euro sign in the second only, and
// 0xd1 a Cyrillic letter in KOI8-R.
func TestXMLEncodings(t *testing.T) {
	for _, c := range []struct{ encoding, bytes, want string }{
		{"ISO-8859-1", "Gro\xdf", "Groß"}, {"latin1", "Gro\xdf", "Groß"}, {"windows-1252", "5\x80 Gro\xdf", "5€ Groß"},
		{"cp1252", "5\x80", "5€"}, {"KOI8-R", "\xd1", "я"}, {"iso_8859-15", "\xa4", "€"}, {"UTF-8", "ß", "ß"},
	} {
		text, _, err := decode([]byte(`<?xml version="1.0" encoding="` + c.encoding + `"?>` + c.bytes))
		if err != nil || !strings.HasSuffix(text, "?>"+c.want) {
			t.Errorf("%s: %q, %v, want %q", c.encoding, text, err, c.want)
		}
	}
	_, _, err := decode([]byte(`<?xml version="1.0" encoding="Shift_JIS"?>` + "\x83\x41"))
	if err == nil || !strings.Contains(err.Error(), `found "Shift_JIS" in the XML declaration, allowed: UTF-8, UTF-16`) {
		t.Errorf("error %v", err)
	}
}
