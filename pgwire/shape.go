package pgwire

import (
	"bytes"
	"encoding/binary"
)

// clientMessages are the messages a logged-in client may send.
const clientMessages = "BCDEFHPQSXcdf"

// wellFormed reports whether the parts of a message's body add up to the body exactly.
func wellFormed(kind byte, body []byte) bool {
	s := shape{rest: body}
	switch kind {
	case 'Q', 'f':
		s.text()
	case 'P':
		s.text()
		s.text()
		s.skip(4 * s.count())
	case 'B':
		s.text()
		s.text()
		s.skip(2 * s.count())
		s.values()
		s.skip(2 * s.count())
	case 'C', 'D':
		if len(body) > 0 && body[0] != 'S' && body[0] != 'P' {
			return false
		}
		s.skip(1)
		s.text()
	case 'E':
		s.text()
		s.skip(4)
	case 'F':
		s.skip(4)
		s.skip(2 * s.count())
		s.values()
		s.skip(2)
	case 'd':
		return true
	}
	return !s.bad && len(s.rest) == 0
}

// shape walks over the parts of a body.
type shape struct {
	rest []byte
	bad  bool
}

func (s *shape) skip(n int) {
	if n < 0 || n > len(s.rest) {
		s.bad, s.rest = true, nil
		return
	}
	s.rest = s.rest[n:]
}

// text passes a string and its NUL.
func (s *shape) text() {
	n := bytes.IndexByte(s.rest, 0) + 1
	if n == 0 {
		s.bad, s.rest = true, nil
		return
	}
	s.skip(n)
}

func (s *shape) count() int {
	if len(s.rest) < 2 {
		s.bad, s.rest = true, nil
		return 0
	}
	n := int(binary.BigEndian.Uint16(s.rest))
	s.skip(2)
	return n
}

// values passes a count and as many values, each with its length, -1 for NULL.
func (s *shape) values() {
	for n := s.count(); n > 0 && !s.bad; n-- {
		if len(s.rest) < 4 {
			s.bad = true
			return
		}
		size := int32(binary.BigEndian.Uint32(s.rest))
		s.skip(4)
		if size == -1 {
			continue
		}
		s.skip(int(size))
	}
}
