package expr

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
)

// hashFunctions are Postgres's hash functions, which users divide rows by and take advisory locks with: Bob Jenkins's lookup3 of the bytes of a
// value, from Postgres's own start.
func hashFunctions() []*Function {
	var out []*Function
	add := func(name, t string, hash, extended kernel) {
		out = append(out, def(name+"("+t+") int4", hash, total))
		if extended != nil {
			out = append(out, def(name+"extended("+t+",int8) int8", extended, total))
		}
	}
	whole := func(v []byte) []byte { return v }
	unpadded := func(v []byte) []byte { return bytes.TrimRight(v, " ") }
	for _, f := range []struct {
		name, t string
		part    func([]byte) []byte
	}{{"hashtext", "text", whole}, {"hashname", "name", whole}, {"hashbpchar", "bpchar", unpadded}} {
		add(f.name, f.t, fn1(func(v []byte) int64 { return hashBytes(f.part(v)) }), fn2(func(v []byte, seed int64) int64 { return hashBytesSeeded(f.part(v), seed) }))
	}
	for name, t := range map[string]string{"hashint2": "int2", "hashint4": "int4", "hashoid": "oid"} {
		add(name, t, fn1(func(v int64) int64 { return hashWord(uint32(v)) }), fn2(func(v, seed int64) int64 { return hashWordSeeded(uint32(v), seed) }))
	}
	add("hashint8", "int8", fn1(func(v int64) int64 { return hashWord(foldInt8(v)) }), fn2(func(v, seed int64) int64 { return hashWordSeeded(foldInt8(v), seed) }))
	add("hashfloat8", "float8", fn1(hashFloat), nil)
	add("uuid_hash", "uuid", fn1(hashBytes), nil)
	return out
}

// foldInt8 makes equal words of equal numbers, whichever integer type they have.
func foldInt8(v int64) uint32 {
	lo, hi := uint32(v), uint32(v>>32)
	if v >= 0 {
		return lo ^ hi
	}
	return lo ^ ^hi
}

func hashFloat(v float64) int64 {
	if v == 0 {
		return 0 // -0 is 0
	}
	if v != v {
		v = math.NaN()
	}
	return hashBytes(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
}

// lookup3 is the state of the hash: three words that are stirred together.
type lookup3 struct{ a, b, c uint32 }

func newLookup3(length int, seed int64) lookup3 {
	start := uint32(0x9e3779b9) + uint32(length) + 3923095
	h := lookup3{start, start, start}
	if seed != 0 {
		h.a += uint32(uint64(seed) >> 32)
		h.b += uint32(seed)
		h.mix()
	}
	return h
}

func (h *lookup3) mix() {
	a, b, c := h.a, h.b, h.c
	a -= c
	a ^= bits.RotateLeft32(c, 4)
	c += b
	b -= a
	b ^= bits.RotateLeft32(a, 6)
	a += c
	c -= b
	c ^= bits.RotateLeft32(b, 8)
	b += a
	a -= c
	a ^= bits.RotateLeft32(c, 16)
	c += b
	b -= a
	b ^= bits.RotateLeft32(a, 19)
	a += c
	c -= b
	c ^= bits.RotateLeft32(b, 4)
	b += a
	h.a, h.b, h.c = a, b, c
}

func (h *lookup3) final() {
	a, b, c := h.a, h.b, h.c
	c ^= b
	c -= bits.RotateLeft32(b, 14)
	a ^= c
	a -= bits.RotateLeft32(c, 11)
	b ^= a
	b -= bits.RotateLeft32(a, 25)
	c ^= b
	c -= bits.RotateLeft32(b, 16)
	a ^= c
	a -= bits.RotateLeft32(c, 4)
	b ^= a
	b -= bits.RotateLeft32(a, 14)
	c ^= b
	c -= bits.RotateLeft32(b, 24)
	h.a, h.b, h.c = a, b, c
}

// bytes takes a value in: words of four bytes, lowest first. Of the last eleven bytes, those of c leave room for the length.
func (h *lookup3) bytes(v []byte) {
	for ; len(v) >= 12; v = v[12:] {
		h.a += binary.LittleEndian.Uint32(v)
		h.b += binary.LittleEndian.Uint32(v[4:])
		h.c += binary.LittleEndian.Uint32(v[8:])
		h.mix()
	}
	var last [12]byte
	n := copy(last[:8], v)
	copy(last[9:], v[n:])
	h.a += binary.LittleEndian.Uint32(last[:])
	h.b += binary.LittleEndian.Uint32(last[4:])
	h.c += binary.LittleEndian.Uint32(last[8:])
	h.final()
}

func hashBytes(v []byte) int64 {
	h := newLookup3(len(v), 0)
	h.bytes(v)
	return int64(int32(h.c))
}

func hashBytesSeeded(v []byte, seed int64) int64 {
	h := newLookup3(len(v), seed)
	h.bytes(v)
	return int64(uint64(h.b)<<32 | uint64(h.c))
}

func hashWord(v uint32) int64 {
	h := newLookup3(4, 0)
	h.a += v
	h.final()
	return int64(int32(h.c))
}

func hashWordSeeded(v uint32, seed int64) int64 {
	h := newLookup3(4, seed)
	h.a += v
	h.final()
	return int64(uint64(h.b)<<32 | uint64(h.c))
}
