package stream

import (
	"context"
	"encoding/binary"
	"errors"
	"testing"

	"wmsql/column"
	"wmsql/exec"
	"wmsql/sqlerr"
	"wmsql/state"
	"wmsql/types"
)

// logged makes the epochs of a view that keeps nothing but its position and changes.
type logged struct {
	r    *Results
	rig  *rig
	next int64
}

func (l *logged) epoch(t *testing.T, now types.MicroTime) {
	t.Helper()
	l.next++
	keep := l.r.begin(viewID, now)
	defer l.r.end(viewID)
	txn := l.rig.store.Begin()
	defer txn.Abort()
	if keep {
		putChanges(t, txn, l.next, now)
	}
	l.r.trim(txn, viewID, now)
	if err := (&position{Version: positionVersion, Epoch: l.next, Time: now}).put(txn, viewID); err != nil {
		t.Fatal(err)
	}
	if err := txn.Commit(false); err != nil {
		t.Fatal(err)
	}
	kept, err := exec.ReadChangesHeader(l.rig.store, viewID, l.next)
	if err != nil {
		t.Fatal(err)
	}
	l.r.committed(viewID, l.next, kept)
}

func subscribe(t *testing.T, r *Results, from SubscribeFrom) (*Subscription, error) {
	t.Helper()
	s, err := r.Subscribe(context.Background(), viewID, "v", changesSchema, from)
	if err == nil {
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	return s, err
}

func codeOf(err error) sqlerr.Code {
	var e *sqlerr.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// A reader that falls behind what is kept is told so and holds nothing up; one that keeps up loses nothing.
func TestSubscription_Behind(t *testing.T) {
	l := &logged{rig: newRig(t)}
	l.r = NewResults(l.rig.store)
	l.r.bytesMax = 500
	slow, err := subscribe(t, l.r, SubscribeFrom{AsOf: -1, Snapshot: true})
	if err != nil {
		t.Fatal(err)
	}
	quick, err := subscribe(t, l.r, SubscribeFrom{AsOf: -1})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if e, err := quick.Next(ctx); err != nil || e.Epoch != 0 || e.Rows != nil {
		t.Errorf("a reader begins with %+v, %v", e, err)
	}
	for n := int64(1); n <= 100; n++ {
		l.epoch(t, 0)
		e, err := quick.Next(ctx)
		if err != nil || e.Epoch != n || e.Rows == nil || e.Rows.Rows != 1 {
			t.Fatalf("epoch %d: %+v, %v", n, e, err)
		}
		if e, err = quick.Next(ctx); err != nil || e.Epoch != n || e.Rows != nil {
			t.Fatalf("end of epoch %d: %+v, %v", n, e, err)
		}
	}
	if _, err := slow.Next(ctx); codeOf(err) != sqlerr.ConfigurationLimit {
		t.Errorf("a reader that fell behind hears %v", err)
	}
	if slow.present != nil || slow.changes != nil {
		t.Error("a lost subscription holds the store")
	}
	if _, err := subscribe(t, l.r, SubscribeFrom{AsOf: 1}); codeOf(err) != sqlerr.ObjectNotReady {
		t.Errorf("a reader that comes back too late hears %v", err)
	}
	if kept := countChanges(t, l.rig.store); kept > 60 {
		t.Errorf("%d keys of changes are kept", kept)
	}
	again, err := subscribe(t, l.r, SubscribeFrom{AsOf: 99})
	if err != nil {
		t.Fatal(err)
	}
	if e, err := again.Next(ctx); err != nil || e.Epoch != 100 || e.Rows == nil {
		t.Errorf("a reader that goes on gets %+v, %v", e, err)
	}
}

// When nobody has come for a while nothing is kept any more.
func TestSubscription_KeptForAWhile(t *testing.T) {
	l := &logged{rig: newRig(t)}
	l.r = NewResults(l.rig.store)
	l.epoch(t, 0)
	if kept := countChanges(t, l.rig.store); kept != 0 {
		t.Errorf("%d keys of changes are kept for nobody", kept)
	}
	s, err := l.r.Subscribe(context.Background(), viewID, "v", changesSchema, SubscribeFrom{AsOf: -1})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	l.epoch(t, 1)
	l.epoch(t, subscribedFor)
	if kept := countChanges(t, l.rig.store); kept != 4 {
		t.Errorf("%d keys of changes are kept, not 2 an epoch", kept)
	}
	l.epoch(t, subscribedFor+1)
	if kept := countChanges(t, l.rig.store); kept != 0 {
		t.Errorf("%d keys of changes are still kept", kept)
	}
}

// Without an epoch Next waits, as long as its context lasts.
func TestSubscription_Waits(t *testing.T) {
	l := &logged{rig: newRig(t)}
	l.r = NewResults(l.rig.store)
	s, err := subscribe(t, l.r, SubscribeFrom{AsOf: -1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Next(context.Background()); err != nil { // where it begins
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		_, err := s.Next(ctx)
		ended <- err
	}()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	l.r.Drop(viewID)
	if _, err := s.Next(context.Background()); codeOf(err) != sqlerr.ObjectNotReady {
		t.Errorf("dropped: %v", err)
	}
}

var changesSchema = &types.Schema{Fields: []types.Field{{Name: "n", Type: types.Of(types.Int8)}}}

// putChanges writes one row as what an epoch has changed, in the form of the Changes space.
func putChanges(t *testing.T, txn state.Txn, epoch int64, now types.MicroTime) {
	t.Helper()
	b := &column.Batch{
		Schema: changesSchema, Cols: []column.Vector{&column.Of[int64]{T: types.Of(types.Int8), Values: []int64{epoch}}},
		Rows: 1, Ops: []column.Op{column.Insert},
	}
	rows := column.AppendBatch(nil, b)
	key := func(part uint32) []byte {
		return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint64(nil, uint64(epoch)), part)
	}
	txn.Put(state.Changes, viewID, key(1), rows)
	h := binary.AppendUvarint(binary.AppendVarint([]byte{2}, 0), 1)
	txn.Put(state.Changes, viewID, key(0), binary.AppendVarint(binary.AppendUvarint(h, uint64(len(rows))), int64(now)))
}

func countChanges(t *testing.T, s *state.Store) (n int) {
	t.Helper()
	if err := s.Scan(state.Changes, viewID, nil, nil, func(_, _ []byte) bool { n++; return true }); err != nil {
		t.Fatal(err)
	}
	return n
}
