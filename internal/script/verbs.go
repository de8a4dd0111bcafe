package script

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"wmsql/exec"
	"wmsql/internal/failpoint"
	"wmsql/stream"
	"wmsql/types"
)

// Verb runs one directive of a script and returns what it prints.
//
//	sql, select      statements, as one simple query
//	explain          EXPLAIN of the statement below
//	feed REL         a row a line, values between blanks: \N is NULL, 12:30 is 2024-01-01 12:30 UTC
//	step             one micro-batch of every view that has something to do
//	run              steps until none has
//	state            what every operator keeps
//	clock +10m       moves the clock
//	restart          stops the server and starts it again
//	crash at=POINT   cuts the power when the next micro-batch comes to a place, and starts the server again
func (e *Engine) Verb(t *testing.T, d *datadriven.TestData) string {
	t.Helper()
	switch d.Cmd {
	case "sql", "select":
		return e.Exec(d.Input)
	case "explain":
		return e.Exec("EXPLAIN " + d.Input)
	case "feed":
		return e.feed(d.CmdArgs[0].Key, d.Input)
	case "step":
		out, _ := e.steps(1)
		return out
	case "run":
		out, _ := e.steps(1 << 20)
		return out
	case "state":
		return e.Exec("SELECT view, title, num_rows_total FROM wm_catalog.state_operators")
	case "clock":
		by, err := time.ParseDuration(strings.TrimPrefix(d.CmdArgs[0].Key, "+"))
		if err != nil {
			d.Fatalf(t, "%v", err)
		}
		e.Clock.Move(by)
		return ""
	case "restart":
		if err := e.Restart(); err != nil {
			d.Fatalf(t, "%v", err)
		}
		return ""
	case "crash":
		var at string
		d.ScanArgs(t, "at", &at)
		if err := e.Crash(failpoint.Point(at)); err != nil {
			d.Fatalf(t, "%v", err)
		}
		return ""
	}
	d.Fatalf(t, "unknown verb %s", d.Cmd)
	return ""
}

// timeOfDay is a word that stands for a time of the scripts' day.
var timeOfDay = regexp.MustCompile(`^\d\d:\d\d(:\d\d(\.\d+)?)?$`)

// feed inserts rows, in one transaction.
func (e *Engine) feed(rel, rows string) string {
	var values []string
	for line := range strings.Lines(rows) {
		var row []string
		for _, w := range strings.Fields(line) {
			switch {
			case w == `\N`:
				row = append(row, "NULL")
				continue
			case timeOfDay.MatchString(w):
				w = "2024-01-01 " + w + "+00"
			}
			row = append(row, "'"+strings.ReplaceAll(w, "'", "''")+"'")
		}
		values = append(values, "("+strings.Join(row, ", ")+")")
	}
	out := e.Exec("INSERT INTO " + rel + " VALUES " + strings.Join(values, ", "))
	if strings.HasPrefix(out, "INSERT") {
		return ""
	}
	return out
}

// steps lets the queries take at most n rounds of micro-batches and tells what each did.
func (e *Engine) steps(n int) (string, error) {
	var out strings.Builder
	for ; n > 0; n-- {
		worked := false
		err := e.Server.Step(context.Background(), func(view string, p stream.Progress) {
			worked = true
			fmt.Fprintln(&out, progressLine(view, p))
		})
		if err != nil {
			fmt.Fprintf(&out, "ERROR: %v\n", err)
			return out.String(), err
		}
		if !worked {
			break
		}
	}
	return out.String(), nil
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
// server starts again.
func (e *Engine) Crash(at failpoint.Point) error {
	e.fail.Arm(at, func() error { return errPower })
	_, err := e.steps(1 << 20)
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
	return e.open()
}
