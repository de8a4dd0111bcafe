package catalog

// Index is a further way to the rows of a table, made by CREATE INDEX. The keys of a table are indexes too, but belong to its
// definition: see Table.Unique.
type Index struct {
	Object
	Table   ID
	Unique  bool // no two rows share the values of its columns; NULL equals nothing
	Columns []IndexColumn
}

// IndexColumn is a column of an index. Order is what its definition shows; entries lie in the order of values whatever it says.
type IndexColumn struct {
	Column     int // ordinal
	Desc       bool
	NullsFirst bool   // Postgres's default for Desc
	Class      string // operator class if it was written and is not the usual one: text_pattern_ops
}

func (x *Index) clone() Entry { c := *x; return &c }

// Ordinals are the columns of the index.
func (x *Index) Ordinals() []int {
	out := make([]int, len(x.Columns))
	for i, c := range x.Columns {
		out[i] = c.Column
	}
	return out
}

// Indexes lists the indexes of a table, oldest first.
func (s *Snapshot) Indexes(table ID) []*Index {
	var out []*Index
	for _, id := range s.Users(table) {
		if x, ok := s.ByID(id).(*Index); ok && x.Table == table {
			out = append(out, x)
		}
	}
	return out
}
