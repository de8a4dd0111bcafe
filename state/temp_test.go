package state_test

import (
	"math/rand/v2"
	"testing"

	"wmsql/state"
)

// What a crash left in the directory of temporary files is gone when the store is opened again.
func TestTempFiles_Crash(t *testing.T) {
	disk := state.NewDisk()
	store, err := state.Open("data", state.Options{FS: disk})
	if err != nil {
		t.Fatal(err)
	}
	f, err := store.Temp().Create()
	if err != nil {
		t.Fatal(err)
	}
	at, err := f.Append([]byte("some rows"))
	if err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 4)
	if err := f.Read(got, at+5); err != nil || string(got) != "rows" {
		t.Errorf("read %q, %v", got, err)
	}
	if err := f.Read(got, at+7); err == nil {
		t.Error("read past the end")
	}
	left := disk.PowerCut(100, rand.New(rand.NewPCG(1, 1)))
	if names, _ := left.List("data/temp"); len(names) != 1 {
		t.Fatalf("the crash left %q: this test would find nothing", names)
	}
	again, err := state.Open("data", state.Options{FS: left})
	if err != nil {
		t.Fatal(err)
	}
	if names, err := again.Temp().Names(); err != nil || len(names) > 0 {
		t.Errorf("left: %q, %v", names, err)
	}
	for _, c := range []interface{ Close() error }{f, f, again, store} {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}
