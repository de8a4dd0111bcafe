package expr

import (
	"errors"

	"wmsql/column"
	"wmsql/sqlerr"
)

// A value that cannot be added to a slot, for its sum overflows, spoils that slot alone: it takes no more values, and its error is its
// result. So a SELECT fails as it should, and a continuous query goes on with its other groups. A slot is sound again when it is empty.

// rowError is the error of adding the row that goes with slots[at].
type rowError struct {
	at  int
	err error
}

func (e *rowError) Error() string { return e.err.Error() }

// fold adds rows to slots, or takes them out, with f.
func (c *cells[S]) fold(f func(st []S, slots, rows []int32, args []column.Vector) error, slots, rows []int32, args []column.Vector) error {
	if c.failed != nil {
		slots, rows = c.sound(slots, rows, 0)
	}
	for {
		err := f(c.slots, slots, rows, args)
		if err == nil {
			return nil
		}
		var e *rowError
		if !errors.As(err, &e) {
			return err
		}
		c.fail(slots[e.at], e.err)
		slots, rows = c.sound(slots, rows, e.at+1)
	}
}

// sound returns the slots from number at on that have not failed, with their rows.
func (c *cells[S]) sound(slots, rows []int32, at int) (s, r []int32) {
	s, r = make([]int32, 0, len(slots)-at), make([]int32, 0, len(slots)-at)
	for k := at; k < len(slots); k++ {
		if c.failed[slots[k]] == nil {
			s, r = append(s, slots[k]), append(r, int32(rowAt(rows, k)))
		}
	}
	return s, r
}

// fail empties a slot and notes its error.
func (c *cells[S]) fail(slot int32, err error) {
	c.Reset(slot)
	if c.failed == nil {
		c.failed = map[int32]*sqlerr.Error{}
	}
	c.failed[slot] = sqlerr.From(err)
}

// moveFailure makes slot to sound or failed as slot from was.
func (c *cells[S]) moveFailure(to, from int32) {
	if c.failed == nil {
		return
	}
	e := c.failed[from]
	delete(c.failed, from)
	delete(c.failed, to)
	if e != nil {
		c.failed[to] = e
	}
}

// failure is the error of the first of the slots that has failed, nil if none has.
func (c *cells[S]) failure(slots []int32) error {
	if c.failed == nil {
		return nil
	}
	for _, s := range slots {
		if e := c.failed[s]; e != nil {
			return e
		}
	}
	return nil
}

// failedVersion is the first byte of the encoded state of a slot that has failed; its SQLSTATE and message follow.
const failedVersion = 0xff

func encodeFailed(dst []byte, e *sqlerr.Error) []byte {
	return appendBytes(appendBytes(append(dst, failedVersion), []byte(e.Code)), []byte(e.Msg))
}

func decodeFailed(data []byte) (e *sqlerr.Error, rest []byte, err error) {
	code, data, ok := readBytes(data)
	if !ok {
		return nil, nil, errBadState()
	}
	msg, data, ok := readBytes(data)
	if !ok {
		return nil, nil, errBadState()
	}
	return sqlerr.Newf(sqlerr.Code(code), "%s", msg), data, nil
}
