// Package password keeps passwords as Postgres does, as SCRAM-SHA-256 verifiers: they tell whether a client knows a password, and nobody
// can tell the password from them. It is the server's half of RFC 5802 and RFC 7677.
package password

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"github.com/xdg-go/scram"
)

const (
	scheme     = "SCRAM-SHA-256"
	iterations = 4096 // Postgres 15's
	saltBytes  = 16
	// iterationsMax bounds what a verifier made elsewhere may ask of a client.
	iterationsMax = 10_000_000
)

// Verifier tells whether a client knows a password. It is written as Postgres writes it in pg_authid and as psql's \password sends it:
// SCRAM-SHA-256$iterations:salt$StoredKey:ServerKey. The zero Verifier is no password.
type Verifier struct{ stored scram.StoredCredentials }

// New makes the verifier of a password, with a salt of its own.
func New(plain string) (Verifier, error) {
	salt := make([]byte, saltBytes)
	if _, err := rand.Read(salt); err != nil {
		return Verifier{}, err
	}
	c, err := scram.SHA256.NewClient("", plain, "")
	if err != nil { // SASLprep does not allow it: then its bytes count, for clients as for servers
		if c, err = scram.SHA256.NewClientUnprepped("", plain, ""); err != nil {
			return Verifier{}, err
		}
	}
	stored, err := c.GetStoredCredentialsWithError(scram.KeyFactors{Salt: string(salt), Iters: iterations})
	return Verifier{stored}, err
}

// Parse reads a written verifier; ok is false if text is none, but a password or something else.
func Parse(text string) (v Verifier, ok bool) {
	parts := strings.Split(text, "$")
	if len(parts) != 3 || parts[0] != scheme {
		return Verifier{}, false
	}
	count, salt, ok1 := strings.Cut(parts[1], ":")
	storedKey, serverKey, ok2 := strings.Cut(parts[2], ":")
	n, err := strconv.Atoi(count)
	if !ok1 || !ok2 || err != nil || n < 1 || n > iterationsMax {
		return Verifier{}, false
	}
	keys := make([][]byte, 3)
	for i, s := range []string{salt, storedKey, serverKey} {
		if keys[i], err = base64.StdEncoding.DecodeString(s); err != nil {
			return Verifier{}, false
		}
	}
	if len(keys[0]) == 0 || len(keys[1]) != sha256.Size || len(keys[2]) != sha256.Size {
		return Verifier{}, false
	}
	v.stored = scram.StoredCredentials{KeyFactors: scram.KeyFactors{Salt: string(keys[0]), Iters: n}, StoredKey: keys[1], ServerKey: keys[2]}
	return v, true
}

// Nobody is the verifier that no password satisfies, for a user that does not exist or has no password: a client learns from its salt, which
// is the same whenever he asks, no more than from that of any other user. secret is the server's own.
func Nobody(user string, secret []byte) Verifier {
	derive := func(what string) []byte {
		m := hmac.New(sha256.New, secret)
		fmt.Fprintf(m, "%s %s", what, user)
		return m.Sum(nil)
	}
	return Verifier{scram.StoredCredentials{
		KeyFactors: scram.KeyFactors{Salt: string(derive("salt")[:saltBytes]), Iters: iterations},
		StoredKey:  derive("stored key"), ServerKey: derive("server key"),
	}}
}

// IsZero reports that there is no password.
func (v Verifier) IsZero() bool { return v.stored.StoredKey == nil }

// String writes the verifier, "" if there is no password.
func (v Verifier) String() string {
	if v.IsZero() {
		return ""
	}
	b64 := func(b []byte) string { return base64.StdEncoding.EncodeToString(b) }
	return fmt.Sprintf("%s$%d:%s$%s:%s", scheme, v.stored.Iters, b64([]byte(v.stored.Salt)), b64(v.stored.StoredKey), b64(v.stored.ServerKey))
}
