package expr

import (
	"bytes"
	"slices"
	"strings"
)

// templateKeys are the fields of a date template; the first that matches wins, so longer ones come first.
var templateKeys = []string{
	"A.D.", "A.M.", "AD", "AM", "B.C.", "BC", "CC", "DAY", "DDD", "DD", "DY", "Day", "Dy", "D", "FF1", "FF2", "FF3", "FF4", "FF5", "FF6",
	"FX", "HH24", "HH12", "HH", "IDDD", "ID", "IW", "IYYY", "IYY", "IY", "I", "J", "MI", "MM", "MONTH", "MON", "MS", "Month", "Mon",
	"OF", "P.M.", "PM", "Q", "RM", "SSSSS", "SSSS", "SS", "TZH", "TZM", "TZ", "US", "WW", "W", "Y,YYY", "YYYY", "YYY", "YY", "Y",
	"a.d.", "a.m.", "ad", "am", "b.c.", "bc", "cc", "day", "ddd", "dd", "dy", "d", "ff1", "ff2", "ff3", "ff4", "ff5", "ff6", "fx",
	"hh24", "hh12", "hh", "iddd", "id", "iw", "iyyy", "iyy", "iy", "i", "j", "mi", "mm", "month", "mon", "ms", "of", "p.m.", "pm", "q",
	"rm", "sssss", "ssss", "ss", "tzh", "tzm", "tz", "us", "ww", "w", "y,yyy", "yyyy", "yyy", "yy", "y",
}

// textKeys are those whose case says how the value is written.
const textKeys = " A.D. A.M. AD AM B.C. BC DAY DY MON MONTH P.M. PM RM TZ "

// templateNode is one part of a date template: a field, or text to be copied.
type templateNode struct {
	key     string // in upper case, as the table has it for text fields ("Month"); "" for text
	text    string // one character of text
	quoted  bool   // the text was in quotes or escaped
	fill    bool   // FM: without padding
	ordinal string // "TH" or "th" behind the field
}

// isDigits reports whether the field is written in digits.
func (n *templateNode) isDigits() bool {
	return !strings.Contains(textKeys, " "+strings.ToUpper(n.key)+" ") && n.key != "OF" && n.key != "TZH" && n.key != "FX" && n.key != "RM"
}

// isSeparator reports whether the node is text that stands for any separator of the input.
func (n *templateNode) isSeparator() bool {
	return n.key == "" && !n.quoted && len(n.text) == 1 && isSeparator(n.text[0])
}

// isSeparator reports whether c is punctuation or a blank: what may stand between two fields.
func isSeparator(c byte) bool {
	word := c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
	return c > 0x1f && c < 0x7f && !word
}

// template is a date template taken apart.
type template struct {
	text  string
	nodes []templateNode
	fixed bool // FX: separators and blanks must match one to one
}

// templateCache keeps the last template; it is nearly always one constant.
type templateCache struct{ last *template }

func (c *templateCache) get(text []byte) *template {
	if c.last == nil || c.last.text != string(text) {
		c.last = parseTemplate(string(text))
	}
	return c.last
}

func parseTemplate(text string) *template {
	t := &template{text: text}
	for i := 0; i < len(text); {
		fill := false
		start := i
		for {
			modifier := text[i:min(len(text), i+2)]
			if len(text) <= i+2 || !slices.Contains([]string{"FM", "fm", "TM", "tm"}, modifier) {
				break
			}
			fill = fill || modifier == "FM" || modifier == "fm"
			i += 2
		}
		if key := matchKey(text[i:]); key != "" {
			i += len(key)
			n := templateNode{key: canonicalKey(key), fill: fill}
			if th := text[i:min(len(text), i+2)]; th == "TH" || th == "th" {
				n.ordinal = th
				i += 2
			}
			if n.key == "FX" {
				t.fixed = true
				continue
			}
			t.nodes = append(t.nodes, n)
			continue
		}
		if i > start {
			continue // a modifier alone is dropped
		}
		i = t.literal(i)
	}
	return t
}

// literal adds the text at i and returns what follows it.
func (t *template) literal(i int) int {
	s := t.text
	switch {
	case s[i] == '"':
		i++
		for i < len(s) && s[i] != '"' {
			if s[i] == '\\' && i+1 < len(s) {
				i++
			}
			i = t.addText(i, true)
		}
		return i + 1
	case s[i] == '\\' && i+1 < len(s) && s[i+1] == '"':
		return t.addText(i+1, true)
	}
	return t.addText(i, false)
}

func (t *template) addText(i int, quoted bool) int {
	size := byteOfChar([]byte(t.text[i:min(len(t.text), i+4)]), 1)
	t.nodes = append(t.nodes, templateNode{text: t.text[i : i+size], quoted: quoted})
	return i + size
}

func matchKey(s string) string {
	for _, k := range templateKeys {
		if strings.HasPrefix(s, k) {
			return k
		}
	}
	return ""
}

// canonicalKey keeps the case of fields where it matters.
func canonicalKey(key string) string {
	if strings.Contains(textKeys, " "+strings.ToUpper(key)+" ") {
		return key
	}
	return strings.ToUpper(key)
}

// nextIsDigits reports whether the node behind i is read as digits, so that field i must have its exact length.
func (t *template) nextIsDigits(i int) bool {
	if t.nodes[i].ordinal != "" || i+1 == len(t.nodes) {
		return false
	}
	n := &t.nodes[i+1]
	if n.key != "" {
		return n.isDigits()
	}
	return len(n.text) == 1 && n.text[0] >= '0' && n.text[0] <= '9'
}

var (
	monthNames = []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
	dayNames   = []string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}
	romans     = []string{"I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"}
)

// inCase writes name in the case of the key: MONTH, Month or month.
func inCase(name, key string) string {
	switch {
	case key == strings.ToUpper(key):
		return strings.ToUpper(name)
	case key == strings.ToLower(key):
		return strings.ToLower(name)
	}
	return name
}

// ordinalSuffix is st, nd, rd or th of a number written in digits.
func ordinalSuffix(digits []byte, key string) string {
	suffix := "th"
	digits = bytes.TrimSpace(digits)
	if n := len(digits); n > 0 && (n < 2 || digits[n-2] != '1') {
		switch digits[n-1] {
		case '1':
			suffix = "st"
		case '2':
			suffix = "nd"
		case '3':
			suffix = "rd"
		}
	}
	return inCase(suffix, key)
}
