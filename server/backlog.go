package server

import (
	"context"
	"maps"
	"math"

	"wmsql/column"
	"wmsql/connector"
	"wmsql/exec"
	"wmsql/physicalplan"
	"wmsql/stream"
)

// backlog reads what is in a stream now, from its beginning, for a SELECT: the log of an internal stream and
// what the transaction itself inserted, or a connector's source up to its present end.
type backlog struct {
	src   connector.Source
	end   connector.Offset // "" for the log: its cut ends it
	began bool
	cut   int64
	own   []*column.Batch // the transaction's rows
}

func (s *Session) openBacklog(ctx context.Context, scan *physicalplan.StreamScan) (*backlog, error) {
	spec, err := stream.SourceSpec(scan.Stream, scan.Ords, s.srv.now)
	if err != nil {
		return nil, err
	}
	if scan.Stream.Connector == "" {
		b := &backlog{cut: s.srv.log.Head(), own: s.ownRows(scan)}
		b.src, err = s.srv.log.Source(spec, scan.Stream.ID, "")
		return b, err
	}
	d, missing := s.srv.cfg.Connectors.Lookup(scan.Stream.Connector)
	if missing != nil {
		return nil, missing
	}
	if len(d.Whole) > 0 {
		spec.Options = maps.Clone(spec.Options)
		maps.Copy(spec.Options, d.Whole)
	}
	src, err := d.Open(ctx, spec, "")
	if err != nil {
		return nil, err
	}
	end, err := src.End(ctx)
	if err != nil {
		_ = src.Close() // err says more
		return nil, err
	}
	return &backlog{src: src, end: end, cut: math.MaxInt64}, nil
}

// ownRows are the rows that the session's transaction inserted into a stream, as scan reads them.
func (s *Session) ownRows(scan *physicalplan.StreamScan) []*column.Batch {
	var out []*column.Batch
	ords := physicalOrds(scan.Stream.Columns, scan.Ords)
	for _, a := range s.tx.appends {
		if a.Stream == scan.Stream.ID {
			out = append(out, project(a.Batch, ords))
		}
	}
	return out
}

func (b *backlog) next(ctx context.Context) (*exec.Input, error) {
	for {
		if !b.began {
			if err := b.src.Begin(connector.Bounds{Rows: math.MaxInt64, Bytes: math.MaxInt64, Cut: b.cut}); err != nil {
				return nil, err
			}
			b.began = true
		}
		in, err := b.src.Next(ctx)
		if err != nil {
			return nil, err
		}
		if in != nil {
			return &exec.Input{Batch: &in.Batch, Split: in.Split, Arrivals: in.Arrivals, Arrival: in.Arrival}, nil
		}
		if b.end == "" || b.src.Reached(b.src.Offset(), b.end) {
			return b.nextOwn(), nil
		}
		b.began = false
		if err := b.src.Wait(ctx); err != nil {
			return nil, err
		}
	}
}

func (b *backlog) nextOwn() *exec.Input {
	if len(b.own) == 0 {
		return nil
	}
	batch := b.own[0]
	b.own = b.own[1:]
	return &exec.Input{Batch: batch}
}

func (b *backlog) recycle(*exec.Input) {}

func (b *backlog) close() {
	if b.src != nil {
		_ = b.src.Close() // only read from
	}
}
