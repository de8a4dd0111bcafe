package server

import (
	"context"
	"slices"

	"wmsql/column"
	"wmsql/sql"
	"wmsql/sqlerr"
)

// explainExecute explains the query or change that EXECUTE would run, with the values of its parameters. It is planned for that: the plan
// that runs may be a template's.
func (s *Session) explainExecute(ctx context.Context, n *sql.Execute, o explainOptions) (func(context.Context, []column.Vector) (*explanation, error), error) {
	p, err := s.planExecute(ctx, n)
	if err != nil {
		return nil, err
	}
	run := p.(*executePlan)
	stmt, err := run.st.written()
	if err != nil {
		return nil, err
	}
	switch stmt.(type) {
	case *sql.SelectStmt, *sql.Insert, *sql.Update, *sql.Delete, *sql.Merge:
	default:
		return nil, sqlerr.Unsupported("EXPLAIN of this statement").At(int(n.At()))
	}
	params := slices.Clone(run.st.params)
	explain, err := s.explainer(ctx, stmt, run.st.text, o, &params)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, _ []column.Vector) (*explanation, error) {
		args, err := run.values()
		if err != nil {
			return nil, err
		}
		return explain(ctx, args)
	}, nil
}
