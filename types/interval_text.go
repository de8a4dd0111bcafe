package types

import "strconv"

// AppendInterval appends an interval in IntervalStyle postgres: 1 year 2 mons -3 days +04:05:06.7.
func AppendInterval(dst []byte, v IntervalValue) []byte {
	w := intervalWriter{dst: dst, start: len(dst)}
	w.part(int64(v.Months/monthsPerYear), "year")
	w.part(int64(v.Months%monthsPerYear), "mon")
	w.part(int64(v.Days), "day")
	if v.Micros == 0 && len(w.dst) > w.start {
		return w.dst
	}
	if len(w.dst) > w.start {
		w.dst = append(w.dst, ' ')
	}
	if v.Micros < 0 {
		w.dst = append(w.dst, '-')
	} else if w.negative {
		w.dst = append(w.dst, '+')
	}
	us := absInt64(v.Micros)
	if h := us / uint64(MicrosPerHour); h < 10 {
		w.dst = append(w.dst, '0', '0'+byte(h))
	} else {
		w.dst = strconv.AppendUint(w.dst, h, 10)
	}
	ofHour := int64(us % uint64(MicrosPerHour))
	w.dst = appendTwo(append(w.dst, ':'), int(ofHour/MicrosPerMinute))
	w.dst = appendTwo(append(w.dst, ':'), int(ofHour/MicrosPerSecond%60))
	return appendFraction(w.dst, ofHour%MicrosPerSecond)
}

// intervalWriter remembers whether the part before was negative: the next positive one then has a plus.
type intervalWriter struct {
	dst      []byte
	start    int
	negative bool
}

func (w *intervalWriter) part(n int64, unit string) {
	if n == 0 {
		return
	}
	if len(w.dst) > w.start {
		w.dst = append(w.dst, ' ')
	}
	if w.negative && n > 0 {
		w.dst = append(w.dst, '+')
	}
	w.dst = strconv.AppendInt(w.dst, n, 10)
	w.dst = append(append(w.dst, ' '), unit...)
	if n != 1 {
		w.dst = append(w.dst, 's')
	}
	w.negative = n < 0
}

// String returns the interval as Postgres writes it.
func (v IntervalValue) String() string { return string(AppendInterval(nil, v)) }
