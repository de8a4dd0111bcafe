package column

import (
	"encoding/binary"
	"math/bits"
)

// The forms of a column of whole numbers. Both pack unsigned distances in as many bits as the largest needs.
const (
	intsOffset byte = 1 // base varint, width, then each value minus base
	intsDelta  byte = 2 // first varint, base varint, width, then each value minus the one before minus base
)

// appendInts writes values in the shorter form: times that rise evenly need few bits as deltas,
// anything else as distances from the least value.
func appendInts(dst []byte, values []int64) []byte {
	if len(values) == 0 {
		return dst
	}
	lo, hi := values[0], values[0]
	var dlo, dhi int64
	for i, x := range values[1:] {
		lo, hi = min(lo, x), max(hi, x)
		d := x - values[i] // wraps at the ends of int64, and so does the way back
		if i == 0 {
			dlo, dhi = d, d
		}
		dlo, dhi = min(dlo, d), max(dhi, d)
	}
	width, dwidth := bits.Len64(uint64(hi)-uint64(lo)), bits.Len64(uint64(dhi)-uint64(dlo))
	if width <= dwidth+1 { // unpacking deltas costs an addition more: worth it only if shorter
		dst = binary.AppendVarint(append(dst, intsOffset), lo)
		dst = append(dst, byte(width))
		p := packer{dst: dst, width: width}
		for _, x := range values {
			p.put(uint64(x) - uint64(lo))
		}
		return p.finish()
	}
	dst = binary.AppendVarint(append(dst, intsDelta), values[0])
	dst = binary.AppendVarint(dst, dlo)
	dst = append(dst, byte(dwidth))
	p := packer{dst: dst, width: dwidth}
	for i, x := range values[1:] {
		p.put(uint64(x) - uint64(values[i]) - uint64(dlo))
	}
	return p.finish()
}

// packer appends numbers of width bits to dst, lowest bits first.
type packer struct {
	dst   []byte
	width int
	acc   uint64
	used  int // bits of acc that are filled
}

func (p *packer) put(u uint64) {
	p.acc |= u << p.used
	if p.used+p.width < 64 {
		p.used += p.width
		return
	}
	p.dst = binary.LittleEndian.AppendUint64(p.dst, p.acc)
	done := 64 - p.used // bits of u that are written
	p.acc = u >> done
	p.used = p.width - done
}

func (p *packer) finish() []byte {
	for ; p.used > 0; p.used -= 8 {
		p.dst = append(p.dst, byte(p.acc))
		p.acc >>= 8
	}
	return p.dst
}

func (r *reader) ints(n int) ([]int64, bool) {
	if n == 0 {
		return []int64{}, true
	}
	form, ok := r.take(1)
	if !ok {
		return nil, false
	}
	first, ok := r.varint()
	if !ok {
		return nil, false
	}
	switch form[0] {
	case intsOffset:
		out, ok := r.unpack(n, 0, first)
		return out, ok
	case intsDelta:
		base, ok := r.varint()
		if !ok {
			return nil, false
		}
		out, ok := r.unpack(n, 1, base)
		if !ok {
			return nil, false
		}
		out[0] = first
		for i := 1; i < n; i++ {
			out[i] += out[i-1]
		}
		return out, true
	}
	return nil, false
}

// maxPacked bounds n when no bytes back it: values of width 0 take no room.
const maxPacked = 1 << 24

// unpack reads n-skip packed numbers, adds base to each and leaves the first skip of n values 0.
func (r *reader) unpack(n, skip int, base int64) ([]int64, bool) {
	head, ok := r.take(1)
	if !ok || head[0] > 64 || n > maxPacked {
		return nil, false
	}
	width := int(head[0])
	raw, ok := r.take(((n-skip)*width + 7) / 8)
	if !ok {
		return nil, false
	}
	out := make([]int64, n)
	values := out[skip:]
	if width == 0 {
		for i := range values {
			values[i] = base
		}
		return out, true
	}
	mask := ^uint64(0) >> (64 - width)
	i := 0
	if width <= 57 { // a number and the bits before it in its first byte fit in 64
		i = unpackNear(values, raw, uint(width), base)
	}
	for ; i < len(values); i++ {
		values[i] = int64(bitsAt(raw, i*width)&mask) + base
	}
	return out, true
}

// unpackNear is unpack for the numbers behind whose first byte seven more follow; it returns how many they are.
func unpackNear(values []int64, raw []byte, width uint, base int64) int {
	if len(raw) < 8 {
		return 0
	}
	n := min(len(values), (8*(len(raw)-8)+7)/int(width)+1)
	mask := uint64(1)<<width - 1
	bit := uint(0)
	for i := range values[:n] {
		u := binary.LittleEndian.Uint64(raw[bit/8:])
		values[i] = int64(u>>(bit%8)&mask) + base
		bit += width
	}
	return n
}

// bitsAt returns the 64 bits of raw from bit on, zeros after its end.
func bitsAt(raw []byte, bit int) uint64 {
	at, shift := bit/8, bit%8
	if at+9 <= len(raw) {
		u := binary.LittleEndian.Uint64(raw[at:]) >> shift
		return u | uint64(raw[at+8])<<(64-shift)
	}
	var u uint64
	for k := 0; k < 9 && at+k < len(raw); k++ {
		if d := 8*k - shift; d >= 0 {
			u |= uint64(raw[at+k]) << d
		} else {
			u |= uint64(raw[at+k]) >> -d
		}
	}
	return u
}

// appendLengths writes what lies between offsets.
func appendLengths(dst []byte, offsets []int32) []byte {
	var buf [512]int64
	lens := append(buf[:0], make([]int64, len(offsets)-1)...)
	for i := range lens {
		lens[i] = int64(offsets[i+1] - offsets[i])
	}
	return appendInts(dst, lens)
}

// lengths reads n lengths into n+1 offsets from 0.
func (r *reader) lengths(n int) ([]int32, bool) {
	lens, ok := r.ints(n)
	if !ok {
		return nil, false
	}
	out := make([]int32, n+1)
	sum := int64(0)
	for i, l := range lens {
		sum += l
		if l < 0 || sum > MaxBytes {
			return nil, false
		}
		out[i+1] = int32(sum)
	}
	return out, true
}
