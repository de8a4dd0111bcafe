package expr

import (
	"strings"

	"wmsql/sqlerr"
	"wmsql/types"
)

// sizeUnits are the units of pg_size_bytes, as powers of 1,024.
var sizeUnits = []string{"bytes", "kb", "mb", "gb", "tb", "pb"}

// sizeBytes is pg_size_bytes: a number, with a fraction perhaps, and a unit perhaps.
func sizeBytes(text []byte) (int64, error) {
	s := strings.TrimSpace(string(text))
	end := numberEnd(s)
	n, err := types.ParseDecimal(s[:end])
	if err != nil || end == 0 {
		return 0, sqlerr.Newf(sqlerr.InvalidParameterValue, "invalid size: \"%s\"", text)
	}
	unit := strings.ToLower(strings.TrimSpace(s[end:]))
	for power, name := range sizeUnits {
		if unit == name || unit == "" || unit == "b" {
			n, err = n.Mul(types.DecimalFromInt64(1 << (10 * power)))
			if err != nil {
				return 0, err
			}
			return n.ToInt(types.Int8)
		}
	}
	return 0, sqlerr.Newf(sqlerr.InvalidParameterValue, "invalid size: \"%s\"", text).
		WithDetail("Invalid size unit: \"%s\".", strings.TrimSpace(s[end:])).
		WithHint("Valid units are \"bytes\", \"kB\", \"MB\", \"GB\", \"TB\", and \"PB\".")
}

// numberEnd is where the number ends that s begins with.
func numberEnd(s string) int {
	end := 0
	for end < len(s) && strings.IndexByte("+-.0123456789", s[end]) >= 0 {
		end++
	}
	k := end + 1
	if k < len(s) && (s[k] == '+' || s[k] == '-') {
		k++
	}
	if end == 0 || k >= len(s) || s[end]|0x20 != 'e' || s[k] < '0' || s[k] > '9' {
		return end
	}
	for k < len(s) && s[k] >= '0' && s[k] <= '9' {
		k++
	}
	return k
}
