//go:build peers

package peers

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// broker is the one Kafka broker of the run; kafka(t) starts it when the first test asks.
var broker struct {
	once sync.Once
	addr string
	err  error
	stop func()
}

func TestMain(m *testing.M) {
	code := m.Run()
	if broker.stop != nil {
		broker.stop()
	}
	os.Exit(code)
}

// env returns a variable that `make test-peers` sets. A test never passes for want of it.
func env(t testing.TB, name string) string {
	t.Helper()
	v := os.Getenv(name)
	if v == "" {
		t.Fatalf("%s is not set: run these tests by `make test-peers`", name)
	}
	return v
}

// freePort returns a port of 127.0.0.1 that nothing listens on.
func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// lockedBuffer collects a process's output while tests read it.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// wmsql is a running server process.
type wmsql struct {
	t       testing.TB
	dir     string
	port    int
	args    []string
	account *account // nil: nobody asks who it is
	cmd     *exec.Cmd
	out     *lockedBuffer
}

// start runs the server on a fresh data directory and waits until it answers.
func start(t testing.TB, args ...string) *wmsql {
	t.Helper()
	s := &wmsql{t: t, dir: filepath.Join(t.TempDir(), "data"), port: freePort(t), args: args}
	s.run()
	t.Cleanup(func() {
		s.end(syscall.SIGTERM)
		if t.Failed() {
			t.Logf("server said:\n%s", tail(s.out.String(), 4000))
		}
	})
	return s
}

func (s *wmsql) addr() string { return fmt.Sprintf("127.0.0.1:%d", s.port) }

// account is how clients get in: a password, and what their URLs say of TLS.
type account struct{ password, params string }

func (s *wmsql) url() string {
	a := account{params: "sslmode=disable"}
	if s.account != nil {
		a = *s.account
	}
	user := "wmsql"
	if a.password != "" {
		user += ":" + a.password
	}
	return fmt.Sprintf("postgres://%s@%s/wmsql?%s", user, s.addr(), a.params)
}

// run starts the process on the same directory and port.
func (s *wmsql) run() {
	s.t.Helper()
	s.out = &lockedBuffer{}
	args := append([]string{"start", "--data", s.dir, "--listen", s.addr()}, s.args...)
	s.cmd = exec.Command(env(s.t, "WMSQL_BIN"), args...)
	s.cmd.Stdout, s.cmd.Stderr = s.out, s.out
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	deadline := time.Now().Add(20 * time.Second)
	for time.Now().Before(deadline) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		c, err := pgx.Connect(ctx, s.url())
		cancel()
		if err == nil {
			c.Close(context.Background())
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	s.t.Fatalf("server does not answer; it said:\n%s", s.out.String())
}

// end signals the process and waits for it.
func (s *wmsql) end(sig syscall.Signal) {
	if s.cmd == nil || s.cmd.ProcessState != nil {
		return
	}
	_ = s.cmd.Process.Signal(sig)
	done := make(chan struct{})
	go func() { _ = s.cmd.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		_ = s.cmd.Process.Kill()
		<-done
		s.t.Errorf("server did not end within 20 s of %v", sig)
	}
}

// connect opens a connection that the test's end closes.
func (s *wmsql) connect() *pgx.Conn {
	s.t.Helper()
	c, err := pgx.Connect(context.Background(), s.url())
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { c.Close(context.Background()) })
	return c
}

// exec runs statements by the simple protocol.
func (s *wmsql) exec(text string) {
	s.t.Helper()
	if _, err := s.try(text); err != nil {
		s.t.Fatalf("%v\nin: %s", err, text)
	}
}

func (s *wmsql) try(text string) (string, error) {
	c, err := pgx.Connect(context.Background(), s.url())
	if err != nil {
		return "", err
	}
	defer c.Close(context.Background())
	res, err := c.PgConn().Exec(context.Background(), text).ReadAll()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, r := range res {
		for _, row := range r.Rows {
			for i, v := range row {
				if i > 0 {
					b.WriteByte('|')
				}
				if v == nil {
					b.WriteString("NULL")
				}
				b.Write(v)
			}
			b.WriteByte('\n')
		}
	}
	return b.String(), nil
}

// query returns the rows of the last statement as psql -At prints them, with NULL for NULL.
func (s *wmsql) query(text string) string {
	s.t.Helper()
	out, err := s.try(text)
	if err != nil {
		s.t.Fatalf("%v\nin: %s", err, text)
	}
	return out
}

// want compares the rows of a query with the expected ones, given one a line.
func (s *wmsql) want(text, rows string) {
	s.t.Helper()
	got := strings.TrimSpace(s.query(text))
	if want := trimLines(rows); got != want {
		s.t.Fatalf("%s\ngave:\n%s\nwant:\n%s", text, got, want)
	}
}

// psql runs real psql with the given input and returns what it printed to both outputs.
func (s *wmsql) psql(input string, args ...string) string {
	s.t.Helper()
	return s.psqlOf("psql", input, args...)
}

// psqlOf is psql by the program of that file.
func (s *wmsql) psqlOf(program, input string, args ...string) string {
	s.t.Helper()
	full := append([]string{"-X", "-h", "127.0.0.1", "-p", fmt.Sprint(s.port), "-U", "wmsql", "-d", "wmsql"}, args...)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, full...)
	cmd.Stdin = strings.NewReader(input)
	cmd.Env = append(os.Environ(), "PGCONNECT_TIMEOUT=10", "PAGER=cat", "LC_ALL=C.UTF-8")
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Logf("psql: %v", err)
	}
	return string(out)
}

func trimLines(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
	}
	return strings.Join(lines, "\n")
}

func tail(s string, n int) string {
	if len(s) > n {
		return "..." + s[len(s)-n:]
	}
	return s
}

// eventually runs f until it returns "" or the time is over, and fails with its last answer then.
func eventually(t testing.TB, within time.Duration, f func() string) {
	t.Helper()
	deadline := time.Now().Add(within)
	for {
		why := f()
		if why == "" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", within, why)
		}
		time.Sleep(50 * time.Millisecond)
	}
}
