package server

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"wmsql/catalog"
	"wmsql/exec"
	"wmsql/sqlerr"
	"wmsql/stream"
	"wmsql/types"
)

// progressJSON is a micro-batch as Spark's StreamingQueryProgress names its parts.
type progressJSON struct {
	ID              string            `json:"id"`
	RunID           string            `json:"runId"`
	Name            string            `json:"name"`
	Timestamp       string            `json:"timestamp"`
	BatchID         int64             `json:"batchId"`
	BatchDuration   int64             `json:"batchDuration"`
	NumInputRows    int64             `json:"numInputRows"`
	InputPerSec     float64           `json:"inputRowsPerSecond"`
	ProcessedPerSec float64           `json:"processedRowsPerSecond"`
	DurationMs      map[string]int64  `json:"durationMs"`
	EventTime       map[string]string `json:"eventTime"`
	StateOperators  []operatorJSON    `json:"stateOperators"`
	Sources         []sourceJSON      `json:"sources"`
	Sink            sinkJSON          `json:"sink"`
}

type operatorJSON struct {
	OperatorName  string           `json:"operatorName"`
	Total         int64            `json:"numRowsTotal"`
	Updated       int64            `json:"numRowsUpdated"`
	Removed       int64            `json:"numRowsRemoved"`
	Dropped       int64            `json:"numRowsDroppedByWatermark"`
	MemoryUsed    int64            `json:"memoryUsedBytes"`
	CustomMetrics map[string]int64 `json:"customMetrics"`
}

type sourceJSON struct {
	Description     string  `json:"description"`
	StartOffset     string  `json:"startOffset"`
	EndOffset       string  `json:"endOffset"`
	NumInputRows    int64   `json:"numInputRows"`
	InputPerSec     float64 `json:"inputRowsPerSecond"`
	ProcessedPerSec float64 `json:"processedRowsPerSecond"`
}

type sinkJSON struct {
	Description   string `json:"description"`
	NumOutputRows int64  `json:"numOutputRows"`
}

// lastProgressJSON is wm_last_progress(view): the newest micro-batch, NULL before the first.
func lastProgressJSON(s *Session, args []any) (any, error) {
	mv, ok := s.entryArg(args[0]).(*catalog.MaterializedView)
	if !ok {
		return nil, sqlerr.Newf(sqlerr.UndefinedTable, "materialized view \"%v\" does not exist", args[0])
	}
	c := s.srv.queries.get(mv.ID)
	if c == nil || c.query == nil {
		return nil, nil
	}
	p := c.query.Last()
	if p.Epoch == 0 {
		return nil, nil
	}
	out, err := json.Marshal(progressOf(mv, c.status(), &p))
	return string(out), err
}

func progressOf(mv *catalog.MaterializedView, st stream.Status, p *stream.Progress) *progressJSON {
	out := &progressJSON{
		ID: queryUUID(mv.ID, 0), RunID: queryUUID(mv.ID, st.Started.UnixNano()), Name: mv.Name,
		Timestamp: isoMillis(p.Start), BatchID: p.Epoch - 1, BatchDuration: p.Took.Milliseconds(),
		NumInputRows: p.RowsIn, InputPerSec: perSecond(p.RowsIn, p.Took), ProcessedPerSec: perSecond(p.RowsIn, p.Took),
		DurationMs: map[string]int64{}, EventTime: eventTimes(p.Watermarks), StateOperators: []operatorJSON{}, Sources: []sourceJSON{},
		Sink: sinkJSON{Description: "wmsql table " + mv.Name, NumOutputRows: p.RowsOut},
	}
	for k, d := range p.Durations {
		out.DurationMs[k] = d.Milliseconds()
	}
	for _, op := range p.Operators {
		out.StateOperators = append(out.StateOperators, operatorJSON{
			OperatorName: op.Name, Total: op.RowsTotal, Updated: op.RowsUpdated, Removed: op.RowsRemoved, Dropped: op.RowsDropped,
			MemoryUsed: op.StateBytes, CustomMetrics: map[string]int64{"numRowsPartlyLate": op.RowsPartlyLate, "numOutputRows": op.RowsOut},
		})
	}
	for _, src := range p.Sources {
		out.Sources = append(out.Sources, sourceJSON{
			Description: src.Stream, StartOffset: src.Start, EndOffset: src.End, NumInputRows: src.Rows,
			InputPerSec: perSecond(src.Rows, p.Took), ProcessedPerSec: perSecond(src.Rows, p.Took),
		})
	}
	return out
}

// queryUUID is a stable id made of the view's number and a run.
func queryUUID(id catalog.ID, run int64) string {
	return fmt.Sprintf("%08x-0000-4000-8000-%012x", uint32(id), uint64(run)&0xffff_ffff_ffff)
}

func isoMillis(t types.MicroTime) string { return t.Time().Format("2006-01-02T15:04:05.000Z") }

func perSecond(rows int64, took time.Duration) float64 {
	if took <= 0 {
		return 0
	}
	return float64(rows) / took.Seconds()
}

// eventTimes are Spark's eventTime: of all watermarks together, what was not seen left out.
func eventTimes(ws []exec.WatermarkStats) map[string]string {
	out := map[string]string{}
	var rows int64
	var sum float64
	low, high := types.Infinity, types.MinTime
	for _, w := range ws {
		if w.EpochRows > 0 {
			rows, sum = rows+w.EpochRows, sum+w.EpochSum
			low, high = min(low, w.EpochMin), max(high, w.EpochMax)
		}
	}
	if rows > 0 {
		out["avg"] = isoMillis(types.MicroTime(sum / float64(rows)))
		out["max"], out["min"] = isoMillis(high), isoMillis(low)
	}
	if w := holding(ws); w != types.MinTime {
		out["watermark"] = isoMillis(w)
	}
	return out
}

// validText makes text of a record: bytes that are not UTF-8 are replaced, and so are zero bytes, which text cannot hold.
func validText(b []byte) string {
	s := string(b)
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	return strings.ReplaceAll(s, "\x00", "\uFFFD")
}
