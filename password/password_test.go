package password

import (
	"errors"
	"strings"
	"testing"

	"github.com/xdg-go/scram"
)

// login is a client that says what it thinks the password is.
func login(t *testing.T, v Verifier, plain string) error {
	t.Helper()
	c, err := scram.SHA256.NewClient("", plain, "")
	if err != nil {
		t.Fatal(err)
	}
	e, err := v.Begin(Plain, Binding{})
	if err != nil {
		t.Fatal(err)
	}
	conv, answer := c.NewConversation(), ""
	for !conv.Done() {
		say, err := conv.Step(answer)
		if err != nil {
			t.Fatal(err)
		}
		if conv.Done() {
			break
		}
		if answer, err = e.Step(say); err != nil {
			if e.Passed() {
				t.Error("it failed and passed")
			}
			return err
		}
	}
	if !e.Passed() || !conv.Valid() {
		t.Error("it neither failed nor passed")
	}
	return nil
}

func TestVerifier(t *testing.T) {
	v, err := New("pencil")
	if err != nil {
		t.Fatal(err)
	}
	again, ok := Parse(v.String())
	if !ok || again.String() != v.String() || strings.Contains(v.String(), "pencil") {
		t.Errorf("%s reads as %s, %v", v, again, ok)
	}
	if err := login(t, again, "pencil"); err != nil {
		t.Error(err)
	}
	if err := login(t, again, "Pencil"); !errors.Is(err, ErrWrong) {
		t.Errorf("a wrong password: %v", err)
	}
	if other, _ := New("pencil"); other.String() == v.String() {
		t.Error("two verifiers of a password have one salt")
	}
}

// What SASLprep refuses (here: unassigned in its Unicode) counts byte by byte, as in libpq.
func TestVerifier_Unprepared(t *testing.T) {
	if _, err := New("horse \U0001F434"); err != nil {
		t.Error(err)
	}
}

// The verifier of RFC 7677's example, as Postgres writes it.
func TestParse(t *testing.T) {
	const rfc = "SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU="
	v, ok := Parse(rfc)
	if !ok || v.String() != rfc {
		t.Fatalf("%v %s", ok, v)
	}
	if err := login(t, v, "pencil"); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"", "pencil", "md53175bce1d3201d16594cebf9d7eb3f9d", strings.Replace(rfc, "4096", "0", 1), strings.Replace(rfc, "4096", "x", 1),
		strings.Replace(rfc, "W22", "*", 1), rfc + "$", rfc[:len(rfc)-5], strings.Replace(rfc, ":wf", ";wf", 1)} {
		if v, ok := Parse(bad); ok || !v.IsZero() {
			t.Errorf("%q was taken for a verifier", bad)
		}
	}
}

// A user that does not exist looks like one that does, every time.
func TestNobody(t *testing.T) {
	a, b := Nobody("alice", []byte("secret")), Nobody("alice", []byte("secret"))
	if a.String() != b.String() || a.String() == Nobody("bob", []byte("secret")).String() || a.String() == Nobody("alice", []byte("other")).String() {
		t.Error("the salt is not the user's own")
	}
	if err := login(t, a, "pencil"); !errors.Is(err, ErrWrong) {
		t.Error(err)
	}
}

func TestStep_Malformed(t *testing.T) {
	for message, want := range map[string]error{
		"": ErrMalformed, "n,,n=,r=": nil, "n,,": ErrMalformed, "y,,n=,r=x": nil, "p=tls-server-end-point,,n=,r=x": ErrBinding, "q,,n=,r=x": ErrMalformed,
	} {
		e, err := Verifier{}.Begin(Plain, Binding{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Step(message); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", message, err, want)
		}
	}
}
