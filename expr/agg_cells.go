package expr

import (
	"unsafe"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// cells is an accumulator whose slots are a slice of S, with the functions that work on them.
type cells[S any] struct {
	slots  []S
	k      *cellKernel[S]
	t      types.Type              // of the result
	failed map[int32]*sqlerr.Error // slots that have failed, with their errors; nil: none
}

// cellKernel is the code of an aggregate over slots of type S. The zero S is an empty slot. What add and retract cannot do with one row is a
// *rowError.
type cellKernel[S any] struct {
	add     func(st []S, slots, rows []int32, args []column.Vector) error
	retract func(st []S, slots, rows []int32, args []column.Vector) error // nil if not retractable
	merge   func(dst, src *S) error
	result  func(st []S, slots []int32, t types.Type) (column.Vector, error)
	encode  func(dst []byte, s *S) []byte
	decode  func(s *S, data []byte) (rest []byte, ok bool)
	heap    func(s *S) int // bytes a slot holds outside itself; nil: none
}

// makeCells returns a maker of accumulators with kernel k.
func makeCells[S any](k *cellKernel[S]) func(*aggSite) Accumulator {
	return func(s *aggSite) Accumulator { return &cells[S]{k: k, t: s.ret} }
}

// Resize makes n slots exist.
func (c *cells[S]) Resize(n int) {
	if n <= len(c.slots) {
		return
	}
	if n > cap(c.slots) {
		grown := make([]S, len(c.slots), max(n, 2*cap(c.slots)))
		copy(grown, c.slots)
		c.slots = grown
	}
	c.slots = c.slots[:n]
}

// Add folds rows into slots.
func (c *cells[S]) Add(slots, rows []int32, args []column.Vector) error {
	return c.fold(c.k.add, slots, rows, args)
}

// Retract takes rows out of slots.
func (c *cells[S]) Retract(slots, rows []int32, args []column.Vector) error {
	if c.k.retract == nil {
		panic("expr: this aggregate cannot retract")
	}
	return c.fold(c.k.retract, slots, rows, args)
}

// Merge folds slots of another accumulator into slots of this one.
func (c *cells[S]) Merge(slots []int32, other Accumulator, from []int32) error {
	o := other.(*cells[S])
	for k, slot := range slots {
		if c.failed != nil && c.failed[slot] != nil {
			continue
		}
		if o.failed != nil && o.failed[from[k]] != nil {
			c.fail(slot, o.failed[from[k]])
			continue
		}
		if err := c.k.merge(&c.slots[slot], &o.slots[from[k]]); err != nil {
			c.fail(slot, err)
		}
	}
	return nil
}

// Result appends the value of each slot.
func (c *cells[S]) Result(b column.Builder, slots []int32) error {
	if err := c.failure(slots); err != nil {
		return err
	}
	v, err := c.k.result(c.slots, slots, c.t)
	if err != nil {
		return err
	}
	b.AppendVector(v)
	return nil
}

// stateVersion is the first byte of the encoded state of a slot.
const stateVersion = 1

// Encode appends the state of a slot.
func (c *cells[S]) Encode(dst []byte, slot int32) []byte {
	if c.failed != nil && c.failed[slot] != nil {
		return encodeFailed(dst, c.failed[slot])
	}
	return c.k.encode(append(dst, stateVersion), &c.slots[slot])
}

// Decode reads a state into a slot.
func (c *cells[S]) Decode(slot int32, data []byte) ([]byte, error) {
	c.Reset(slot)
	if len(data) > 0 && data[0] == failedVersion {
		e, rest, err := decodeFailed(data[1:])
		if err == nil {
			c.fail(slot, e)
		}
		return rest, err
	}
	data, err := checkVersion(data)
	if err != nil {
		return nil, err
	}
	var s S
	rest, ok := c.k.decode(&s, data)
	if !ok {
		return nil, errBadState()
	}
	c.slots[slot] = s
	return rest, nil
}

func checkVersion(data []byte) ([]byte, error) {
	if len(data) == 0 {
		return nil, errBadState()
	}
	if data[0] != stateVersion {
		return nil, sqlerr.Newf(sqlerr.DataCorrupted, "aggregate state has version %d, this program reads version %d", data[0], stateVersion)
	}
	return data[1:], nil
}

func errBadState() error {
	return sqlerr.Newf(sqlerr.DataCorrupted, "aggregate state is cut short or damaged")
}

// Move makes slot to hold what slot from held.
func (c *cells[S]) Move(to, from int32) {
	if to != from {
		var zero S
		c.slots[to], c.slots[from] = c.slots[from], zero
		c.moveFailure(to, from)
	}
}

// Reset empties a slot.
func (c *cells[S]) Reset(slot int32) {
	var zero S
	c.slots[slot] = zero
	if c.failed != nil {
		delete(c.failed, slot)
	}
}

// Bytes estimates the memory held.
func (c *cells[S]) Bytes() int64 {
	var zero S
	n := int64(cap(c.slots)) * int64(unsafe.Sizeof(zero))
	if c.k.heap != nil {
		for i := range c.slots {
			n += int64(c.k.heap(&c.slots[i]))
		}
	}
	return n
}

// eachRow makes an add function of one for a single value; NULLs are left out.
func eachRow[S, A any](f func(s *S, a A) error) func(st []S, slots, rows []int32, args []column.Vector) error {
	return func(st []S, slots, rows []int32, args []column.Vector) error {
		v := args[0]
		read, nulls := reader[A](v), v.NullMask()
		for k, slot := range slots {
			i := rowAt(rows, k)
			if nulls != nil && nulls[i] {
				continue
			}
			if err := f(&st[slot], read(i)); err != nil {
				return &rowError{k, err}
			}
		}
		return nil
	}
}

// rowAt is the row that goes with slots[k].
func rowAt(rows []int32, k int) int {
	if rows == nil {
		return k
	}
	return int(rows[k])
}

// fixedResult makes a result function of one for a single slot; ok false is NULL.
func fixedResult[S, R any](f func(s *S) (r R, ok bool, err error)) func([]S, []int32, types.Type) (column.Vector, error) {
	return func(st []S, slots []int32, t types.Type) (column.Vector, error) {
		out := &column.Of[R]{T: t, Values: make([]R, len(slots))}
		for k, slot := range slots {
			r, ok, err := f(&st[slot])
			if err != nil {
				return nil, err
			}
			if ok {
				out.Values[k] = r
				continue
			}
			if out.Nulls == nil {
				out.Nulls = make([]bool, len(slots))
			}
			out.Nulls[k] = true
		}
		return out, nil
	}
}
