package state

import "context"

// Flush writes what is in memory tables to files, so that opening the store has no log to replay. Errors: 53100 and 58030.
func (s *Store) Flush() error {
	if err := s.Writable(); err != nil {
		return err
	}
	return s.guard(s.db.Flush)
}

// Compact rewrites the store without what was deleted or overwritten. It ends early, with the context's error, when that is over.
func (s *Store) Compact(ctx context.Context) error {
	return s.compact(ctx, []byte{0}, []byte{0xff})
}

// CompactObject is Compact of one object of a space.
func (s *Store) CompactObject(ctx context.Context, sp Space, object uint32) error {
	from, to := span(sp, object, nil, nil)
	return s.compact(ctx, from, to)
}

func (s *Store) compact(ctx context.Context, from, to []byte) error {
	if err := s.Writable(); err != nil {
		return err
	}
	err := s.db.Compact(ctx, from, to, false)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return classify(err, s.dir)
}
