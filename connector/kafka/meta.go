package kafka

import (
	"encoding/json"
	"unicode/utf8"

	"github.com/twmb/franz-go/pkg/kgo"

	"wmsql/column"
	"wmsql/connector"
	"wmsql/connector/format"
	"wmsql/types"
)

// metaFn appends one metadata column's value of a record. The reason is not empty when the record has none that the
// column can hold.
type metaFn func(rows *format.Rows, r *kgo.Record) (reason string)

func isMetadata(name string) bool {
	for _, f := range metadata {
		if f.Name == name {
			return true
		}
	}
	return false
}

// compileMeta returns what fills the metadata columns among those that are read.
func compileMeta(spec connector.Spec) []metaFn {
	var out []metaFn
	for col, i := range spec.Read {
		f := spec.Schema.Fields[i]
		switch f.Name {
		case "kafka_partition":
			out = append(out, metaInt(col, func(r *kgo.Record) int64 { return int64(r.Partition) }))
		case "kafka_offset":
			out = append(out, metaInt(col, func(r *kgo.Record) int64 { return r.Offset }))
		case "kafka_timestamp":
			out = append(out, metaInt(col, func(r *kgo.Record) int64 { return r.Timestamp.UnixMicro() }))
		case "kafka_key":
			out = append(out, metaKey(col, f))
		case "kafka_headers":
			out = append(out, metaHeaders(col))
		}
	}
	return out
}

func metaInt(col int, value func(*kgo.Record) int64) metaFn {
	return func(rows *format.Rows, r *kgo.Record) string {
		rows.Col(col).(*column.FixedBuilder[int64]).Append(value(r))
		return ""
	}
}

func metaKey(col int, f types.Field) metaFn {
	return func(rows *format.Rows, r *kgo.Record) string {
		switch {
		case r.Key == nil && f.NotNull:
			return `the record has no key, but column "kafka_key" is NOT NULL`
		case r.Key == nil:
			rows.Col(col).AppendNull()
			return ""
		case f.Type.Kind == types.Text && !utf8.Valid(r.Key):
			return "the key is not valid UTF-8: declare kafka_key as bytea"
		}
		rows.Col(col).(*column.BytesBuilder).Append(r.Key)
		return ""
	}
}

// metaHeaders makes an object of the headers, their values as text; of two with one name the last counts.
func metaHeaders(col int) metaFn {
	return func(rows *format.Rows, r *kgo.Record) string {
		m := make(map[string]string, len(r.Headers))
		for _, h := range r.Headers {
			if !utf8.ValidString(h.Key) || !utf8.Valid(h.Value) {
				return "a header is not valid UTF-8"
			}
			m[h.Key] = string(h.Value)
		}
		text, err := json.Marshal(m)
		if err == nil {
			err = rows.Col(col).AppendText(text, types.UTC)
		}
		if err != nil {
			return "the headers are no JSON: " + err.Error()
		}
		return ""
	}
}
