package script

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"wmsql/exec"
	"wmsql/internal/failpoint"
	"wmsql/stream"
	"wmsql/types"
)

// untilIdle is more rounds of micro-batches than any script needs.
const untilIdle = 1 << 20

// batches are micro-batches in the order in which they were first seen. One that a power cut took back is the same when it is
// run again.
type batches struct {
	order []batchID
	lines map[batchID]string
}

type batchID struct {
	view  string
	epoch int64
}

func newBatches() *batches { return &batches{lines: map[batchID]string{}} }

func (b *batches) add(view string, p stream.Progress) {
	id := batchID{view, p.Epoch}
	if _, known := b.lines[id]; !known {
		b.order = append(b.order, id)
	}
	b.lines[id] = progressLine(view, p)
}

func (b *batches) String() string {
	var out strings.Builder
	for _, id := range b.order {
		out.WriteString(b.lines[id] + "\n")
	}
	return out.String()
}

// steps lets the queries take at most n rounds of micro-batches and tells what each did, whatever crashes the engine is to have
// meanwhile, and what those did that a crash before left. A query that fails is part of what is told.
func (e *Engine) steps(n int) (string, error) {
	seen := e.untold
	e.untold = newBatches()
	err := e.survive(n, seen)
	if err == nil {
		return seen.String(), nil
	}
	return seen.String() + fmt.Sprintf("ERROR: %v\n", err), nil
}

// survive is rounds with the engine's crash in it.
func (e *Engine) survive(n int, seen *batches) error {
	if e.opt.Crash == "" {
		return e.rounds(n, nil, seen)
	}
	before := e.epochs()
	err := e.crash(e.opt.Crash, n, seen)
	if errors.Is(err, errNotReached) {
		return nil
	}
	if err != nil {
		return err
	}
	after := e.epochs()
	return e.rounds(n, func(view string) bool { return n == 1 && after[view] > before[view] }, seen)
}

// rounds lets the queries, but those to be skipped, take at most n rounds of micro-batches.
func (e *Engine) rounds(n int, skip func(view string) bool, seen *batches) error {
	for ; n > 0; n-- {
		worked := false
		err := e.Server.Step(context.Background(), skip, func(view string, p stream.Progress) {
			worked = true
			seen.add(view, p)
		})
		if err != nil || !worked {
			return err
		}
	}
	return nil
}

// epochs are the numbers of the newest epochs, by view.
func (e *Engine) epochs() map[string]int64 {
	out := map[string]int64{}
	e.Server.Last(func(view string, p stream.Progress) { out[view] = p.Epoch })
	return out
}

func progressLine(view string, p stream.Progress) string {
	var late, state int64
	for _, op := range p.Operators {
		late, state = late+op.RowsDropped, state+op.RowsTotal
	}
	s := fmt.Sprintf("%s epoch=%d in=%d late=%d out=%d state=%d", view, p.Epoch, p.RowsIn, late, p.RowsOut, state)
	for _, w := range p.Watermarks {
		s += " watermark=" + watermarkText(w)
	}
	return s
}

func watermarkText(w exec.WatermarkStats) string {
	if w.Watermark == types.MinTime {
		return "none"
	}
	return strings.TrimSuffix(string(types.AppendTimestamp(nil, int64(w.Watermark))), " ")
}

var (
	errPower      = errors.New("power cut")
	errNotReached = errors.New("no micro-batch came to the place of the crash")
)

// Crash cuts the power when the next micro-batch comes to a place: what was not synced by then is lost. Then the
// server starts again. Whether a micro-batch that was just committed outlives it is a matter of chance; the next steps tell of it
// in either case.
func (e *Engine) Crash(at failpoint.Point) error { return e.crash(at, untilIdle, e.untold) }

func (e *Engine) crash(at failpoint.Point, n int, seen *batches) error {
	before := e.epochs()
	e.fail.Arm(at, func() error { return errPower })
	if err := e.powerCut(at, e.rounds(n, nil, seen)); err != nil {
		return err
	}
	e.Server.Last(func(view string, p stream.Progress) { // committed, but nobody was told
		if p.Epoch > before[view] {
			seen.add(view, p)
		}
	})
	return nil
}

// crashDuring is Crash for the micro-batch that a statement makes.
func (e *Engine) crashDuring(at failpoint.Point, statement string) error {
	var err error
	e.fail.Arm(at, func() error { err = errPower; return errPower })
	e.Exec(statement)
	return e.powerCut(at, err)
}

// powerCut goes on after err ended what had been going on, if it was the armed place that did so.
func (e *Engine) powerCut(at failpoint.Point, err error) error {
	e.fail.Arm(at, nil)
	if err == nil {
		return fmt.Errorf("%w: %s", errNotReached, at)
	}
	if !errors.Is(err, errPower) {
		return err
	}
	after := e.fs.PowerCut(0, rand.New(rand.NewPCG(1, 1)))
	if err := e.Close(); err != nil {
		return err
	}
	e.fs = after
	e.crashes++
	if err := e.open(); err != nil {
		return err
	}
	return e.resume()
}
