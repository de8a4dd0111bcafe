package exec

import (
	"context"
	"errors"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/function"
	"wmsql/physicalplan"
	"wmsql/sqlerr"
	"wmsql/types"
)

// process calls a user-defined function: for the rows of every key of the epoch first, then for the timers whose time has come, by
// the watermark that the epoch ends with and by its clock.
//
// A call that fails changes nothing. Of several rows each is then given alone, so that one bad row costs no other; a row that fails
// alone is rejected with the reason. A timer that fails is rejected too, and gone.
type process struct {
	in    Operator
	node  *physicalplan.Process
	env   *Env
	aside *aside
	count *lateCount
	fn    *function.Instance
	keys  *processKeys

	epoch *Epoch
	phase processPhase
	rows  *collector
	out   chunks
	stats OperatorStats

	set    keySet
	groups map[string]int
	order  [][]int32 // rows of each key, in the order in which keys came first
	one    [1]int32
	cols   []column.Vector
	schema *types.Schema // of what rows show
}

type processPhase uint8

const (
	processReading processPhase = iota
	processFiring
	processEnded
)

// The rows that are called for together: a key's rows of one epoch come in one call unless there are more.
const (
	processRowsMax  = 64 << 10
	processBytesMax = 32 << 20
)

func (b *builder) process(n *physicalplan.Process) (Operator, error) {
	in, err := b.build(n.Input)
	if err != nil {
		return nil, err
	}
	args, err := b.processArgs(n)
	if err != nil {
		return nil, err
	}
	fn, err := newInstance(n, args)
	if err != nil {
		return nil, err
	}
	ts := schemaTypes(n.Input.Schema())
	var keys []types.Type
	for _, o := range n.Keys {
		keys = append(keys, ts[o])
	}
	p := &process{in: in, node: n, env: b.env, aside: b.q.aside, count: b.lateCount(n.State), fn: fn, rows: newCollector(n.Input.Schema(), 0),
		groups: map[string]int{}, schema: n.InSchema()}
	p.keys = newProcessKeys(n, b.env, newKeyLayout(keys))
	b.q.stats = append(b.q.stats, p.operatorStats)
	b.q.wakes = append(b.q.wakes, p.keys.wake)
	return p, nil
}

// processArgs computes the arguments, which are the same for all rows.
func (b *builder) processArgs(n *physicalplan.Process) ([]column.Vector, error) {
	x, err := b.exprs(n.Args, nil)
	if err != nil {
		return nil, err
	}
	return x.eval(nil, &column.Batch{Schema: &types.Schema{}, Rows: 1})
}

func newInstance(n *physicalplan.Process, args []column.Vector) (*function.Instance, error) {
	var params []string
	for _, p := range n.Func.Params {
		params = append(params, p.Name)
	}
	program, err := function.Compile(n.Func.Name, n.Func.Source, params)
	if err != nil {
		return nil, err
	}
	return program.New(function.Config{In: n.InSchema(), Out: n.Schem, TimeAt: n.Func.TimeColumn, Marked: n.Marked, Args: args})
}

// Begin readies the states at the first epoch.
func (p *process) Begin(ctx context.Context, e *Epoch) error {
	p.epoch, p.phase, p.out = e, processReading, chunks{}
	p.count.rows.Store(0)
	p.stats = OperatorStats{}
	if err := p.in.Begin(ctx, e); err != nil {
		return err
	}
	p.fn.Begin(e.Now, p.in.Bounds().LateUpTo)
	return p.keys.begin(e)
}

// Next returns what the function emits.
func (p *process) Next(ctx context.Context) (*column.Batch, error) {
	for {
		if b := p.out.next(); b != nil {
			p.stats.RowsOut += int64(b.Rows)
			return b, nil
		}
		if p.phase == processEnded {
			return nil, nil
		}
		if err := p.step(ctx); err != nil {
			return nil, err
		}
		if p.fn.Rows() > 0 {
			p.out = chunks{b: p.fn.Take()}
		}
	}
}

// step does the next piece of work: some rows, or some timers.
func (p *process) step(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if p.phase == processReading {
		b, err := p.in.Next(ctx)
		if err != nil {
			return err
		}
		if b == nil {
			p.phase = processFiring
			err = p.call()
			p.fn.Advance(p.in.Bounds().EvictUpTo)
			return err
		}
		if err := p.rows.add(b); err != nil {
			return err
		}
		if p.rows.rows >= processRowsMax || p.rows.bytes() >= processBytesMax {
			return p.call()
		}
		return nil
	}
	more, err := p.fire()
	if err != nil || more {
		return err
	}
	p.phase = processEnded
	return p.keys.finish()
}

// call gives the collected rows to the function, key by key.
func (p *process) call() error {
	if p.rows.rows == 0 {
		return nil
	}
	b := p.rows.take()
	p.cols = p.cols[:0]
	for _, o := range p.node.Keys {
		p.cols = append(p.cols, b.Cols[o])
	}
	p.keys.layout.encode(&p.set, p.cols, b.Rows)
	clear(p.groups)
	p.order = p.order[:0]
	for i := range b.Rows {
		at, ok := p.groups[string(p.set.key(i))]
		if !ok {
			at = len(p.order)
			p.groups[string(p.set.key(i))] = at
			p.order = append(p.order, nil)
		}
		p.order[at] = append(p.order[at], int32(i))
	}
	shown := p.shown(b)
	for _, rows := range p.order {
		k, err := p.keys.get(p.set.key(int(rows[0])))
		if err != nil {
			return err
		}
		if err := p.group(k, shown, rows); err != nil {
			return err
		}
	}
	return nil
}

// shown is b with the columns that the function sees.
func (p *process) shown(b *column.Batch) *column.Batch {
	out := &column.Batch{Schema: p.schema, Rows: b.Rows}
	for _, o := range p.node.Shown {
		out.Cols = append(out.Cols, b.Cols[o])
	}
	return out
}

// group calls the function for the rows of one key: all together, or after a fault one by one.
func (p *process) group(k *processKey, b *column.Batch, rows []int32) error {
	err := p.settle(k, p.fn.Process(p.cols, int(rows[0]), b, rows, k))
	var fault *function.Fault
	switch {
	case err == nil || !errors.As(err, &fault):
		return err
	case p.node.Reject == nil:
		return sqlerr.Newf(sqlerr.ExternalRoutine, "%s", fault.Reason)
	case len(rows) == 1:
		p.aside.reject(p.node.Reject.Stream, 0, b, int(rows[0]), fault.Reason)
		if !p.node.Reject.Results {
			p.aside.unevaluated()
		}
		return nil
	}
	for _, r := range rows {
		p.one[0] = r
		if err := p.group(k, b, p.one[:]); err != nil {
			return err
		}
	}
	return nil
}

// settle keeps what a call changed, or takes it back.
func (p *process) settle(k *processKey, err error) error {
	if err != nil {
		k.rollback()
		return err
	}
	k.commit()
	return nil
}

// fireMax bounds the timers that fire before their rows are handed on.
const fireMax = 1024

// fire calls the function for the timers that are next; more is false when none is due any more.
func (p *process) fire() (more bool, err error) {
	for range fireMax {
		if p.fn.Rows() >= column.MaxRows {
			return true, nil
		}
		t, ok, err := p.keys.due(p.in.Bounds().EvictUpTo)
		if err != nil || !ok {
			return false, err
		}
		if err := p.fireOne(t); err != nil {
			return false, err
		}
	}
	return true, nil
}

func (p *process) fireOne(t keyTimer) error {
	k, err := p.keys.get([]byte(t.key))
	if err != nil {
		return err
	}
	if t.kind == timerSweep {
		k.sweep()
		return nil
	}
	timer := function.Timer{Processing: t.kind == timerProcessing, At: t.at}
	if !k.hasTimer(timer) {
		return nil // cancelled
	}
	key, err := p.keys.decode(t.key)
	if err != nil {
		return err
	}
	k.CancelTimer(timer)
	if k.fires++; k.fires > timersFiredMax {
		err = &function.Fault{Reason: "function " + p.node.Func.Name + " sets too many timers that are already due"}
	} else {
		err = p.fn.Fire(key, 0, timer, k)
	}
	var fault *function.Fault
	if err = p.settle(k, err); !errors.As(err, &fault) {
		return err
	}
	if p.node.Reject == nil {
		return sqlerr.Newf(sqlerr.ExternalRoutine, "%s", fault.Reason)
	}
	k.CancelTimer(timer)
	k.commit()
	p.rejectTimer(p.node.Reject.Stream, key, t, fault.Reason)
	return nil
}

// timersFiredMax bounds how often a key's timers fire in one epoch: each may set the next one.
const timersFiredMax = 100_000

// rejectTimer shows a timer that failed among the rejected rows, as a row of its key and its time.
func (p *process) rejectTimer(to *catalog.Stream, key []column.Vector, t keyTimer, reason string) {
	b := &column.Batch{Schema: &types.Schema{}, Rows: 1}
	for i, o := range p.node.Keys {
		b.Schema.Fields = append(b.Schema.Fields, p.node.Input.Schema().Fields[o])
		b.Cols = append(b.Cols, key[i])
	}
	b.Schema.Fields = append(b.Schema.Fields, types.Field{Name: "timer", Type: types.Of(types.TimestampTZ)})
	b.Cols = append(b.Cols, &column.Of[int64]{T: types.Of(types.TimestampTZ), Values: []int64{t.at}})
	p.aside.reject(to, 0, b, 0, reason)
}

// Bounds is the input's: an emitted event time is checked to be after the watermark that the epoch began with.
func (p *process) Bounds() Bounds { return p.in.Bounds() }

// Close closes the input.
func (p *process) Close() error { return p.in.Close() }

func (p *process) operatorStats() OperatorStats {
	s := p.stats
	s.Name, s.Title, s.Table = "transformWithState", p.node.Title(), p.node.State
	s.RowsTotal, s.StateBytes = p.keys.total.rows, p.keys.total.bytes
	s.RowsUpdated, s.RowsRemoved = p.keys.updated, p.keys.removed
	s.RowsDropped = p.count.rows.Load()
	s.Bounds = p.Bounds()
	return s
}
