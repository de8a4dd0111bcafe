package expr

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

const (
	sketchBits      = 12                  // of a hash choose the register
	sketchRegisters = 1 << sketchBits     // of a byte each; the standard error is 1.04/√4096 = 1.6 %
	sketchTop       = 64 - sketchBits     // a register's greatest value is one more
	sketchFew       = sketchRegisters / 8 // so many hashes take as much room as the registers
)

// hyperLogLog estimates how many different hashes it saw: up to 512 it keeps them, and is exact; then it keeps registers
// (Flajolet et al., HyperLogLog), read by Ertl's improved estimator (New cardinality estimation algorithms for
// HyperLogLog sketches, 2017), which needs no correction for small or large counts.
type hyperLogLog struct {
	few       []uint64 // ascending, while registers is nil
	registers []uint8
}

func (h *hyperLogLog) add(hash uint64) {
	if h.registers != nil {
		h.raise(hash)
		return
	}
	at, found := slices.BinarySearch(h.few, hash)
	if found {
		return
	}
	if len(h.few) < sketchFew {
		h.few = slices.Insert(h.few, at, hash)
		return
	}
	h.dense()
	h.raise(hash)
}

func (h *hyperLogLog) raise(hash uint64) {
	r := &h.registers[hash>>sketchTop]
	*r = max(*r, uint8(bits.LeadingZeros64(hash<<sketchBits|1<<(sketchBits-1)))+1)
}

func (h *hyperLogLog) dense() {
	h.registers = make([]uint8, sketchRegisters)
	for _, hash := range h.few {
		h.raise(hash)
	}
	h.few = nil
}

func (h *hyperLogLog) merge(o *hyperLogLog) {
	if o.registers == nil {
		for _, hash := range o.few {
			h.add(hash)
		}
		return
	}
	if h.registers == nil {
		h.dense()
	}
	for i, r := range o.registers {
		h.registers[i] = max(h.registers[i], r)
	}
}

func (h *hyperLogLog) estimate() int64 {
	if h.registers == nil {
		return int64(len(h.few))
	}
	const m = float64(sketchRegisters)
	var counts [sketchTop + 2]float64
	for _, r := range h.registers {
		counts[r]++
	}
	z := m * tau(1-counts[sketchTop+1]/m)
	for k := sketchTop; k >= 1; k-- {
		z = 0.5 * (z + counts[k])
	}
	z += m * sigma(counts[0]/m)
	return int64(math.Round(m * m / (2 * math.Ln2 * z)))
}

// sigma is x + Σ x^(2^k)·2^(k-1): the share of the empty registers.
func sigma(x float64) float64 {
	if x == 1 {
		return math.Inf(1)
	}
	y, z := 1.0, x
	for before := math.NaN(); z != before; {
		x *= x
		before = z
		z += x * y
		y += y
	}
	return z
}

// tau is ⅓(1 - x - Σ (1 - x^(2^-k))²·2^-k): the share of the full registers.
func tau(x float64) float64 {
	if x == 0 || x == 1 {
		return 0
	}
	y, z := 1.0, 1-x
	for before := math.NaN(); z != before; {
		x = math.Sqrt(x)
		before = z
		y *= 0.5
		z -= (1 - x) * (1 - x) * y
	}
	return z / 3
}

// encode appends 0, the number of hashes and the hashes, or 1 and the registers.
func (h *hyperLogLog) encode(dst []byte) []byte {
	if h.registers != nil {
		return append(append(dst, 1), h.registers...)
	}
	dst = binary.AppendUvarint(append(dst, 0), uint64(len(h.few)))
	for _, hash := range h.few {
		dst = binary.BigEndian.AppendUint64(dst, hash)
	}
	return dst
}

func (h *hyperLogLog) decode(data []byte) (rest []byte, ok bool) {
	switch {
	case len(data) == 0 || data[0] > 1:
		return nil, false
	case data[0] == 1:
		if len(data) < 1+sketchRegisters {
			return nil, false
		}
		h.registers = slices.Clone(data[1 : 1+sketchRegisters])
		return data[1+sketchRegisters:], slices.Max(h.registers) <= sketchTop+1
	}
	n, k := binary.Uvarint(data[1:])
	if k <= 0 || n > sketchFew || uint64(len(data)-1-k) < 8*n {
		return nil, false
	}
	data = data[1+k:]
	for range n {
		h.few, data = append(h.few, binary.BigEndian.Uint64(data)), data[8:]
	}
	return data, slices.IsSorted(h.few)
}
