package pgwire

import (
	"bytes"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"

	"wmsql/column"
	"wmsql/types"
)

// bytesConn is a connection that has sent all it will, n bytes at a time.
type bytesConn struct {
	net.Conn
	r *bytes.Reader
	n int
}

func (c bytesConn) Read(b []byte) (int, error) { return c.r.Read(b[:min(len(b), c.n)]) }

// FuzzReceive sends anything to the inbox and pgproto3 behind it: no panic gets through, a buffer grows only with what came, and
// messages that pgproto3 encoded come back.
func FuzzReceive(f *testing.F) {
	for _, m := range []pgproto3.FrontendMessage{
		&pgproto3.Query{String: "SELECT 1"}, &pgproto3.Sync{}, &pgproto3.Execute{Portal: "p", MaxRows: 3},
		&pgproto3.Parse{Name: "s", Query: "SELECT $1", ParameterOIDs: []uint32{23}},
		&pgproto3.Bind{PreparedStatement: "s", Parameters: [][]byte{[]byte("x"), nil}, ResultFormatCodes: []int16{1}},
		&pgproto3.Describe{ObjectType: 'S', Name: "s"}, &pgproto3.CopyFail{Message: "no"}, &pgproto3.CopyData{Data: []byte("a\tb\n")},
		&pgproto3.FunctionCall{Function: 1, Arguments: [][]byte{{1}}},
	} {
		b, err := m.Encode(nil)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b, 3)
		f.Add(append(b, b[:len(b)-1]...), 1000)
	}
	f.Add([]byte("B\x00\x00\x00\x10\x00\x00\x00\x00\x00\x01\xff\xff\xff\xfe\x00\x00"), 1)
	f.Add([]byte("Q\xff\xff\xff\xff"), 1)
	f.Fuzz(func(t *testing.T, data []byte, n int) {
		in := &inbox{conn: bytesConn{r: bytes.NewReader(data), n: max(n, 1)}, max: 1 << 20}
		c := &conn{in: in, proto: pgproto3.NewBackend(in, nil)}
		for {
			m, err := c.decodeUnguarded() // the inbox alone must keep pgproto3 from panicking
			if err != nil {
				break
			}
			if _, err := m.Encode(nil); err != nil {
				t.Fatal(err)
			}
		}
		if len(in.buf) > 2*inboxSize+2*len(data) {
			t.Fatalf("%d bytes made a buffer of %d", len(data), len(in.buf))
		}
	})
}

// FuzzCopy reads any bytes as COPY data, whole and in pieces: both must give the same rows or the same error, and what
// was read must come back when it is written and read again. The table has two columns or, from kind 1 on, one of a type.
func FuzzCopy(f *testing.F) {
	f.Add([]byte("a\t1\nb\t\\N\n\\\\x\\\n\t2\n"), 0, 3, 0)
	f.Add([]byte("\"a,\"\"b\n\",1\r\n,\n\"\",2\nx\"y\"z,3"), 1, 2, 0)
	f.Add([]byte(copyHeader+"\x00\x02\x00\x00\x00\x01a\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00\x07\x00\x02\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), 2, 5, 0)
	f.Add([]byte("\"a\\\"b\",1\n"), 3, 1, 0)
	for k, text := range copyValues {
		f.Add([]byte(text+"\n"), 0, 4, k+1)
		f.Add([]byte(`"`+strings.ReplaceAll(text, `"`, `""`)+"\"\n"), 1, 4, k+1)
		if b := binaryCopy(k, text); b != nil {
			f.Add(b, 2, 4, k+1)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, format, piece, kind int) {
		opts := []CopyOptions{{}, {Format: "csv"}, {Format: "binary"}, {Format: "csv", Escape: '\\'}}[uint(format)%4]
		spec, err := newCopySpec(copyTable(kind), opts, types.UTC)
		if err != nil {
			t.Fatal(err)
		}
		whole, werr := readCopy(spec, data, len(data))
		cut, cerr := readCopy(spec, data, max(piece, 1))
		if (werr == nil) != (cerr == nil) || werr != nil && werr.Error() != cerr.Error() {
			t.Fatalf("whole: %v, cut: %v", werr, cerr)
		}
		if !bytes.Equal(whole, cut) {
			t.Fatalf("whole: %q, cut: %q", whole, cut)
		}
		if werr != nil {
			return
		}
		again, err := readCopy(spec, whole, len(whole))
		if err != nil || !bytes.Equal(again, whole) {
			t.Fatalf("%q reads as %q, error %v", whole, again, err)
		}
	})
}

// copyTypes and copyValues are the types of a table of one column, and a value of each as text.
var (
	copyTypes = []types.Type{
		types.Of(types.Bool), types.Of(types.Int2), types.Of(types.Int4), types.Of(types.Int8), types.Of(types.Float4), types.Of(types.Float8),
		types.Of(types.Numeric), types.Of(types.Text), types.Of(types.BPChar), types.Of(types.Bytea), types.Of(types.Date), types.Of(types.Time),
		types.Of(types.Timestamp), types.Of(types.TimestampTZ), types.Of(types.Interval), types.Of(types.UUID), types.Of(types.JSON), types.Of(types.JSONB),
		types.ArrayOf(types.Int4), types.ArrayOf(types.Text), types.ArrayOf(types.Numeric), types.ArrayOf(types.TimestampTZ), types.Of(types.Name), types.Of(types.OID),
	}
	copyValues = []string{
		"t", "-1", "2147483647", "-9223372036854775808", "1.5e-7", "-Infinity", "-120.0050", "a b", "c  ", `\\x00ff`, "2024-02-29 BC", "23:59:59.999999",
		"1999-12-31 24:00:00", "2024-03-10 02:30:00.5+05:30", "-1 mons +3 days -04:05:06.7", "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11", `{"a": [1, null]}`, `{"b":1e2, "b":2}`,
		"{1,NULL}", `{"a,b",NULL}`, "{1.10,NaN}", "{infinity,2024-01-01}", "n", "4294967295",
	}
)

// copyTable is the table of a kind: the fake backend's, or one of a single column.
func copyTable(kind int) *types.Schema {
	k := int(uint(kind) % uint(len(copyTypes)+1))
	if k == 0 {
		return fakeTable(" t")
	}
	return fakeSchema("c", copyTypes[k-1])
}

// binaryCopy is the binary form of one row of the k-th of copyValues, nil if its text is no value.
func binaryCopy(k int, text string) []byte {
	s := fakeSchema("c", copyTypes[k])
	b := column.NewBuilder(copyTypes[k], 1)
	if b.AppendText([]byte(text), types.UTC) != nil {
		return nil
	}
	w := copyWriter{spec: &copySpec{schema: s, binary: true}}
	return append(w.row([]byte(copyHeader), column.BuildBatch(s, []column.Builder{b}), 0), copyTrailer...)
}

// readCopy reads data in pieces and writes the rows again.
func readCopy(spec *copySpec, data []byte, piece int) ([]byte, error) {
	var out []byte
	if spec.binary {
		out = append(out, copyHeader...)
	}
	w := copyWriter{spec: spec}
	r := newCopyReader(spec, func(b *column.Batch) error {
		for i := range b.Rows {
			out = w.row(out, b, i)
		}
		return nil
	})
	for len(data) > 0 {
		n := min(piece, len(data))
		if err := r.feed(append([]byte(nil), data[:n]...)); err != nil {
			return nil, err
		}
		data = data[n:]
	}
	if err := r.finish(); err != nil {
		return nil, err
	}
	if spec.binary {
		out = append(out, copyTrailer...)
	}
	return out, nil
}

func BenchmarkSendRows(b *testing.B) {
	s := &types.Schema{Fields: []types.Field{{Type: types.Of(types.TimestampTZ)}, {Type: types.Of(types.Text)}, {Type: types.Of(types.Int8)}, {Type: types.Of(types.Float8)}}}
	bs := column.NewBuilders(s, 4096)
	for i := range 4096 {
		bs[0].AppendDatum(time.Date(2026, 3, 1, 12, 0, i%60, 0, time.UTC).UnixMicro())
		bs[1].AppendDatum("/page/of/a/site")
		bs[2].AppendDatum(int64(i) * 1000)
		bs[3].AppendDatum(float64(i) / 3)
	}
	batch := column.BuildBatch(s, bs)
	o := &outbox{w: io.Discard}
	b.ReportAllocs()
	for b.Loop() {
		o.rows(batch, 0, batch.Rows, nil, types.UTC)
	}
	b.ReportMetric(float64(b.N)*4096/b.Elapsed().Seconds(), "rows/s")
}

func BenchmarkCopyIn(b *testing.B) {
	for _, format := range []string{"text", "csv"} {
		b.Run("format="+format, func(b *testing.B) {
			sep := map[string]string{"text": "\t", "csv": ","}[format]
			data := bytes.Repeat([]byte("/page/of/a/site"+sep+"1234567\n"), 4000)
			spec, err := newCopySpec(fakeTable(" t"), CopyOptions{Format: format}, types.UTC)
			if err != nil {
				b.Fatal(err)
			}
			r := newCopyReader(spec, func(*column.Batch) error { return nil })
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if err := r.feed(data); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)*4000/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
