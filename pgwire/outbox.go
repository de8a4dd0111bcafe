package pgwire

import (
	"encoding/binary"
	"io"
	"unicode/utf8"

	"github.com/jackc/pgproto3/v2"

	"wmsql/sqlerr"
)

// outboxFlush is the size from which the outbox is written to the socket.
const outboxFlush = 64 << 10

// outbox collects messages to the client. After an error it swallows all; the loop learns of it when it flushes or reads.
type outbox struct {
	w   io.Writer
	buf []byte
	at  int // where the message begun last has its length
	err error
}

// send appends one of pgproto3's messages.
func (o *outbox) send(m pgproto3.BackendMessage) {
	buf, err := m.Encode(o.buf)
	if err != nil {
		o.err = err
		return
	}
	o.buf = buf
	o.spill()
}

// begin starts a message that is written by hand; end closes it.
func (o *outbox) begin(kind byte) {
	o.buf = append(o.buf, kind, 0, 0, 0, 0)
	o.at = len(o.buf) - 4
}

func (o *outbox) end() {
	binary.BigEndian.PutUint32(o.buf[o.at:], uint32(len(o.buf)-o.at))
	o.spill()
}

// messageMax is how long a message to a client can be, as in Postgres.
const messageMax = 1<<30 - 1

// tooLong gives the message up that is being written if it has grown longer than any can be.
func (o *outbox) tooLong() error {
	if len(o.buf)-o.at <= messageMax {
		return nil
	}
	o.buf = o.buf[:o.at-1]
	return sqlerr.Newf(sqlerr.ProgramLimitExceeded, "a row of more than %d bytes cannot be sent", messageMax).
		WithHint("Read it in parts, by substring() or fewer columns at a time.")
}

func (o *outbox) spill() {
	if len(o.buf) >= outboxFlush {
		_ = o.flush()
	}
}

// flush writes what is collected.
func (o *outbox) flush() error {
	if o.err == nil && len(o.buf) > 0 {
		_, o.err = o.w.Write(o.buf)
	}
	o.buf = o.buf[:0]
	if cap(o.buf) > 16*outboxFlush {
		o.buf = nil // one huge row must not stay
	}
	return o.err
}

// report sends an error or a notice. text is what positions count in.
func (o *outbox) report(e *sqlerr.Error, text string) {
	r := pgproto3.ErrorResponse{
		Severity: severity(e), SeverityUnlocalized: severity(e), Code: string(e.Code), Message: e.Msg,
		Detail: e.Detail, Hint: e.Hint, Where: e.Where, Position: characterAt(text, e.Pos),
		SchemaName: e.Schema, TableName: e.Table, ColumnName: e.Column, ConstraintName: e.Constraint,
	}
	if e.Severity == sqlerr.SevError || e.Severity == sqlerr.SevFatal {
		o.send(&r)
		return
	}
	n := pgproto3.NoticeResponse(r)
	o.send(&n)
}

func severity(e *sqlerr.Error) string {
	switch e.Severity {
	case sqlerr.SevFatal:
		return "FATAL"
	case sqlerr.SevWarning:
		return "WARNING"
	case sqlerr.SevNotice:
		return "NOTICE"
	case sqlerr.SevInfo:
		return "INFO"
	}
	return "ERROR"
}

// characterAt turns a position in bytes, from 1, into one in characters. 0 is none.
func characterAt(text string, pos int) int32 {
	if pos <= 0 || pos > len(text)+1 {
		return 0
	}
	return int32(utf8.RuneCountInString(text[:pos-1])) + 1
}
