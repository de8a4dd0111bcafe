package exec

import (
	"wmsql/types"
)

// keyBucket is the keys of a dedup that expire together, or nearly so.
type keyBucket struct {
	id      bucketID
	table   *groupTable // nil: the keys are only in the store
	expires []int64     // of each key; nil when the bucket's end says it
	best    []int64     // the event time of each key's first row; nil if it is the one that came first
	first   int64       // a lower bound of expires
	dead    int         // keys that have expired, though the bucket has not

	stored int     // leading keys that are in the store
	redone []int32 // of those, the ones that came again after they had expired, or have another first row
	rows   int     // keys in the stored chunks, older forms of one counted too
	live   int     // keys, dead ones too, also when they are not in memory
	chunks int
	warmth
}

func newKeyBucket(id bucketID) *keyBucket {
	return &keyBucket{id: id, first: int64(types.Infinity)}
}

func (k *keyBucket) cold() bool { return k.table == nil }

func (k *keyBucket) place() bucketID { return k.id }

// expiresAt notes when the key added last expires.
func (k *keyBucket) expiresAt(t int64) {
	k.expires = append(k.expires, t)
	k.first = min(k.first, t)
}

// again makes key s, which had expired, new.
func (k *keyBucket) again(s int32, t int64) {
	k.expires[s] = t
	k.first = min(k.first, t)
	k.dead--
	if int(s) < k.stored {
		k.redone = append(k.redone, s)
	}
}

// leave makes key s, which goes to another bucket, one that has expired.
func (k *keyBucket) leave(s int32, past, epoch int64) {
	k.expires[s] = past
	k.first = min(k.first, past)
	k.dead++
	k.epoch = epoch
	if int(s) < k.stored {
		k.redone = append(k.redone, s)
	}
}

// expire notes the keys that expire at or before w, and returns how many did not before.
func (k *keyBucket) expire(w types.MicroTime) int {
	if k.expires == nil || k.first > int64(w) {
		return 0
	}
	dead := 0
	for _, t := range k.expires {
		if t <= int64(w) {
			dead++
		}
	}
	gone := dead - k.dead
	k.dead = dead
	return gone
}

// compact takes the keys that expire at or before w out of memory, once they are the greater part. They stay in the store until the
// bucket goes, and are known by their expiry when it is read again.
func (k *keyBucket) compact(w types.MicroTime) {
	if 2*k.dead <= k.table.len() {
		return
	}
	var left []int32
	expires := make([]int64, 0, k.table.len()-k.dead)
	k.first = int64(types.Infinity)
	for s, t := range k.expires {
		if t > int64(w) {
			if k.best != nil {
				k.best[len(left)] = k.best[s]
			}
			left = append(left, int32(s))
			expires = append(expires, t)
			k.first = min(k.first, t)
		}
	}
	k.table.keep(left)
	if k.best != nil {
		k.best = k.best[:len(left)]
	}
	k.expires, k.dead, k.stored, k.live = expires, 0, len(left), len(left)
}

// bytes estimates the memory held.
func (k *keyBucket) bytes() int64 {
	if k.cold() {
		return 0
	}
	return k.table.bytes() + 8*int64(cap(k.expires)+cap(k.best)) + 200
}

// release takes the keys out of memory.
func (k *keyBucket) release() {
	k.table, k.expires, k.best, k.size = nil, nil, nil, 0
}
