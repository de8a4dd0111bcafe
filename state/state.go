// Package state keeps everything wmsql must not forget in one Pebble store: numbered objects in a
// few keyspaces, changed by one atomic batch per micro-batch and read at snapshots.
package state

// Space is a keyspace. Keys of a space begin with the object they belong to.
type Space byte

// The keyspaces. Their numbers are on disk and never change.
const (
	Meta     Space = 1 + iota // store format version, id allocator
	Catalog                   // object 0: definitions
	Offsets                   // object = query: source offsets, watermarks, epoch
	Log                       // object = stream: the internal stream's columnar log
	Operator                  // object = query: operator state, key starts with table number
	Result                    // object = table or view: result rows
	Progress                  // object = query: progress rows by epoch
	Late                      // object = query: kept late rows
	Rejected                  // object = stream: rejected records
	Changes                   // object = view: what its epochs changed in its result, for queries that follow it
	Columns                   // object = table or view: columns of its rows once more, in blocks (columns.go)
)

// Reader reads the store at one moment. Slices it hands out are valid until the next call and must not be changed.
type Reader interface {
	// Get returns the value of key, nil if there is none.
	Get(s Space, object uint32, key []byte) ([]byte, error)
	// Scan calls f for the keys in [lo, hi) (hi nil: to the object's end) in ascending order until f returns false.
	Scan(s Space, object uint32, lo, hi []byte, f func(key, value []byte) bool) error
	// Iter opens an iterator over [lo, hi); reverse goes from the end. Close it.
	Iter(s Space, object uint32, lo, hi []byte, reverse bool) (Iterator, error)
}

// Iterator walks keys: for it.Next() { it.Key(), it.Value() }; then check Close.
type Iterator interface {
	Next() bool
	Key() []byte
	Value() []byte
	Close() error
}

// Snapshot is a Reader that must be closed.
type Snapshot interface {
	Reader
	Close() error
}

// Txn is a set of changes that becomes visible and durable as a whole in Commit, or never. It is for one goroutine.
type Txn interface {
	Put(s Space, object uint32, key, value []byte)
	Delete(s Space, object uint32, key []byte)
	// DeleteRange deletes [lo, hi); hi nil: to the object's end.
	DeleteRange(s Space, object uint32, lo, hi []byte)
	// Size is the bytes collected so far.
	Size() int
	// Commit applies the changes. With sync they are on disk when it returns.
	Commit(sync bool) error
	// CommitNoWait applies the changes, visible at once; wait, to be called once, returns when they are on disk. Several
	// transactions that wait at the same time share one sync.
	CommitNoWait() (wait func() error, err error)
	// Abort forgets them. After Commit it does nothing.
	Abort()
}
