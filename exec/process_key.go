package exec

import (
	"cmp"
	"fmt"
	"slices"

	"wmsql/function"
)

// processKey is what a function keeps for one key. Changes are made in memory and can be taken back until commit, which puts them
// into the epoch's transaction.
type processKey struct {
	keys    *processKeys
	key     string
	states  [][]processEntry // of each state, by sub
	timers  []function.Timer // by kind and time
	sweepAt int64            // when entries are next looked over for their TTL, µs; 0: never
	size    int64            // bytes of entries
	epoch   int64            // last touched
	fires   int              // timers fired in that epoch

	before    map[subKey]processEntry // what the call in hand has changed, as it was
	oldTimers []function.Timer        // as they were before the call in hand
	retimed   bool                    // oldTimers is set
}

// processEntry is one entry of a state; data is nil if it is not there.
type processEntry struct {
	sub     string
	data    []byte
	expires int64 // µs; 0: never
}

type subKey struct {
	state int
	sub   string
}

// keyStateMax bounds the bytes that one key may keep: it is read as a whole.
const keyStateMax = 16 << 20

var _ function.Store = (*processKey)(nil)

func (k *processKey) now() int64 { return int64(k.keys.epoch.Now) }

func (k *processKey) find(state int, sub string) (int, bool) {
	return slices.BinarySearchFunc(k.states[state], sub, func(e processEntry, sub string) int { return cmp.Compare(e.sub, sub) })
}

// live reports whether an entry has not expired.
func (k *processKey) live(e *processEntry) bool { return e.expires == 0 || e.expires > k.now() }

// Get returns an entry that has not expired.
func (k *processKey) Get(state int, sub string) ([]byte, bool) {
	at, ok := k.find(state, sub)
	if !ok || !k.live(&k.states[state][at]) {
		return nil, false
	}
	return k.states[state][at].data, true
}

// Put sets an entry; its time to live begins anew.
func (k *processKey) Put(state int, sub string, data []byte) error {
	if k.size+int64(len(data)) > keyStateMax {
		return fmt.Errorf("the state of one key may have %d MiB", keyStateMax>>20)
	}
	e := processEntry{sub: sub, data: data}
	if ttl := k.keys.node.Func.States[state].TTL; ttl > 0 {
		e.expires = k.now() + ttl
	}
	k.put(state, e)
	return nil
}

// Delete removes an entry.
func (k *processKey) Delete(state int, sub string) { k.put(state, processEntry{sub: sub}) }

// put makes an entry e, and notes how it was.
func (k *processKey) put(state int, e processEntry) {
	at, ok := k.find(state, e.sub)
	old := processEntry{sub: e.sub}
	if ok {
		old = k.states[state][at]
	}
	if _, noted := k.before[subKey{state, e.sub}]; !noted {
		k.before[subKey{state, e.sub}] = old
	}
	k.size += int64(len(e.data) - len(old.data))
	list := k.states[state]
	switch {
	case ok && e.data == nil:
		k.states[state] = slices.Delete(list, at, at+1)
	case ok:
		list[at] = e
	case e.data != nil:
		k.states[state] = slices.Insert(list, at, e)
	}
}

// Subs lists the entries that have not expired.
func (k *processKey) Subs(state int) []string {
	out := make([]string, 0, len(k.states[state]))
	for i := range k.states[state] {
		if e := &k.states[state][i]; k.live(e) {
			out = append(out, e.sub)
		}
	}
	return out
}

// Last is the last entry that has not expired.
func (k *processKey) Last(state int) (string, bool) {
	for i := range slices.Backward(k.states[state]) {
		if e := &k.states[state][i]; k.live(e) {
			return e.sub, true
		}
	}
	return "", false
}

// Timers lists the pending timers.
func (k *processKey) Timers() []function.Timer { return k.timers }

func compareTimers(a, b function.Timer) int {
	if a.Processing != b.Processing {
		if b.Processing {
			return -1
		}
		return 1
	}
	return cmp.Compare(a.At, b.At)
}

func (k *processKey) hasTimer(t function.Timer) bool {
	_, ok := slices.BinarySearchFunc(k.timers, t, compareTimers)
	return ok
}

// SetTimer adds a timer, once.
func (k *processKey) SetTimer(t function.Timer) {
	if at, ok := slices.BinarySearchFunc(k.timers, t, compareTimers); !ok {
		k.retime()
		k.timers = slices.Insert(k.timers, at, t)
	}
}

// CancelTimer removes a timer.
func (k *processKey) CancelTimer(t function.Timer) {
	if at, ok := slices.BinarySearchFunc(k.timers, t, compareTimers); ok {
		k.retime()
		k.timers = slices.Delete(k.timers, at, at+1)
	}
}

// retime notes the timers before their first change in a call.
func (k *processKey) retime() {
	if !k.retimed {
		k.retimed, k.oldTimers = true, slices.Clone(k.timers)
	}
}

// rollback makes everything as it was before the call.
func (k *processKey) rollback() {
	for at, old := range k.before {
		k.put(at.state, old)
	}
	clear(k.before)
	if k.retimed {
		k.timers, k.oldTimers, k.retimed = k.oldTimers, nil, false
	}
}

// commit puts what the call changed into the epoch's transaction.
func (k *processKey) commit() {
	next := k.sweepAt
	for at, old := range k.before {
		var e processEntry
		if i, ok := k.find(at.state, at.sub); ok {
			e = k.states[at.state][i]
		}
		k.keys.write(k, at, old, e)
		if e.expires != 0 && (next == 0 || e.expires < next) {
			next = e.expires
		}
	}
	clear(k.before)
	if next != k.sweepAt {
		k.sweepAgain(next)
	}
	if k.retimed {
		k.keys.retime(k, k.oldTimers, k.timers)
		k.oldTimers, k.retimed = nil, false
	}
}

// sweep frees the entries that have expired, and notes when to look again.
func (k *processKey) sweep() {
	next := int64(0)
	for s := range k.states {
		for _, e := range slices.Clone(k.states[s]) {
			switch {
			case e.expires == 0:
			case !k.live(&e):
				k.Delete(s, e.sub)
			case next == 0 || e.expires < next:
				next = e.expires
			}
		}
	}
	k.sweepAgain(next)
	k.commit()
}

// sweepAgain sets the time of the next look, 0: never.
func (k *processKey) sweepAgain(at int64) {
	k.keys.resweep(k, k.sweepAt, at)
	k.sweepAt = at
}
