package pgwire

import (
	"encoding/binary"
	"fmt"
	"strings"

	"wmsql/column"
	"wmsql/sqlerr"
)

// binaryReader reads the binary format: a header, rows of sized values, a trailer.
type binaryReader struct {
	copySink
	carry  []byte
	header bool // has been read
	ended  bool
	row    int64
}

func (r *binaryReader) bad(format string, args ...any) error {
	return r.where(sqlerr.Newf(sqlerr.BadCopyFormat, format, args...), "")
}

func (r *binaryReader) where(e *sqlerr.Error, more string) error {
	if e.Where != "" {
		return e
	}
	at := *e
	at.Where = fmt.Sprintf("COPY %s, line %d%s", r.spec.relation, r.row+1, more)
	return &at
}

func (r *binaryReader) feed(data []byte) error {
	if len(r.carry) > 0 {
		r.carry = append(r.carry, data...)
		data = r.carry
	}
	if !r.header {
		n, err := r.readHeader(data)
		if err != nil {
			return err
		}
		if n == 0 {
			r.carry = append(r.carry[:0], data...)
			return nil
		}
		r.header = true
		data = data[n:]
	}
	for len(data) > 0 {
		n, err := r.tuple(data)
		if err != nil {
			return err
		}
		if n == 0 {
			break
		}
		data = data[n:]
	}
	r.carry = append(r.carry[:0], data...)
	if len(r.carry) > recordMax {
		return r.bad("COPY record of more than %d bytes", recordMax)
	}
	return nil
}

func (r *binaryReader) finish() error {
	if !r.header || len(r.carry) > 0 {
		return r.bad("unexpected EOF in COPY data")
	}
	return r.flush()
}

// readHeader returns the length of the header, 0 if it is not whole yet.
func (r *binaryReader) readHeader(data []byte) (int, error) {
	const fixed = len(copySignature) + 8
	n := min(len(data), len(copySignature))
	if !strings.HasPrefix(copySignature, string(data[:n])) {
		return 0, r.bad("COPY file signature not recognized")
	}
	if len(data) < fixed {
		return 0, nil
	}
	flags, ext := binary.BigEndian.Uint32(data[fixed-8:]), int64(binary.BigEndian.Uint32(data[fixed-4:]))
	switch {
	case flags&(1<<16) != 0:
		return 0, r.bad("invalid COPY file header (WITH OIDS)")
	case flags>>16 != 0:
		return 0, r.bad("unrecognized critical flags in COPY file header")
	case ext > recordMax:
		return 0, r.bad("invalid COPY file header (wrong length)")
	case int64(len(data)) < int64(fixed)+ext:
		return 0, nil
	}
	return fixed + int(ext), nil
}

// tuple reads one row and returns its length, 0 if it is not whole yet.
func (r *binaryReader) tuple(data []byte) (int, error) {
	if r.ended {
		return 0, r.bad("received copy data after EOF marker")
	}
	if len(data) < 2 {
		return 0, nil
	}
	fields := int(int16(binary.BigEndian.Uint16(data)))
	if fields == -1 {
		r.ended = true
		return 2, nil
	}
	if want := len(r.builders); fields != want {
		return 0, r.bad("row field count is %d, expected %d", fields, want)
	}
	size, err := r.size(data)
	if err != nil || size == 0 {
		return 0, err
	}
	at := 2
	for k, b := range r.builders {
		n := int(int32(binary.BigEndian.Uint32(data[at:])))
		at += 4
		if n < 0 {
			b.AppendNull()
			continue
		}
		if err := column.AppendFromBinary(b, data[at:at+n]); err != nil {
			return 0, r.where(sqlerr.From(err), ", column "+r.spec.schema.Fields[k].Name)
		}
		at += n
	}
	r.row++
	return size, r.endRow(size)
}

// size returns the length of the row that begins data, 0 if it is not whole yet.
func (r *binaryReader) size(data []byte) (int, error) {
	at := 2
	for range r.builders {
		if len(data) < at+4 {
			return 0, nil
		}
		n := int(int32(binary.BigEndian.Uint32(data[at:])))
		if n < -1 || n > recordMax {
			return 0, r.bad("invalid field size")
		}
		at += 4 + max(n, 0)
	}
	if len(data) < at {
		return 0, nil
	}
	return at, nil
}
