package expr

// regexCache keeps the last patterns of one call; nearly always there is one constant. It holds at most
// regexCacheMax, enough for a CASE-like table of patterns joined to rows, and starts anew when full.
type regexCache struct {
	byText map[string]*regex
	flags  regexFlags
}

const regexCacheMax = 32

func (c *regexCache) get(pattern []byte) (*regex, error) {
	if re := c.byText[string(pattern)]; re != nil {
		return re, nil
	}
	re, err := compileRegex(string(pattern), c.flags)
	if err != nil {
		return nil, err
	}
	if c.byText == nil || len(c.byText) >= regexCacheMax {
		c.byText = map[string]*regex{}
	}
	c.byText[string(pattern)] = re
	return re, nil
}

// flagged is a cache for patterns whose options are an argument too.
type flagged struct {
	letters string
	cache   *regexCache
}

func (f *flagged) get(pattern, letters []byte, allowGlobal bool) (*regex, regexFlags, error) {
	if f.cache == nil || f.letters != string(letters) {
		c := &regexCache{}
		if err := c.flags.parse(string(letters), allowGlobal); err != nil {
			return nil, c.flags, err
		}
		f.letters, f.cache = string(letters), c
	}
	re, err := f.cache.get(pattern)
	return re, f.cache.flags, err
}
