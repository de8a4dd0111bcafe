package pgwire

import (
	"encoding/binary"
	"errors"
	"time"

	"github.com/jackc/pgproto3/v2"

	"wmsql/password"
	"wmsql/sqlerr"
)

// Auth is how clients show who they are.
type Auth uint8

// The ways.
const (
	AuthTrust       Auth = iota // they are believed
	AuthPassword                // SCRAM-SHA-256, bound to the TLS connection where there is one
	AuthCertificate             // a certificate whose common name is the user's
)

// saslMax bounds a message of the login, as in Postgres.
const saslMax = 1024

// authenticate lets a client prove to be the user that it named.
func (c *conn) authenticate(user string) error {
	switch c.service.cfg.Auth {
	case AuthPassword:
		return c.askPassword(user)
	case AuthCertificate:
		return c.certified(user)
	}
	return nil
}

// askPassword has the client prove by SCRAM that it knows the user's password. Users that do not exist or have none fail as a wrong
// password does.
func (c *conn) askPassword(user string) error {
	offered := []string{password.Plain}
	var binding password.Binding
	if c.binding != nil {
		offered, binding = []string{password.Plus, password.Plain}, *c.binding
	}
	c.out.send(&pgproto3.AuthenticationSASL{AuthMechanisms: offered})
	mechanism, first, err := c.saslInitial()
	if err != nil {
		return err
	}
	if mechanism != password.Plain && (mechanism != password.Plus || c.binding == nil) {
		return protocolViolation("client selected an invalid SASL authentication mechanism")
	}
	e, err := c.service.backend.Verifier(user).Begin(mechanism, binding)
	if err != nil {
		return err
	}
	challenge, err := e.Step(first)
	if err != nil {
		return c.refusal(err, user)
	}
	c.out.send(&pgproto3.AuthenticationSASLContinue{Data: []byte(challenge)})
	last, err := c.saslMessage()
	if err != nil {
		return err
	}
	final, err := e.Step(string(last))
	if err != nil || !e.Passed() {
		return c.refusal(err, user)
	}
	c.out.send(&pgproto3.AuthenticationSASLFinal{Data: []byte(final)})
	return nil
}

// refusal is what a client is told whose login failed.
func (c *conn) refusal(err error, user string) error {
	switch {
	case errors.Is(err, password.ErrMalformed):
		return protocolViolation("%v", err)
	case errors.Is(err, password.ErrBinding):
		return fatal(sqlerr.Newf(sqlerr.InvalidAuthorization, "%v", err))
	}
	time.Sleep(c.service.cfg.FailedPause)
	return fatal(sqlerr.Newf(sqlerr.InvalidPassword, "password authentication failed for user \"%s\"", user))
}

// saslInitial reads the message that chooses a mechanism and brings the client's first words.
func (c *conn) saslInitial() (mechanism, first string, err error) {
	b, err := c.saslMessage()
	if err != nil {
		return "", "", err
	}
	mechanism, rest, ok := cutText(b)
	if !ok || len(rest) < 4 || int64(binary.BigEndian.Uint32(rest)) != int64(len(rest)-4) {
		return "", "", protocolViolation("invalid message format")
	}
	return mechanism, string(rest[4:]), nil
}

// saslMessage sends what is there and reads one answer. It is valid until the next.
func (c *conn) saslMessage() ([]byte, error) {
	if err := c.out.flush(); err != nil {
		return nil, err
	}
	head, err := c.in.take(5)
	if err != nil {
		return nil, err
	}
	size := int64(binary.BigEndian.Uint32(head[1:])) - 4
	switch {
	case head[0] != 'p':
		return nil, protocolViolation("expected SASL response, got message type %d", head[0])
	case size < 0 || size > saslMax:
		return nil, protocolViolation("invalid message length")
	}
	return c.in.take(int(size))
}
