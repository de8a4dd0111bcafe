package physicalplan

import (
	"wmsql/logicalplan"
	"wmsql/sqlerr"
)

// materialize puts the writer of the view's result above root.
func (l *lowering) materialize(q *logicalplan.Query, root Node, f flow) (Node, error) {
	how := [...]WriteMode{whole: Replace, appends: Insert, upserts: Upsert, changes: Upsert}[f]
	m := &Materialize{Input: root, View: l.view, How: how, Exact: f == appends || f == changes, Key: l.view.Key, Cols: len(l.view.Columns), Time: -1}
	m.Output = Output{IDs: root.Layout(), Schem: root.Schema()}
	text := l.view.Options["result_retention"]
	if text == "" {
		return m, nil
	}
	if f == whole {
		return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "result_retention cannot be set in complete mode").
			WithDetail("Every micro-batch writes the whole result anew.").WithHint("Use state_ttl, which takes groups out of the result.")
	}
	var err error
	m.Retention, err = micros("result_retention", text)
	if c, ok := logicalplan.ResultTime(q.Root, m.Cols); ok {
		m.Time = ordinal(root, c.ID)
	}
	return m, err
}
