package types

import "math/big"

// Decimal is a Postgres numeric: an exact number with its display scale, or NaN, Infinity,
// -Infinity. The zero value is 0 with scale 0. Small values stay in coef; big is nil then.
type Decimal struct {
	coef  int64
	big   *big.Int
	scale int32
	form  uint8 // 0 finite, 1 NaN, 2 Infinity, 3 -Infinity
}
