package datagen

// hash mixes a seed, a column and a row into 64 random bits (the finalizer of SplitMix64 over their sum): any row can be
// made without the rows before it.
func hash(seed, column, row uint64) uint64 {
	x := seed*0x9e3779b97f4a7c15 + column*0xbf58476d1ce4e5b9 + row*0x94d049bb133111eb + 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// unit turns random bits into a number in [0, 1).
func unit(h uint64) float64 { return float64(h>>11) / (1 << 53) }

// below turns random bits into a number in [0, n).
func below(h uint64, n int64) int64 { return int64(unit(h) * float64(n)) }
