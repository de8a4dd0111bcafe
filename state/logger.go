package state

import (
	"fmt"
	"os"
	"strings"
)

// fatal is what Pebble's Fatalf throws on a commit's stack, where guard catches it.
type fatal struct{ err error }

// logger takes Pebble's messages. Pebble calls Fatalf where it cannot go on and expects no return from it: a commit
// catches that; on a goroutine of Pebble's the process has to end, with one clear line.
type logger struct {
	warn func(msg string, args ...any)
}

// Infof drops Pebble's chatter.
func (l *logger) Infof(string, ...any) {}

// Errorf passes an error of the background work on.
func (l *logger) Errorf(format string, args ...any) {
	l.warn("store: " + fmt.Sprintf(format, args...))
}

// Fatalf does not return.
func (l *logger) Fatalf(format string, args ...any) {
	err := fmt.Errorf("%s", fmt.Sprintf(format, args...))
	for _, a := range args {
		if e, ok := a.(error); ok {
			err = e
		}
	}
	if strings.HasPrefix(format, "pebble: fatal commit error") {
		panic(fatal{err})
	}
	l.warn("the store cannot go on, the server ends", "error", err)
	fmt.Fprintf(os.Stderr, "wmsql: the store cannot go on: %v\n", err)
	os.Exit(1)
}
