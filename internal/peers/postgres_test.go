//go:build peers

package peers

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// postgres starts a real Postgres on a private port, with text in the order of its bytes, and returns its URL. The server does not run as
// root: then it is the user postgres, which the package makes.
func postgres(t testing.TB) string {
	t.Helper()
	bin := postgresBin(t)
	dir, err := os.MkdirTemp("", "wmsql-postgres")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	as := owner(t, dir)
	data := filepath.Join(dir, "data")
	if out, err := as(filepath.Join(bin, "initdb"), "-D", data, "-U", "wmsql", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N").CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	port := freePort(t)
	log := &lockedBuffer{}
	cmd := as(filepath.Join(bin, "postgres"), "-D", data, "-p", strconv.Itoa(port), "-k", dir, "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off",
		"-c", "timezone=UTC", "-c", "max_connections=10", "-c", "jit=off")
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGINT) // the fast shutdown
		_ = cmd.Wait()
	})
	url := fmt.Sprintf("postgres://wmsql@127.0.0.1:%d/postgres?sslmode=disable", port)
	eventually(t, 30*time.Second, func() string {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		c, err := pgx.Connect(ctx, url)
		if err != nil {
			return err.Error() + "\n" + log.String()
		}
		_ = c.Close(ctx)
		return ""
	})
	return url
}

// postgresBin finds the server's programs, which are not in the PATH on Debian; version 15 before others.
func postgresBin(t testing.TB) string {
	t.Helper()
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if path, err := exec.LookPath("postgres"); err == nil {
		found = append(found, path)
	}
	if len(found) == 0 {
		t.Fatal("there is no Postgres server here: `make peers` installs one")
	}
	best := found[len(found)-1]
	for _, path := range found {
		if path == "/usr/lib/postgresql/15/bin/postgres" {
			best = path
		}
	}
	return filepath.Dir(best)
}

// owner gives dir to the user that the server runs as, and returns how to run a program as that user.
func owner(t testing.TB, dir string) func(name string, args ...string) *exec.Cmd {
	t.Helper()
	if os.Getuid() != 0 {
		return exec.Command
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		t.Fatal(err)
	}
	uid, _ := strconv.Atoi(u.Uid)
	gid, _ := strconv.Atoi(u.Gid)
	if err := os.Chown(dir, uid, gid); err != nil {
		t.Fatal(err)
	}
	return func(name string, args ...string) *exec.Cmd {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
		return cmd
	}
}
