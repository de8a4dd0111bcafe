package exec

import (
	"wmsql/catalog"
	"wmsql/column"
	"wmsql/physicalplan"
	"wmsql/state"
	"wmsql/types"
)

// Build makes the operators of p.
func Build(p *physicalplan.Plan, env *Env) (*Query, error) { panic("stub") }

// TableWriter changes a stored table (or a view's result) within a transaction.
type TableWriter struct{}

// NewTableWriter returns a writer for a relation whose key is the columns at the ordinals key (empty: rows get a
// hidden, ever growing number). r is the committed state.
func NewTableWriter(id catalog.ID, s *types.Schema, key []int, r state.Reader, txn state.Txn) (*TableWriter, error) {
	panic("stub")
}

// Insert adds the batch's rows. A row whose key exists gives 23505 with Postgres's wording, or is skipped or replaces the old
// one as onConflict ("", "nothing", "replace") says. It returns the number of rows written.
func (w *TableWriter) Insert(b *column.Batch, onConflict string) (int64, error) { panic("stub") }

// RejectedRecord is a row of wm_catalog.rejected_rows.
type RejectedRecord struct {
	Stream string
	Split  string
	Offset string
	Record []byte
	Reason string
	Time   types.MicroTime
	Epoch  int64
	Query  uint32
}

// PutRejected stores a rejected record under its stream; seq numbers it within the epoch.
func PutRejected(txn state.Txn, stream catalog.ID, epoch int64, seq int, r *RejectedRecord) {
	panic("stub")
}

// ScanRejected calls f for the rejected records of a stream, oldest first.
func ScanRejected(r state.Reader, stream catalog.ID, f func(*RejectedRecord) bool) error {
	panic("stub")
}

// LateRow is a row of wm_catalog.late_rows: Row is the input row as JSON text.
type LateRow struct {
	Query     uint32
	Epoch     int64
	EventTime types.MicroTime
	Watermark types.MicroTime
	Row       []byte
}

// ScanLate calls f for the late rows kept for a query, oldest first.
func ScanLate(r state.Reader, query uint32, f func(*LateRow) bool) error { panic("stub") }
