package types

import (
	"bytes"
	"encoding/binary"
)

// The first byte of a jsonb's key: the order of its kinds.
const (
	jsonKeyEmptyArray byte = iota + 1
	jsonKeyNull
	jsonKeyString
	jsonKeyNumber
	jsonKeyFalse
	jsonKeyTrue
	jsonKeyArray
	jsonKeyObject
)

// AppendJSONBKey appends an encoding of a jsonb, given as its canonical text, whose byte order is Postgres's order of
// jsonb: kinds, then containers by their size, then value by value. Equal values have one key: 1.0 and 1.
func AppendJSONBKey(dst []byte, text []byte) []byte {
	p := jsonParser{s: string(text), build: true}
	if err := p.whole(); err != nil {
		panic("types: a jsonb is none: " + err.Error())
	}
	if p.root.kind == 'a' && len(p.root.elems) == 0 {
		return append(dst, jsonKeyEmptyArray) // before everything, unless it lies in another value
	}
	return p.root.appendKey(dst)
}

func (n *jsonNode) appendKey(dst []byte) []byte {
	if n.kind != 's' {
		tag := jsonKeyArray
		if n.kind == 'o' {
			tag = jsonKeyObject
		}
		dst = binary.BigEndian.AppendUint32(append(dst, tag), uint32(len(n.elems)))
		for k := range n.elems {
			if n.kind == 'o' {
				dst = appendStringKey(dst, n.keys[k])
			}
			dst = n.elems[k].appendKey(dst)
		}
		return dst
	}
	switch n.text[0] {
	case 'n':
		return append(dst, jsonKeyNull)
	case 'f':
		return append(dst, jsonKeyFalse)
	case 't':
		return append(dst, jsonKeyTrue)
	case '"':
		s, err := UnquoteJSON(string(n.text))
		if err != nil {
			panic("types: a string of a jsonb is none: " + err.Error())
		}
		return appendStringKey(append(dst, jsonKeyString), s)
	}
	d, err := ParseDecimal(string(n.text))
	if err != nil {
		panic("types: a number of a jsonb is none: " + err.Error())
	}
	return d.AppendKey(append(dst, jsonKeyNumber))
}

// appendStringKey ends s with 0x00, which no string of a jsonb holds.
func appendStringKey(dst []byte, s string) []byte { return append(append(dst, s...), 0) }

// JSONBOfKey appends the canonical text of the value of a key and returns the rest of the key.
func JSONBOfKey(dst, key []byte) (text, rest []byte, ok bool) {
	if len(key) == 0 {
		return dst, nil, false
	}
	tag, key := key[0], key[1:]
	switch tag {
	case jsonKeyEmptyArray:
		return append(dst, "[]"...), key, true
	case jsonKeyNull:
		return append(dst, "null"...), key, true
	case jsonKeyFalse:
		return append(dst, "false"...), key, true
	case jsonKeyTrue:
		return append(dst, "true"...), key, true
	case jsonKeyString:
		return stringOfKey(dst, key)
	case jsonKeyNumber:
		d, rest, ok := DecimalOfKey(key)
		return d.Append(dst), rest, ok
	case jsonKeyArray, jsonKeyObject:
		return containerOfKey(dst, key, tag == jsonKeyObject)
	}
	return dst, nil, false
}

func stringOfKey(dst, key []byte) (text, rest []byte, ok bool) {
	end := bytes.IndexByte(key, 0)
	if end < 0 {
		return dst, nil, false
	}
	return AppendJSONString(dst, string(key[:end])), key[end+1:], true
}

func containerOfKey(dst, key []byte, object bool) (text, rest []byte, ok bool) {
	if len(key) < 4 {
		return dst, nil, false
	}
	count, key, brackets := binary.BigEndian.Uint32(key), key[4:], "[]"
	if object {
		brackets = "{}"
	}
	dst = append(dst, brackets[0])
	for k := range count {
		if k > 0 {
			dst = append(dst, ", "...)
		}
		if object {
			if dst, key, ok = stringOfKey(dst, key); !ok {
				return dst, nil, false
			}
			dst = append(dst, ": "...)
		}
		if dst, key, ok = JSONBOfKey(dst, key); !ok {
			return dst, nil, false
		}
	}
	return append(dst, brackets[1]), key, true
}
