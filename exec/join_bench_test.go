package exec_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"wmsql/column"
	"wmsql/exec"
	"wmsql/types"
)

// adStream makes batches of ad, text and event time: a row a millisecond, a minute of disorder. Every eighth ad is clicked.
func adStream(seed uint64, batches int, ads int64, s *types.Schema) []*column.Batch {
	r := rand.New(rand.NewPCG(seed, 2))
	at := int64(1_704_067_200_000_000)
	var out []*column.Batch
	for range batches {
		bs := column.NewBuilders(s, column.MaxRows)
		for range column.MaxRows {
			at += 1000
			bs[0].(*column.FixedBuilder[int64]).Append(at/1000*8 + r.Int64N(ads))
			bs[1].(*column.BytesBuilder).AppendString(fmt.Sprintf("campaign%d", r.IntN(1000)))
			bs[2].(*column.FixedBuilder[int64]).Append(at - r.Int64N(60e6))
		}
		out = append(out, column.BuildBatch(s, bs))
	}
	return out
}

// BenchmarkStreamJoin joins impressions with clicks of an hour after; ns/row is of both sides' rows, B/kept of the rows in state.
func BenchmarkStreamJoin(b *testing.B) {
	for _, kind := range []string{"JOIN", "LEFT JOIN"} {
		b.Run("kind="+kind[:4], func(b *testing.B) { benchmarkStreamJoin(b, kind) })
	}
}

func benchmarkStreamJoin(b *testing.B, kind string) {
	w := newWorld(b, 0, 1, false)
	for _, s := range []string{
		"CREATE STREAM imp (ad BIGINT, campaign TEXT, it TIMESTAMPTZ, WATERMARK FOR it AS it - INTERVAL '1' MINUTE)",
		"CREATE STREAM clk (cad BIGINT, usr TEXT, ct TIMESTAMPTZ, WATERMARK FOR ct AS ct - INTERVAL '1' MINUTE)"} {
		if err := w.createStream(s); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.createView("append", "SELECT ad, campaign, usr FROM imp "+kind+" clk ON cad = ad AND ct BETWEEN it AND it + INTERVAL '5' MINUTE", 0); err != nil {
		b.Fatal(err)
	}
	const perEpoch, epochs = 16, 16
	var data [2][]*column.Batch
	for i, f := range w.query.Feeds {
		data[i] = adStream(uint64(i), perEpoch*epochs, 8, f.Scan.Schem)
	}
	span := int64(perEpoch * epochs * column.MaxRows * 1000)
	rows, round, kept := 0, int64(0), 0.0
	start := cpuTime()
	for b.Loop() {
		at, turn := int(round%epochs)*perEpoch, round/epochs
		for i, f := range w.query.Feeds {
			next := at
			f.Set(func(context.Context) (*exec.Input, error) {
				if next == at+perEpoch {
					return nil, nil
				}
				next++
				return &exec.Input{Batch: shifted(data[i][next-1], turn*span), Arrival: types.MicroTime(1_904_067_200_000_000)}, nil
			}, nil)
		}
		w.epoch++
		txn := w.store.Begin()
		if _, err := drainRows(w.query, &exec.Epoch{ID: w.epoch, Query: uint32(w.view.ID), Now: w.now, Txn: txn}); err != nil {
			b.Fatal(err)
		}
		if err := txn.Commit(false); err != nil {
			b.Fatal(err)
		}
		rows += 2 * perEpoch * column.MaxRows
		round++
		if s := w.query.Stats()[0]; s.RowsTotal > 0 {
			kept = float64(s.StateBytes) / float64(s.RowsTotal)
		}
	}
	b.ReportMetric(float64(cpuTime()-start)/float64(rows), "cpu-ns/row")
	b.ReportMetric(kept, "B/kept")
	b.ReportMetric(float64(w.query.Stats()[0].RowsTotal), "kept")
}

// shifted is b later by us, keys too.
func shifted(b *column.Batch, us int64) *column.Batch {
	if us == 0 {
		return b
	}
	out := *b
	out.Cols = append([]column.Vector{}, b.Cols...)
	for _, c := range []int{0, 2} {
		v := append([]int64{}, b.Cols[c].(*column.Of[int64]).Values...)
		by := us
		if c == 0 {
			by = us / 1000 * 8
		}
		for i := range v {
			v[i] += by
		}
		out.Cols[c] = &column.Of[int64]{T: b.Cols[c].Type(), Values: v}
	}
	return &out
}

func drainRows(q *exec.Query, e *exec.Epoch) (int, error) {
	ctx := context.Background()
	if err := q.Root.Begin(ctx, e); err != nil {
		return 0, err
	}
	n := 0
	for {
		b, err := q.Root.Next(ctx)
		if b == nil || err != nil {
			return n, err
		}
		n += b.Rows
	}
}
