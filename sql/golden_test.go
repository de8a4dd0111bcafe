package sql

import (
	"fmt"
	"strings"
	"testing"

	"wmsql/sqlerr"

	"github.com/cockroachdb/datadriven"
)

// TestGolden runs testdata/parse and testdata/traps: a text and its canonical spelling, or its error
// with a caret. The verbs are
//
//	parse        statements
//	expr         one expression a line
//	type         one type name a line
//	tokens       what the scanner makes of the text
//	transcribe   what TiDB's parser is given
//	name         the column name of one expression a line
func TestGolden(t *testing.T) {
	for _, dir := range []string{"parse", "traps"} {
		datadriven.Walk(t, "../testdata/"+dir, func(t *testing.T, path string) {
			if !strings.HasSuffix(path, ".txt") {
				return
			}
			datadriven.RunTest(t, path, runGolden)
		})
	}
}

func runGolden(t *testing.T, d *datadriven.TestData) string {
	switch d.Cmd {
	case "parse":
		return showStatements(d.Input)
	case "expr":
		return eachLine(d.Input, func(line string) string {
			x, err := ParseExpr(line)
			if err != nil {
				return showError(line, err)
			}
			return Format(x)
		})
	case "name":
		return eachLine(d.Input, func(line string) string {
			x, err := ParseExpr(line)
			if err != nil {
				return showError(line, err)
			}
			return ColumnName(x)
		})
	case "type":
		return eachLine(d.Input, func(line string) string {
			typ, err := ParseType(line)
			if err != nil {
				return showError(line, err)
			}
			return FormatType(typ)
		})
	case "tokens":
		return eachLine(d.Input, showTokens)
	case "transcribe":
		return showTranscript(d.Input)
	}
	t.Fatalf("unknown verb %s", d.Cmd)
	return ""
}

func eachLine(input string, show func(string) string) string {
	var b strings.Builder
	for line := range strings.Lines(input) {
		b.WriteString(show(strings.TrimSuffix(line, "\n")))
		b.WriteByte('\n')
	}
	return b.String()
}

func showStatements(text string) string {
	all, err := Parse(text)
	if err != nil {
		return showError(text, err) + "\n"
	}
	var b strings.Builder
	for _, p := range all {
		b.WriteString(Format(p.Stmt))
		b.WriteByte('\n')
	}
	return b.String()
}

// showError returns an error as psql shows it.
func showError(text string, err error) string {
	e := sqlerr.From(err)
	s := fmt.Sprintf("ERROR %s: %s", e.Code, e.Msg)
	if e.Pos > 0 {
		before := text[:e.Pos-1]
		start := strings.LastIndexByte(before, '\n') + 1
		line, _, _ := strings.Cut(text[start:], "\n")
		s += "\n| " + line + "\n| " + strings.Repeat(" ", e.Pos-1-start) + "^"
	}
	if e.Detail != "" {
		s += "\nDETAIL: " + e.Detail
	}
	if e.Hint != "" {
		s += "\nHINT: " + e.Hint
	}
	return s
}

func showTokens(text string) string {
	kinds := map[tokenKind]string{tokWord: "word", tokIdent: "ident", tokString: "string", tokBits: "bits", tokInt: "int",
		tokNum: "num", tokParam: "param", tokOp: "op", tokPunct: "punct"}
	var out []string
	err := guard(func() {
		for _, tok := range lex(text) {
			if tok.kind != tokEOF {
				out = append(out, fmt.Sprintf("%s<%s>", kinds[tok.kind], tok.text))
			}
		}
	})
	if err != nil {
		return showError(text, err)
	}
	return strings.Join(out, " ")
}

func showTranscript(text string) string {
	var out string
	err := guard(func() {
		p := newTextParser(text)
		p.query()
		out = strings.Join(strings.Fields(string(p.out.text)), " ")
	})
	if err != nil {
		return showError(text, err) + "\n"
	}
	return out + "\n"
}
