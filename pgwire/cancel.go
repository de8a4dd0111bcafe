package pgwire

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/binary"

	"github.com/jackc/pgproto3/v2"
)

// keyMax is how many bytes the key of a connection has that knows longKeys.
const keyMax = 32

// mintKey makes the key by which the client may cancel, as long as the protocol's minor version lets it be.
func (c *conn) mintKey(minor uint32) {
	key := make([]byte, keyMax)
	_, _ = rand.Read(key) // never fails
	if minor < longKeys {
		key = key[:4]
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.key = key
}

// sendKey tells the client how to cancel.
func (c *conn) sendKey() {
	if len(c.key) == 4 {
		c.out.send(&pgproto3.BackendKeyData{ProcessID: uint32(c.pid), SecretKey: binary.BigEndian.Uint32(c.key)})
		return
	}
	c.out.begin('K') // pgproto3 knows keys of four bytes only
	c.out.buf = binary.BigEndian.AppendUint32(c.out.buf, uint32(c.pid))
	c.out.buf = append(c.out.buf, c.key...)
	c.out.end()
}

// holds reports whether key is the connection's own.
func (c *conn) holds(key []byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.key != nil && subtle.ConstantTimeCompare(c.key, key) == 1
}

// cancel ends the running statement of the connection that a cancel request names, if its key is right.
func (s *service) cancel(pid int32, key []byte) {
	s.mu.Lock()
	c := s.conns[pid]
	s.mu.Unlock()
	if c != nil && c.holds(key) {
		c.Cancel()
	}
}
