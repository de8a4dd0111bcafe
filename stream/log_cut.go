package stream

import (
	"math"

	"wmsql/catalog"
	"wmsql/state"
)

// readAt is where a scan of an internal stream stands.
type readAt struct {
	stream catalog.ID
	after  int64 // last commit read
}

// cut returns the commit up to which all the scans read in an epoch of about so many rows: the first one by which they
// have that many together, so that all of them see the same transactions.
func (l *Log) cut(scans []readAt, rows int64) (cut int64, err error) {
	head := l.Head()
	cursors := make([]*cutCursor, 0, len(scans))
	defer func() {
		for _, c := range cursors {
			err = firstOf(err, c.it.Close())
		}
	}()
	for _, s := range scans {
		it, err := l.store.Iter(state.Log, uint32(s.stream), chunkKey(s.after+1, 0, 0), chunkKey(head+1, 0, 0), false)
		if err != nil {
			return 0, err
		}
		c := &cutCursor{it: it}
		cursors = append(cursors, c)
		if err := c.next(); err != nil {
			return 0, err
		}
	}
	for {
		commit := int64(math.MaxInt64)
		for _, c := range cursors {
			commit = min(commit, c.at.commit)
		}
		if commit == math.MaxInt64 {
			return head, nil
		}
		for _, c := range cursors {
			for c.at.commit == commit {
				rows -= int64(c.at.rows)
				if err := c.next(); err != nil {
					return 0, err
				}
			}
		}
		if rows <= 0 {
			return commit, nil
		}
	}
}

// cutCursor walks the keys of one stream; at its end it stands at the largest commit number.
type cutCursor struct {
	it state.Iterator
	at chunkID
}

func (c *cutCursor) next() (err error) {
	if !c.it.Next() {
		c.at = chunkID{commit: math.MaxInt64}
		return nil
	}
	c.at, err = parseKey(c.it.Key())
	return err
}
