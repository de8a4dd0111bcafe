package sqlerr

import "testing"

func TestNearest(t *testing.T) {
	names := []string{"topic", "brokers", "format", "timestamp_format"}
	for in, want := range map[string]string{"topc": "topic", "TOPIC": "topic", "broker": "brokers", "timestamp_fromat": "timestamp_format", "x": "", "colour": "", "tpoic": "topic"} {
		if got := Nearest(in, names); got != want {
			t.Errorf("Nearest(%q) is %q, want %q", in, got, want)
		}
	}
}
