//go:build peers

package peers

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// terminal is a program that runs on a terminal of its own, for what programs do only there.
type terminal struct {
	t    testing.TB
	file *os.File
	read chan []byte
}

// openTerminal starts cmd on a new pseudo-terminal. It ends with the test.
func openTerminal(t testing.TB, cmd *exec.Cmd) *terminal {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	var number, unlock int32
	control(t, master, syscall.TIOCSPTLCK, &unlock)
	control(t, master, syscall.TIOCGPTN, &number)
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = slave.Close() }()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	term := &terminal{t: t, file: master, read: make(chan []byte, 1024)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			b := make([]byte, 4096)
			n, err := master.Read(b)
			if err != nil {
				return
			}
			term.read <- b[:n]
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = master.Close()
		<-done
	})
	return term
}

func control(t testing.TB, f *os.File, request uintptr, value *int32) {
	t.Helper()
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), request, uintptr(unsafe.Pointer(value))); errno != 0 {
		t.Fatal(errno)
	}
}

// resize tells the terminal how large it is.
func (c *terminal) resize(rows, columns uint16) {
	c.t.Helper()
	size := [4]uint16{rows, columns}
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, c.file.Fd(), syscall.TIOCSWINSZ, uintptr(unsafe.Pointer(&size))); errno != 0 {
		c.t.Fatal(errno)
	}
}

// keys types and returns what is shown until nothing has come for a while.
func (c *terminal) keys(typed string) string {
	c.t.Helper()
	if _, err := c.file.WriteString(typed); err != nil {
		c.t.Fatal(err)
	}
	const quiet = 150 * time.Millisecond
	var out bytes.Buffer
	for {
		select {
		case b := <-c.read:
			out.Write(b)
		case <-time.After(quiet):
			return strings.NewReplacer("\r", "", "\a", "").Replace(out.String())
		}
	}
}

// until types and waits until what is shown is enough, at most ten seconds.
func (c *terminal) until(typed string, enough func(out string) bool) (out string, ok bool) {
	c.t.Helper()
	out = c.keys(typed)
	for end := time.Now().Add(10 * time.Second); !enough(out); out += c.keys("") {
		if time.Now().After(end) {
			return out, false
		}
	}
	return out, true
}

// say types and waits until want is shown.
func (c *terminal) say(typed, want string) {
	c.t.Helper()
	if out, ok := c.until(typed, func(out string) bool { return strings.Contains(out, want) }); !ok {
		c.t.Fatalf("%q showed no %q, but %q", typed, want, out)
	}
}
