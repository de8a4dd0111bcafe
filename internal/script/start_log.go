package script

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
)

// startLog holds what a server says of its start at the level of an error: in a script nothing is to go wrong there.
type startLog struct {
	slog.Handler // discards
	mu           sync.Mutex
	errors       []string
}

func newStartLog() *startLog { return &startLog{Handler: slog.DiscardHandler} }

// Enabled lets errors through.
func (l *startLog) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelError }

// Handle keeps the message and its attributes.
func (l *startLog) Handle(_ context.Context, r slog.Record) error {
	text := r.Message
	r.Attrs(func(a slog.Attr) bool {
		text += fmt.Sprintf(" %s=%v", a.Key, a.Value)
		return true
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.errors = append(l.errors, text)
	return nil
}

// err is what went wrong so far, nil if nothing did.
func (l *startLog) err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.errors) == 0 {
		return nil
	}
	return fmt.Errorf("the server's start: %q", l.errors)
}
