package types

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

// icuCollations lists the collations that Postgres 15 takes from ICU: oid and locale, a line each. Their names are the locale's with -x-icu.
//
//go:embed icu_collations.txt
var icuCollations string

// Collation is an order of texts other than that of their bytes, which is 0: a number of a line of the list above, from 1.
type Collation uint16

// icuSuffix ends the names of ICU's collations.
const icuSuffix = "-x-icu"

type icuCollation struct {
	oid    uint32
	locale string
}

type collationList struct {
	all    []icuCollation
	byName map[string]Collation // by locale
}

var allCollations = sync.OnceValue(func() *collationList {
	out := &collationList{byName: map[string]Collation{}}
	for line := range strings.Lines(icuCollations) {
		oid, locale, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.ParseUint(oid, 10, 32)
		if err != nil {
			panic("types: bad line in icu_collations.txt: " + line)
		}
		out.all = append(out.all, icuCollation{uint32(n), locale})
		out.byName[locale] = Collation(len(out.all))
	}
	return out
})

// Collations are all there are beside the order of bytes.
func Collations() []Collation {
	out := make([]Collation, len(allCollations().all))
	for i := range out {
		out[i] = Collation(i + 1)
	}
	return out
}

// CollationByName finds a collation: 0 for the names of the order of bytes.
func CollationByName(name string) (c Collation, ok bool) {
	switch name {
	case "C", "POSIX", "default", "ucs_basic", "C.utf8", "C.UTF-8":
		return 0, true
	}
	locale, icu := strings.CutSuffix(name, icuSuffix)
	c, ok = allCollations().byName[locale]
	return c, ok && icu
}

// Locale is the collation's language tag; "" for the order of bytes.
func (c Collation) Locale() string {
	if c == 0 {
		return ""
	}
	return allCollations().all[c-1].locale
}

// Name is pg_collation.collname.
func (c Collation) Name() string {
	if c == 0 {
		return "default"
	}
	return c.Locale() + icuSuffix
}

// OID is the collation's Postgres object id.
func (c Collation) OID() uint32 {
	if c == 0 {
		return 100
	}
	return allCollations().all[c-1].oid
}
