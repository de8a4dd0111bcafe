package expr

import (
	"bytes"
	"cmp"

	"wmsql/types"
)

// jsonRank orders the types of jsonb: null, string, number, boolean, array, object.
func jsonRank(b []byte) int {
	switch b[0] {
	case 'n':
		return 0
	case '"':
		return 1
	case 't', 'f':
		return 3
	case '[':
		return 4
	case '{':
		return 5
	}
	return 2
}

// compareJSON orders two jsonb values as Postgres does: by type, then containers by their size, then value by value. An empty
// array that is not within another value comes before everything.
func compareJSON(a, b []byte) int {
	ra, rb := jsonRank(a), jsonRank(b)
	if ra != rb {
		if ra == 4 && jsonCount(a) == 0 {
			return -1
		}
		if rb == 4 && jsonCount(b) == 0 {
			return 1
		}
	}
	return compareWithin(a, b)
}

// compareWithin orders two values that lie within others.
func compareWithin(a, b []byte) int {
	ra, rb := jsonRank(a), jsonRank(b)
	if ra != rb {
		return cmp.Compare(ra, rb)
	}
	switch ra {
	case 1:
		x, errA := jsonUnquote(a)
		y, errB := jsonUnquote(b)
		if errA != nil || errB != nil {
			return bytes.Compare(a, b)
		}
		return bytes.Compare(x, y)
	case 2:
		return jsonNumber(a).Cmp(jsonNumber(b))
	case 3:
		return cmp.Compare(a[0], b[0]) // f before t
	case 4, 5:
		return compareContainers(a, b)
	}
	return 0
}

func jsonNumber(b []byte) types.Decimal {
	d, err := types.ParseDecimal(string(b))
	if err != nil {
		panic("expr: a number of jsonb is none: " + string(b))
	}
	return d
}

func compareContainers(a, b []byte) int {
	if c := cmp.Compare(jsonCount(a), jsonCount(b)); c != 0 {
		return c
	}
	type pair struct{ key, value []byte }
	var other []pair
	jsonItems(b, func(k, v []byte) bool { other = append(other, pair{k, v}); return true })
	order, at := 0, 0
	jsonItems(a, func(k, v []byte) bool {
		if k != nil {
			order = compareWithin(k, other[at].key)
		}
		if order == 0 {
			order = compareWithin(v, other[at].value)
		}
		at++
		return order == 0
	})
	return order
}

// jsonContains is @>: every key and element of b is in a, at the same place. An array contains a scalar that is in it.
func jsonContains(a, b []byte, top bool) bool {
	ra, rb := jsonRank(a), jsonRank(b)
	if top && ra == 4 && rb < 4 {
		return jsonHasElement(a, b)
	}
	if ra != rb {
		return false
	}
	ok := true
	switch ra {
	case 4:
		jsonItems(b, func(_, v []byte) bool { ok = jsonHasElement(a, v); return ok })
		return ok
	case 5:
		jsonItems(b, func(k, v []byte) bool {
			name, err := jsonUnquote(k)
			mine := jsonField(a, name)
			ok = err == nil && mine != nil && jsonContains(mine, v, false)
			return ok
		})
		return ok
	}
	return compareJSON(a, b) == 0
}

func jsonHasElement(a, v []byte) bool {
	found := false
	jsonItems(a, func(_, x []byte) bool {
		found = jsonContains(x, v, false)
		return !found
	})
	return found
}

// jsonHasKey is ?: key is a key of the object, a string of the array, or the string itself.
func jsonHasKey(b, key []byte) bool {
	found := false
	equal := func(quoted []byte) bool {
		s, err := jsonUnquote(quoted)
		return err == nil && bytes.Equal(s, key)
	}
	switch b[0] {
	case '{', '[':
		jsonItems(b, func(k, v []byte) bool {
			if k == nil {
				k = v
			}
			found = k[0] == '"' && equal(k)
			return !found
		})
	case '"':
		found = equal(b)
	}
	return found
}
