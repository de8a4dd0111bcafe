package format

import (
	"wmsql/connector"
	"wmsql/sqlerr"
)

// Options are the options that say how records are written.
var Options = []string{"format", "timestamp_format", "header", "delimiter", "null"}

// Formats are the values of option format that this package decodes.
var Formats = []string{"json", "csv"}

// Format is a compiled choice of record format; New makes a decoder for each goroutine.
type Format struct {
	Name  string
	CSV   CSVOptions
	Shape *Shape
}

// Compile reads the format options of a stream. name is the value of option format; other says which columns the
// connector itself fills.
func Compile(spec connector.Spec, o *connector.Options, name string, other func(int) bool) (*Format, error) {
	f := &Format{Name: name}
	unit := EpochUnit(o.OneOf("timestamp_format", TimestampFormats...))
	f.csv(o)
	if err := o.Err(); err != nil {
		return nil, err
	}
	shape, err := NewShape(Config{Schema: spec.Schema, Read: spec.Read, EventTime: spec.EventTime, Other: other, Epoch: unit})
	f.Shape = shape
	return f, err
}

// csv reads the options of format csv and refuses them for others.
func (f *Format) csv(o *connector.Options) {
	if f.Name != "csv" {
		for _, name := range []string{"header", "delimiter", "null"} {
			if o.Text(name, "") != "" {
				o.Fail("option %q is for format = 'csv' only", name).WithHint("Leave it out, or set format = 'csv'.")
			}
		}
		return
	}
	d := o.Text("delimiter", ",")
	if len(d) != 1 || d == "\n" || d == "\r" || d == `"` {
		o.Fail("invalid value for option %q: %q", "delimiter", d).WithHint("It is one character of one byte, such as ',' or ';'.")
		d = ","
	}
	f.CSV = CSVOptions{Delimiter: d[0], Null: o.Text("null", ""), Header: o.Bool("header", false)}
}

// New returns a decoder for one goroutine.
func (f *Format) New() Decoder {
	if f.Name == "csv" {
		return NewCSV(f.Shape, f.CSV)
	}
	return NewJSON(f.Shape)
}

// NoHeader refuses option header where records have no first line.
func (f *Format) NoHeader() error {
	if f.CSV.Header {
		return sqlerr.Newf(sqlerr.InvalidParameterValue, "option %q is for files only", "header").
			WithHint("Leave it out: the values of a record are the stream's columns in order.")
	}
	return nil
}
