package pgwire

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/jackc/pgproto3/v2"
)

// The files of testdata/wire hold conversations. "login" connects and shows the greeting; "send" sends one message a line, all
// in one packet, and shows the answers up to the last ReadyForQuery, or those that came within a while with wait=; "raw" sends bytes in hex
// on a connection of its own and shows the answers until the server closes it or falls silent.
// A line of send is a word of its own or the message's name and its parts, quoted where they have blanks:
//
//	Query TEXT | Parse NAME TEXT OID... | Bind PORTAL NAME FORMAT... -- VALUE... -- FORMAT... | Describe P|S NAME | Execute PORTAL LIMIT | Close P|S NAME
//	Sync | Flush | CopyData TEXT | CopyHex HEX | CopyDone | CopyFail TEXT | Terminate | FunctionCall
func TestWire(t *testing.T) {
	datadriven.Walk(t, "../testdata/wire", func(t *testing.T, path string) {
		addr := listen(t, &fake{}, Config{})
		var c *client
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "login":
				if c != nil {
					_ = c.conn.Close()
				}
				c = dial(t, addr)
				c.send(startup(strings.Fields(d.Input)...))
				return c.until(1)
			case "send":
				var buf []byte
				syncs := 0
				for line := range strings.Lines(d.Input) {
					m := parseMessage(t, strings.TrimSpace(line))
					switch m.(type) {
					case *pgproto3.Sync, *pgproto3.Query, *pgproto3.FunctionCall:
						syncs++
					}
					var err error
					if buf, err = m.Encode(buf); err != nil {
						t.Fatal(err)
					}
				}
				c.send(buf)
				for _, a := range d.CmdArgs {
					if a.Key == "wait" {
						return c.silence(quiet)
					}
					if a.Key == "z" {
						syncs, _ = strconv.Atoi(a.Vals[0])
					}
				}
				return c.until(syncs)
			case "raw":
				raw := dial(t, addr)
				defer func() { _ = raw.conn.Close() }()
				return rawTalk(t, raw, d)
			}
			t.Fatalf("unknown verb %s", d.Cmd)
			return ""
		})
	})
}

// quiet is how long nothing must come for nothing to be expected; long enough for a busy machine.
const quiet = 500 * time.Millisecond

// rawTalk sends lines of hex, text in quotes, "startup", or "read N", which reads N bytes.
func rawTalk(t *testing.T, c *client, d *datadriven.TestData) string {
	var out strings.Builder
	for line := range strings.Lines(d.Input) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "read "):
			n, _ := strconv.Atoi(line[5:])
			b := make([]byte, n)
			if _, err := io.ReadFull(c.conn, b); err != nil {
				fmt.Fprintf(&out, "read: %v\n", err)
				continue
			}
			fmt.Fprintf(&out, "%s\n", b)
		case strings.HasPrefix(line, "startup"):
			c.send(startup(strings.Fields(line)[1:]...))
			out.WriteString(c.until(1))
		case strings.HasPrefix(line, `"`):
			s, err := strconv.Unquote(line)
			if err != nil {
				t.Fatal(err)
			}
			c.send([]byte(s))
		default:
			b, err := hex.DecodeString(strings.ReplaceAll(line, " ", ""))
			if err != nil {
				t.Fatal(err)
			}
			c.send(b)
		}
	}
	return out.String() + c.silence(quiet)
}

func listen(t testing.TB, b Backend, cfg Config) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- Serve(ctx, l, b, cfg) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

type client struct {
	t    testing.TB
	conn net.Conn
	buf  []byte
}

func dial(t testing.TB, addr string) *client {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(30 * time.Second))
	return &client{t: t, conn: c}
}

// startup is a startup message; version=3.2 and other words set its parts.
func startup(words ...string) []byte {
	body := []byte{0, 3, 0, 0}
	params := "user\x00wmsql\x00"
	for _, w := range words {
		name, value, _ := strings.Cut(w, "=")
		if name == "version" {
			major, minor, _ := strings.Cut(value, ".")
			a, _ := strconv.Atoi(major)
			b, _ := strconv.Atoi(minor)
			body = []byte{0, byte(a), 0, byte(b)}
			continue
		}
		params += name + "\x00" + strings.ReplaceAll(value, "+", " ") + "\x00"
	}
	body = append(append(body, params...), 0)
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(body)+4)), body...)
}

func (c *client) send(b []byte) {
	if _, err := c.conn.Write(b); err != nil && !errors.Is(err, net.ErrClosed) {
		c.t.Logf("write: %v", err)
	}
}

// message reads one message; kind 0 with the reason at the end.
func (c *client) message() (kind byte, body []byte, err error) {
	for {
		if len(c.buf) >= 5 {
			n := int(binary.BigEndian.Uint32(c.buf[1:])) + 1
			if len(c.buf) >= n {
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

// until returns the answers up to the n-th ReadyForQuery.
func (c *client) until(n int) string {
	var out strings.Builder
	for n > 0 {
		kind, body, err := c.message()
		if err != nil {
			fmt.Fprintf(&out, "closed\n")
			return out.String()
		}
		fmt.Fprintf(&out, "%s\n", show(kind, body))
		if kind == 'Z' {
			n--
		}
	}
	return out.String()
}

// silence returns the answers until none has come for d, or the connection is closed.
func (c *client) silence(d time.Duration) string {
	var out strings.Builder
	for {
		_ = c.conn.SetReadDeadline(time.Now().Add(d))
		kind, body, err := c.message()
		_ = c.conn.SetReadDeadline(time.Now().Add(30 * time.Second))
		var timeout net.Error
		switch {
		case errors.As(err, &timeout) && timeout.Timeout():
			return out.String() + "(silence)\n"
		case err != nil:
			return out.String() + "closed\n"
		}
		fmt.Fprintf(&out, "%s\n", show(kind, body))
	}
}

// show writes a message of the server's: its letter and what matters of it.
func show(kind byte, body []byte) string {
	switch kind {
	case 'Z':
		return "Z(" + string(body) + ")"
	case 'C':
		return "C " + string(body[:len(body)-1])
	case 'T':
		var m pgproto3.RowDescription
		_ = m.Decode(body)
		s := "T"
		for _, f := range m.Fields {
			s += fmt.Sprintf(" %s:%d/%d/%d/%d", f.Name, f.DataTypeOID, f.DataTypeSize, f.TypeModifier, f.Format)
		}
		return s
	case 'D':
		var m pgproto3.DataRow
		_ = m.Decode(body)
		s := "D"
		for _, v := range m.Values {
			if v == nil {
				s += " NULL"
			} else {
				s += fmt.Sprintf(" %q", v)
			}
		}
		return s
	case 'E', 'N':
		return string(kind) + showError(body)
	case 'S':
		parts := bytes.Split(body, []byte{0})
		return fmt.Sprintf("S %s=%s", parts[0], parts[1])
	case 'K':
		return "K"
	case 't':
		var m pgproto3.ParameterDescription
		_ = m.Decode(body)
		return fmt.Sprintf("t %v", m.ParameterOIDs)
	case 'd':
		return fmt.Sprintf("d %q", body)
	case 'G', 'H', 'v':
		return fmt.Sprintf("%c %q", kind, body)
	}
	return string(kind)
}

func showError(body []byte) string {
	var m pgproto3.ErrorResponse
	_ = m.Decode(body)
	s := fmt.Sprintf(" %s %s %s", m.Severity, m.Code, m.Message)
	if m.Position != 0 {
		s += fmt.Sprintf(" | position %d", m.Position)
	}
	for _, f := range []struct{ name, text string }{{"detail", m.Detail}, {"hint", m.Hint}, {"where", m.Where}} {
		if f.text != "" {
			s += " | " + f.name + ": " + f.text
		}
	}
	return s
}

// parseMessage reads a line of send.
func parseMessage(t testing.TB, line string) pgproto3.FrontendMessage {
	w := words(t, line)
	arg := func(k int) string {
		if k < len(w) {
			return w[k]
		}
		return ""
	}
	num := func(s string) int {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		return n
	}
	switch w[0] {
	case "Query":
		return &pgproto3.Query{String: arg(1)}
	case "Parse":
		m := &pgproto3.Parse{Name: arg(1), Query: arg(2)}
		for _, o := range w[min(3, len(w)):] {
			m.ParameterOIDs = append(m.ParameterOIDs, uint32(num(o)))
		}
		return m
	case "Bind":
		return parseBind(w, num)
	case "Describe":
		return &pgproto3.Describe{ObjectType: w[1][0], Name: arg(2)}
	case "Close":
		return &pgproto3.Close{ObjectType: w[1][0], Name: arg(2)}
	case "Execute":
		return &pgproto3.Execute{Portal: arg(1), MaxRows: uint32(num(w[2]))}
	case "Sync":
		return &pgproto3.Sync{}
	case "Flush":
		return &pgproto3.Flush{}
	case "CopyData":
		return &pgproto3.CopyData{Data: []byte(arg(1))}
	case "CopyHex":
		b, err := hex.DecodeString(strings.Join(w[1:], ""))
		if err != nil {
			t.Fatal(err)
		}
		return &pgproto3.CopyData{Data: b}
	case "CopyDone":
		return &pgproto3.CopyDone{}
	case "CopyFail":
		return &pgproto3.CopyFail{Message: arg(1)}
	case "FunctionCall":
		return &pgproto3.FunctionCall{}
	case "Terminate":
		return &pgproto3.Terminate{}
	}
	t.Fatalf("unknown message %s", line)
	return nil
}

func parseBind(w []string, num func(string) int) *pgproto3.Bind {
	m := &pgproto3.Bind{DestinationPortal: w[1], PreparedStatement: w[2]}
	part := 0
	for _, x := range w[3:] {
		switch {
		case x == "--":
			part++
		case part == 0:
			m.ParameterFormatCodes = append(m.ParameterFormatCodes, int16(num(x)))
		case part == 1 && x == "NULL":
			m.Parameters = append(m.Parameters, nil)
		case part == 1:
			m.Parameters = append(m.Parameters, []byte(x))
		default:
			m.ResultFormatCodes = append(m.ResultFormatCodes, int16(num(x)))
		}
	}
	return m
}

// words parts a line at blanks; a word in double quotes is read as Go reads it.
func words(t testing.TB, line string) []string {
	var out []string
	for line = strings.TrimLeft(line, " "); line != ""; line = strings.TrimLeft(line, " ") {
		if line[0] == '"' {
			q, err := strconv.QuotedPrefix(line)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			s, _ := strconv.Unquote(q)
			out, line = append(out, s), line[len(q):]
			continue
		}
		w, rest, _ := strings.Cut(line, " ")
		out, line = append(out, w), rest
	}
	return out
}
