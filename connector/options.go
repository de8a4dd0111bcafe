package connector

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// StreamOptions are the options every stream takes, whatever its connector: drivers leave them alone.
var StreamOptions = []string{
	"connector", "idle_timeout", "idle_advance", "watermark_scope", "max_future_skew", "null_event_time", "late_rows",
	"on_error", "retention", "max_batch_rows", "max_batch_delay",
}

// Options reads the options of a stream and keeps the first fault that it finds.
type Options struct {
	given map[string]string
	known []string
	err   *sqlerr.Error
}

// NewOptions refuses options that are neither among known nor of every stream.
func NewOptions(spec Spec, known []string) *Options {
	o := &Options{given: spec.Options, known: known}
	for _, name := range sortedKeys(spec.Options) {
		if slices.Contains(known, name) || slices.Contains(StreamOptions, name) {
			continue
		}
		o.fail(o.unknown(name))
		break
	}
	return o
}

func (o *Options) unknown(name string) *sqlerr.Error {
	e := sqlerr.Newf(sqlerr.InvalidParameterValue, "unrecognized option %q", name)
	all := slices.Concat(o.known, StreamOptions)
	if near := sqlerr.Nearest(name, all); near != "" {
		return e.WithHint("Perhaps you meant the option %q.", near)
	}
	return e.WithHint("Options of this connector are %s.", strings.Join(o.known, ", "))
}

func (o *Options) fail(e *sqlerr.Error) {
	if o.err == nil {
		o.err = e
	}
}

// Fail notes a fault.
func (o *Options) Fail(format string, args ...any) *sqlerr.Error {
	e := sqlerr.Newf(sqlerr.InvalidParameterValue, format, args...)
	o.fail(e)
	return e
}

// Err returns the first fault, nil if there is none.
func (o *Options) Err() error {
	if o.err == nil {
		return nil
	}
	return o.err
}

// Text returns an option's value, or the default.
func (o *Options) Text(name, def string) string {
	if v, ok := o.given[name]; ok {
		return v
	}
	return def
}

// Must returns the value of an option that has no default. example is shown in the hint.
func (o *Options) Must(name, example string) string {
	v := o.given[name]
	if v == "" {
		o.Fail("option %q is missing", name).WithHint("Add %s = '%s' to the WITH clause.", name, example)
	}
	return v
}

// OneOf returns the position of an option's value among values; the first is the default.
func (o *Options) OneOf(name string, values ...string) int {
	v, ok := o.given[name]
	if !ok {
		return 0
	}
	i := slices.Index(values, strings.ToLower(v))
	if i < 0 {
		e := o.Fail("invalid value for option %q: %q", name, v)
		if near := sqlerr.Nearest(v, values); near != "" {
			e.WithHint("Perhaps you meant '%s'. Available values: %s.", near, strings.Join(values, ", "))
		} else {
			e.WithHint("Available values: %s.", strings.Join(values, ", "))
		}
		return 0
	}
	return i
}

// Int returns an option's whole number within [lo, hi], or the default.
func (o *Options) Int(name string, def, lo, hi int64) int64 {
	v, ok := o.given[name]
	if !ok {
		return def
	}
	n, err := strconv.ParseInt(strings.TrimSpace(v), 10, 64)
	if err != nil || n < lo || n > hi {
		o.Fail("invalid value for option %q: %q", name, v).WithHint("It is a whole number between %d and %d.", lo, hi)
		return def
	}
	return n
}

// Float returns an option's number within [lo, hi], or the default.
func (o *Options) Float(name string, def, lo, hi float64) float64 {
	v, ok := o.given[name]
	if !ok {
		return def
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
	if err != nil || !(n >= lo && n <= hi) {
		o.Fail("invalid value for option %q: %q", name, v).WithHint("It is a number between %v and %v.", lo, hi)
		return def
	}
	return n
}

// Bool returns an option's truth value, or the default.
func (o *Options) Bool(name string, def bool) bool {
	v, ok := o.given[name]
	if !ok {
		return def
	}
	d, err := parseDatum(types.Of(types.Bool), v)
	if err != nil {
		o.Fail("invalid value for option %q: %q", name, v).WithHint("It is true or false.")
		return def
	}
	return d.(bool)
}

// Duration returns an option's interval of at least 0, or the default. A month counts 31 days, as in a watermark's delay.
func (o *Options) Duration(name string, def time.Duration) time.Duration {
	v, ok := o.given[name]
	if !ok {
		return def
	}
	d, err := parseDatum(types.Of(types.Interval), v)
	if err == nil {
		i := d.(types.IntervalValue)
		n := time.Duration(int64(i.Months)*31+int64(i.Days))*24*time.Hour + time.Duration(i.Micros)*time.Microsecond
		if n >= 0 {
			return n
		}
	}
	o.Fail("invalid value for option %q: %q", name, v).WithHint("It is an interval of at least 0, such as '10 seconds'.")
	return def
}

// Time returns an option's timestamp; a zone that is missing is UTC.
func (o *Options) Time(name string) (t types.MicroTime, ok bool) {
	d, err := parseDatum(types.Of(types.TimestampTZ), o.given[name])
	if err != nil {
		return 0, false
	}
	return types.MicroTime(d.(int64)), true
}

func parseDatum(t types.Type, text string) (any, error) {
	b := column.NewBuilder(t, 1)
	if err := b.AppendText([]byte(text), types.UTC); err != nil {
		return nil, err
	}
	return column.Get(b.View(), 0), nil
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// CheckMetadata refuses metadata columns declared with a type that the connector cannot fill. fields are those of
// Driver.Metadata; others lists further types that a column may have.
func CheckMetadata(spec Spec, fields []types.Field, others map[string][]types.Kind) error {
	for _, f := range spec.Schema.Fields {
		for _, m := range fields {
			if f.Name != m.Name || f.Type.Same(m.Type) || !f.Type.Array && slices.Contains(others[m.Name], f.Type.Kind) {
				continue
			}
			return sqlerr.Newf(sqlerr.InvalidParameterValue, "metadata column %q has type %s", f.Name, f.Type).
				WithHint("Declare it as %s %s.", m.Name, m.Type)
		}
	}
	return nil
}

// TakesOption reports whether a driver's options have name. One that ends with a dot stands for all that begin with it.
func TakesOption(options []string, name string) bool {
	return slices.ContainsFunc(options, func(o string) bool {
		return o == name || strings.HasSuffix(o, ".") && strings.HasPrefix(name, o)
	})
}
