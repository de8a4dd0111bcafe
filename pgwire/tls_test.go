package pgwire

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/binary"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"wmsql/sqlerr"
)

// certificate makes a certificate that signs itself.
func certificate(t testing.TB, name string) tls.Certificate {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	tmpl := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), Subject: pkix.Name{CommonName: name}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, tmpl, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
}

// serverTLS is a configuration for tests.
func serverTLS(t testing.TB) func() *tls.Config {
	cfg := &tls.Config{Certificates: []tls.Certificate{certificate(t, "server")}}
	return func() *tls.Config { return cfg }
}

// connect connects by pgx, which adds more to url; change may be nil.
func connect(t *testing.T, url string, change func(*pgconn.Config)) (*pgconn.PgConn, error) {
	t.Helper()
	cfg, err := pgconn.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(cfg)
	}
	c, err := pgconn.ConnectConfig(context.Background(), cfg)
	if err == nil {
		t.Cleanup(func() { _ = c.Close(context.Background()) })
	}
	return c, err
}

// Over TLS a session works, a long statement is watched too, and bytes behind the SSLRequest are refused.
func TestTLS(t *testing.T) {
	addr := listen(t, &fake{}, Config{TLS: serverTLS(t)})
	ctx := context.Background()
	for _, more := range []string{"", "&sslnegotiation=direct"} {
		c, err := connect(t, "postgres://wmsql@"+addr+"/wmsql?sslmode=require"+more, nil)
		if err != nil {
			t.Fatal(more, err)
		}
		go func() {
			time.Sleep(2 * watchAfter)
			_ = c.CancelRequest(ctx)
		}()
		if _, err := c.Exec(ctx, "SLEEP").ReadAll(); err == nil || !strings.Contains(err.Error(), "57014") {
			t.Errorf("SLEEP over TLS: %v", err)
		}
		rs, err := c.Exec(ctx, "SELECT n FROM five").ReadAll()
		if err != nil || len(rs) != 1 || len(rs[0].Rows) != 5 {
			t.Errorf("rows over TLS: %v, %v", rs, err)
		}
	}

	raw := dial(t, addr)
	raw.send(append([]byte{0, 0, 0, 8, 4, 0xd2, 0x16, 0x2f}, startup()...))
	raw.expect("E FATAL 08P01 received unencrypted data after SSL request\nclosed\n")
}

// Who begins with TLS must name the protocol within it, and does not ask for TLS again.
func TestDirectTLS(t *testing.T) {
	addr := listen(t, &fake{}, Config{TLS: serverTLS(t)})
	begin := func(protocols ...string) (*client, error) {
		c, err := tls.Dial("tcp", addr, &tls.Config{InsecureSkipVerify: true, NextProtos: protocols})
		if err != nil {
			return nil, err
		}
		t.Cleanup(func() { _ = c.Close() })
		return &client{t: t, conn: c}, nil
	}
	c, err := begin(alpn)
	if err != nil {
		t.Fatal(err)
	}
	c.send(startup())
	if got := c.until(1); !strings.HasSuffix(got, "Z(I)\n") {
		t.Errorf("a session: %s", got)
	}
	if c, err = begin(); err != nil {
		t.Fatal(err)
	}
	c.expect("E FATAL 08P01 received direct SSL connection request without ALPN protocol negotiation extension\nclosed\n")
	if _, err = begin("h2"); err == nil {
		t.Error("another protocol was let in")
	}
	if c, err = begin(alpn); err != nil {
		t.Fatal(err)
	}
	c.send([]byte{0, 0, 0, 8, 4, 0xd2, 0x16, 0x2f})
	c.expect("E FATAL 0A000 unsupported frontend protocol 1234.5679: server supports 3.0 to 3.2\nclosed\n")
	if _, err := tls.Dial("tcp", listen(t, &fake{}, Config{}), &tls.Config{InsecureSkipVerify: true, NextProtos: []string{alpn}}); err == nil {
		t.Error("TLS where there is none")
	}
}

// Passwords are asked for in the clear and over TLS, there bound to the connection; whoever has none looks like one whose password is wrong.
func TestPassword(t *testing.T) {
	clear := listen(t, &fake{}, Config{Auth: AuthPassword, FailedPause: time.Millisecond})
	secure := listen(t, &fake{}, Config{Auth: AuthPassword, FailedPause: time.Millisecond, TLS: serverTLS(t)})
	for _, c := range []struct{ url, want string }{
		{"postgres://wmsql:pencil@" + clear + "/wmsql?sslmode=disable", ""},
		{"postgres://wmsql:pencil@" + secure + "/wmsql?sslmode=disable", ""},
		{"postgres://wmsql:pencil@" + secure + "/wmsql?sslmode=require&channel_binding=disable", ""},
		{"postgres://wmsql:pencil@" + secure + "/wmsql?sslmode=require&channel_binding=require", ""},
		{"postgres://wmsql:pencil@" + secure + "/wmsql?sslmode=require&channel_binding=require&sslnegotiation=direct", ""},
		{"postgres://wmsql:pen@" + clear + "/wmsql?sslmode=disable", `password authentication failed for user "wmsql" (SQLSTATE 28P01)`},
		{"postgres://wmsql:pen@" + secure + "/wmsql?sslmode=require", `password authentication failed for user "wmsql" (SQLSTATE 28P01)`},
		{"postgres://nobody:pencil@" + clear + "/wmsql?sslmode=disable", `password authentication failed for user "nobody" (SQLSTATE 28P01)`},
	} {
		_, err := connect(t, c.url, nil)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.url, err)
		}
	}
}

// What is no SCRAM ends the connection.
func TestPassword_Malformed(t *testing.T) {
	addr := listen(t, &fake{}, Config{Auth: AuthPassword})
	initial := func(mechanism, text string) []byte {
		b := append([]byte(mechanism), 0)
		b = append(binary.BigEndian.AppendUint32(b, uint32(len(text))), text...)
		return append(binary.BigEndian.AppendUint32([]byte{'p'}, uint32(len(b)+4)), b...)
	}
	for _, c := range []struct {
		name, want string
		send       []byte
	}{
		{"a query", "expected SASL response, got message type 81", query("SELECT 1")},
		{"too long", "invalid message length", []byte{'p', 0, 0, 0x40, 0}},
		{"no text", "invalid message format", []byte{'p', 0, 0, 0, 5, 0}},
		{"another mechanism", "client selected an invalid SASL authentication mechanism", initial("PLAIN", "")},
		{"a binding without TLS", "client selected an invalid SASL authentication mechanism", initial("SCRAM-SHA-256-PLUS", "p=tls-server-end-point,,n=,r=x")},
		{"no SCRAM", "malformed SCRAM message", initial("SCRAM-SHA-256", "hello")},
	} {
		conn := dial(t, addr)
		conn.send(startup())
		conn.send(c.send)
		if got := conn.until(1); !strings.HasSuffix(got, "E FATAL 08P01 "+c.want+"\nclosed\n") {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

// A client is who its certificate says.
func TestCertificate(t *testing.T) {
	server, alice, stranger := certificate(t, "server"), certificate(t, "alice"), certificate(t, "alice")
	known := x509.NewCertPool()
	known.AddCert(alice.Leaf)
	cfg := &tls.Config{Certificates: []tls.Certificate{server}, ClientCAs: known, ClientAuth: tls.RequireAndVerifyClientCert}
	addr := listen(t, &fake{}, Config{Auth: AuthCertificate, TLS: func() *tls.Config { return cfg }})
	as := func(user string, with ...tls.Certificate) error {
		_, err := connect(t, "postgres://"+user+"@"+addr+"/wmsql?sslmode=require", func(c *pgconn.Config) { c.TLSConfig.Certificates = with })
		return err
	}
	if err := as("alice", alice); err != nil {
		t.Error(err)
	}
	if err := as("bob", alice); err == nil || !strings.Contains(err.Error(), `certificate authentication failed for user "bob"`) {
		t.Errorf("another name: %v", err)
	}
	if as("alice") == nil || as("alice", stranger) == nil {
		t.Error("without a good certificate it came in")
	}
	_, err := connect(t, "postgres://alice@"+addr+"/wmsql?sslmode=disable", nil)
	if err == nil || !strings.Contains(err.Error(), "connection requires a valid client certificate (SQLSTATE 28000)") {
		t.Errorf("in the clear: %v", err)
	}
}

// Clients of other machines come in over TLS, always, or never.
func TestRemote(t *testing.T) {
	far, near := &net.TCPAddr{IP: net.IPv4(10, 0, 0, 1)}, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}
	for _, c := range []struct {
		remote    Remote
		from      net.Addr
		tls, want bool
	}{
		{RemoteRefused, near, false, true}, {RemoteRefused, far, true, false},
		{RemoteByTLS, near, false, true}, {RemoteByTLS, far, true, true}, {RemoteByTLS, far, false, false},
		{RemoteAllowed, far, false, true},
	} {
		conn := &conn{service: &service{cfg: Config{Remote: c.remote}}}
		err := conn.welcome(Startup{Remote: c.from, TLS: c.tls})
		if (err == nil) != c.want || err != nil && sqlerr.From(err).Code != sqlerr.InvalidAuthorization {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
