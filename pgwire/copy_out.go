package pgwire

import (
	"bytes"
	"context"
	"encoding/binary"
	"strings"

	"github.com/jackc/pgproto3/v2"

	"wmsql/column"
)

// copyOut sends the rows of COPY TO STDOUT, a CopyData each, and returns the command tag.
func (c *conn) copyOut(ctx context.Context, out CopyOut, text string) (tag string, err error) {
	s, opts := out.CopyOut()
	spec, err := newCopySpec(s, opts, c.session.Format())
	if err != nil {
		return "", err
	}
	c.out.send(spec.outResponse())
	w := copyWriter{spec: spec}
	if spec.binary {
		c.copyData(func(dst []byte) []byte { return append(dst, copyHeader...) })
	} else if spec.header {
		c.copyData(w.names)
	}
	rows := int64(0)
	for {
		c.beforeNext(out)
		b, err := out.Next(ctx)
		c.notices(text)
		if err != nil {
			return "", err
		}
		if b == nil {
			break
		}
		for i := range b.Rows {
			c.out.begin('d')
			c.out.buf = w.row(c.out.buf, b, i)
			if err := c.out.tooLong(); err != nil {
				return "", err
			}
			c.out.end()
		}
		if c.out.err != nil {
			return "", c.out.err
		}
		rows += int64(b.Rows)
	}
	if spec.binary {
		c.copyData(func(dst []byte) []byte { return append(dst, copyTrailer...) })
	}
	c.out.send(&pgproto3.CopyDone{})
	return out.Tag(rows), nil
}

func (c *conn) copyData(write func(dst []byte) []byte) {
	c.out.begin('d')
	c.out.buf = write(c.out.buf)
	c.out.end()
}

// copyWriter writes rows in the format of COPY TO.
type copyWriter struct {
	spec *copySpec
	buf  []byte // one value before it is escaped
}

func (w *copyWriter) names(dst []byte) []byte {
	for k, f := range w.spec.schema.Fields {
		if k > 0 {
			dst = append(dst, w.spec.delim)
		}
		w.buf = append(w.buf[:0], f.Name...)
		dst = w.value(dst, k, false)
	}
	return append(dst, '\n')
}

func (w *copyWriter) row(dst []byte, b *column.Batch, i int) []byte {
	if w.spec.binary {
		dst = binary.BigEndian.AppendUint16(dst, uint16(len(b.Cols)))
		for _, v := range b.Cols {
			dst = column.AppendSized(dst, v, i)
		}
		return dst
	}
	for k, v := range b.Cols {
		if k > 0 {
			dst = append(dst, w.spec.delim)
		}
		if v.IsNull(i) {
			dst = append(dst, w.spec.null...)
			continue
		}
		w.buf = column.AppendText(w.buf[:0], v, i, w.spec.format)
		dst = w.value(dst, k, w.spec.forceQuote[k])
	}
	return append(dst, '\n')
}

// value appends the value in w.buf, escaped or in quotes as it needs.
func (w *copyWriter) value(dst []byte, k int, force bool) []byte {
	p := w.spec
	if !p.csv {
		return appendEscaped(dst, w.buf, p.delim)
	}
	if !force && !w.needsQuotes() {
		return append(dst, w.buf...)
	}
	dst = append(dst, p.quote)
	for _, c := range w.buf {
		if c == p.quote || c == p.escape {
			dst = append(dst, p.escape)
		}
		dst = append(dst, c)
	}
	return append(dst, p.quote)
}

func (w *copyWriter) needsQuotes() bool {
	p := w.spec
	if bytes.Equal(w.buf, p.null) || len(p.schema.Fields) == 1 && string(w.buf) == `\.` {
		return true
	}
	for _, c := range w.buf {
		if c == p.delim || c == p.quote || c == '\n' || c == '\r' {
			return true
		}
	}
	return false
}

// appendEscaped appends a value of the text format.
func appendEscaped(dst, b []byte, delim byte) []byte {
	for _, c := range b {
		if at := strings.IndexByte("\b\f\n\r\t\v", c); at >= 0 {
			dst = append(dst, '\\', "bfnrtv"[at])
			continue
		}
		if c == '\\' || c == delim {
			dst = append(dst, '\\')
		}
		dst = append(dst, c)
	}
	return dst
}
