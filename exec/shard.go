package exec

import (
	"encoding/binary"
	"math/bits"
)

// shards is into how many parts groups that never expire are cut, so that none is too large to be rewritten or to leave memory.
const shards = 64

// A window that has grown too large is cut into windowShards parts, numbered from wholeShards on; 0 is the window as a whole.
const (
	wholeShards  = 128
	windowShards = 128
)

// shardOf is the shard of a key among those of groups that never expire, windowShard among those of a window.
func shardOf(key []byte) uint8     { return shardHash(key) >> 2 }
func windowShard(key []byte) uint8 { return wholeShards + shardHash(key)>>1 }

// shardHash hashes a key. Shards are stored, so it must give the same in every process and every version; the tables' own hash, seeded
// anew by each process against forged collisions, does not.
func shardHash(key []byte) uint8 {
	const k0, k1 = 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93
	h := uint64(len(key)) * k1
	for ; len(key) >= 8; key = key[8:] {
		h = fold(h^binary.LittleEndian.Uint64(key), k0)
	}
	var tail [8]byte
	copy(tail[:], key)
	h = fold(h^binary.LittleEndian.Uint64(tail[:]), k1)
	return uint8(h >> 56)
}

// fold mixes by the two halves of a product.
func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^b, b)
	return hi ^ lo
}
