package pgwire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os"
	"strings"

	"wmsql/sqlerr"
)

const (
	inboxSize = 16 << 10 // read from the socket at once
	inboxKeep = 1 << 20  // a larger buffer is given back when it is empty
)

// inbox reads messages from the socket for pgproto3's Backend, which trusts what it reads. The inbox
// knows the header of five bytes: it refuses unknown messages and too long ones before reading them, and bodies whose parts do not add up
// before they are decoded. A buffer grows only as bytes really come. After an error that is a
// timeout, reading goes on where it was.
type inbox struct {
	conn net.Conn
	max  int // bytes of a body

	buf  []byte // buf[r:w] is unread
	r, w int

	kind byte      // of the message whose body comes next; 0: a header comes
	over *tooLarge // a message of which the rest is passed over
	last byte      // kind of the message read last
	err  error     // of the last Next
}

// Next returns the next n bytes: a header, or the body that the last header announced. They are valid until the call after the next.
func (in *inbox) Next(n int) (b []byte, err error) {
	if in.kind != 0 {
		b, err = in.body(n)
	} else {
		b, err = in.header(n)
	}
	in.err = err
	return b, err
}

func (in *inbox) header(n int) ([]byte, error) {
	if in.over != nil {
		return nil, in.passOver()
	}
	h, err := in.fill(n)
	if err != nil {
		return nil, err
	}
	size := int64(binary.BigEndian.Uint32(h[1:])) - 4
	switch {
	case strings.IndexByte(clientMessages, h[0]) < 0:
		return nil, protocolViolation("invalid frontend message type %d", h[0])
	case size < 0:
		return nil, protocolViolation("invalid message length")
	case size > passedMax:
		return nil, protocolViolation("message of %d bytes is larger than the limit of %d", size, in.max)
	}
	in.r += n
	if size > int64(in.max) {
		in.over = &tooLarge{kind: h[0], size: size, max: in.max, left: size}
		return nil, in.passOver()
	}
	in.kind = h[0]
	return h, nil
}

// passedMax is the size up to which a message that is too large is passed over, so that its sender learns why; one that claims more is
// no client's.
const passedMax = 1 << 30

// tooLarge is the error of a message that was passed over: the next one can be read.
type tooLarge struct {
	kind       byte
	size, left int64
	max        int
}

func (t *tooLarge) Error() string { return t.Unwrap().Error() }

// Unwrap is the error as the client is told it.
func (t *tooLarge) Unwrap() error {
	return sqlerr.Newf(sqlerr.ProgramLimitExceeded, "a message of %d bytes is too large", t.size).
		WithDetail("The limit is %d bytes.", t.max).
		WithHint("COPY takes any number of rows, in messages of any size.")
}

// passOver reads the rest of a message that is too large and keeps nothing of it. Its error is the message's once it is over.
func (in *inbox) passOver() error {
	for in.over.left > 0 {
		if !in.buffered() {
			if _, err := in.fill(1); err != nil {
				return err
			}
		}
		n := min(in.over.left, int64(in.w-in.r))
		in.r += int(n)
		in.over.left -= n
	}
	err := in.over
	in.over = nil
	return err
}

func (in *inbox) body(n int) ([]byte, error) {
	b, err := in.fill(n)
	if err != nil {
		return nil, err
	}
	if !wellFormed(in.kind, b) {
		return nil, protocolViolation("invalid message format")
	}
	in.last, in.kind = in.kind, 0
	in.r += n
	return b, nil
}

// take returns and consumes n bytes that are no message of version 3.
func (in *inbox) take(n int) ([]byte, error) {
	b, err := in.fill(n)
	if err == nil {
		in.r += n
	}
	return b, err
}

// buffered reports whether bytes wait that nobody has read.
func (in *inbox) buffered() bool { return in.w > in.r }

// rest consumes what is unread and returns a copy of it.
func (in *inbox) rest() []byte {
	b := bytes.Clone(in.buf[in.r:in.w])
	in.r = in.w
	return b
}

// fill reads until n bytes are unread and returns them without consuming them.
func (in *inbox) fill(n int) ([]byte, error) {
	for in.w-in.r < n {
		in.room(n)
		k, err := in.conn.Read(in.buf[in.w:])
		in.w += k
		if k == 0 && err != nil {
			if errors.Is(err, io.EOF) && in.w > in.r {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
	}
	return in.buf[in.r : in.r+n : in.r+n], nil
}

// room makes space behind w. Unread bytes move to a new buffer rather than to the front: the message before may still be in use.
func (in *inbox) room(n int) {
	have := in.w - in.r
	if have == 0 && in.kind == 0 && len(in.buf) <= inboxKeep && len(in.buf) > 0 {
		in.r, in.w = 0, 0
		return
	}
	if in.w < len(in.buf) {
		return
	}
	size := max(inboxSize, min(n, 2*have))
	buf := make([]byte, size)
	copy(buf, in.buf[in.r:in.w])
	in.buf, in.r, in.w = buf, 0, have
}

// watch reads ahead while a statement runs, to notice a client that went away; it returns when the read
// deadline passes, when the buffer is full, or with the error that ended the connection.
func (in *inbox) watch() error {
	if len(in.buf)-in.w < inboxSize/4 {
		buf := make([]byte, in.w-in.r+inboxSize)
		copy(buf, in.buf[in.r:in.w])
		in.buf, in.w, in.r = buf, in.w-in.r, 0
	}
	for in.w < len(in.buf) {
		k, err := in.conn.Read(in.buf[in.w:])
		in.w += k
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			return nil
		case err != nil:
			return err
		}
	}
	return nil
}
