package function

import (
	"errors"
	"fmt"
	"math/bits"
	"time"

	startime "go.starlark.net/lib/time"
	"go.starlark.net/starlark"
)

// meter is what one call may still spend. Work is counted in the interpreter's steps.
type meter struct {
	thread *starlark.Thread
	limit  uint64 // steps
	left   int64  // bytes
}

var (
	errSteps  = errors.New("it needs too many steps")
	errMemory = fmt.Errorf("it needs more than %d MiB of memory", memoryMax>>20)
)

func newMeter() *meter {
	m := &meter{thread: &starlark.Thread{Name: "function", Print: func(*starlark.Thread, string) {}}}
	m.thread.OnMaxSteps = func(t *starlark.Thread) { t.Cancel(errSteps.Error()) }
	return m
}

// begin gives a call of some rows its budget.
func (m *meter) begin(rows int) {
	m.thread.Uncancel()
	m.thread.Steps = 0
	m.limit = stepsCall + stepsRow*uint64(rows)
	m.thread.SetMaxExecutionSteps(m.limit)
	m.left = memoryMax
}

// take charges for memory before it is allocated.
func (m *meter) take(bytes int) error {
	if bytes < 0 || int64(bytes) > m.left {
		m.left = 0
		return errMemory
	}
	m.left -= int64(bytes)
	return m.work(bytes / 64)
}

// work charges for what one step does not cover.
func (m *meter) work(steps int) error {
	m.thread.Steps += uint64(max(steps, 0))
	if m.thread.Steps >= m.limit {
		return errSteps
	}
	return nil
}

// cells charges for n values of a container.
func (m *meter) cells(n, size int) error {
	if n < 0 || n > memoryMax/size {
		return errMemory
	}
	return m.take(n * size)
}

// The bytes of one value in a container, about.
const (
	listCell = 24
	dictCell = 112
)

// weigh is the bytes that a walk of v meets, counting again what it meets again, as a comparison or a text would; more than most
// once it is more, or nested too deep. A value that holds itself ends there, too.
func weigh(v starlark.Value, most int) int { return weighAt(v, most, 0) }

func weighAt(v starlark.Value, most, depth int) int {
	const cell, deep = 16, 1000
	n := cell
	add := func(x starlark.Value) bool {
		n += weighAt(x, most-n, depth+1)
		return n <= most
	}
	if depth > deep {
		return max(most+1, cell)
	}
	switch v := v.(type) {
	case starlark.String:
		return cell + len(v)
	case starlark.Bytes:
		return cell + 4*len(v)
	case starlark.Int:
		if _, ok := v.Int64(); !ok {
			return cell + v.BigInt().BitLen()
		}
	case *starlark.List:
		v.Elements()(add)
	case starlark.Tuple:
		v.Elements()(add)
	case *starlark.Dict:
		for k, x := range v.Entries() {
			if !add(k) || !add(x) {
				break
			}
		}
	case *starlark.Set:
		v.Elements()(add)
	}
	return n
}

// walk charges for looking at all of v, deeply.
func (m *meter) walk(v starlark.Value) error {
	if scalar(v) {
		return nil
	}
	most := int(min(m.limit-min(m.thread.Steps, m.limit), 1<<26)) * 16
	return m.work(weigh(v, most) / 16)
}

// scalar reports whether v has a size that does not matter.
func scalar(v starlark.Value) bool {
	switch v.(type) {
	case starlark.Int, starlark.Float, starlark.Bool, starlark.NoneType, startime.Time, startime.Duration:
		return true
	}
	return false
}

// size is the bytes of v itself, without what it refers to.
func size(v starlark.Value) int {
	switch v := v.(type) {
	case starlark.String:
		return len(v)
	case starlark.Bytes:
		return len(v)
	case *starlark.List:
		return v.Len() * listCell
	case starlark.Tuple:
		return len(v) * listCell
	case *starlark.Dict:
		return v.Len() * dictCell
	case *starlark.Set:
		return v.Len() * dictCell
	}
	return 16
}

// nodes counts the tuples in a tuple and their values, up to more than tupleMax.
func nodes(v starlark.Value) int {
	t, ok := v.(starlark.Tuple)
	if !ok {
		return 1
	}
	n := 1
	for i := 0; i < len(t) && n <= tupleMax; i++ {
		n += nodes(t[i])
	}
	return n
}

// bounded refuses results that later steps would have to pay for: large ints, large texts, deep tuples.
func bounded(v starlark.Value) (starlark.Value, error) {
	switch x := v.(type) {
	case starlark.Int:
		if _, small := x.Int64(); !small && x.BigInt().BitLen() > bitsMax {
			return nil, fmt.Errorf("an int has more than %d bits", bitsMax)
		}
	case starlark.String:
		if len(x) > valueMax {
			return nil, fmt.Errorf("a string is longer than %d bytes", valueMax)
		}
	case starlark.Bytes:
		if len(x) > valueMax {
			return nil, fmt.Errorf("a bytes value is longer than %d bytes", valueMax)
		}
	case starlark.Tuple:
		if nodes(x) > tupleMax {
			return nil, fmt.Errorf("a tuple holds more than %d values", tupleMax)
		}
	case *starlark.List: // of tuples: what zip, items and enumerate give
		for i := range x.Len() {
			if t, ok := x.Index(i).(starlark.Tuple); ok && nodes(t) > tupleMax {
				return nil, fmt.Errorf("a tuple holds more than %d values", tupleMax)
			}
		}
	}
	return v, nil
}

// rounds is how often sorting compares one of n values, about.
func rounds(n int) int { return 2 * bits.Len(uint(n)) }

// callMax ends a call that a machine under load does not get done; a bound by steps comes long before.
const callMax = 10 * time.Second

// watched runs f, which calls the interpreter.
func (m *meter) watched(f func() error) (err error) {
	late := time.AfterFunc(callMax, func() { m.thread.Cancel("it takes too long") })
	defer late.Stop()
	defer func() {
		if r := recover(); r != nil { // of the interpreter: no text may end the server
			err = fmt.Errorf("the interpreter failed: %v", r)
			m.thread = newMeter().thread
		}
	}()
	return f()
}
