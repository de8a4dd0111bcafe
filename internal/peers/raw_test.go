//go:build peers

package peers

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"
)

// raw is a connection that speaks the protocol message by message. What the server answers is written in a short form, a
// word a message:
//
//	1 ParseComplete   2 BindComplete   3 CloseComplete   n NoData   I EmptyQueryResponse   s PortalSuspended
//	t(types) ParameterDescription   T(columns) RowDescription   D(values) DataRow   C(tag) CommandComplete
//	E(code) or E(code@position) ErrorResponse, FATAL(code) when it says so, N(code) NoticeResponse
//	R Authentication   K BackendKeyData   S(name=value) ParameterStatus   v NegotiateProtocolVersion   Z(status) ReadyForQuery
type raw struct {
	t    testing.TB
	conn net.Conn
	buf  []byte
}

// dial connects without a word.
func dial(t testing.TB, addr string) *raw {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(30 * time.Second))
	return &raw{t: t, conn: c}
}

// login connects and sends a startup message of name=value parameters; user and database are given.
func login(t testing.TB, addr string, params ...string) (c *raw, greeting string) {
	t.Helper()
	c = dial(t, addr)
	c.write(startupMessage(3<<16, params...))
	return c, c.ready(1)
}

// startupMessage is a startup packet of the given version.
func startupMessage(version uint32, params ...string) []byte {
	body := binary.BigEndian.AppendUint32(nil, version)
	given := func(name string) bool {
		return slices.ContainsFunc(params, func(p string) bool { return strings.HasPrefix(p, name+"=") })
	}
	for _, p := range []string{"user=wmsql", "database=wmsql"} {
		if name, _, _ := strings.Cut(p, "="); !given(name) {
			params = append(params, p)
		}
	}
	for _, p := range params {
		name, value, _ := strings.Cut(p, "=")
		body = append(append(append(append(body, name...), 0), value...), 0)
	}
	body = append(body, 0)
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(body)+4)), body...)
}

func (c *raw) write(b []byte) {
	c.t.Helper()
	if _, err := c.conn.Write(b); err != nil && !errors.Is(err, net.ErrClosed) {
		c.t.Logf("write: %v", err)
	}
}

// send sends messages in one packet.
func (c *raw) send(msgs ...pgproto3.FrontendMessage) {
	c.t.Helper()
	var b []byte
	for _, m := range msgs {
		var err error
		if b, err = m.Encode(b); err != nil {
			c.t.Fatal(err)
		}
	}
	c.write(b)
}

// ask sends messages and returns the answers up to the ReadyForQuery of each Sync and Query among them.
func (c *raw) ask(msgs ...pgproto3.FrontendMessage) string {
	c.t.Helper()
	n := 0
	for _, m := range msgs {
		switch m.(type) {
		case *pgproto3.Sync, *pgproto3.Query:
			n++
		}
	}
	c.send(msgs...)
	return c.ready(n)
}

// expect is ask that compares.
func (c *raw) expect(want string, msgs ...pgproto3.FrontendMessage) {
	c.t.Helper()
	if got := c.ask(msgs...); got != want {
		c.t.Errorf("got  %s\nwant %s", got, want)
	}
}

// ready reads answers up to the n-th ReadyForQuery, or to the end of the connection.
func (c *raw) ready(n int) string {
	var words []string
	for n > 0 {
		kind, body, err := c.message()
		if err != nil {
			return strings.Join(append(words, "closed"), " ")
		}
		words = append(words, word(kind, body))
		if kind == 'Z' {
			n--
		}
	}
	return strings.Join(words, " ")
}

// next reads n answers.
func (c *raw) next(n int) string {
	words := make([]string, 0, n)
	for range n {
		kind, body, err := c.message()
		if err != nil {
			return strings.Join(append(words, "closed"), " ")
		}
		words = append(words, word(kind, body))
	}
	return strings.Join(words, " ")
}

// silent reports whether nothing comes for a while.
func (c *raw) silent() bool {
	_ = c.conn.SetReadDeadline(time.Now().Add(300 * time.Millisecond))
	defer func() { _ = c.conn.SetReadDeadline(time.Now().Add(30 * time.Second)) }()
	_, _, err := c.message()
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

// oneByte reads the answer to an encryption request.
func (c *raw) oneByte() string {
	b := make([]byte, 1)
	if _, err := io.ReadFull(c.conn, b); err != nil {
		return err.Error()
	}
	return string(b)
}

func (c *raw) message() (kind byte, body []byte, err error) {
	for {
		if len(c.buf) >= 5 {
			if n := int(binary.BigEndian.Uint32(c.buf[1:])) + 1; len(c.buf) >= n {
				kind, body = c.buf[0], c.buf[5:n]
				c.buf = c.buf[n:]
				return kind, body, nil
			}
		}
		chunk := make([]byte, 4096)
		n, err := c.conn.Read(chunk)
		c.buf = append(c.buf, chunk[:n]...)
		if n == 0 && err != nil {
			return 0, nil, err
		}
	}
}

// word is the short form of a message from the server.
func word(kind byte, body []byte) string {
	list := func(parts []string) string { return fmt.Sprintf("%c(%s)", kind, strings.Join(parts, ",")) }
	var parts []string
	switch kind {
	case 'Z', 'G', 'H':
		return fmt.Sprintf("%c(%s)", kind, body)
	case 'C':
		return fmt.Sprintf("C(%s)", body[:len(body)-1])
	case 'S':
		name, value, _ := strings.Cut(string(body[:len(body)-1]), "\x00")
		return fmt.Sprintf("S(%s=%s)", name, value)
	case 'T':
		var m pgproto3.RowDescription
		_ = m.Decode(body)
		for _, f := range m.Fields {
			parts = append(parts, string(f.Name))
		}
		return list(parts)
	case 't':
		var m pgproto3.ParameterDescription
		_ = m.Decode(body)
		for _, o := range m.ParameterOIDs {
			parts = append(parts, fmt.Sprint(o))
		}
		return list(parts)
	case 'D':
		var m pgproto3.DataRow
		_ = m.Decode(body)
		for _, v := range m.Values {
			if v == nil {
				v = []byte("NULL")
			}
			parts = append(parts, string(v))
		}
		return list(parts)
	case 'E', 'N':
		var m pgproto3.ErrorResponse
		_ = m.Decode(body)
		head := string(kind)
		if m.Severity == "FATAL" {
			head = "FATAL"
		}
		if m.Position != 0 {
			return fmt.Sprintf("%s(%s@%d)", head, m.Code, m.Position)
		}
		return fmt.Sprintf("%s(%s)", head, m.Code)
	case 'v':
		return "v(" + hex.EncodeToString(body[:4]) + " " + strings.Trim(string(body[8:]), "\x00") + ")"
	}
	return string(kind)
}

// The messages of a client.

func parse(name, sql string) *pgproto3.Parse { return &pgproto3.Parse{Name: name, Query: sql} }
func bind(portal, stmt string, args ...string) *pgproto3.Bind {
	m := &pgproto3.Bind{DestinationPortal: portal, PreparedStatement: stmt}
	for _, a := range args {
		m.Parameters = append(m.Parameters, []byte(a))
	}
	return m
}
func describePortal(name string) *pgproto3.Describe {
	return &pgproto3.Describe{ObjectType: 'P', Name: name}
}
func execute(portal string, rowsMax uint32) *pgproto3.Execute {
	return &pgproto3.Execute{Portal: portal, MaxRows: rowsMax}
}
func closePortal(name string) *pgproto3.Close { return &pgproto3.Close{ObjectType: 'P', Name: name} }
func query(sql string) *pgproto3.Query        { return &pgproto3.Query{String: sql} }

var syncMsg = &pgproto3.Sync{}

// extended is a statement by Parse, Bind, Describe, Execute and Sync.
func extended(sql string) []pgproto3.FrontendMessage {
	return []pgproto3.FrontendMessage{parse("", sql), bind("", ""), describePortal(""), execute("", 0), syncMsg}
}
