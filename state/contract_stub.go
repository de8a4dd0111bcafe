package state

// Store is the open Pebble store.
type Store struct{}

// Options of Open.
type Options struct {
	Memory   int64 // bytes for memtables and block cache; 0: defaults
	InMemory bool  // for tests and demos
	Warn     func(msg string, args ...any)
}

// Open opens or creates the store in dir. It fails clearly when another process has it (55006), when a newer version
// wrote it (0A000), and when it is damaged (XX001).
func Open(dir string, o Options) (*Store, error) { panic("stub") }

// Begin starts a transaction.
func (s *Store) Begin() Txn { panic("stub") }

// Snapshot reads as of now, whatever is written meanwhile.
func (s *Store) Snapshot() Snapshot { panic("stub") }

// Sync makes everything committed so far durable.
func (s *Store) Sync() error { panic("stub") }

// DiskBytes estimates the bytes of an object on disk.
func (s *Store) DiskBytes(sp Space, object uint32) int64 { panic("stub") }

// Close closes the store.
func (s *Store) Close() error { panic("stub") }
