package connector

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"wmsql/column"
	"wmsql/types"
)

// TestEven runs testdata/even: splits, the stretches that arrive in them, and what is handed out.
func TestEven(t *testing.T) {
	datadriven.Walk(t, "../testdata/even", func(t *testing.T, path string) {
		var s script
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var out strings.Builder
			for _, line := range strings.Split(d.Input, "\n") {
				s.do(&out, d.Cmd, strings.Fields(line))
			}
			return out.String()
		})
	})
}

type script struct {
	even   *Even
	splits map[string]*Split
	slots  map[string]*Slot
	freed  int
}

var evenSchema = &types.Schema{Fields: []types.Field{{Name: "t", Type: types.Of(types.TimestampTZ)}}}

// Free counts the stretches that came back.
func (s *script) Free(*Part) { s.freed++ }

func (s *script) do(out *strings.Builder, cmd string, args []string) {
	switch cmd {
	case "new": // delay
		delay, _ := time.ParseDuration(args[0])
		s.even = NewEven(delay, func() time.Time { return time.Unix(1_000_000, 0) })
		s.even.patient = time.Millisecond
		s.splits, s.slots = map[string]*Split{}, map[string]*Slot{}
	case "split": // name more|idle
		s.splits[args[0]] = s.even.Add(args[0], len(s.splits), 0, args[1] == "more")
	case "reserve": // split more|end
		s.slots[args[0]] = s.splits[args[0]].Reserve(100, args[1] == "more")
	case "rows": // split more|end times in seconds, x for a rejected record
		slot := s.slots[args[0]]
		if delete(s.slots, args[0]); slot == nil {
			slot = s.splits[args[0]].Reserve(100, args[1] == "more")
		}
		p := s.part(args[2:])
		p.Split = slot.split.ID
		slot.Fill(p)
	case "free":
		s.splits[args[0]].SetFree(true)
	case "read": // bound of rows
		s.read(out, args[0])
	}
}

func (s *script) part(args []string) *Part {
	b := column.NewFixedBuilder[int64](types.Of(types.TimestampTZ), 0)
	p := &Part{Owner: s, End: int64(len(args)), Bytes: 100}
	for pos, a := range args {
		if a == "x" {
			p.Bad = append(p.Bad, BadRecord{Pos: int64(pos), Rejected: Rejected{Reason: "bad"}})
			continue
		}
		var t float64
		fmt.Sscan(a, &t)
		b.Append(int64(t * 1e6))
		p.Pos = append(p.Pos, int64(pos))
	}
	v := b.Build().(*column.Of[int64])
	p.Times = v.Values
	p.Batch.Batch = column.Batch{Schema: evenSchema, Cols: []column.Vector{v}, Rows: v.Len()}
	return p
}

// read reads one epoch and recycles its batches.
func (s *script) read(out *strings.Builder, bound string) {
	var rows int64
	fmt.Sscan(bound, &rows)
	s.even.Begin(Bounds{Rows: rows})
	for {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		b, err := s.even.Next(ctx)
		cancel()
		if errors.Is(err, context.DeadlineExceeded) {
			out.WriteString("waits for rows that are being decoded\n")
			return
		}
		if b == nil {
			break
		}
		for name, split := range s.splits {
			if split.ID == b.Split {
				fmt.Fprintf(out, "%s:", name)
			}
		}
		for _, t := range b.Cols[0].(*column.Of[int64]).Values {
			fmt.Fprintf(out, " %v", float64(t)/1e6)
		}
		out.WriteString("\n")
		s.even.Recycle(b)
	}
	if n := len(s.even.Rejected()); n > 0 {
		fmt.Fprintf(out, "rejected: %d\n", n)
	}
	for _, x := range s.even.splits {
		pos, _ := x.Stand()
		fmt.Fprintf(out, "%s at %d  ", x.Name, pos)
	}
	fmt.Fprintf(out, "freed %d\n", s.freed)
}

// TestEven_EpochEnds: rows that come after Next has returned nil wait for the next epoch.
func TestEven_EpochEnds(t *testing.T) {
	e := NewEven(0, nil)
	a := e.Add("a", 0, 0, false)
	e.Begin(Bounds{})
	if b, err := e.Next(t.Context()); b != nil || err != nil {
		t.Fatalf("%v, %v", b, err)
	}
	var s script
	a.Reserve(1, false).Fill(s.part([]string{"1"}))
	if b, _ := e.Next(t.Context()); b != nil {
		t.Fatal("an epoch went on after its end")
	}
	e.Begin(Bounds{})
	if b, _ := e.Next(t.Context()); b == nil {
		t.Fatal("the row is lost")
	}
}

// TestEven_Wait: Wait ends when a row can be handed out, and not before.
func TestEven_Wait(t *testing.T) {
	e := NewEven(0, nil)
	a, b := e.Add("a", 0, 0, true), e.Add("b", 1, 0, true)
	var s script
	a.Reserve(1, false).Fill(s.part([]string{"1"}))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := e.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("rows of a came before b's first: %v", err)
	}
	go b.Reserve(1, false).Fill(s.part([]string{"2"}))
	if err := e.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	fault := errors.New("fault")
	e.Fail(fault)
	if _, err := e.Next(t.Context()); !errors.Is(err, fault) {
		t.Fatal(err)
	}
}
