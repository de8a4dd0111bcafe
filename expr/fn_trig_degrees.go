package expr

import (
	"math"

	"wmsql/sqlerr"
)

// degreeFunctions are those on angles in degrees. Where the result is a round number they give it exactly.
func degreeFunctions() []*Function {
	one := func(name string, f func(float64) float64, inside func(float64) bool) *Function {
		return def(name+"(float8) float8", fn1e(func(v float64) (float64, error) {
			if v == v && !inside(v) {
				return 0, sqlerr.Newf(sqlerr.NumericOutOfRange, "input is out of range")
			}
			return f(v), nil
		}))
	}
	finite := func(v float64) bool { return !math.IsInf(v, 0) }
	unit := func(v float64) bool { return v >= -1 && v <= 1 }
	all := func(float64) bool { return true }
	return []*Function{
		one("sind", sinDegrees, finite), one("cosd", cosDegrees, finite),
		one("tand", func(v float64) float64 { return tangent(v, firstSin, firstCos) }, finite),
		one("cotd", func(v float64) float64 { return tangent(v, firstCos, firstSin) }, finite),
		one("asind", func(v float64) float64 { return exactAngle(math.Asin(v), v, 30) }, unit),
		one("acosd", func(v float64) float64 { return exactAngle(math.Acos(v), v, 60) }, unit),
		one("atand", func(v float64) float64 { return math.Atan(v) / (math.Pi / 4) * 45 }, all),
		def("atan2d(float8,float8) float8", fn2(func(y, x float64) float64 { return math.Atan2(y, x) / (math.Pi / 4) * 45 }), total),
	}
}

// radians turns degrees to radians at run time: a constant expression would be rounded once, at its end.
func radians(degrees float64) float64 { return degrees * (math.Pi / 180) }

// firstSin is the sine of an angle from 0 to 90 degrees, scaled so that 30 degrees gives exactly 0.5.
func firstSin(v float64) float64 {
	if v <= 30 {
		return math.Sin(radians(v)) / math.Sin(radians(30)) / 2
	}
	return firstCos60(90 - v)
}

// firstCos is the cosine, scaled so that 60 degrees gives exactly 0.5.
func firstCos(v float64) float64 {
	if v <= 60 {
		return firstCos60(v)
	}
	return firstSin(90 - v)
}

func firstCos60(v float64) float64 {
	return 1 - (1-math.Cos(radians(v)))/(1-math.Cos(radians(60)))/2
}

// quadrant reduces an angle to the first quadrant: x from 0 to 90 degrees, and which of sine and cosine change their sign.
func quadrant(v float64) (x, sin, cos float64) {
	x, sin, cos = math.Mod(v, 360), 1, 1
	if x < 0 {
		x, sin = -x, -1
	}
	if x > 180 {
		x, sin = 360-x, -sin
	}
	if x > 90 {
		x, cos = 180-x, -1
	}
	return x, sin, cos
}

func sinDegrees(v float64) float64 {
	x, sign, _ := quadrant(v)
	return sign * firstSin(x)
}

func cosDegrees(v float64) float64 {
	x, _, sign := quadrant(v)
	return sign * firstCos(x)
}

// tangent is the tangent, or with the functions exchanged the cotangent, scaled so that 45 degrees gives exactly 1; never -0.
func tangent(v float64, above, below func(float64) float64) float64 {
	x, sin, cos := quadrant(v)
	r := sin * cos * (above(x) / below(x) / (above(45) / below(45)))
	if r == 0 {
		return 0
	}
	return r
}

// exactAngle turns an angle in radians to degrees, so that the sine or cosine of half gives the round angle.
func exactAngle(rad, v, half float64) float64 {
	switch v {
	case 0.5:
		return half
	case -0.5:
		if half == 30 {
			return -30
		}
		return 120
	case 1, 0, -1:
		return math.Round(rad / math.Pi * 180)
	}
	return rad / math.Pi * 180
}
