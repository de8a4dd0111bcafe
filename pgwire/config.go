package pgwire

import (
	"crypto/tls"
	"log/slog"
	"time"
)

// Config sets the bounds of Serve. A zero field means its default.
type Config struct {
	Log *slog.Logger // nil: nothing is logged
	// TLS answers SSLRequest; nil: the client is told that there is no TLS.
	TLS *tls.Config
	// AllowRemote lets clients in that are not on this machine. There are no passwords.
	AllowRemote  bool
	MaxSessions  int           // clients beyond it are refused with 53300; 100
	MaxMessage   int           // bytes of a message after login; 64 MiB
	LoginTimeout time.Duration // from connecting to being logged in; 10 s
	Grace        time.Duration // for statements to end at shutdown, before connections are cut; 5 s
}

const (
	defaultSessions     = 100
	defaultMessage      = 64 << 20
	defaultLoginTimeout = 10 * time.Second
	defaultGrace        = 5 * time.Second

	// loginsMax bounds the connections that have not logged in: each holds a goroutine and a small buffer until LoginTimeout.
	loginsMax = 1000
	// startupMax bounds a startup packet, which comes before anybody is known. It is Postgres's bound.
	startupMax = 10000
	// keepAlive is how often TCP asks whether an idle client is still there.
	keepAlive = 30 * time.Second
)

func (c Config) withDefaults() Config {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.MaxSessions == 0 {
		c.MaxSessions = defaultSessions
	}
	if c.MaxMessage == 0 {
		c.MaxMessage = defaultMessage
	}
	if c.LoginTimeout == 0 {
		c.LoginTimeout = defaultLoginTimeout
	}
	if c.Grace == 0 {
		c.Grace = defaultGrace
	}
	return c
}
