//go:build peers

package peers

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// authority signs certificates and writes them to files of dir.
type authority struct {
	t    testing.TB
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t testing.TB) *authority {
	a := &authority{t: t, dir: t.TempDir()}
	a.cert, a.key = a.sign("ca", &x509.Certificate{IsCA: true, KeyUsage: x509.KeyUsageCertSign})
	return a
}

// sign makes name.crt and name.key.
func (a *authority) sign(name string, tmpl *x509.Certificate) (*x509.Certificate, *ecdsa.PrivateKey) {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	tmpl.SerialNumber, _ = rand.Int(rand.Reader, big.NewInt(1<<60))
	tmpl.Subject = pkix.Name{CommonName: name}
	tmpl.NotBefore, tmpl.NotAfter, tmpl.BasicConstraintsValid = time.Now().Add(-time.Hour), time.Now().Add(time.Hour), true
	parent, signer := a.cert, a.key
	if parent == nil {
		parent, signer = tmpl, key
	}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, parent, &key.PublicKey, signer)
	if err != nil {
		a.t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		a.t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		a.t.Fatal(err)
	}
	a.write(name+".crt", "CERTIFICATE", der)
	a.write(name+".key", "PRIVATE KEY", secret)
	return cert, key
}

func (a *authority) write(name, kind string, der []byte) {
	a.t.Helper()
	if err := os.WriteFile(a.file(name), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		a.t.Fatal(err)
	}
}

func (a *authority) file(name string) string { return filepath.Join(a.dir, name) }

// server makes the certificate of this machine.
func (a *authority) server() {
	a.sign("server", &x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}})
}

const secretWord = "correct-horse"

// secured starts a server that asks for passwords over TLS; setup runs before it does.
func secured(t *testing.T, a *authority, setup string) *wmsql {
	t.Helper()
	a.server()
	s := start(t, "--tls-cert", a.file("server.crt"), "--tls-key", a.file("server.key"))
	s.exec(setup + ";CREATE ROLE wmsql SUPERUSER LOGIN PASSWORD '" + secretWord + "'")
	s.end(syscall.SIGTERM)
	s.args = append(s.args, "--auth", "scram-sha-256")
	s.account = &account{secretWord, "sslmode=verify-full&sslrootcert=" + a.file("ca.crt")}
	s.run()
	return s
}

// securedClients are the clients that tell their story with a password over TLS. The psql 16 of the tests knows no TLS.
var securedClients = []string{"psql 15", "psycopg 3", "psycopg 2", "asyncpg", "JDBC (pgjdbc 42)", "node-postgres", "pgx 5", "ODBC (psqlODBC)", "Rust postgres"}

// Real clients tell the same story where the server proves to them who it is, by its certificate, and they prove it, by a password.
func TestClientsSecured(t *testing.T) {
	setup, err := os.ReadFile("testdata/story/story.sql")
	if err != nil {
		t.Fatal(err)
	}
	a := newAuthority(t)
	for _, c := range storyClients {
		if !slices.Contains(securedClients, c.name) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			s := secured(t, a, string(setup))
			if acts := checkStory(t, c.tell(t, s)); acts != documentedActs(t, c.name) {
				t.Errorf("seen was %q", acts)
			}
		})
	}
}

// Passwords are asked for by whatever way a client comes, changed as psql changes them, and never shown.
func TestPasswords(t *testing.T) {
	a := newAuthority(t)
	s := secured(t, a, "SELECT 1")
	try := func(params, password string) string {
		cmd := exec.Command("psql", "-X", "-At", "-w", "-c", "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()",
			fmt.Sprintf("host=127.0.0.1 port=%d user=wmsql dbname=wmsql sslrootcert=%s %s", s.port, a.file("ca.crt"), params))
		cmd.Env = append(os.Environ(), "PGPASSWORD="+password)
		out, _ := cmd.CombinedOutput()
		return string(out)
	}
	for _, c := range []struct{ params, password, want string }{
		{"sslmode=verify-full", secretWord, "t"},
		{"sslmode=require channel_binding=require", secretWord, "t"},
		{"sslmode=disable", secretWord, "f"},
		{"sslmode=disable channel_binding=require", secretWord, "channel binding required"},
		{"sslmode=verify-full", "wrong", `FATAL:  password authentication failed for user "wmsql"`},
		{"sslmode=disable user=nobody", secretWord, `FATAL:  password authentication failed for user "nobody"`},
		{"sslmode=disable", "", "no password supplied"},
	} {
		if out := try(c.params, c.password); !strings.Contains(out, c.want) {
			t.Errorf("%s with %q: %s", c.params, c.password, out)
		}
	}

	const changed = "battery-staple"
	term := openTerminal(t, exec.Command("psql", "-X", s.url()))
	term.say("", "wmsql=#")
	term.say("\\password\n", "new password")
	term.say(changed+"\n", "again")
	term.say(changed+"\n", "wmsql=#")
	if out := try("sslmode=verify-full", secretWord); !strings.Contains(out, "password authentication failed") {
		t.Errorf("the old password: %s", out)
	}
	if out := try("sslmode=verify-full", changed); out != "t\n" {
		t.Errorf("the new password: %s", out)
	}
	s.account.password = changed

	s.exec("CREATE USER bob SUPERUSER PASSWORD 'third-word'; CREATE ROLE carol SUPERUSER NOLOGIN PASSWORD 'fourth-word'")
	c := s.connect()
	if _, err := c.Exec(t.Context(), "ALTER USER bob PASSWORD 'fifth-word'"); err != nil {
		t.Fatal(err)
	}
	s.want(fmt.Sprintf("SELECT query FROM pg_stat_activity WHERE pid = %d", c.PgConn().PID()), "ALTER ROLE bob PASSWORD '********'")
	s.want("SELECT rolname, rolcanlogin, rolpassword FROM pg_roles ORDER BY 1", "bob|t|********\ncarol|f|********\nwmsql|t|********")
	s.want("SELECT count(rolpassword) FROM pg_authid", "0")
	if out := try("sslmode=disable user=carol", "fourth-word"); !strings.Contains(out, `FATAL:  role "carol" is not permitted to log in`) {
		t.Errorf("carol: %s", out)
	}
	s.end(syscall.SIGTERM)
	for _, word := range []string{secretWord, changed, "third-word", "fourth-word", "fifth-word", "SCRAM-SHA-256$"} {
		if strings.Contains(s.out.String(), word) {
			t.Errorf("the log tells %q:\n%s", word, s.out.String())
		}
		if word[0] != 'S' && filesContain(t, s.dir, word) {
			t.Errorf("the data directory holds %q", word)
		}
	}
}

// filesContain reports whether a file below dir holds word.
func filesContain(t *testing.T, dir, word string) (found bool) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		found = found || strings.Contains(string(b), word)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// With --auth cert a client is who its certificate says; a renewed certificate of the server is shown without a restart.
func TestClientCertificates(t *testing.T) {
	a := newAuthority(t)
	a.server()
	for _, name := range []string{"alice", "wmsql"} {
		a.sign(name, &x509.Certificate{ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	}
	of := func(name string) string {
		return fmt.Sprintf("sslmode=verify-full&sslrootcert=%s&sslcert=%s&sslkey=%s", a.file("ca.crt"), a.file(name+".crt"), a.file(name+".key"))
	}
	s := &wmsql{t: t, dir: filepath.Join(t.TempDir(), "data"), port: freePort(t), account: &account{params: of("wmsql")},
		args: []string{"--auth", "cert", "--tls-cert", a.file("server.crt"), "--tls-key", a.file("server.key"), "--tls-client-ca", a.file("ca.crt")}}
	s.run()
	t.Cleanup(func() { s.end(syscall.SIGTERM) })
	as := func(user, cert string) string {
		out, _ := exec.Command("psql", "-X", "-At", "-w", "-c", "SELECT current_user", fmt.Sprintf("postgres://%s@%s/wmsql?%s", user, s.addr(), of(cert))).CombinedOutput()
		return string(out)
	}
	if out := as("alice", "alice"); out != "alice\n" {
		t.Errorf("alice: %s", out)
	}
	if out := as("bob", "alice"); !strings.Contains(out, `certificate authentication failed for user "bob"`) {
		t.Errorf("bob by alice's certificate: %s", out)
	}
	if out, _ := exec.Command("psql", "-X", "-w", "-c", "SELECT 1", fmt.Sprintf("postgres://alice@%s/wmsql?sslmode=disable", s.addr())).CombinedOutput(); !strings.Contains(string(out), "connection requires a valid client certificate") {
		t.Errorf("in the clear: %s", out)
	}

	serial := func() string {
		config, err := pgx.ParseConfig(s.url())
		if err != nil {
			t.Fatal(err)
		}
		var shown string
		config.TLSConfig.VerifyPeerCertificate = func(raw [][]byte, _ [][]*x509.Certificate) error {
			cert, err := x509.ParseCertificate(raw[0])
			if err == nil {
				shown = cert.SerialNumber.String()
			}
			return err
		}
		c, err := pgx.ConnectConfig(context.Background(), config)
		if err != nil {
			t.Fatal(err)
		}
		_ = c.Close(context.Background())
		return shown
	}
	before := serial()
	if err := os.WriteFile(a.file("server.crt"), []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	if serial() != before {
		t.Error("a broken file took the certificate away")
	}
	a.server()
	if serial() == before {
		t.Error("the old certificate is shown")
	}
}

// A server is not opened to other machines without passwords and TLS, and wrong flags are told.
func TestSecurityFlags(t *testing.T) {
	a := newAuthority(t)
	a.server()
	tls := []string{"--tls-cert", a.file("server.crt"), "--tls-key", a.file("server.key")}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--listen", "0.0.0.0:0"}, "refusing to listen on 0.0.0.0:0"},
		{[]string{"--listen", "0.0.0.0:0", "--auth", "scram-sha-256"}, "refusing to listen on 0.0.0.0:0"},
		{append([]string{"--listen", "0.0.0.0:0"}, tls...), "refusing to listen on 0.0.0.0:0"},
		{tls[:2], "--tls-cert and --tls-key are needed together"},
		{[]string{"--auth", "md5"}, "use trust, scram-sha-256 or cert"},
		{append([]string{"--auth", "cert"}, tls...), "--auth cert needs --tls-client-ca"},
		{append([]string{"--tls-client-ca", a.file("ca.key")}, tls...), "holds no certificate"},
		{[]string{"--tls-cert", a.file("ca.crt"), "--tls-key", a.file("server.key")}, "cannot use"},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		out, err := exec.CommandContext(ctx, env(t, "WMSQL_BIN"), append([]string{"start", "--data", filepath.Join(t.TempDir(), "data")}, c.args...)...).CombinedOutput()
		cancel()
		if err == nil || !strings.Contains(string(out), c.want) {
			t.Errorf("%v: %v %s", c.args, err, out)
		}
	}
}
