package kafka

import (
	"net"
	"slices"
	"strings"

	"wmsql/connector"
	"wmsql/connector/format"
	"wmsql/sqlerr"
	"wmsql/types"
)

var optionNames = slices.Concat([]string{"brokers", "topic", "start", "on_data_loss", "isolation"}, format.Options)

// config is a stream's options, checked.
type config struct {
	brokers   []string
	topic     string
	start     startAt
	onLoss    lossPolicy
	committed bool // only records of committed transactions
	format    *format.Format
	event     int      // ordinal in a batch of the column that keeps the partitions even, -1 if none is read
	meta      []metaFn // fills the metadata columns
	ahead     int64    // bytes of records in all partitions, at most maxBuffered
	stream    string
	tell      func(msg string, args ...any) // to the server's log
}

// startAt is where a new query begins.
type startAt struct {
	latest bool
	after  types.MicroTime // MinTime: at the earliest record
}

// lossPolicy says what happens when records are gone that the query has not read.
type lossPolicy uint8

const (
	lossFails lossPolicy = iota
	lossEarliest
)

func parse(spec connector.Spec) (*config, error) {
	o := connector.NewOptions(spec, optionNames)
	c := &config{
		ahead:   spec.Ahead(maxBuffered),
		stream:  spec.Stream,
		tell:    spec.Tell,
		brokers: parseBrokers(o),
		topic:   o.Must("topic", "clicks"),
		start:   parseStart(o),
		event:   slices.Index(spec.Read, spec.EventTime),
	}
	name := format.Formats[o.OneOf("format", format.Formats...)]
	c.onLoss = lossPolicy(o.OneOf("on_data_loss", "fail", "earliest"))
	c.committed = o.OneOf("isolation", "read_committed", "read_uncommitted") == 0
	if err := o.Err(); err != nil {
		return nil, err
	}
	if err := connector.CheckMetadata(spec, metadata, otherTypes); err != nil {
		return nil, err
	}
	f, err := format.Compile(spec, o, name, func(i int) bool { return isMetadata(spec.Schema.Fields[i].Name) })
	if err != nil {
		return nil, err
	}
	c.format = f
	c.meta = compileMeta(spec)
	if c.event >= 0 && !format.HoldsTimes(spec.Schema.Fields[spec.EventTime].Type) {
		c.event = -1
	}
	return c, f.NoHeader()
}

// parseBrokers reads host:port, host:port.
func parseBrokers(o *connector.Options) []string {
	var out []string
	for _, b := range strings.Split(o.Must("brokers", "127.0.0.1:9092"), ",") {
		b = strings.TrimSpace(b)
		if b == "" {
			continue
		}
		if _, port, err := net.SplitHostPort(b); err != nil || port == "" {
			if strings.Count(b, ":") == 0 {
				b += ":9092"
			} else {
				o.Fail("invalid value for option %q: %q", "brokers", b).
					WithHint("It is a list of host:port, such as '127.0.0.1:9092,127.0.0.1:9093'.")
			}
		}
		out = append(out, b)
	}
	return out
}

func parseStart(o *connector.Options) startAt {
	switch v := o.Text("start", "earliest"); strings.ToLower(v) {
	case "earliest":
		return startAt{after: types.MinTime}
	case "latest":
		return startAt{latest: true}
	default:
		t, ok := o.Time("start")
		if !ok || t == types.Infinity || t == types.NegInfinity {
			o.Fail("invalid value for option %q: %q", "start", v).
				WithHint("It is earliest, latest, or a timestamp such as '2026-01-01 00:00:00+00'.")
		}
		return startAt{after: t}
	}
}

// unreachable is the error for brokers that do not answer.
func (c *config) unreachable(err error) *sqlerr.Error {
	e := sqlerr.Newf(sqlerr.ConnectionFailure, "could not reach Kafka at %s", strings.Join(c.brokers, ", ")).
		WithDetail("%s.", strings.TrimSuffix(err.Error(), ".")).
		WithHint("Is a broker running there, and is option brokers right?")
	e.Cause = err
	return e
}
