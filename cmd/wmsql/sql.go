package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/spf13/cobra"

	"wmsql/server"
	"wmsql/sqlerr"
)

// sqlOptions are the flags of sql.
type sqlOptions struct {
	url       string
	commands  []string
	keepGoing bool
	wait      time.Duration
}

func sqlCommand() *cobra.Command {
	o := &sqlOptions{}
	c := &cobra.Command{
		Use:   "sql [FILE...]",
		Short: "Run SQL on a server",
		Long: `Run statements on a server: those of -c, else of the files, else of standard input. Rows are printed as tables.

The first error ends the run with status 1, unless --keep-going is given.`,
		Example: `  wmsql sql -c 'SHOW STREAMS'
  wmsql sql pipeline.sql
  echo 'FLUSH' | wmsql sql --url postgres://wmsql@127.0.0.1:5439/wmsql`,
		RunE: func(cmd *cobra.Command, files []string) error {
			scripts, err := o.scripts(files, cmd.InOrStdin())
			if err != nil {
				return err
			}
			return o.run(cmd.Context(), scripts, cmd.OutOrStdout())
		},
	}
	f := c.Flags()
	f.StringVar(&o.url, "url", "postgres://wmsql@"+defaultListen+"/wmsql?sslmode=disable", "the server")
	f.StringArrayVarP(&o.commands, "command", "c", nil, "statements to run; may be repeated")
	f.DurationVar(&o.wait, "wait", 0, "how long to wait for the server to come up")
	f.BoolVar(&o.keepGoing, "keep-going", false, "go on after an error")
	return c
}

func (o *sqlOptions) scripts(files []string, in io.Reader) ([]string, error) {
	if len(o.commands) > 0 {
		return o.commands, nil
	}
	if len(files) == 0 {
		files = []string{"-"}
	}
	var out []string
	for _, f := range files {
		text, err := readScript(f, in)
		if err != nil {
			return nil, err
		}
		out = append(out, text)
	}
	return out, nil
}

func (o *sqlOptions) run(ctx context.Context, scripts []string, out io.Writer) error {
	cfg, err := pgx.ParseConfig(o.url)
	if err != nil {
		return err
	}
	cfg.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { printMessage((*pgconn.PgError)(n)) }
	conn, err := o.connect(ctx, cfg)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	failed := false
	for _, script := range scripts {
		for _, c := range server.SplitScript(script) {
			err := runChunk(ctx, conn.PgConn(), c, out)
			var pg *pgconn.PgError
			switch {
			case err == nil:
				continue
			case !errors.As(err, &pg):
				return err
			}
			printMessage(pg)
			failed = true
			if !o.keepGoing {
				return errSilent
			}
		}
	}
	if failed {
		return errSilent
	}
	return nil
}

// connect connects, trying again for as long as the user is willing to wait.
func (o *sqlOptions) connect(ctx context.Context, cfg *pgx.ConnConfig) (*pgx.Conn, error) {
	deadline := time.Now().Add(o.wait)
	for {
		conn, err := pgx.ConnectConfig(ctx, cfg)
		var pg *pgconn.PgError
		switch {
		case err == nil:
			return conn, nil
		case errors.As(err, &pg) && pg.Code != "57P03":
			return nil, errors.New(pg.Message)
		case time.Now().After(deadline):
			return nil, sqlerr.Newf(sqlerr.ConnectionFailure, "no server answers at %s:%d: %s", cfg.Host, cfg.Port, lastLine(err)).
				WithHint("Start one with: wmsql start")
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// lastLine is what remains of pgx's errors when all that it tried is left out.
func lastLine(err error) string {
	lines := strings.Split(strings.TrimSpace(err.Error()), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

func runChunk(ctx context.Context, c *pgconn.PgConn, chunk server.Chunk, out io.Writer) error {
	if chunk.Copy {
		tag, err := c.CopyFrom(ctx, strings.NewReader(chunk.Data), chunk.Text)
		if err == nil {
			fmt.Fprintln(out, tag)
		}
		return err
	}
	results := c.Exec(ctx, chunk.Text)
	for results.NextResult() {
		r := results.ResultReader()
		t := newTable(r.FieldDescriptions())
		for r.NextRow() {
			t.add(r.Values())
		}
		tag, err := r.Close()
		if err != nil {
			break // Close below tells it again
		}
		if len(r.FieldDescriptions()) > 0 {
			t.print(out)
		} else {
			fmt.Fprintln(out, tag)
		}
	}
	return results.Close()
}

func printMessage(e *pgconn.PgError) {
	fmt.Fprintf(os.Stderr, "%s:  %s\n", e.Severity, e.Message)
	if e.Detail != "" {
		fmt.Fprintf(os.Stderr, "DETAIL:  %s\n", e.Detail)
	}
	if e.Hint != "" {
		fmt.Fprintf(os.Stderr, "HINT:  %s\n", e.Hint)
	}
}
