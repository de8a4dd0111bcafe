package server

import (
	"context"
	"fmt"

	"wmsql/column"
	"wmsql/expr"
	"wmsql/logicalplan/build"
	"wmsql/pgwire"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// prepared is the statement of a name, that PREPARE or the protocol gave it; nil if there is none.
func (s *Session) prepared(name string) *statement {
	if p := s.statements[name]; p != nil && p.Statement != nil {
		return p.Statement.(*statement)
	}
	return nil
}

// planPrepare resolves PREPARE, whose own text is text.
func (s *Session) planPrepare(n *sql.Prepare, text string) command {
	return func(ctx context.Context) (string, error) {
		if s.statements[n.Name] != nil {
			return "", sqlerr.Newf(sqlerr.DuplicateStatement, "prepared statement %q already exists", n.Name)
		}
		var params []types.Type
		for _, t := range n.Types {
			typ, err := build.Type(t)
			if err != nil {
				return "", err
			}
			params = append(params, typ)
		}
		st, err := s.prepare(ctx, n.Stmt, n.Text, params)
		if err != nil {
			return "", err
		}
		st.said = text
		s.statements[n.Name] = &pgwire.Prepared{Text: n.Text, Parsed: &parsed{Parsed: sql.Parsed{Stmt: n.Stmt, Text: n.Text}}, Statement: st, SQL: true}
		return "PREPARE", nil
	}
}

// executePlan is EXECUTE.
type executePlan struct {
	st   *statement
	args []expr.Expr
}

func (s *Session) planExecute(_ context.Context, n *sql.Execute) (plan, error) {
	p := s.prepared(n.Name)
	if p == nil {
		return nil, noStatement(n.Name)
	}
	if len(n.Args) != len(p.params) {
		return nil, sqlerr.Newf(sqlerr.SyntaxError, "wrong number of parameters for prepared statement %q", n.Name).
			WithDetail("Expected %d parameters but got %d.", len(p.params), len(n.Args))
	}
	out := &executePlan{st: p}
	for i, a := range n.Args {
		e, err := build.Scalar(typeUntyped(a, p.params[i]), nil, s.env(nil))
		if err == nil {
			e, err = expr.NewCast(e, p.params[i], expr.Assignment)
		}
		if err != nil {
			return nil, sqlerr.From(err).At(int(a.At()))
		}
		out.args = append(out.args, e)
	}
	return out, nil
}

func noStatement(name string) error {
	return sqlerr.Newf(sqlerr.InvalidStatementName, "prepared statement %q does not exist", name)
}

func (p *executePlan) schema() *types.Schema { return p.st.Schema() }

func (p *executePlan) run(ctx context.Context, _ []column.Vector) (pgwire.Result, error) {
	args, err := p.values()
	if err != nil {
		return nil, err
	}
	return p.st.execute(ctx, args)
}

// values are what the statement's parameters are.
func (p *executePlan) values() ([]column.Vector, error) {
	args := make([]column.Vector, len(p.args))
	for i, e := range p.args {
		v, err := expr.Eval(e, p.st.s.context(nil))
		if err != nil {
			return nil, err
		}
		args[i] = column.Const(p.st.params[i], v, 1)
	}
	return args, nil
}

// executesMax is how many statements may each execute the next one.
const executesMax = 100

// ends reports an error if to execute the plan for st is to execute st again, or takes too many statements: the protocol prepares EXECUTE
// itself, and the name it says may be another statement's by now.
func (p *executePlan) ends(st *statement) error {
	next := p
	for range executesMax {
		if next.st == st {
			break
		}
		deeper, ok := next.st.plan.(*executePlan)
		if !ok {
			return nil
		}
		next = deeper
	}
	return sqlerr.Newf(sqlerr.StatementTooComplex, "stack depth limit exceeded").WithHint("Prepare the statement itself, not an EXECUTE of it.")
}

func (s *Session) deallocate(n *sql.Deallocate) (string, error) {
	if n.Name == "" {
		s.statements.ForgetAll()
		return "DEALLOCATE ALL", nil
	}
	if !s.statements.Forget(n.Name) {
		return "", noStatement(n.Name)
	}
	return "DEALLOCATE", nil
}

// queryTag is the tag of a result of n rows.
func queryTag(what string, n int64) string { return fmt.Sprintf("%s %d", what, n) }
