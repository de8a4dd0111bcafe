package types

// AppendDate appends a date in ISO form: 2026-03-01, 0044-03-15 BC, infinity.
func AppendDate(dst []byte, days int64) []byte {
	if isInfinite(days) {
		return appendInfinity(dst, days)
	}
	y, m, d := Civil(days)
	dst = appendYMD(dst, y, m, d)
	return appendEra(dst, y)
}

func appendInfinity(dst []byte, n int64) []byte {
	if n == int64(NegInfinity) {
		dst = append(dst, '-')
	}
	return append(dst, "infinity"...)
}

func appendYMD(dst []byte, y int64, m, d int) []byte {
	dst = appendYear(dst, y)
	dst = appendTwo(append(dst, '-'), m)
	return appendTwo(append(dst, '-'), d)
}

func appendEra(dst []byte, y int64) []byte {
	if y <= 0 {
		return append(dst, " BC"...)
	}
	return dst
}

func appendTwo(dst []byte, n int) []byte { return append(dst, '0'+byte(n/10), '0'+byte(n%10)) }

// AppendTime appends a time of day: 12:00:00, 12:00:00.5.
func AppendTime(dst []byte, us int64) []byte {
	dst = appendTwo(dst, int(us/MicrosPerHour))
	dst = appendTwo(append(dst, ':'), int(us/MicrosPerMinute%60))
	dst = appendTwo(append(dst, ':'), int(us/MicrosPerSecond%60))
	return appendFraction(dst, us%MicrosPerSecond)
}

// appendFraction appends microseconds as the shortest fraction of a second.
func appendFraction(dst []byte, us int64) []byte {
	if us == 0 {
		return dst
	}
	dst = append(dst, '.')
	for unit := MicrosPerSecond / 10; us != 0; unit /= 10 {
		dst = append(dst, '0'+byte(us/unit))
		us %= unit
	}
	return dst
}

// AppendTimestamp appends a timestamp without time zone: 2026-03-01 12:00:00.5.
func AppendTimestamp(dst []byte, us int64) []byte {
	if isInfinite(us) {
		return appendInfinity(dst, us)
	}
	days, ofDay := SplitMicros(us)
	y, m, d := Civil(days)
	dst = append(appendYMD(dst, y, m, d), ' ')
	return appendEra(AppendTime(dst, ofDay), y)
}

// AppendTimestampTZ appends a timestamp with time zone, local to f's zone: 2026-03-01 12:00:00+00.
func AppendTimestampTZ(dst []byte, us int64, f *Format) []byte {
	if isInfinite(us) {
		return appendInfinity(dst, us)
	}
	off := offsetAt(f.Zone, floorDiv64(us, MicrosPerSecond))
	days, ofDay := SplitMicros(us + off*MicrosPerSecond)
	y, m, d := Civil(days)
	dst = append(appendYMD(dst, y, m, d), ' ')
	return appendEra(appendOffset(AppendTime(dst, ofDay), int(off)), y)
}

// appendOffset appends seconds east of Greenwich as +hh, +hh:mm or +hh:mm:ss.
func appendOffset(dst []byte, seconds int) []byte {
	sign := byte('+')
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	dst = appendTwo(append(dst, sign), seconds/3600)
	if seconds%3600 != 0 {
		dst = appendTwo(append(dst, ':'), seconds/60%60)
	}
	if seconds%60 != 0 {
		dst = appendTwo(append(dst, ':'), seconds%60)
	}
	return dst
}
