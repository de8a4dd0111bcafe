//go:build peers

package peers

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// bouncer starts PgBouncer in transaction mode, with two connections to the server for all clients, and returns the server as it is
// reached through it. After each transaction it sends DISCARD ALL.
func bouncer(t *testing.T, s *wmsql) *wmsql {
	t.Helper()
	through := &wmsql{t: t, port: freePort(t)}
	file := filepath.Join(t.TempDir(), "pgbouncer.ini")
	if err := os.WriteFile(file, fmt.Appendf(nil, `[databases]
wmsql = host=127.0.0.1 port=%d user=wmsql
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %d
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
server_reset_query = DISCARD ALL
server_reset_query_always = 1
ignore_startup_parameters = extra_float_digits
`, s.port, through.port), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{file}
	if os.Geteuid() == 0 {
		args = []string{"-u", "nobody", file} // it refuses to run as root
	}
	cmd := exec.Command("/usr/sbin/pgbouncer", args...)
	out := &lockedBuffer{}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("PgBouncer said:\n%s", tail(out.String(), 4000))
		}
	})
	eventually(t, 20*time.Second, func() string {
		c, err := net.Dial("tcp", through.addr())
		if err != nil {
			return err.Error()
		}
		_ = c.Close()
		return ""
	})
	return through
}

// Twenty clients share two connections of the server: each keeps its own time zone, which PgBouncer sets anew, and nothing else that one
// sets is seen by another.
func TestBouncerShares(t *testing.T) {
	s := start(t)
	s.exec("CREATE TABLE counted (n INT PRIMARY KEY, by TEXT)")
	through := bouncer(t, s)
	zones := []string{"UTC", "Asia/Kolkata", "Europe/Berlin", "America/New_York"}
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			config, _ := pgx.ParseConfig(through.url())
			config.DefaultQueryExecMode = pgx.QueryExecModeExec
			config.RuntimeParams["timezone"], config.RuntimeParams["application_name"] = zones[i%4], fmt.Sprint("client ", i)
			c, err := pgx.ConnectConfig(context.Background(), config)
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close(context.Background())
			for k := range 5 {
				var zone, name, memory string
				err := pgx.BeginFunc(context.Background(), c, func(tx pgx.Tx) error {
					if err := tx.QueryRow(context.Background(), "SELECT current_setting('timezone'), current_setting('application_name'), current_setting('work_mem')").Scan(&zone, &name, &memory); err != nil {
						return err
					}
					_, err := tx.Exec(context.Background(), "INSERT INTO counted VALUES ($1, $2)", i*100+k, name)
					return err
				})
				if err != nil || zone != zones[i%4] || name != fmt.Sprint("client ", i) || memory != "4MB" {
					t.Errorf("client %d: %v, time zone %s, name %s, work_mem %s", i, err, zone, name, memory)
				}
				if _, err := c.Exec(context.Background(), "SET work_mem = '64MB'"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	s.want("SELECT count(*), count(DISTINCT by) FROM counted", "100|20")
	s.want("SELECT count(*) <= 2 FROM pg_stat_activity WHERE application_name LIKE 'client%'", "t")
}
