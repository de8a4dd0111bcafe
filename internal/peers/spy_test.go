//go:build peers

package peers

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgproto3/v2"
)

// spy stands between a client and the server and keeps every error that passes, with the query it answers. It sees what a client
// hides: psql says nothing of an error in the queries for tab completion.
type spy struct {
	addr string

	mu     sync.Mutex
	query  string
	faults []string
}

func newSpy(t testing.TB, server string) *spy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &spy{addr: l.Addr().String()}
	var conns sync.WaitGroup
	accepting := make(chan struct{})
	go func() {
		defer close(accepting)
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			conns.Go(func() { s.pass(client, server) })
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-accepting
		conns.Wait()
	})
	return s
}

// pass copies both ways until one side ends.
func (s *spy) pass(client net.Conn, server string) {
	defer func() { _ = client.Close() }()
	backend, err := net.Dial("tcp", server)
	if err != nil {
		return
	}
	var both sync.WaitGroup
	both.Go(func() { _ = copyMessages(backend, client, true, s.asked); _ = backend.Close() })
	both.Go(func() { _ = copyMessages(client, backend, false, s.answered); _ = client.Close() })
	both.Wait()
}

// copyMessages hands every message to see before it passes it on. A client's first message has no type.
func copyMessages(to io.Writer, from io.Reader, startup bool, see func(kind byte, body []byte)) error {
	for {
		head := make([]byte, 5)
		if startup {
			head = head[1:]
		}
		if _, err := io.ReadFull(from, head); err != nil {
			return err
		}
		body := make([]byte, binary.BigEndian.Uint32(head[len(head)-4:])-4)
		if _, err := io.ReadFull(from, body); err != nil {
			return err
		}
		if !startup {
			see(head[0], body)
		}
		startup = false
		if _, err := to.Write(append(head, body...)); err != nil {
			return err
		}
	}
}

func (s *spy) asked(kind byte, body []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch kind {
	case 'Q', 'P':
		s.query = strings.ReplaceAll(string(body), "\x00", "")
	}
}

func (s *spy) answered(kind byte, body []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if kind == 'E' {
		var m pgproto3.ErrorResponse
		_ = m.Decode(body)
		s.faults = append(s.faults, fmt.Sprintf("%s %s\nin %s", m.Code, m.Message, s.query))
	}
}

// errors returns what has been kept, and forgets it.
func (s *spy) errors() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := strings.Join(s.faults, "\n")
	s.faults = nil
	return out
}
