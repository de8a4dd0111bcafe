package types

import "testing"

// A limit of varchar or char counts characters; only blanks may be cut when a value is stored, all may by a cast.
func TestApplyLength(t *testing.T) {
	varchar3, char3 := Type{Kind: Varchar, Mod: 7}, Type{Kind: BPChar, Mod: 7}
	const tooLong = "value too long for type "
	for _, c := range []struct {
		s        string
		t        Type
		explicit bool
		want     string
	}{
		{"abc", varchar3, false, "abc"},
		{"abc  ", varchar3, false, "abc"},
		{"éèüa", varchar3, false, tooLong + "character varying(3)"},
		{"éèüa", varchar3, true, "éèü"},
		{"a", char3, false, "a  "},
		{"abcd", char3, false, tooLong + "character(3)"},
		{"abcd", char3, true, "abc"},
		{"abcd", Of(Text), false, "abcd"},
	} {
		got, err := ApplyLength(c.s, c.t, c.explicit)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q as %s, explicit %v: %q, want %q", c.s, c.t, c.explicit, got, c.want)
		}
	}
}
