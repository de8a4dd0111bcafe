package state

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wmsql/sqlerr"
)

func open(t *testing.T, dir string, o Options) *Store {
	t.Helper()
	s, err := Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func memory(t *testing.T) *Store {
	t.Helper()
	s := open(t, "", Options{InMemory: true})
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func code(err error) sqlerr.Code {
	var e *sqlerr.Error
	if !errors.As(err, &e) {
		return ""
	}
	return e.Code
}

func keys(t *testing.T, r Reader, s Space, object uint32, lo, hi []byte) string {
	t.Helper()
	var out []string
	if err := r.Scan(s, object, lo, hi, func(k, v []byte) bool {
		out = append(out, string(k)+"="+string(v))
		return true
	}); err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, " ")
}

func TestStore_ObjectsDoNotMix(t *testing.T) {
	s := memory(t)
	tx := s.Begin()
	tx.Put(Result, 7, []byte("a"), []byte("1"))
	tx.Put(Result, 7, []byte("b"), []byte("2"))
	tx.Put(Result, 8, []byte("a"), []byte("3"))
	tx.Put(Result, 1<<32-1, []byte("z"), []byte("4"))
	tx.Put(Progress, 7, []byte("a"), []byte("5"))
	if err := tx.Commit(true); err != nil {
		t.Fatal(err)
	}
	if got := keys(t, s, Result, 7, nil, nil); got != "a=1 b=2" {
		t.Errorf("object 7: %s", got)
	}
	if got := keys(t, s, Result, 1<<32-1, nil, nil); got != "z=4" {
		t.Errorf("last object: %s", got)
	}
	if got := keys(t, s, Result, 7, []byte("b"), nil); got != "b=2" {
		t.Errorf("from b: %s", got)
	}
	ids, err := s.Objects(Result)
	if err != nil || fmt.Sprint(ids) != "[7 8 4294967295]" {
		t.Errorf("objects: %v, %v", ids, err)
	}

	before := s.Snapshot()
	tx = s.Begin()
	tx.DeleteRange(Result, 7, nil, nil)
	tx.Put(Result, 7, []byte("c"), []byte("6"))
	if err := tx.Commit(false); err != nil {
		t.Fatal(err)
	}
	if got := keys(t, s, Result, 7, nil, nil); got != "c=6" {
		t.Errorf("after the deletion: %s", got)
	}
	if got := keys(t, before, Result, 7, nil, nil); got != "a=1 b=2" {
		t.Errorf("snapshot: %s", got)
	}
	if err := before.Close(); err != nil {
		t.Fatal(err)
	}
	if got := keys(t, s, Result, 8, nil, nil); got != "a=3" {
		t.Errorf("object 8: %s", got)
	}
}

func TestStore_IterBackwards(t *testing.T) {
	s := memory(t)
	tx := s.Begin()
	for i := range 5 {
		tx.Put(Operator, 1, []byte{byte('a' + i)}, nil)
	}
	if err := tx.Commit(false); err != nil {
		t.Fatal(err)
	}
	it, err := s.Iter(Operator, 1, []byte("b"), []byte("d"), true)
	if err != nil {
		t.Fatal(err)
	}
	var got string
	for it.Next() {
		got += string(it.Key())
	}
	if err := it.Close(); err != nil || got != "cb" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestTxn_AbortLeavesNothing(t *testing.T) {
	s := memory(t)
	tx := s.Begin()
	tx.Put(Result, 1, []byte("a"), []byte("1"))
	tx.Abort()
	tx.Abort()
	if v, err := s.Get(Result, 1, []byte("a")); v != nil || err != nil {
		t.Errorf("got %q, %v", v, err)
	}
}

func TestOpen_SecondServer(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "data")
	s := open(t, dir, Options{})
	_, err := Open(dir, Options{})
	if code(err) != sqlerr.ObjectInUse || !strings.Contains(err.Error(), dir) {
		t.Errorf("got %q %v", code(err), err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := open(t, dir, Options{}).Close(); err != nil {
		t.Fatal(err)
	}
}

func TestOpen_NewerFormat(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{Version: "9.9"})
	tx := s.Begin()
	tx.Put(Meta, 0, formatKey, append(binary.BigEndian.AppendUint32(nil, formatNumber+1), "9.9"...))
	if err := errors.Join(tx.Commit(true), s.Close()); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the refusal changes nothing and holds no lock
		_, err := Open(dir, Options{})
		if code(err) != sqlerr.FeatureNotSupported || !strings.Contains(err.Error(), "9.9") {
			t.Errorf("got %q %v", code(err), err)
		}
	}
}

func TestOpen_File(t *testing.T) {
	name := filepath.Join(t.TempDir(), "data")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(name, Options{}); code(err) != sqlerr.InvalidParameterValue {
		t.Errorf("got %v", err)
	}
}

// A store that another program made is left alone.
func TestOpen_NotOurs(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{})
	tx := s.Begin()
	tx.Delete(Meta, 0, formatKey)
	tx.Put(Result, 1, []byte("a"), nil)
	if err := errors.Join(tx.Commit(true), s.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, Options{}); code(err) != sqlerr.DataCorrupted {
		t.Errorf("got %v", err)
	}
}

// An object without keys takes no bytes, although the blocks of its neighbours stand around its place.
func TestDiskBytes_None(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	defer s.Close()
	tx := s.Begin()
	for _, object := range []uint32{1, 3} {
		tx.Put(Result, object, []byte("k"), make([]byte, 4096))
	}
	if err := tx.Commit(true); err != nil {
		t.Fatal(err)
	}
	if err := s.db.Flush(); err != nil {
		t.Fatal(err)
	}
	if one, two := s.DiskBytes(Result, 1), s.DiskBytes(Result, 2); one == 0 || two != 0 {
		t.Errorf("object 1 takes %d bytes, object 2, which has no key, %d", one, two)
	}
}
