package pgwire

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"

	"wmsql/password"
	"wmsql/sqlerr"
)

const (
	// alpn is the protocol's name within TLS: who begins with TLS must say it, lest another protocol's client be led here.
	alpn = "postgresql"
	// tlsHandshake is the first byte of a client that begins with TLS. As the first byte of a packet's length it would be far beyond startupMax.
	tlsHandshake = 22
)

// answerTLS answers SSLRequest, and changes to TLS if it is set. What came behind the request in the clear may be from a man in the
// middle, and is refused.
func (c *conn) answerTLS() error {
	if c.service.cfg.TLS == nil {
		return c.answer('N')
	}
	if c.in.buffered() {
		return protocolViolation("received unencrypted data after SSL request")
	}
	if err := c.answer('S'); err != nil {
		return err
	}
	return c.secure(c.net)
}

// directTLS changes to TLS if the client begins with it, as clients since Postgres 17 may, and reports whether it does.
func (c *conn) directTLS() (bool, error) {
	first, err := c.in.fill(1)
	if err != nil || first[0] != tlsHandshake {
		return false, nil // who reads on gets the error
	}
	if c.service.cfg.TLS == nil {
		return true, errNotPostgres
	}
	if err := c.secure(&replayed{c.net, c.in.rest()}); err != nil {
		return true, err
	}
	if c.tls.ConnectionState().NegotiatedProtocol != alpn {
		return true, protocolViolation("received direct SSL connection request without ALPN protocol negotiation extension")
	}
	return true, nil
}

// secure goes on over TLS.
func (c *conn) secure(plain net.Conn) error {
	cfg := c.service.cfg.TLS().Clone()
	cfg.NextProtos = []string{alpn}
	t := tls.Server(plain, cfg)
	if err := t.Handshake(); err != nil {
		return fmt.Errorf("tls: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.net, c.in.conn, c.out.w = t, t, t
	c.tls, c.binding = t, bindingOf(cfg)
	return nil
}

// bindingOf is what a password may be bound to: the certificate that cfg shows; nil if there is no such binding.
func bindingOf(cfg *tls.Config) *password.Binding {
	shown := cfg.Certificates[0]
	leaf := shown.Leaf
	if leaf == nil {
		var err error
		if leaf, err = x509.ParseCertificate(shown.Certificate[0]); err != nil {
			return nil
		}
	}
	b, ok := password.BindTo(leaf)
	if !ok {
		return nil
	}
	return &b
}

// replayed is a connection of which first has been read already.
type replayed struct {
	net.Conn
	first []byte
}

func (r *replayed) Read(b []byte) (int, error) {
	if len(r.first) == 0 {
		return r.Conn.Read(b)
	}
	n := copy(b, r.first)
	r.first = r.first[n:]
	return n, nil
}

// certified refuses a client without a certificate of user's.
func (c *conn) certified(user string) error {
	if c.tls == nil || len(c.tls.ConnectionState().VerifiedChains) == 0 {
		return fatal(sqlerr.Newf(sqlerr.InvalidAuthorization, "connection requires a valid client certificate"))
	}
	if name := c.tls.ConnectionState().VerifiedChains[0][0].Subject.CommonName; name != user {
		return fatal(sqlerr.Newf(sqlerr.InvalidAuthorization, "certificate authentication failed for user \"%s\"", user))
	}
	return nil
}
