package expr

import (
	"strconv"
	"unicode/utf8"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

func overlayFor(s *site) body {
	out := bytesOutput{t: s.ret}
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		a, b := in[0].(*column.Bytes), in[1].(*column.Bytes)
		from, count := in[2].(*column.Of[int64]).Values, in[3].(*column.Of[int64]).Values
		return out.fill(nulls, n, func(dst []byte, i int) ([]byte, error) {
			return appendOverlay(dst, a.Value(i), b.Value(i), from[i], count[i])
		})
	}
}

// concatFunctions put values of any type together as text.
func concatFunctions() []*Function {
	return []*Function{
		def("concat(variadic any) text", concatKernel, stable, called),
		def("concat_ws(text,variadic any) text", concatWSKernel, stable, called),
		def("format(text) text", formatKernel, stable, called),
		def("format(text,variadic any) text", formatKernel, stable, called),
		def("quote_ident(text) text", tx1(appendQuotedIdent), total),
		def("quote_literal(text) text", tx1(appendQuotedLiteral), total),
		def("quote_literal(anyelement) text", quoteAny, stable),
		def("quote_nullable(text) text", quoteNullable, called, total),
		def("quote_nullable(anyelement) text", quoteNullable, stable, called),
	}
}

// concatOperators are || on text; what is not text is written as its cast to text says.
func concatOperators() []*Function {
	join := tx2(func(dst, a, b []byte) []byte { return append(append(dst, a...), b...) })
	return []*Function{
		def("||(text,text) text", join, total), def("||(bytea,bytea) bytea", join, total),
		def("||(text,anynonarray) text", concatMixed, stable), def("||(anynonarray,text) text", concatMixed, stable),
	}
}

// concatMixed joins a text with a value of another type.
func concatMixed(s *site) body {
	out, format := bytesOutput{t: s.ret}, s.format()
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		a, err := asText(s, in[0], nulls, n)
		if err != nil {
			return nil, err
		}
		b, err := asText(s, in[1], nulls, n)
		if err != nil {
			return nil, err
		}
		return out.fill(nulls, n, func(dst []byte, i int) ([]byte, error) {
			return column.AppendText(column.AppendText(dst, a, i, format), b, i, format), nil
		})
	}
}

// asText casts a vector to text as ::text does; booleans become true and false, char(n) loses its blanks.
func asText(s *site, v column.Vector, nulls []bool, n int) (column.Vector, error) {
	t := v.Type()
	if m, fn := pathway(t, types.Of(types.Text), Assignment); m == byFunction {
		return fn.kernel(&site{fn: fn, args: []types.Type{t}, ret: types.Of(types.Text), ctx: s.ctx})([]column.Vector{v}, v.NullMask(), n)
	}
	return v, nil
}

func concatKernel(s *site) body {
	out, format := bytesOutput{t: s.ret}, s.format()
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		return out.fill(nulls, n, func(dst []byte, i int) ([]byte, error) {
			for _, v := range in {
				if !v.IsNull(i) {
					dst = column.AppendText(dst, v, i, format)
				}
			}
			return dst, nil
		})
	}
}

// concatWSKernel puts the first argument between the others that are not NULL.
func concatWSKernel(s *site) body {
	out, format := bytesOutput{t: s.ret}, s.format()
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		sep := in[0].(*column.Bytes)
		return out.fill(sep.Nulls, n, func(dst []byte, i int) ([]byte, error) {
			first := true
			for _, v := range in[1:] {
				if v.IsNull(i) {
					continue
				}
				if !first {
					dst = append(dst, sep.Value(i)...)
				}
				first = false
				dst = column.AppendText(dst, v, i, format)
			}
			return dst, nil
		})
	}
}

// appendQuotedIdent quotes an identifier where it must be.
func appendQuotedIdent(dst, a []byte) []byte {
	safe := len(a) > 0 && (a[0] == '_' || a[0] >= 'a' && a[0] <= 'z') && !isReservedWord(string(a))
	for _, c := range a {
		safe = safe && (c == '_' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9')
	}
	if safe {
		return append(dst, a...)
	}
	dst = append(dst, '"')
	for _, c := range a {
		if c == '"' {
			dst = append(dst, c)
		}
		dst = append(dst, c)
	}
	return append(dst, '"')
}

func quoteAny(s *site) body {
	out, format := bytesOutput{t: s.ret}, s.format()
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		v, err := asText(s, in[0], nulls, n)
		if err != nil {
			return nil, err
		}
		return out.fill(nulls, n, func(dst []byte, i int) ([]byte, error) {
			return appendQuotedLiteral(dst, column.AppendText(nil, v, i, format)), nil
		})
	}
}

func quoteNullable(s *site) body {
	out, format := bytesOutput{t: s.ret}, s.format()
	return func(in []column.Vector, _ []bool, n int) (column.Vector, error) {
		v, err := asText(s, in[0], in[0].NullMask(), n)
		if err != nil {
			return nil, err
		}
		return out.fill(nil, n, func(dst []byte, i int) ([]byte, error) {
			if v.IsNull(i) {
				return append(dst, "NULL"...), nil
			}
			return appendQuotedLiteral(dst, column.AppendText(nil, v, i, format)), nil
		})
	}
}

// formatKernel is format(): %s, %I and %L with an argument's number and a width.
func formatKernel(s *site) body {
	out, format := bytesOutput{t: s.ret}, s.format()
	return func(in []column.Vector, _ []bool, n int) (column.Vector, error) {
		tmpl := in[0].(*column.Bytes)
		return out.fill(tmpl.Nulls, n, func(dst []byte, i int) ([]byte, error) {
			f := formatter{args: in[1:], row: i, format: format}
			return f.append(dst, tmpl.Value(i))
		})
	}
}

type formatter struct {
	args   []column.Vector
	row    int
	next   int // number of the argument that a conversion without one takes
	format *types.Format
}

func errFormat(msg string, args ...any) *sqlerr.Error {
	return sqlerr.Newf(sqlerr.InvalidParameterValue, msg, args...)
}

func (f *formatter) append(dst, tmpl []byte) ([]byte, error) {
	for i := 0; i < len(tmpl); i++ {
		if tmpl[i] != '%' {
			dst = append(dst, tmpl[i])
			continue
		}
		i++
		if i < len(tmpl) && tmpl[i] == '%' {
			dst = append(dst, '%')
			continue
		}
		var err error
		if dst, i, err = f.conversion(dst, tmpl, i); err != nil {
			return nil, err
		}
	}
	return dst, nil
}

// conversion formats the one whose text begins at i and returns the place of its last character.
func (f *formatter) conversion(dst, tmpl []byte, i int) ([]byte, int, error) {
	number := func() (int, bool) {
		start := i
		for i < len(tmpl) && tmpl[i] >= '0' && tmpl[i] <= '9' {
			i++
		}
		n, err := strconv.Atoi(string(tmpl[start:i]))
		return n, err == nil
	}
	arg, width, minus := 0, 0, false
	if n, ok := number(); ok {
		if i < len(tmpl) && tmpl[i] == '$' {
			if n == 0 {
				return nil, 0, errFormat("format specifies argument 0, but arguments are numbered from 1")
			}
			arg = n
			i++
		} else {
			width = n
		}
	}
	for i < len(tmpl) && tmpl[i] == '-' {
		minus = true
		i++
	}
	if i < len(tmpl) && tmpl[i] == '*' {
		return nil, 0, sqlerr.Unsupported("a width taken from an argument of format()")
	}
	if n, ok := number(); ok {
		width = n
	}
	if i >= len(tmpl) {
		return nil, 0, errFormat("unterminated format() type specifier").WithHint("For a single \"%%\" use \"%%%%\".")
	}
	if arg == 0 {
		f.next++
		arg = f.next
	} else {
		f.next = arg
	}
	if arg > len(f.args) {
		return nil, 0, errFormat("too few arguments for format()")
	}
	text, err := f.value(f.args[arg-1], tmpl[i])
	if err != nil {
		return nil, 0, err
	}
	blanks := width - utf8.RuneCount(text)
	if minus {
		dst = append(dst, text...)
	}
	for range blanks {
		dst = append(dst, ' ')
	}
	if !minus {
		dst = append(dst, text...)
	}
	return dst, i, nil
}

func (f *formatter) value(v column.Vector, kind byte) ([]byte, error) {
	null := v.IsNull(f.row)
	var text []byte
	if !null {
		text = column.AppendText(nil, v, f.row, f.format)
	}
	switch {
	case kind == 's':
		return text, nil
	case kind == 'I' && null:
		return nil, sqlerr.Newf(sqlerr.NullNotAllowed, "null values cannot be formatted as an SQL identifier")
	case kind == 'I':
		return appendQuotedIdent(nil, text), nil
	case kind == 'L' && null:
		return []byte("NULL"), nil
	case kind == 'L':
		return appendQuotedLiteral(nil, text), nil
	}
	return nil, errFormat("unrecognized format() type specifier \"%c\"", kind).WithHint("For a single \"%%\" use \"%%%%\".")
}
