package pgwire

import (
	"bytes"
	"context"
	"encoding/binary"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5/pgconn"
)

// login returns a client that has read its greeting, with what BackendKeyData told it.
func login(t testing.TB, addr string) (c *client, key []byte) {
	c = dial(t, addr)
	c.send(startup())
	for {
		kind, body, err := c.message()
		if err != nil {
			t.Fatal(err)
		}
		switch kind {
		case 'K':
			key = body
		case 'Z':
			return c, key
		}
	}
}

func query(text string) []byte {
	b, _ := (&pgproto3.Query{String: text}).Encode(nil)
	return b
}

func (c *client) expect(want string) {
	c.t.Helper()
	if got := c.until(1); got != want {
		c.t.Errorf("got\n%swant\n%s", got, want)
	}
}

// cancelUntil sends cancel requests until done is closed: the first may come before the statement has begun.
func cancelUntil(t *testing.T, addr string, key []byte, done chan struct{}) {
	for {
		b := binary.BigEndian.AppendUint32([]byte{0, 0, 0, 16}, codeCancel)
		c := dial(t, addr)
		c.send(append(b, key...))
		if got := c.silence(5 * time.Second); got != "closed\n" {
			t.Errorf("answer to a cancel request: %s", got)
		}
		select {
		case <-done:
			return
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// A client of version 3.2 has a key of 32 bytes, of which each counts.
func TestCancel_LongKey(t *testing.T) {
	addr := listen(t, &fake{}, Config{})
	c := dial(t, addr)
	c.send(startup("version=3.2"))
	var key []byte
	for kind := byte(0); kind != 'Z'; {
		var body []byte
		var err error
		if kind, body, err = c.message(); err != nil {
			t.Fatal(err)
		}
		if kind == 'K' {
			key = bytes.Clone(body)
		}
	}
	if len(key) != 4+keyMax {
		t.Fatalf("a key of %d bytes", len(key))
	}
	c.send(query("SLEEP"))
	for _, wrong := range [][]byte{key[:8], append(bytes.Clone(key[:35]), key[35]+1), append(bytes.Clone(key), 0)} {
		request := append(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(8+len(wrong))), codeCancel), wrong...)
		d := dial(t, addr)
		d.send(request)
		if got := d.silence(5 * time.Second); got != "closed\n" {
			t.Errorf("answer to a cancel request: %s", got)
		}
	}
	if got := c.silence(100 * time.Millisecond); got != "(silence)\n" {
		t.Errorf("a wrong key canceled: %s", got)
	}

	p, err := connect(t, "postgres://wmsql@"+addr+"/wmsql?sslmode=disable&max_protocol_version=3.2", nil)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		_, err := p.Exec(context.Background(), "SLEEP").ReadAll()
		done <- err
	}()
	for {
		if err := p.CancelRequest(context.Background()); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-done:
			if err == nil || !strings.Contains(err.Error(), "57014") {
				t.Error(err)
			}
			return
		case <-time.After(50 * time.Millisecond): // it had not begun yet
		}
	}
}

// A cancel request ends the running statement and nothing else; with a wrong secret it does nothing.
func TestCancel(t *testing.T) {
	addr := listen(t, &fake{}, Config{})
	c, key := login(t, addr)
	wrong := append([]byte(nil), key...)
	wrong[7]++
	for _, text := range []string{"SLEEP", "ENDLESS", "COPY t FROM"} {
		c.send(query(text))
		if text == "SLEEP" {
			over := make(chan struct{})
			close(over)
			cancelUntil(t, addr, wrong, over)
			if got := c.silence(100 * time.Millisecond); got != "(silence)\n" {
				t.Errorf("a wrong secret canceled: %s", got)
			}
		}
		done, ended := make(chan struct{}), make(chan struct{})
		go func() {
			cancelUntil(t, addr, key, done)
			close(ended)
		}()
		got := c.until(1)
		close(done)
		<-ended // later requests come between statements and mean nothing
		const want = "E ERROR 57014 canceling statement due to user request\nZ(I)\n"
		if !strings.HasSuffix(got, want) {
			t.Errorf("%s ended with %q", text, got[max(0, len(got)-200):])
		}
	}
	c.send(query("SELECT 1"))
	c.expect("T ?column?:23/4/-1/0\nD \"1\"\nC SELECT 1\nZ(I)\n")
}

// A message that comes while the watch for a lost client reads ahead is not lost.
func TestWatch_KeepsWhatItReads(t *testing.T) {
	addr := listen(t, &fake{}, Config{})
	c, key := login(t, addr)
	c.send(query("SLEEP"))
	time.Sleep(2 * watchAfter)
	next := query("SELECT 1")
	c.send(next[:3])
	time.Sleep(watchAfter / 2)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		cancelUntil(t, addr, key, done)
		close(ended)
	}()
	c.expect("E ERROR 57014 canceling statement due to user request\nZ(I)\n")
	close(done)
	<-ended
	c.send(next[3:])
	c.expect("T ?column?:23/4/-1/0\nD \"1\"\nC SELECT 1\nZ(I)\n")
}

// A client that vanishes ends its statement: the server has no session left.
func TestVanishedClient(t *testing.T) {
	for _, text := range []string{"SLEEP", "ENDLESS", "COPY t FROM"} {
		addr := listen(t, &fake{}, Config{MaxSessions: 1})
		c, _ := login(t, addr)
		c.send(query(text))
		time.Sleep(watchAfter + 50*time.Millisecond)
		_ = c.conn.Close()
		for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
			d := dial(t, addr)
			d.send(startup())
			if got := d.until(1); !strings.Contains(got, "53300") {
				break
			}
			if time.Since(began) > 5*time.Second {
				t.Fatalf("%s still runs", text)
			}
		}
	}
}

// At shutdown idle clients are told, running statements end, and Serve returns.
func TestShutdown(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- Serve(ctx, l, &fake{}, Config{}) }()
	idle, _ := login(t, l.Addr().String())
	busy, _ := login(t, l.Addr().String())
	copying, _ := login(t, l.Addr().String())
	busy.send(query("SLEEP"))
	copying.send(query("COPY t FROM"))
	stalled := dial(t, l.Addr().String())
	stalled.send([]byte{0, 0, 0})
	time.Sleep(50 * time.Millisecond)
	stop()
	const goodbye = "E FATAL 57P01 terminating connection due to administrator command\nclosed\n"
	for name, c := range map[string]*client{"idle": idle, "busy": busy, "copying": copying} {
		if got := c.until(1); strings.TrimPrefix(got, "G \"\\x00\\x00\\x02\\x00\\x00\\x00\\x00\"\n") != goodbye {
			t.Errorf("%s client was told %s", name, got)
		}
	}
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(3 * time.Second):
		t.Error("Serve did not return")
	}
}

// Clients that stall before login neither keep others out nor stay.
func TestStalledLogins(t *testing.T) {
	addr := listen(t, &fake{}, Config{MaxSessions: 2, LoginTimeout: 300 * time.Millisecond})
	var stalled []*client
	for range 8 {
		c := dial(t, addr)
		c.send([]byte{0, 0, 0})
		stalled = append(stalled, c)
	}
	login(t, addr)
	login(t, addr)
	third := dial(t, addr)
	third.send(startup())
	third.expect("E FATAL 53300 sorry, too many clients already\nclosed\n")
	for _, c := range stalled {
		if got := c.silence(2 * time.Second); got != "closed\n" {
			t.Errorf("a stalled client got %s", got)
		}
	}
}

// A message over the limit is passed over and refused, and what comes behind it is served; one that claims to be huge ends the connection.
func TestMessageLimit(t *testing.T) {
	addr := listen(t, &fake{}, Config{MaxMessage: 1000})
	c, _ := login(t, addr)
	c.send(query("SELECT 1" + strings.Repeat(" ", 900)))
	c.expect("T ?column?:23/4/-1/0\nD \"1\"\nC SELECT 1\nZ(I)\n")
	const refused = "E ERROR 54000 a message of 4092 bytes is too large | detail: The limit is 1000 bytes. | hint: COPY takes any number of rows, in messages of any size.\n"
	c.send(append([]byte{'Q', 0, 0, 0x10, 0}, make([]byte, 4092)...))
	c.expect(refused + "Z(I)\n")
	c.send(append([]byte{'P', 0, 0, 0x10, 0}, make([]byte, 4092)...))
	c.send(query("SELECT 1"))
	c.send([]byte{'S', 0, 0, 0, 4})
	c.expect(refused + "Z(I)\n")
	c.send([]byte{'Q', 0x40, 0, 1, 0})
	c.expect("E FATAL 08P01 message of 1073742076 bytes is larger than the limit of 1000\nclosed\n")
}

// A long message that comes in pieces is read whole, and the next one too.
func TestLongMessage(t *testing.T) {
	addr := listen(t, &fake{}, Config{})
	c, _ := login(t, addr)
	b := query("SELECT 1" + strings.Repeat(" ", 3<<20))
	for len(b) > 0 {
		n := min(len(b), 100_000)
		c.send(b[:n])
		b = b[n:]
	}
	c.send(query("SELECT 2"))
	c.expect("T ?column?:23/4/-1/0\nD \"1\"\nC SELECT 1\nZ(I)\n")
	c.expect("T ?column?:23/4/-1/0\nD \"2\"\nC SELECT 1\nZ(I)\n")
}

// A client that insists on TLS learns that there is none.
func TestNoTLS(t *testing.T) {
	addr := listen(t, &fake{}, Config{})
	if _, err := pgconn.Connect(context.Background(), "postgres://wmsql@"+addr+"/wmsql?sslmode=require"); err == nil {
		t.Error("connected")
	}
	login(t, addr)
}
