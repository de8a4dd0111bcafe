package datagen

import (
	"math"
	"slices"
	"strings"
	"time"

	"wmsql/connector"
	"wmsql/sqlerr"
	"wmsql/types"
)

var optionNames = []string{"rows_per_second", "rows", "seed", "disorder", "late", "keys", "start", "step"}

// fieldPrefix begins the options of one column: fields.<column>.<what>.
const fieldPrefix = "fields."

var fieldOptions = []string{"kind", "min", "max", "length", "values"}

// config is a stream's options, checked.
type config struct {
	rate     float64 // rows a second, 0: as fast as they are taken
	rows     int64   // in all, MaxInt64: endless
	seed     uint64
	disorder int64   // µs: how far a row may lie behind the newest
	late     float64 // share of rows that lie behind the newest by more than the delay
	lateBy   int64   // µs: how far at least
	keys     int64
	start    types.MicroTime // event time of row 0
	now      bool            // start is the moment of the first reading
	step     int64           // µs of event time from row to row
	schema   *types.Schema   // of a batch
	columns  []generator
	event    int // ordinal of the event time in a batch, -1 if none is read
}

func parse(spec connector.Spec) (*config, error) {
	o := connector.NewOptions(spec, knownOptions(spec.Schema))
	c := &config{
		rate:     o.Float("rows_per_second", 10, 0, 1e9),
		rows:     o.Int("rows", math.MaxInt64, 0, math.MaxInt64),
		seed:     uint64(o.Int("seed", 1, math.MinInt64, math.MaxInt64)),
		disorder: o.Duration("disorder", 0).Microseconds(),
		late:     o.Float("late", 0, 0, 1),
		keys:     o.Int("keys", 1000, 1, math.MaxInt32),
	}
	c.lateBy = spec.Delay.Microseconds() + c.disorder
	c.step = o.Duration("step", c.defaultStep()).Microseconds()
	c.parseStart(o)
	if err := o.Err(); err != nil {
		return nil, err
	}
	c.event = slices.Index(spec.Read, spec.EventTime)
	c.schema = &types.Schema{}
	for _, i := range spec.Read {
		c.schema.Fields = append(c.schema.Fields, spec.Schema.Fields[i])
	}
	// Every column is compiled, those that are not read too: a bad option is refused at CREATE STREAM, and a column's values
	// hang on its place in the stream, not on the query.
	read := map[int]generator{}
	for i, f := range spec.Schema.Fields {
		g, err := c.compile(o, i, f)
		if err != nil {
			return nil, err
		}
		read[i] = g
	}
	for _, i := range spec.Read {
		c.columns = append(c.columns, read[i])
	}
	return c, nil
}

func (c *config) defaultStep() time.Duration {
	if c.rate > 0 {
		return time.Duration(float64(time.Second) / c.rate)
	}
	return time.Millisecond
}

func (c *config) parseStart(o *connector.Options) {
	v := o.Text("start", "now")
	if strings.EqualFold(v, "now") {
		c.now = true
		return
	}
	t, ok := o.Time("start")
	if !ok || t == types.Infinity || t == types.NegInfinity {
		o.Fail("invalid value for option %q: %q", "start", v).WithHint("It is now, or a timestamp such as '2026-01-01 00:00:00+00'.")
	}
	c.start = t
}

// knownOptions are all options of a stream of this schema.
func knownOptions(s *types.Schema) []string {
	known := slices.Clone(optionNames)
	for _, f := range s.Fields {
		for _, o := range fieldOptions {
			known = append(known, fieldPrefix+f.Name+"."+o)
		}
	}
	return known
}

// unsupported is the error for a column type that nothing is made up for.
func unsupported(f types.Field) error {
	return sqlerr.Unsupported("column \"%s\" of type %s in connector 'datagen'", f.Name, f.Type)
}
