package kafka

import (
	"fmt"

	"wmsql/sqlerr"
)

// lossError says that records are gone which the query has not read. Trying again does not help.
type lossError struct{ err *sqlerr.Error }

func (e *lossError) Error() string { return e.err.Msg }

// Unwrap returns the error for the client.
func (e *lossError) Unwrap() error { return e.err }

// lost says what to do when partition id was to go on at offset wanted, and its log is [start, end). It returns the
// offset to go on from and a note, or the error.
func (c *config) lost(id int32, wanted, start, end int64, anew bool) (int64, string, error) {
	var what string
	switch {
	case anew:
		what = fmt.Sprintf("topic %q was deleted and made anew: partition %d, wanted offset %d, earliest %d, end %d", c.topic, id, wanted, start, end)
	case wanted < start:
		what = fmt.Sprintf("%d records of topic %q are gone: partition %d, wanted offset %d, earliest %d", start-wanted, c.topic, id, wanted, start)
	case wanted > end:
		what = fmt.Sprintf("topic %q went back: partition %d, wanted offset %d, end %d", c.topic, id, wanted, end)
	default:
		return wanted, "", nil
	}
	if c.onLoss == lossEarliest {
		return start, what + fmt.Sprintf("; went on at %d", start), nil
	}
	e := sqlerr.Newf(sqlerr.IOError, "%s", what).
		WithDetail("The records were deleted before the query read them, so its results would miss them.").
		WithHint("To go on without them set on_data_loss = 'earliest' for the stream and resume the query.")
	return 0, "", &lossError{e}
}
