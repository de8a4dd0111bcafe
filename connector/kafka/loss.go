package kafka

import (
	"fmt"
	"strings"

	"wmsql/sqlerr"
)

// lossError says that records are gone which the query has not read. Trying again does not help.
type lossError struct{ err *sqlerr.Error }

func (e *lossError) Error() string { return e.err.Msg }

// Unwrap returns the error for the client.
func (e *lossError) Unwrap() error { return e.err }

// lost says what to do when partition id was to go on at offset wanted, and its log is [start, end). It returns the
// offset to go on from and a note, which the log gets too, or the error.
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
		c.tell("records were lost", "lost", what, "went_on_at", start)
		return start, fmt.Sprintf("%s; went on at %d", what, start), nil
	}
	e := sqlerr.Newf(sqlerr.IOError, "%s", what).
		WithDetail("The records were deleted before the query read them, so its results would miss them.").
		WithHint("To go on without them:\nALTER STREAM \"%s\" SET (on_data_loss = 'earliest');", strings.ReplaceAll(c.stream, `"`, `""`))
	return 0, "", &lossError{e}
}
