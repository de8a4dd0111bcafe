package exec

import (
	"sync"

	"wmsql/state"
)

// Cache is what SELECTs remember of stored relations from one to the next. Any goroutine may use it. What it holds of a relation is that of
// one version (see state.Versioned), so nobody has to tell it of changes.
type Cache struct {
	limit      int64       // bytes of columns
	into       ColumnStore // nil: columns are not stored
	storedFrom int         // blocks of a relation whose columns are

	mu        sync.Mutex
	relations map[uint32]cachedRelation
	columns   map[uint32]*cachedColumns
	bytes     int64  // of columns
	scans     uint64 // so far
}

// cachedRelation is a header, read at a version.
type cachedRelation struct {
	version uint64
	rel     *relation
}

// relationsMax bounds the headers that are remembered; beyond, all are forgotten.
const relationsMax = 10_000

// NewCache returns an empty cache that keeps at most limit bytes of columns.
func NewCache(limit int64) *Cache {
	return &Cache{limit: limit, relations: map[uint32]cachedRelation{}, columns: map[uint32]*cachedColumns{}}
}

// relation is readRelation. c may be nil.
func (c *Cache) relation(r state.Reader, id uint32) (*relation, error) {
	version, known := versionOf(r, id)
	if c == nil || !known {
		return readRelation(r, id)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.relations[id]; ok && e.version == version {
		return e.rel, nil
	}
	rel, err := readRelation(r, id)
	if err != nil {
		return nil, err
	}
	if len(c.relations) >= relationsMax {
		clear(c.relations)
	}
	c.relations[id] = cachedRelation{version, rel}
	return rel, nil
}

func versionOf(r state.Reader, id uint32) (uint64, bool) {
	v, ok := r.(state.Versioned)
	if !ok {
		return 0, false
	}
	return v.Version(id)
}
