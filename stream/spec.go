package stream

import (
	"strings"
	"time"

	"wmsql/catalog"
	"wmsql/connector"
	"wmsql/sqlerr"
	"wmsql/types"
)

// PhysicalSchema is the row type of what a stream's source or log holds: its columns without the computed ones.
func PhysicalSchema(s *catalog.Stream) *types.Schema {
	out := &types.Schema{}
	for i := range s.Columns {
		if c := &s.Columns[i]; c.Generated == "" {
			out.Fields = append(out.Fields, types.Field{Name: c.Name, Type: c.Type, NotNull: c.NotNull})
		}
	}
	return out
}

// SourceSpec is what a stream asks of its connector when the columns ords (ordinals of the stream's) are read; nil: all.
func SourceSpec(s *catalog.Stream, ords []int, now func() time.Time) (connector.Spec, error) {
	place := make([]int, len(s.Columns)) // ordinal among the physical columns
	spec := connector.Spec{Stream: s.Name, Schema: PhysicalSchema(s), EventTime: -1, Options: s.Options, Now: now, Read: []int{}}
	n := 0
	for i := range s.Columns {
		if place[i] = -1; s.Columns[i].Generated == "" {
			place[i] = n
			n++
		}
		if ords == nil && place[i] >= 0 {
			spec.Read = append(spec.Read, place[i])
		}
	}
	for _, o := range ords {
		if place[o] < 0 {
			return spec, sqlerr.Newf(sqlerr.Internal, "column \"%s\" of stream \"%s\" is computed and cannot be read from its source", s.Columns[o].Name, s.Name)
		}
		spec.Read = append(spec.Read, place[o])
	}
	if s.Watermark != nil {
		spec.Delay = delayOf(s.Watermark.Delay)
		spec.EventTime = place[s.Watermark.Column]
		if spec.EventTime < 0 {
			spec.EventTime = spec.Schema.Find(firstName(s.Columns[s.Watermark.Column].Generated, spec.Schema))
		}
	}
	return spec, nil
}

// delayOf is a watermark's delay as a span of time: a month is 31 days.
func delayOf(i types.IntervalValue) time.Duration {
	days := int64(i.Months)*31 + int64(i.Days)
	return time.Duration(days)*24*time.Hour + time.Duration(i.Micros)*time.Microsecond
}

// firstName returns the first column of schema that an SQL expression names. It is only asked for the order in which to read a
// backlog, so that to miss an odd spelling costs nothing but evenness.
func firstName(sql string, schema *types.Schema) string {
	for len(sql) > 0 {
		switch c := sql[0]; {
		case c == '\'', c == '"':
			end := strings.IndexByte(sql[1:], c)
			if end < 0 {
				return ""
			}
			if name := sql[1 : 1+end]; c == '"' && schema.Find(name) >= 0 {
				return name
			}
			sql = sql[end+2:]
		case isWord(c):
			end := 1
			for end < len(sql) && isWord(sql[end]) {
				end++
			}
			if name := strings.ToLower(sql[:end]); schema.Find(name) >= 0 {
				return name
			}
			sql = sql[end:]
		default:
			sql = sql[1:]
		}
	}
	return ""
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
