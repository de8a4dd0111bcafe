package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/spf13/cobra"

	"wmsql/internal/clock"
	"wmsql/pgwire"
	"wmsql/server"
	"wmsql/state"
)

// demoStream is a made-up click stream that runs at 200 times the speed of life, so that five minutes pass quickly. Two
// rows of a hundred come later than the watermark allows.
const demoStream = `CREATE STREAM clicks (
  user_id    BIGINT,
  page       TEXT,
  event_time TIMESTAMPTZ,
  WATERMARK FOR event_time AS event_time - INTERVAL '10' MINUTE
) WITH (
  connector = 'datagen', rows_per_second = '100', step = '2 seconds',
  start = '2026-01-01 09:00:00+00', disorder = '5 minutes', late = '0.02',
  fields.page.values = 'home,search,product,cart'
)`

const demoQuery = `CREATE MATERIALIZED VIEW page_clicks AS
SELECT window_start, window_end, page, count(*) AS clicks, count(DISTINCT user_id) AS users
FROM TUMBLE(TABLE clicks, DESCRIPTOR(event_time), INTERVAL '5' MINUTE)
GROUP BY window_start, window_end, page
EMIT ON WINDOW CLOSE`

// demoQuiet is how long the demo runs when nobody sits at a terminal to end it.
const demoQuiet = 20 * time.Second

func demoCommand() *cobra.Command {
	var (
		runFor time.Duration
		listen string
	)
	c := &cobra.Command{
		Use:   "demo",
		Short: "See it work: a made-up click stream, counted in five-minute windows",
		Long: `Start a server in memory on a made-up click stream, count its clicks by page in five-minute windows of event time,
and print the plan, then the results as their windows close, with the rows that came too late.

Meanwhile the server can be used with psql: the line to type is printed. Nothing is left behind.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			if runFor == 0 && !isTerminal(os.Stdout) {
				runFor = demoQuiet
			}
			if runFor > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, runFor)
				defer cancel()
			}
			return demo(ctx, listen, cmd.OutOrStdout())
		},
	}
	c.Flags().DurationVar(&runFor, "for", 0, "end after this time (default: Ctrl-C on a terminal, else 20s)")
	c.Flags().StringVar(&listen, "listen", "", "address and port to listen on (default: "+defaultListen+", or any free port)")
	return c
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func demo(ctx context.Context, addr string, out io.Writer) error {
	l, err := demoListener(addr)
	if err != nil {
		return err
	}
	log, err := logger("error")
	if err != nil {
		return err
	}
	store, err := state.Open("demo", state.Options{InMemory: true, Version: version})
	if err != nil {
		return err
	}
	ready, served := make(chan struct{}), make(chan error, 1)
	serveCtx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() {
		e := &engine{store: store, log: log, wire: pgwire.Config{Log: log}, listener: l}
		served <- e.serve(serveCtx, server.Config{
			Connectors: connectors(""), Clock: clock.Real{}, Log: log, Version: version, Settings: map[string]string{},
		}, func() { close(ready) })
	}()
	select {
	case <-ready:
	case err := <-served:
		return err
	}
	err = show(ctx, l.Addr(), out)
	stop()
	if endErr := <-served; err == nil {
		err = endErr
	}
	return err
}

func demoListener(addr string) (net.Listener, error) {
	if addr != "" {
		return listen(addr, &security{})
	}
	if l, err := listen(defaultListen, &security{}); err == nil {
		return l, nil
	}
	return listen("127.0.0.1:0", &security{})
}

// show is what the user sees: through a connection of its own, as any client would get it.
func show(ctx context.Context, addr net.Addr, out io.Writer) error {
	conn, err := pgx.Connect(context.Background(), fmt.Sprintf("postgres://wmsql@%s/wmsql?sslmode=disable", addr))
	if err != nil {
		return err
	}
	defer conn.Close(context.Background())
	d := &demonstration{c: conn.PgConn(), out: out}
	fmt.Fprint(out, greeting(addr, "all in memory", new(security).user()), "\n")
	for _, statement := range []string{demoStream, demoQuery} {
		fmt.Fprintf(out, "%s;\n", statement)
		if err := d.run(statement); err != nil {
			return err
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintln(out, "EXPLAIN of the query:")
	if err := d.lines("EXPLAIN " + strings.Replace(demoQuery, "page_clicks", "explained", 1)); err != nil {
		return err
	}
	fmt.Fprint(out, "\nClicks by page, as windows of event time become final:\n\n")
	return d.follow(ctx)
}

type demonstration struct {
	c       *pgconn.PgConn
	out     io.Writer
	shown   string // end of the newest window that was printed
	windows int
}

func (d *demonstration) run(sql string) error {
	return d.c.Exec(context.Background(), sql).Close()
}

// lines prints the first column of the rows.
func (d *demonstration) lines(sql string) error {
	rows, err := d.rows(sql)
	for _, r := range rows {
		fmt.Fprintf(d.out, "  %s\n", r[0])
	}
	return err
}

func (d *demonstration) rows(sql string) ([][][]byte, error) {
	res := d.c.ExecParams(context.Background(), sql, nil, nil, nil, nil).Read()
	return res.Rows, res.Err
}

// follow prints windows as they close, until ctx ends.
func (d *demonstration) follow(ctx context.Context) error {
	d.shown = "-infinity"
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return d.farewell()
		case <-tick.C:
			if err := d.newWindows(); err != nil {
				return err
			}
		}
	}
}

func (d *demonstration) newWindows() error {
	rows, err := d.rows(`SELECT to_char(window_start, 'HH24:MI'), to_char(window_end, 'HH24:MI'), page, clicks, users, window_end
FROM page_clicks WHERE window_end > '` + d.shown + `' ORDER BY window_end, page`)
	if err != nil {
		return err
	}
	last := ""
	for _, r := range rows {
		window := fmt.Sprintf("%s - %s", r[0], r[1])
		if window == last {
			window = strings.Repeat(" ", len(window))
		} else {
			d.windows++
			last = window
		}
		fmt.Fprintf(d.out, "  %s  %-8s %5s clicks %5s users\n", window, r[2], r[3], r[4])
		d.shown = string(r[5])
	}
	if last == "" {
		return nil
	}
	return d.state()
}

func (d *demonstration) state() error {
	rows, err := d.rows(`SELECT q.rows_in, q.rows_late, s.num_rows_total, to_char(w.watermark, 'HH24:MI:SS')
FROM wm_catalog.queries q, wm_catalog.state_operators s, wm_catalog.watermarks w
WHERE q.name = 'page_clicks' AND s.view = q.name AND w.view = q.name`)
	for _, r := range rows {
		fmt.Fprintf(d.out, "  %-15s %s rows read, %s late, %s groups in state, watermark %s\n", "", r[0], r[1], r[2], r[3])
	}
	return err
}

func (d *demonstration) farewell() error {
	fmt.Fprintf(d.out, "\n%d windows were closed. A server that keeps its data: wmsql start --data ./data\n", d.windows)
	return nil
}
