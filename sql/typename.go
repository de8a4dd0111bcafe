package sql

import (
	"strconv"

	"wmsql/sqlerr"
)

// typeSpelling maps the standard's type words to Postgres's own names. What is not here is a type
// by its own name.
var typeSpelling = map[string]string{
	"bigint": "int8", "int": "int4", "integer": "int4", "smallint": "int2", "real": "float4",
	"boolean": "bool", "decimal": "numeric", "dec": "numeric", "character": "bpchar", "char": "bpchar",
	"nchar": "bpchar",
}

// intervalFields are the words of INTERVAL's field list.
var intervalFields = wordSet("year month day hour minute second")

// typeName reads a type with its modifiers and array dimensions.
func (p *parser) typeName() TypeName {
	if p.is("setof") {
		p.unsupported(p.tok(), "SETOF")
	}
	t := p.simpleTypeName()
	p.arrayBounds(&t)
	return t
}

// simpleTypeName reads a type without array dimensions.
func (p *parser) simpleTypeName() TypeName {
	tok := p.tok()
	if tok.kind != tokIdent && (tok.kind != tokWord || keywordClass[tok.text] == reserved) {
		p.unexpected()
	}
	p.i++
	t := TypeName{Name: tok.text, Pos: tok.at()}
	if tok.kind == tokWord && !p.isPunct(".") {
		if p.builtinType(&t) {
			return t
		}
		if keywordClass[tok.text] == colName {
			p.unexpectedAt(tok)
		}
	}
	for p.isPunct(".") {
		p.i++
		if t.Schema != "" {
			p.unexpected()
		}
		t.Schema, t.Name = t.Name, p.label()
	}
	if t.Schema == "pg_catalog" {
		t.Schema = ""
	}
	t.Mods = p.typeMods()
	return t
}

// builtinType finishes a type whose first word, in t.Name, has a grammar of its own. It reports
// whether it was one.
func (p *parser) builtinType(t *TypeName) bool {
	switch word := t.Name; word {
	case "double":
		if !p.accept("precision") {
			return false
		}
		t.Name = "float8"
	case "float":
		t.Name = p.floatType(t.Pos)
	case "character", "char", "nchar":
		p.charType(t)
	case "national":
		if !p.accept("character") && !p.accept("char") {
			p.unexpected()
		}
		p.charType(t)
	case "varchar":
		t.Mods = p.typeMods()
	case "bit":
		if p.accept("varying") {
			t.Name = "varbit"
		}
		if t.Mods = p.typeMods(); t.Mods == nil && t.Name == "bit" {
			t.Mods = []int{1}
		}
	case "time", "timestamp":
		t.Mods = p.typeMods()
		if p.is("with", "time") || p.is("without", "time") {
			if p.advance().text == "with" {
				t.Name += "tz"
			}
			p.want("time", "zone")
		}
	case "interval":
		if t.Fields = p.intervalQualifier(t); t.Fields == "" {
			t.Mods = p.typeMods()
		}
	case "int", "integer", "bigint", "smallint", "real", "boolean":
		t.Name = typeSpelling[word]
	case "decimal", "dec", "numeric":
		t.Name = "numeric"
		t.Mods = p.typeMods()
	default:
		return false
	}
	return true
}

// charType finishes CHARACTER, CHAR and NCHAR, of which one without a length has length 1.
func (p *parser) charType(t *TypeName) {
	t.Name = "bpchar"
	if p.accept("varying") {
		t.Name = "varchar"
	}
	if t.Mods = p.typeMods(); t.Mods == nil && t.Name == "bpchar" {
		t.Mods = []int{1}
	}
}

// floatType reads FLOAT's precision in bits and returns the type that it selects.
func (p *parser) floatType(pos Pos) string {
	mods := p.typeMods()
	switch {
	case len(mods) == 0:
		return "float8"
	case mods[0] < 1:
		bail(sqlerr.Newf(sqlerr.InvalidParameterValue, "precision for type float must be at least 1 bit").At(int(pos)))
	case mods[0] > 53:
		bail(sqlerr.Newf(sqlerr.InvalidParameterValue, "precision for type float must be less than 54 bits").At(int(pos)))
	case mods[0] <= 24:
		return "float4"
	}
	return "float8"
}

// typeMods reads (n, ...) if it comes next.
func (p *parser) typeMods() (mods []int) {
	if !p.isPunct("(") {
		return nil
	}
	p.parenList(func() {
		sign := 1
		if p.acceptOp("-") {
			sign = -1
		}
		mods = append(mods, sign*int(p.integer()))
	})
	return mods
}

// integer reads an unsigned integer that fits an int4.
func (p *parser) integer() int64 {
	t := p.tok()
	n, err := strconv.ParseInt(t.text, 10, 32)
	if t.kind != tokInt || err != nil {
		p.unexpected()
	}
	p.i++
	return n
}

// intervalQualifier reads YEAR, DAY TO SECOND(3), ... and returns it in lower case, "" if none; the
// precision of seconds goes to t.Mods.
func (p *parser) intervalQualifier(t *TypeName) string {
	if p.tok().kind != tokWord || !intervalFields[p.tok().text] {
		return ""
	}
	fields := p.advance().text
	if p.is("to") {
		from := fields
		p.i++
		to := p.tok()
		if to.kind != tokWord || !fieldRange(from, to.text) {
			p.unexpected()
		}
		p.i++
		fields += " to " + to.text
	}
	if len(fields) >= 6 && fields[len(fields)-6:] == "second" && p.isPunct("(") {
		t.Mods = p.typeMods()
	}
	return fields
}

// fieldRange says whether INTERVAL may run from one field to the other.
func fieldRange(from, to string) bool {
	switch from {
	case "year":
		return to == "month"
	case "day":
		return to == "hour" || to == "minute" || to == "second"
	case "hour":
		return to == "minute" || to == "second"
	case "minute":
		return to == "second"
	}
	return false
}

// arrayBounds reads [], [3] and ARRAY behind a type. Sizes mean nothing, as in Postgres.
func (p *parser) arrayBounds(t *TypeName) {
	if p.accept("array") {
		t.Dims = 1
		if p.acceptPunct("[") {
			p.integer()
			p.wantPunct("]")
		}
		return
	}
	for p.isPunct("[") {
		p.i++
		if p.tok().kind == tokInt {
			p.i++
		}
		p.wantPunct("]")
		t.Dims++
	}
}
