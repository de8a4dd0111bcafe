package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// tlsFiles are a certificate, its key and the authorities of clients, read again when they change: a certificate that was renewed needs no
// restart. Files that cannot be used change nothing.
type tlsFiles struct {
	cert, key, ca string
	log           *slog.Logger

	mu     sync.Mutex
	read   [3]time.Time // when the files were changed last, as of the last attempt to read them
	loaded *tls.Config
}

func openTLS(cert, key, ca string, log *slog.Logger) (*tlsFiles, error) {
	f := &tlsFiles{cert: cert, key: key, ca: ca, log: log}
	f.read = f.changed()
	var err error
	f.loaded, err = f.load()
	return f, err
}

// config is the present configuration.
func (f *tlsFiles) config() *tls.Config {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.changed()
	if now == f.read {
		return f.loaded
	}
	f.read = now
	loaded, err := f.load()
	if err != nil {
		f.log.Warn("the TLS files changed and cannot be used: the old ones stay in use", "err", err)
		return f.loaded
	}
	f.log.Info("the TLS files changed and were read again")
	f.loaded = loaded
	return loaded
}

// changed is when each file was changed last; zero for one that is not there, or not set.
func (f *tlsFiles) changed() (at [3]time.Time) {
	for i, name := range []string{f.cert, f.key, f.ca} {
		if st, err := os.Stat(name); err == nil {
			at[i] = st.ModTime()
		}
	}
	return at
}

func (f *tlsFiles) load() (*tls.Config, error) {
	pair, err := tls.LoadX509KeyPair(f.cert, f.key)
	if err != nil {
		return nil, fmt.Errorf("cannot use %s and %s for TLS: %w", f.cert, f.key, err)
	}
	cfg := &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, SessionTicketsDisabled: true}
	if f.ca == "" {
		return cfg, nil
	}
	text, err := os.ReadFile(f.ca)
	if err != nil {
		return nil, err
	}
	cfg.ClientCAs, cfg.ClientAuth = x509.NewCertPool(), tls.RequireAndVerifyClientCert
	if !cfg.ClientCAs.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s holds no certificate in PEM form", f.ca)
	}
	return cfg, nil
}
