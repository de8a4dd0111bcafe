package types

import "testing"

// Zero has no digits after the point, whatever its sign.
func TestDecimalFromFloatZero(t *testing.T) {
	negative := 0.0
	for _, x := range []float64{0, -negative, 1e-300 * 1e-300} {
		if got := DecimalFromFloat64(x).String(); got != "0" {
			t.Errorf("%v is %s", x, got)
		}
	}
}
