package pgwire

import (
	"crypto/tls"
	"log/slog"
	"time"
)

// Config sets the bounds of Serve. A zero field means its default.
type Config struct {
	Log *slog.Logger // nil: nothing is logged
	// TLS is asked by every connection for the present configuration, which has one certificate; nil: there is no TLS.
	TLS          func() *tls.Config
	Auth         Auth
	Remote       Remote        // what becomes of clients that are not on this machine
	MaxSessions  int           // clients beyond it are refused with 53300; 100
	MaxMessage   int           // bytes of a message after login; 256 MiB
	LoginTimeout time.Duration // from connecting to being logged in; 10 s
	FailedPause  time.Duration // before a client is told that its password is wrong: guessing takes time, and a place among loginsMax; 300 ms
	Grace        time.Duration // for statements to end at shutdown, before connections are cut; 5 s
}

// Remote says what becomes of clients of other machines.
type Remote uint8

// What may become of them.
const (
	RemoteRefused Remote = iota
	RemoteByTLS          // they are welcome if they use TLS
	RemoteAllowed
)

const (
	defaultSessions     = 100
	defaultMessage      = 256 << 20
	defaultLoginTimeout = 10 * time.Second
	defaultFailedPause  = 300 * time.Millisecond
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
	if c.FailedPause == 0 {
		c.FailedPause = defaultFailedPause
	}
	if c.Grace == 0 {
		c.Grace = defaultGrace
	}
	return c
}
