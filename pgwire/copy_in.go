package pgwire

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/jackc/pgproto3/v2"

	"wmsql/column"
	"wmsql/sqlerr"
)

// copyIn takes the rows of COPY FROM STDIN and returns the command tag. After an error the client may go on sending; the loop
// ignores that.
func (c *conn) copyIn(ctx context.Context, in CopyIn) (tag string, err error) {
	c.stopWatch()
	s, opts := in.CopyIn()
	spec, err := newCopySpec(s, opts, c.session.Format())
	if err == nil {
		c.out.send(spec.inResponse())
		err = c.receiveCopy(ctx, in, newCopyReader(spec, func(b *column.Batch) error { return in.Append(ctx, b) }))
	}
	c.mu.Lock()
	c.startWatch()
	c.mu.Unlock()
	if err != nil {
		err = causeOf(ctx, err)
		in.Abort(ctx, err)
		return "", err
	}
	n, err := in.Done(ctx)
	if err != nil {
		return "", err
	}
	return in.Tag(n), nil
}

// receiveCopy feeds r until the client says that it is done.
func (c *conn) receiveCopy(ctx context.Context, in CopyIn, r copyReader) error {
	c.setReading(true)
	defer c.setReading(false)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		m, err := c.receive()
		if err != nil {
			return copyCut(ctx, err)
		}
		switch m := m.(type) {
		case *pgproto3.CopyData:
			if err := r.feed(m.Data); err != nil {
				return err
			}
		case *pgproto3.CopyDone:
			return r.finish()
		case *pgproto3.CopyFail:
			return sqlerr.Newf(sqlerr.QueryCanceled, "COPY from stdin failed: %s", m.Message)
		case *pgproto3.Flush, *pgproto3.Sync:
			// Libraries send them with the statement; they mean nothing here.
		default:
			return protocolViolation("unexpected message type 0x%02X during COPY from stdin", c.in.last)
		}
	}
}

// copyCut says why reading ended before the client was done.
func copyCut(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded) && ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, io.EOF):
		return fatal(sqlerr.Newf(sqlerr.ConnectionFailure, "unexpected EOF on client connection during COPY"))
	}
	var e *sqlerr.Error
	if errors.As(err, &e) {
		return e
	}
	return fatal(sqlerr.Newf(sqlerr.ConnectionFailure, "could not receive data from client: %v", err))
}

// copyReader turns the bytes of COPY FROM into batches. The bytes may be cut anywhere.
type copyReader interface {
	feed(data []byte) error
	finish() error
}

func newCopyReader(p *copySpec, emit func(*column.Batch) error) copyReader {
	sink := copySink{spec: p, builders: column.NewBuilders(p.schema, 64), emit: emit}
	switch {
	case p.binary:
		return &binaryReader{copySink: sink}
	case p.csv:
		return &lineReader{copySink: sink, split: &csvSplitter{spec: p}, fields: &csvFields{}}
	}
	return &lineReader{copySink: sink, split: textSplitter{}, fields: &textFields{}}
}

// copyBatchBytes bounds what is collected before it is handed on, beside column.MaxRows.
const copyBatchBytes = 4 << 20

// copySink collects rows in builders and hands them on in batches.
type copySink struct {
	spec     *copySpec
	builders []column.Builder
	rows     int
	bytes    int
	emit     func(*column.Batch) error
}

// endRow counts a row of some bytes whose values are in the builders.
func (s *copySink) endRow(size int) error {
	s.rows++
	s.bytes += size
	if s.rows < column.MaxRows && s.bytes < copyBatchBytes {
		return nil
	}
	return s.flush()
}

func (s *copySink) flush() error {
	if s.rows == 0 {
		return nil
	}
	b := column.BuildBatch(s.spec.schema, s.builders)
	b.Rows = s.rows
	s.rows, s.bytes = 0, 0
	return s.emit(b)
}
