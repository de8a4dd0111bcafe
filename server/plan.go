package server

import (
	"context"
	"fmt"

	"wmsql/column"
	"wmsql/expr"
	"wmsql/logicalplan/build"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// plan resolves a statement. text is the statement's own text, params the types of its parameters, which it
// completes.
func (s *Session) plan(ctx context.Context, stmt sql.Stmt, text string, params *[]types.Type) (plan, error) {
	switch n := stmt.(type) {
	case *sql.SelectStmt:
		return s.planSelect(n.Query, params)
	case *sql.Insert:
		return s.planInsert(n, params)
	case *sql.Copy:
		return s.planCopy(n)
	case *sql.Explain:
		return s.planExplain(ctx, n, text, params)
	case *sql.ExplainWindow:
		return s.planExplainWindow(n, params)
	case *sql.Prepare:
		return s.planPrepare(n, text), nil
	case *sql.Execute:
		return s.planExecute(ctx, n)
	case *sql.DeclareCursor:
		return s.planDeclare(n, text, params)
	case *sql.Fetch:
		return s.planFetch(n)
	case *sql.Subscribe:
		return s.planSubscribe(n)
	case *sql.Show:
		return s.planShow(n)
	case *sql.Describe:
		return s.planDescribe(n)
	case *sql.Update:
		return s.planUpdate(n, params)
	case *sql.Delete:
		return s.planDelete(n, params)
	case *sql.Merge:
		return s.planMerge(n, params)
	case nil:
		return nil, sqlerr.Newf(sqlerr.SyntaxError, "there is no statement")
	}
	if c := s.planDefinition(stmt, text); c != nil {
		return c, nil
	}
	if c := s.planSession(stmt); c != nil {
		return c, nil
	}
	return nil, sqlerr.Unsupported("the statement %T", stmt)
}

// planDefinition resolves what changes the catalog, nil for other statements.
func (s *Session) planDefinition(stmt sql.Stmt, text string) command {
	switch n := stmt.(type) {
	case *sql.CreateSchema:
		return s.ddl("CREATE SCHEMA", func(ctx context.Context) error { return s.createSchema(ctx, n) })
	case *sql.CreateStream:
		return s.ddl("CREATE STREAM", func(ctx context.Context) error { return s.createStream(ctx, n, text) })
	case *sql.CreateFunction:
		return s.ddl("CREATE FUNCTION", func(ctx context.Context) error { return s.createFunction(ctx, n) })
	case *sql.CreateTable:
		return func(ctx context.Context) (string, error) { return s.createTable(ctx, n) }
	case *sql.CreateSequence:
		return s.ddl("CREATE SEQUENCE", func(ctx context.Context) error { return s.createSequence(ctx, n) })
	case *sql.AlterSequence:
		return s.ddl("ALTER SEQUENCE", func(ctx context.Context) error { return s.alterSequence(ctx, n) })
	case *sql.CreateView:
		return s.ddl("CREATE VIEW", func(ctx context.Context) error { return s.createView(ctx, n) })
	case *sql.CreateMaterializedView:
		return s.ddl("CREATE MATERIALIZED VIEW", func(ctx context.Context) error { return s.createMaterializedView(ctx, n, text) })
	case *sql.Drop:
		return s.ddl("DROP "+upper(n.Kind), func(ctx context.Context) error { return s.drop(ctx, n) })
	case *sql.Alter:
		return s.ddl("ALTER "+upper(n.Kind), func(ctx context.Context) error { return s.alter(ctx, n) })
	case *sql.CreateIndex:
		return s.ddl("CREATE INDEX", func(ctx context.Context) error { return s.createIndex(ctx, n) })
	case *sql.Reindex:
		return s.ddl("REINDEX", func(ctx context.Context) error { return s.reindex(ctx, n) })
	case *sql.Grant:
		return s.ddl(grantTag(n), func(ctx context.Context) error { return s.grant(ctx, n) })
	case *sql.AlterTable:
		if n.Kind == "schema" || n.Kind == "function" {
			return s.ddl("ALTER "+upper(n.Kind), func(ctx context.Context) error { return s.ownOther(ctx, n) })
		}
		return s.ddl("ALTER "+upper(n.Kind), func(ctx context.Context) error { return s.alterTable(ctx, n) })
	case *sql.Rename:
		return s.ddl("ALTER "+upper(n.Kind), func(ctx context.Context) error { return s.rename(ctx, n) })
	case *sql.Refresh:
		return func(ctx context.Context) (string, error) { return "REFRESH MATERIALIZED VIEW", s.refresh(ctx, n) }
	case *sql.Comment:
		return s.ddl("COMMENT", func(ctx context.Context) error { return s.comment(ctx, n) })
	case *sql.Role:
		if n.Alter {
			return s.ddl("ALTER ROLE", func(ctx context.Context) error { return s.alterRole(ctx, n) })
		}
		return s.ddl("CREATE ROLE", func(ctx context.Context) error { return s.createRole(ctx, n) })
	case *sql.DropRole:
		return s.ddl("DROP ROLE", func(ctx context.Context) error { return s.dropRoles(ctx, n) })
	case *sql.Truncate:
		return s.ddl("TRUNCATE TABLE", func(ctx context.Context) error { return s.truncate(ctx, n) })
	}
	return nil
}

// ddl is a command that changes something and has a fixed tag.
func (s *Session) ddl(tag string, f func(ctx context.Context) error) command {
	return func(ctx context.Context) (string, error) {
		if err := s.writes(tag); err != nil {
			return "", err
		}
		return tag, f(ctx)
	}
}

// planSession resolves what concerns the session alone, nil for other statements.
func (s *Session) planSession(stmt sql.Stmt) command {
	switch n := stmt.(type) {
	case *sql.Set:
		return func(context.Context) (string, error) { return s.set(n) }
	case *sql.Transaction:
		return func(ctx context.Context) (string, error) { return s.transaction(ctx, n) }
	case *sql.Deallocate:
		return func(context.Context) (string, error) { return s.deallocate(n) }
	case *sql.CloseCursor:
		return func(context.Context) (string, error) { return s.closeCursor(n) }
	case *sql.Discard:
		return func(context.Context) (string, error) { return s.discard(n) }
	case *sql.Listen:
		return func(context.Context) (string, error) { return upper(n.Kind), s.listen(n) }
	case *sql.Lock:
		return func(ctx context.Context) (string, error) { return s.lockTable(ctx, n) }
	case *sql.Maintain:
		return func(ctx context.Context) (string, error) { return upper(n.Kind), s.maintain(ctx, n) }
	case *sql.Flush:
		return func(ctx context.Context) (string, error) { return "FLUSH", s.flush(ctx) }
	case *sql.Unsupported:
		return func(context.Context) (string, error) {
			e := sqlerr.Unsupported("%s", n.What).At(int(n.Pos))
			e.Hint = n.Hint
			return "", e
		}
	}
	return nil
}

// context is what the session's expressions are evaluated under.
func (s *Session) context(args []column.Vector) *expr.Context {
	return &expr.Context{Now: s.txTime(), Format: s.vars.format, Params: args, Session: s}
}

// txTime is now(): when the transaction began.
func (s *Session) txTime() types.MicroTime { return types.MicroTime(s.txStart.UnixMicro()) }

// env is what the session's statements are bound under.
func (s *Session) env(params *[]types.Type) *build.Env {
	n := s.names()
	return &build.Env{
		Catalog: n, Functions: n, SearchPath: s.path(), Zone: s.vars.format.ZoneName,
		Context: s.context(nil), Params: params,
	}
}

func tagRows(tag string) func(int64) string {
	return func(n int64) string { return fmt.Sprintf("%s %d", tag, n) }
}
