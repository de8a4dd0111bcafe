package pgwire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgproto3/v2"

	"wmsql/sqlerr"
)

// The codes that stand where a startup message has its version.
const (
	codeCancel = 1234<<16 | 5678
	codeTLS    = 1234<<16 | 5679
	codeGSS    = 1234<<16 | 5680
	version3   = 3

	// newestMinor is the newest version, 3.2; from longKeys on BackendKeyData has a key of keyMax bytes, before of four.
	newestMinor = 2
	longKeys    = 2
)

// errNoSession ends a connection that asked for no session: a cancel request, or one that only looked.
var errNoSession = errors.New("no session")

// errNotPostgres ends a connection that speaks something else.
var errNotPostgres = errors.New("not the Postgres protocol")

// handshake answers encryption requests, one of each in either order, and returns what the startup message says. An error that is a
// *sqlerr.Error is to be told to the client.
func (c *conn) handshake() (Startup, error) {
	askedTLS, err := c.directTLS()
	if err != nil {
		return Startup{}, err
	}
	askedGSS := false
	for {
		code, body, err := c.startupPacket()
		if err != nil {
			return Startup{}, err
		}
		switch {
		case code == codeCancel:
			if len(body) > 4 {
				c.service.cancel(int32(binary.BigEndian.Uint32(body)), body[4:])
			}
			return Startup{}, errNoSession
		case code == codeTLS && !askedTLS:
			askedTLS = true
			if err := c.answerTLS(); err != nil {
				return Startup{}, err
			}
		case code == codeGSS && !askedGSS:
			askedGSS = true
			if err := c.answer('N'); err != nil {
				return Startup{}, err
			}
		case code>>16 == version3:
			return c.startupMessage(code, body)
		default:
			return Startup{}, fatal(sqlerr.Newf(sqlerr.FeatureNotSupported,
				"unsupported frontend protocol %d.%d: server supports 3.0 to 3.%d", code>>16, code&0xffff, newestMinor))
		}
	}
}

// startupPacket reads a packet without a type byte: its code and the rest.
func (c *conn) startupPacket() (code uint32, body []byte, err error) {
	head, err := c.in.take(4)
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = errNoSession
		}
		return 0, nil, err
	}
	size := int64(binary.BigEndian.Uint32(head)) - 4
	if size < 4 || size > startupMax {
		return 0, nil, errNotPostgres
	}
	body, err = c.in.take(int(size))
	if err != nil {
		return 0, nil, err
	}
	return binary.BigEndian.Uint32(body), body[4:], nil
}

func (c *conn) answer(b byte) error {
	_, err := c.net.Write([]byte{b})
	return err
}

// startupMessage reads the parameters, and tells a client of a newer minor version what is not known here.
func (c *conn) startupMessage(code uint32, body []byte) (Startup, error) {
	st := Startup{Params: map[string]string{}, Remote: c.net.RemoteAddr(), PID: c.pid, Statements: c.statements, Client: c}
	st.TLS = c.tls != nil
	var unknown []string
	for {
		name, rest, ok := cutText(body)
		if !ok {
			return st, protocolViolation("invalid startup packet layout: expected terminator as last byte")
		}
		if name == "" {
			if len(rest) > 0 {
				return st, protocolViolation("invalid startup packet layout: expected terminator as last byte")
			}
			break
		}
		value, rest, ok := cutText(rest)
		if !ok {
			return st, protocolViolation("invalid startup packet layout: expected terminator as last byte")
		}
		body = rest
		if strings.HasPrefix(name, "_pq_.") {
			unknown = append(unknown, name)
			continue
		}
		if err := st.set(name, value); err != nil {
			return st, err
		}
	}
	c.agree(code&0xffff, unknown)
	if st.User == "" {
		return st, fatal(sqlerr.Newf(sqlerr.InvalidAuthorization, "no PostgreSQL user name specified in startup packet"))
	}
	if st.Database == "" {
		st.Database = st.User
	}
	return st, nil
}

func cutText(b []byte) (text string, rest []byte, ok bool) {
	at := bytes.IndexByte(b, 0)
	if at < 0 {
		return "", nil, false
	}
	return string(b[:at]), b[at+1:], true
}

func (st *Startup) set(name, value string) error {
	if err := checkString(name + value); err != nil {
		return fatal(sqlerr.From(err))
	}
	switch name {
	case "user":
		st.User = value
	case "database":
		st.Database = value
	case "options":
		return st.options(value)
	case "replication":
		if value != "false" && value != "off" && value != "no" && value != "0" {
			return fatal(sqlerr.Unsupported("the replication protocol"))
		}
	default:
		st.Params[name] = value
	}
	return nil
}

// options unpacks a server's command line: -c name=value, -cname=value, --name=value; a backslash keeps a blank.
func (st *Startup) options(s string) error {
	words := splitOptions(s)
	for k := 0; k < len(words); k++ {
		w := words[k]
		var setting string
		switch {
		case w == "-c" && k+1 < len(words):
			k++
			setting = words[k]
		case strings.HasPrefix(w, "--"):
			setting = w[2:]
		case strings.HasPrefix(w, "-c"):
			setting = w[2:]
		default:
			return fatal(sqlerr.Newf(sqlerr.SyntaxError, "invalid command-line argument for server process: %s", w))
		}
		name, value, ok := strings.Cut(setting, "=")
		if !ok {
			return fatal(sqlerr.Newf(sqlerr.SyntaxError, "-c %s requires a value", setting))
		}
		st.Params[strings.ReplaceAll(name, "-", "_")] = value
	}
	return nil
}

func splitOptions(s string) []string {
	var words []string
	var word []byte
	in := false
	for k := 0; k < len(s); k++ {
		switch c := s[k]; {
		case c == '\\' && k+1 < len(s):
			k++
			word, in = append(word, s[k]), true
		case c == ' ' || c == '\t' || c == '\n':
			if in {
				words, word, in = append(words, string(word)), nil, false
			}
		default:
			word, in = append(word, c), true
		}
	}
	if in {
		words = append(words, string(word))
	}
	return words
}

// agree settles the minor version. A client that asks for a newer one, or for options that are not known, is told by
// NegotiateProtocolVersion what it gets, and what it asked for in vain. Beside unknown options that is 3.0: so it goes on Postgres 15, which wmsql
// says to be.
func (c *conn) agree(asked uint32, unknown []string) {
	minor := min(asked, newestMinor)
	if unknown != nil {
		minor = 0
	}
	c.mintKey(minor)
	if minor == asked && unknown == nil {
		return
	}
	c.out.begin('v') // pgproto3 does not have it
	c.out.buf = binary.BigEndian.AppendUint32(c.out.buf, version3<<16|minor)
	c.out.buf = binary.BigEndian.AppendUint32(c.out.buf, uint32(len(unknown)))
	for _, name := range unknown {
		c.out.buf = append(append(c.out.buf, name...), 0)
	}
	c.out.end()
}

// login opens the session and greets the client.
func (c *conn) login(st Startup) error {
	if err := c.welcome(st); err != nil {
		return err
	}
	if err := c.authenticate(st.User); err != nil {
		return err
	}
	if err := c.service.admit(c); err != nil {
		return err
	}
	session, err := c.service.backend.Open(c.ctx, st)
	if err != nil {
		return fatal(sqlerr.From(err))
	}
	c.session = session
	c.out.send(&pgproto3.AuthenticationOk{})
	c.parameters()
	c.sendKey()
	c.ready()
	return nil
}

// welcome refuses clients of other machines where they are not wanted.
func (c *conn) welcome(st Startup) error {
	cfg := &c.service.cfg
	switch {
	case local(st.Remote) || cfg.Remote == RemoteAllowed || cfg.Remote == RemoteByTLS && st.TLS:
		return nil
	case cfg.Remote == RemoteByTLS:
		return fatal(sqlerr.Newf(sqlerr.InvalidAuthorization, "connections from other machines must be encrypted").
			WithHint("Connect with sslmode=verify-full, or sslmode=require."))
	}
	return fatal(sqlerr.Newf(sqlerr.InvalidAuthorization, "connections from other machines are not allowed").
		WithHint("Without passwords and TLS, only clients on the server's own machine are trusted."))
}

func local(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return !ok || tcp.IP.IsLoopback()
}
