package main

import (
	"log/slog"
	"net"
	"strings"

	"github.com/spf13/pflag"

	"wmsql/pgwire"
	"wmsql/sqlerr"
)

// security is who may connect, and how. The zero value: whoever is on this machine, under any name.
type security struct {
	auth          string
	cert, key, ca string // files of TLS; "" for none
	allowRemote   bool
}

func (s *security) flags(f *pflag.FlagSet) {
	f.StringVar(&s.auth, "auth", "trust", "how clients show who they are: trust (not at all), scram-sha-256 (a role's password), cert (a client certificate in the user's name)")
	f.StringVar(&s.cert, "tls-cert", "", "PEM file of the server's certificate and those between it and its authority; read again when it changes")
	f.StringVar(&s.key, "tls-key", "", "PEM file of the certificate's private key")
	f.StringVar(&s.ca, "tls-client-ca", "", "PEM file of authorities: clients that use TLS must show a certificate of theirs")
	f.BoolVar(&s.allowRemote, "insecure-allow-remote", false, "listen beyond this machine even without passwords and TLS")
}

// check refuses flags that do not go together.
func (s *security) check() error {
	wrong := func(format string, args ...any) *sqlerr.Error {
		return sqlerr.Newf(sqlerr.InvalidParameterValue, format, args...)
	}
	switch {
	case s.auth != "trust" && s.auth != "scram-sha-256" && s.auth != "cert":
		return wrong("--auth %q: use trust, scram-sha-256 or cert", s.auth)
	case (s.cert == "") != (s.key == ""):
		return wrong("--tls-cert and --tls-key are needed together")
	case s.ca != "" && s.cert == "":
		return wrong("--tls-client-ca needs --tls-cert and --tls-key")
	case s.auth == "cert" && s.ca == "":
		return wrong("--auth cert needs --tls-client-ca: whose certificates are to be believed")
	}
	return nil
}

// user is whom the greeting tells to connect as: without passwords and certificates any name will do.
func (s *security) user() string {
	if s.auth == "scram-sha-256" || s.auth == "cert" {
		return "ROLE"
	}
	return "wmsql"
}

// remote says what becomes of clients of other machines.
func (s *security) remote() pgwire.Remote {
	switch {
	case s.allowRemote:
		return pgwire.RemoteAllowed
	case s.auth != "trust" && s.cert != "":
		return pgwire.RemoteByTLS
	}
	return pgwire.RemoteRefused
}

// wire is what the protocol must know of it.
func (s *security) wire(log *slog.Logger) (pgwire.Config, error) {
	cfg := pgwire.Config{
		Log: log, Remote: s.remote(),
		Auth: map[string]pgwire.Auth{"scram-sha-256": pgwire.AuthPassword, "cert": pgwire.AuthCertificate}[s.auth],
	}
	if s.cert == "" {
		return cfg, nil
	}
	files, err := openTLS(s.cert, s.key, s.ca, log)
	if err != nil {
		return cfg, err
	}
	cfg.TLS = files.config
	return cfg, nil
}

// mayListen refuses an address that others than this machine reach, unless what they would reach is protected.
func (s *security) mayListen(addr, host string) error {
	if isLoopback(host) || s.remote() != pgwire.RemoteRefused {
		return nil
	}
	return sqlerr.Newf(sqlerr.InsufficientPrivilege, "refusing to listen on %s: whoever reaches that port could read and drop everything", addr).
		WithDetail("Beyond this machine, clients must show who they are and use TLS.").
		WithHint("Start with --auth scram-sha-256 --tls-cert FILE --tls-key FILE, listen on 127.0.0.1, or insist with --insecure-allow-remote.")
}

func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
