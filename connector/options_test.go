package connector

import (
	"testing"
	"time"
)

func TestOptions(t *testing.T) {
	o := NewOptions(Spec{Options: map[string]string{"idle_timeout": "1 minute", "d": "1 month 2 days 00:00:03", "n": "12", "b": "on", "w": "Two", "t": "2026-01-01"}},
		[]string{"d", "n", "b", "w", "t"})
	at, ok := o.Time("t")
	if d := o.Duration("d", 0); d != 33*24*time.Hour+3*time.Second || o.Int("n", 0, 0, 20) != 12 || !o.Bool("b", false) || o.OneOf("w", "one", "two") != 1 ||
		!ok || at.Time().Year() != 2026 || o.Text("none", "def") != "def" || o.Err() != nil {
		t.Errorf("%v, %v, %v", d, at, o.Err())
	}
	o.Int("n", 0, 0, 11)
	o.Bool("w", false)
	if err := o.Err(); err == nil || err.Error() != `invalid value for option "n": "12"` {
		t.Errorf("%v is not the first fault", err)
	}
}

func TestRegistry(t *testing.T) {
	_, err := Registry{"kafka": {}, "file": {}}.Lookup("kafak")
	if err == nil || err.Msg != `unknown connector "kafak"` || err.Hint != "Connectors are file, kafka. Without the option the stream is internal." {
		t.Errorf("%v, %s", err, err.Hint)
	}
}

func TestTakesOption(t *testing.T) {
	if known := []string{"rows", "fields."}; !TakesOption(known, "rows") || !TakesOption(known, "fields.a.min") || TakesOption(known, "rowsx") || TakesOption(known, "field") {
		t.Error("names and prefixes are mixed up")
	}
}
