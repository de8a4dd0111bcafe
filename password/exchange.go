package password

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"strings"

	"github.com/xdg-go/scram"
)

// The SASL mechanisms: Plus binds the password to the TLS connection, so that nobody in between can pass it on.
const (
	Plain = scheme
	Plus  = scheme + "-PLUS"
)

// Why an exchange fails.
var (
	ErrMalformed = errors.New("malformed SCRAM message")
	ErrBinding   = errors.New("SCRAM channel binding check failed")
	ErrWrong     = errors.New("wrong password")
)

// Binding is what Plus binds a password to: the server's certificate, as both sides see it.
type Binding struct{ cb scram.ChannelBinding }

// BindTo is the binding to a server that shows leaf; ok is false if the certificate is signed in a way for which none is defined.
func BindTo(leaf *x509.Certificate) (b Binding, ok bool) {
	// The library hashes the certificate that a client has got: the server's own is the same one.
	cb, err := scram.NewTLSServerEndpointBinding(&tls.ConnectionState{PeerCertificates: []*x509.Certificate{leaf}})
	return Binding{cb}, err == nil
}

// Exchange is the server's side of one login: the client says two messages, and each is answered.
type Exchange struct{ conv *scram.ServerConversation }

// Begin starts the exchange of a client that chose mechanism. binding is the zero Binding where Plus was not offered.
func (v Verifier) Begin(mechanism string, binding Binding) (*Exchange, error) {
	// Clients of Postgres leave the name empty here, for the startup message has it.
	s, err := scram.SHA256.NewServer(func(string) (scram.StoredCredentials, error) { return v.stored, nil })
	if err != nil {
		return nil, err
	}
	if mechanism == Plus {
		return &Exchange{s.NewConversationWithChannelBindingRequired(binding.cb)}, nil
	}
	return &Exchange{s.NewConversationWithChannelBinding(binding.cb)}, nil
}

// Step answers a message. The error is one of the three above, and ends the exchange.
func (e *Exchange) Step(message string) (answer string, err error) {
	answer, err = e.conv.Step(message)
	switch {
	case err == nil:
		return answer, nil
	case answer == scram.ErrInvalidProof:
		return "", ErrWrong
	case strings.Contains(answer, "channel-binding"):
		return "", ErrBinding
	}
	return "", ErrMalformed
}

// Passed reports that the client has proved to know the password.
func (e *Exchange) Passed() bool { return e.conv.Valid() }
