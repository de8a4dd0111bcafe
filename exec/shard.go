package exec

import (
	"encoding/binary"
	"math/bits"
)

// shards is into how many parts groups that never expire are cut, so that none is too large to be rewritten or to leave memory.
const shards = 64

// shardOf is the shard of a key. Shards are stored, so the function must give the same in every process and every version; the
// tables' own hash, seeded anew by each process against forged collisions, does not.
func shardOf(key []byte) uint8 {
	const k0, k1 = 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93
	h := uint64(len(key)) * k1
	for ; len(key) >= 8; key = key[8:] {
		h = fold(h^binary.LittleEndian.Uint64(key), k0)
	}
	var tail [8]byte
	copy(tail[:], key)
	h = fold(h^binary.LittleEndian.Uint64(tail[:]), k1)
	return uint8(h >> 58)
}

// fold mixes by the two halves of a product.
func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^b, b)
	return hi ^ lo
}
