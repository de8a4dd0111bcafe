package expr

import (
	"bytes"
)

// The functions below walk JSON text that has been checked when it became a value, so that it is well formed.

// jsonStart drops the blanks in front of a value.
func jsonStart(b []byte) []byte { return bytes.TrimLeft(b, " \t\r\n") }

// jsonEnd is the length of the value at the start of b.
func jsonEnd(b []byte) int {
	switch b[0] {
	case '"':
		return jsonStringEnd(b)
	case '{', '[':
		depth := 0
		for i := 0; ; i++ {
			switch b[i] {
			case '"':
				i += jsonStringEnd(b[i:]) - 1
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
	}
	n := bytes.IndexAny(b, ",]} \t\r\n")
	if n < 0 {
		return len(b)
	}
	return n
}

func jsonStringEnd(b []byte) int {
	for i := 1; ; i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
}

// jsonItems calls f for each value of an array, or for each key, quoted, and value of an object, until f returns false.
func jsonItems(b []byte, f func(key, value []byte) bool) {
	object := b[0] == '{'
	b = jsonStart(b[1:])
	for b[0] != ']' && b[0] != '}' {
		var key []byte
		if object {
			n := jsonStringEnd(b)
			key = b[:n]
			b = jsonStart(jsonStart(b[n:])[1:]) // the colon
		}
		n := jsonEnd(b)
		if !f(key, b[:n]) {
			return
		}
		if b = jsonStart(b[n:]); b[0] == ',' {
			b = jsonStart(b[1:])
		}
	}
}

// jsonUnquote is the text of a JSON string in quotes.
func jsonUnquote(quoted []byte) ([]byte, error) {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1], nil
	}
	s, err := unquoteJSON(string(quoted))
	return []byte(s), err
}

// jsonField finds the value of a key; of equal keys the last one's. nil if there is none.
func jsonField(b, key []byte) []byte {
	if b = jsonStart(b); b[0] != '{' {
		return nil
	}
	var found []byte
	jsonItems(b, func(k, v []byte) bool {
		if name, err := jsonUnquote(k); err == nil && bytes.Equal(name, key) {
			found = v
		}
		return true
	})
	return found
}

// jsonCount is the number of values of an array or an object.
func jsonCount(b []byte) int64 {
	n := int64(0)
	jsonItems(b, func(_, _ []byte) bool { n++; return true })
	return n
}

// jsonElement finds a value of an array by number, from 0; a negative one counts from the end. nil if there is none.
func jsonElement(b []byte, at int64) []byte {
	if b = jsonStart(b); b[0] != '[' {
		return nil
	}
	if at < 0 {
		at += jsonCount(b)
	}
	var found []byte
	jsonItems(b, func(_, v []byte) bool {
		if at == 0 {
			found = v
		}
		at--
		return at >= 0
	})
	return found
}

// jsonType is the name of a value's type.
func jsonType(b []byte) string {
	switch jsonStart(b)[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}
