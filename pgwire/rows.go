package pgwire

import (
	"context"
	"encoding/binary"

	"github.com/jackc/pgproto3/v2"

	"wmsql/column"
	"wmsql/types"
)

// The format codes of values.
const (
	formatText   int16 = 0
	formatBinary int16 = 1
)

// formatOf returns the format of column k: formats has none (text), one for all, or one each.
func formatOf(formats []int16, k int) int16 {
	switch len(formats) {
	case 0:
		return formatText
	case 1:
		return formats[0]
	}
	return formats[k]
}

// rowDescription sends the columns of s. A column that nothing has typed is text.
func (c *conn) rowDescription(s *types.Schema, formats []int16) {
	fields := make([]pgproto3.FieldDescription, len(s.Fields))
	for k, f := range s.Fields {
		t := f.Type
		if t.Kind == types.Unknown {
			t = types.Of(types.Text)
		}
		fields[k] = pgproto3.FieldDescription{
			Name: []byte(f.Name), TableOID: f.Origin.Table, TableAttributeNumber: uint16(f.Origin.Column),
			DataTypeOID: t.OID(), DataTypeSize: t.Len(), TypeModifier: t.Mod, Format: formatOf(formats, k),
		}
	}
	c.out.send(&pgproto3.RowDescription{Fields: fields})
}

// sendRows sends rows of a portal, at most limit if that is not 0. all tells that there are no more; at the limit it is false even if none
// is left, as in Postgres.
func (c *conn) sendRows(ctx context.Context, p *portal, limit int, text string) (rows int64, all bool, err error) {
	f := c.session.Format()
	for {
		if p.batch == nil || p.next == p.batch.Rows {
			c.beforeNext(p.res)
			p.batch, err = p.res.Next(ctx)
			p.next = 0
			c.notices(text)
			if err != nil || p.batch == nil {
				return rows, true, err
			}
		}
		n := p.batch.Rows - p.next
		if limit > 0 {
			n = min(n, limit-int(rows))
		}
		if p.st.Schema() != nil {
			if err := c.out.rows(p.batch, p.next, p.next+n, p.formats, f); err != nil {
				return rows, false, err
			}
		}
		if c.out.err != nil {
			return rows, false, c.out.err
		}
		p.next += n
		rows += int64(n)
		if limit > 0 && rows == int64(limit) {
			return rows, false, nil
		}
		if err := ctx.Err(); err != nil {
			return rows, false, err
		}
	}
}

// beforeNext sends what is there to the client before res may wait.
func (c *conn) beforeNext(res Result) {
	if l, ok := res.(Live); ok && l.Live() {
		_ = c.out.flush() // the outbox keeps the error
	}
}

// rows appends rows [lo, hi) as DataRow messages. Its error is of a row that no message can hold.
func (o *outbox) rows(b *column.Batch, lo, hi int, formats []int16, f *types.Format) error {
	for i := lo; i < hi && o.err == nil; i++ {
		o.begin('D')
		o.buf = binary.BigEndian.AppendUint16(o.buf, uint16(len(b.Cols)))
		for k, v := range b.Cols {
			if formatOf(formats, k) == formatBinary {
				o.buf = column.AppendSized(o.buf, v, i)
			} else {
				o.buf = appendText(o.buf, v, i, f)
			}
			if err := o.tooLong(); err != nil {
				return err
			}
		}
		o.end()
	}
	return nil
}

// appendText appends a length word and the text of row i of v, or the word -1 for NULL.
func appendText(dst []byte, v column.Vector, i int, f *types.Format) []byte {
	if v.IsNull(i) {
		return append(dst, 0xff, 0xff, 0xff, 0xff)
	}
	at := len(dst)
	dst = column.AppendText(append(dst, 0, 0, 0, 0), v, i, f)
	binary.BigEndian.PutUint32(dst[at:], uint32(len(dst)-at-4))
	return dst
}
