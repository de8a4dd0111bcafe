package pgwire

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"
)

// scripted is the connection of a client that has said all that it will, n bytes at a time, and keeps what it is told.
type scripted struct {
	bytesConn
	told bytes.Buffer
}

// toldMax ends a conversation in which the server does not stop talking.
const toldMax = 1 << 20

func (s *scripted) Write(b []byte) (int, error) {
	if s.told.Len() > toldMax {
		return 0, errors.New("the client has heard enough")
	}
	return s.told.Write(b)
}
func (*scripted) Close() error                     { return nil }
func (*scripted) SetDeadline(time.Time) error      { return nil }
func (*scripted) SetReadDeadline(time.Time) error  { return nil }
func (*scripted) SetWriteDeadline(time.Time) error { return nil }
func (*scripted) RemoteAddr() net.Addr             { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

// talk serves a whole connection whose client says data, and returns what it was told. The server must not panic.
func talk(t *testing.T, cfg Config, data []byte, n int) []byte {
	var log bytes.Buffer
	cfg.Log, cfg.FailedPause = slog.New(slog.NewTextHandler(&log, nil)), time.Nanosecond
	nc := &scripted{bytesConn: bytesConn{r: bytes.NewReader(data), n: max(n, 1)}}
	s := &service{backend: &fake{}, cfg: cfg.withDefaults(), conns: map[int32]*conn{}}
	newConn(s, nc, 1).serve(context.Background())
	if strings.Contains(log.String(), "panicked") {
		t.Fatalf("%q: %s", data, log.String())
	}
	return nc.told.Bytes()
}

// wantMessages fails unless told is whole messages.
func wantMessages(t *testing.T, told []byte) (kinds []byte) {
	for len(told) > 0 {
		if len(told) < 5 {
			t.Fatalf("a message of %q", told)
		}
		n := int(binary.BigEndian.Uint32(told[1:])) + 1
		if n < 5 || n > len(told) {
			t.Fatalf("a message %c of %d bytes, where %d are", told[0], n, len(told))
		}
		kinds, told = append(kinds, told[0]), told[n:]
	}
	return kinds
}

// FuzzStartup connects with any bytes: whatever comes before the login is answered or cut off, and nobody comes in without the password.
func FuzzStartup(f *testing.F) {
	packet := func(code uint32, rest string) []byte {
		b := binary.BigEndian.AppendUint32(nil, uint32(8+len(rest)))
		return append(binary.BigEndian.AppendUint32(b, code), rest...)
	}
	const named = "user\x00u\x00database\x00d\x00"
	sasl := func(kind, rest string) []byte {
		b := binary.BigEndian.AppendUint32([]byte{'p'}, uint32(8+len(kind)+1+len(rest)))
		b = append(append(b, kind...), 0)
		return append(binary.BigEndian.AppendUint32(b, uint32(len(rest))), rest...)
	}
	hello := packet(3<<16, named+"\x00")
	answer := []byte("p\x00\x00\x00\x1cc=biws,r=abc,p=AAAAAAAA\x00")
	for _, seed := range [][]byte{
		hello, packet(3<<16|2, named+"\x00"), packet(3<<16|9, named+"_pq_.x\x001\x00\x00"), packet(2<<16, named), packet(codeCancel, "\x00\x00\x00\x01abcd"),
		packet(codeTLS, ""), packet(codeGSS, ""), append(packet(codeTLS, ""), hello...), packet(3<<16, named+"options\x00-c a=b --c\\ d=e\x00\x00"),
		append(hello, sasl("SCRAM-SHA-256", "n,,n=,r=abc")...), append(append(hello, sasl("SCRAM-SHA-256", "n,,n=,r=abc")...), answer...),
		append(hello, sasl("SCRAM-SHA-256-PLUS", "p=tls-server-end-point,,n=,r=abc")...), {22, 3, 1, 0, 5, 1, 0, 0, 1, 3}, []byte("GET / HTTP/1.0\r\n\r\n"),
	} {
		f.Add(seed, 1000, true)
		f.Add(seed, 1, false)
	}
	secured := serverTLS(f)
	f.Fuzz(func(t *testing.T, data []byte, n int, secure bool) {
		cfg := Config{Auth: AuthPassword}
		if secure {
			cfg.TLS = secured
		}
		told := talk(t, cfg, data, n)
		if secure && bytes.IndexByte(told, 'S') >= 0 || len(told) > 0 && told[0] == 21 { // TLS, in part: an alert
			return
		}
		kinds := wantMessages(t, bytes.TrimLeft(told, "N"))
		if bytes.IndexByte(kinds, 'Z') >= 0 {
			t.Fatalf("%q came in", data)
		}
	})
}

// FuzzSession says anything behind a good login: the answers are whole messages, the session ends, and nothing panics.
func FuzzSession(f *testing.F) {
	for _, list := range [][]pgproto3.FrontendMessage{
		{&pgproto3.Query{String: "SELECT 1; SELECT n FROM five"}, &pgproto3.Query{String: "BEGIN"}, &pgproto3.Query{String: "COMMIT"}},
		{&pgproto3.Parse{Name: "s", Query: "SELECT $1", ParameterOIDs: []uint32{25}},
			&pgproto3.Bind{DestinationPortal: "p", PreparedStatement: "s", Parameters: [][]byte{[]byte("x")}, ResultFormatCodes: []int16{1}},
			&pgproto3.Describe{ObjectType: 'P', Name: "p"}, &pgproto3.Execute{Portal: "p", MaxRows: 1}, &pgproto3.Execute{Portal: "p"}, &pgproto3.Sync{},
			&pgproto3.Describe{ObjectType: 'S', Name: "s"}, &pgproto3.Close{ObjectType: 'S', Name: "s"}, &pgproto3.Flush{}, &pgproto3.Sync{}},
		{&pgproto3.Query{String: "COPY t FROM"}, &pgproto3.CopyData{Data: []byte("a\t1\n")}, &pgproto3.CopyDone{}, &pgproto3.Query{String: "COPY t TO"}},
		{&pgproto3.Query{String: "COPY t FROM csv header"}, &pgproto3.CopyData{Data: []byte("a,b\nx,2\n")}, &pgproto3.CopyDone{}},
		{&pgproto3.Query{String: "COPY t FROM binary"}, &pgproto3.CopyData{Data: []byte(copyHeader + copyTrailer)}, &pgproto3.CopyDone{}},
		{&pgproto3.Query{String: "COPY t FROM"}, &pgproto3.CopyFail{Message: "no"}, &pgproto3.Terminate{}},
		{&pgproto3.FunctionCall{Function: 1}, &pgproto3.Query{String: "SELECT nosuch"}, &pgproto3.Query{}},
	} {
		var b []byte
		for _, m := range list {
			var err error
			if b, err = m.Encode(b); err != nil {
				f.Fatal(err)
			}
		}
		f.Add(b, 1000)
		f.Add(b, 2)
	}
	f.Fuzz(func(t *testing.T, data []byte, n int) {
		if told := talk(t, Config{}, append(startup(), data...), n); len(told) <= toldMax {
			wantMessages(t, told)
		}
	})
}
