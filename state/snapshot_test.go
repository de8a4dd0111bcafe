package state_test

import (
	"testing"

	"wmsql/state"
)

// Readers between two commits share a snapshot, and one after a commit sees it. Versions tell equal results from others, also while a
// commit is on its way.
func TestSnapshot_Version(t *testing.T) {
	s, err := state.Open("", state.Options{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	put := func(object uint32, value string) {
		txn := s.Begin()
		txn.Put(state.Result, object, []byte("k"), []byte(value))
		if err := txn.Commit(false); err != nil {
			t.Fatal(err)
		}
	}
	version := func(r state.Reader, object uint32) uint64 {
		v, ok := r.(state.Versioned).Version(object)
		if !ok {
			t.Fatalf("the version of %d is unknown", object)
		}
		return v
	}
	put(1, "a")
	before := s.Snapshot()
	again := s.Snapshot()
	v1, v2 := version(before, 1), version(before, 2)
	put(1, "b")
	after := s.Snapshot()
	if got, _ := after.Get(state.Result, 1, []byte("k")); string(got) != "b" {
		t.Errorf("after the commit: %q", got)
	}
	for _, r := range []state.Reader{before, again} {
		if got, _ := r.Get(state.Result, 1, []byte("k")); string(got) != "a" {
			t.Errorf("before the commit: %q", got)
		}
		if _, ok := r.(state.Versioned).Version(1); ok {
			t.Error("a snapshot claims to show what was written later")
		}
	}
	if version(after, 1) == v1 {
		t.Error("another result has the same version")
	}
	if version(after, 2) != v2 {
		t.Error("a result that nobody changed has another version")
	}
	for _, c := range []interface{ Close() error }{before, before, again, after, s} {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}
