package function

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"time"

	startime "go.starlark.net/lib/time"
	"go.starlark.net/starlark"

	"wmsql/sqlerr"
)

// The stored form of a value: a tag, then the value. Numbers of tags are on disk and never change.
const (
	tagNone byte = iota
	tagFalse
	tagTrue
	tagInt
	tagBigInt
	tagFloat
	tagString
	tagBytes
	tagList
	tagTuple
	tagDict
	tagSet
	tagTime
	tagDuration
)

// encode appends the stored form of v: plain data of at most valueMax bytes.
func encode(dst []byte, v starlark.Value, depth int) ([]byte, error) {
	if depth > nestingMax {
		return nil, fmt.Errorf("a stored value may be nested %d deep", nestingMax)
	}
	if len(dst) > valueMax {
		return nil, fmt.Errorf("a stored value may have %d KiB", valueMax>>10)
	}
	switch v := v.(type) {
	case starlark.NoneType:
		return append(dst, tagNone), nil
	case starlark.Bool:
		if v {
			return append(dst, tagTrue), nil
		}
		return append(dst, tagFalse), nil
	case starlark.Int:
		if n, ok := v.Int64(); ok {
			return binary.AppendVarint(append(dst, tagInt), n), nil
		}
		return appendText(append(dst, tagBigInt), v.String()), nil
	case starlark.Float:
		return binary.LittleEndian.AppendUint64(append(dst, tagFloat), math.Float64bits(float64(v))), nil
	case starlark.String:
		return appendText(append(dst, tagString), string(v)), nil
	case starlark.Bytes:
		return appendText(append(dst, tagBytes), string(v)), nil
	case startime.Time:
		t := time.Time(v)
		dst = binary.AppendVarint(append(dst, tagTime), t.Unix())
		return binary.AppendVarint(dst, int64(t.Nanosecond())), nil
	case startime.Duration:
		return binary.AppendVarint(append(dst, tagDuration), int64(v)), nil
	case *starlark.List:
		return encodeAll(append(dst, tagList), v, depth)
	case starlark.Tuple:
		return encodeAll(append(dst, tagTuple), v, depth)
	case *starlark.Set:
		return encodeAll(append(dst, tagSet), v, depth)
	case *starlark.Dict:
		return encodeDict(append(dst, tagDict), v, depth)
	}
	return nil, fmt.Errorf("a %s cannot be stored", v.Type())
}

func encodeAll(dst []byte, v starlark.Sequence, depth int) (_ []byte, err error) {
	dst = binary.AppendUvarint(dst, uint64(v.Len()))
	var x starlark.Value
	it := v.Iterate()
	defer it.Done()
	for it.Next(&x) {
		if dst, err = encode(dst, x, depth+1); err != nil {
			return nil, err
		}
	}
	return dst, nil
}

func encodeDict(dst []byte, v *starlark.Dict, depth int) (_ []byte, err error) {
	dst = binary.AppendUvarint(dst, uint64(v.Len()))
	for k, x := range v.Entries() {
		if dst, err = encode(dst, k, depth+1); err != nil {
			return nil, err
		}
		if dst, err = encode(dst, x, depth+1); err != nil {
			return nil, err
		}
	}
	return dst, nil
}

func appendText(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

var errStored = sqlerr.Newf(sqlerr.DataCorrupted, "a stored function state is damaged")

// decode reads one value from the front of data.
func decode(data []byte) (starlark.Value, []byte, error) {
	if len(data) == 0 {
		return nil, nil, errStored
	}
	tag, data := data[0], data[1:]
	switch tag {
	case tagNone:
		return starlark.None, data, nil
	case tagFalse, tagTrue:
		return starlark.Bool(tag == tagTrue), data, nil
	case tagInt, tagDuration:
		n, data, err := varint(data)
		if tag == tagDuration {
			return startime.Duration(n), data, err
		}
		return starlark.MakeInt64(n), data, err
	case tagFloat:
		if len(data) < 8 {
			return nil, nil, errStored
		}
		return starlark.Float(math.Float64frombits(binary.LittleEndian.Uint64(data))), data[8:], nil
	case tagBigInt, tagString, tagBytes:
		return decodeText(tag, data)
	case tagTime:
		s, data, err := varint(data)
		if err != nil {
			return nil, nil, err
		}
		ns, data, err := varint(data)
		return startime.Time(time.Unix(s, ns).UTC()), data, err
	case tagList, tagTuple, tagSet, tagDict:
		return decodeContainer(tag, data)
	}
	return nil, nil, errStored
}

func varint(data []byte) (int64, []byte, error) {
	n, k := binary.Varint(data)
	if k <= 0 {
		return 0, nil, errStored
	}
	return n, data[k:], nil
}

func decodeText(tag byte, data []byte) (starlark.Value, []byte, error) {
	n, k := binary.Uvarint(data)
	if k <= 0 || n > uint64(len(data)-k) {
		return nil, nil, errStored
	}
	s, data := string(data[k:k+int(n)]), data[k+int(n):]
	switch tag {
	case tagString:
		return starlark.String(s), data, nil
	case tagBytes:
		return starlark.Bytes(s), data, nil
	}
	b, ok := new(big.Int).SetString(s, 10)
	if !ok {
		return nil, nil, errStored
	}
	return starlark.MakeBigInt(b), data, nil
}

func decodeContainer(tag byte, data []byte) (starlark.Value, []byte, error) {
	n, k := binary.Uvarint(data)
	if k <= 0 || n > uint64(len(data)) {
		return nil, nil, errStored
	}
	data = data[k:]
	if tag == tagDict {
		n *= 2
	}
	var list []starlark.Value
	for range n {
		v, rest, err := decode(data)
		if err != nil {
			return nil, nil, err
		}
		list, data = append(list, v), rest
	}
	switch tag {
	case tagTuple:
		return starlark.Tuple(list), data, nil
	case tagSet:
		s := starlark.NewSet(len(list))
		for _, v := range list {
			if err := s.Insert(v); err != nil {
				return nil, nil, errStored
			}
		}
		return s, data, nil
	case tagDict:
		d := starlark.NewDict(len(list) / 2)
		for i := 0; i < len(list); i += 2 {
			if err := d.SetKey(list[i], list[i+1]); err != nil {
				return nil, nil, errStored
			}
		}
		return d, data, nil
	}
	return starlark.NewList(list), data, nil
}
