package sql

import "strings"

// wordClass says where Postgres lets a word stand as a name.
type wordClass uint8

const (
	plain    wordClass = iota // no keyword, or an unreserved one: a name anywhere
	colName                   // a column or table name, but no function or type of its own
	funcName                  // a function or type name, but no column or table
	reserved                  // a name only after AS or a dot
)

// keywordClass holds the keywords of Postgres 15 that are not free names.
var keywordClass = classes(map[wordClass]string{
	colName: `between bigint bit boolean char character coalesce dec decimal exists extract float greatest
		grouping inout int integer interval least national nchar none normalize nullif numeric out overlay
		position precision real row setof smallint substring time timestamp treat trim values varchar
		xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot
		xmlserialize xmltable`,
	funcName: `authorization binary collation concurrently cross current_schema freeze full ilike inner is
		isnull join left like natural notnull outer overlaps right similar tablesample verbose`,
	reserved: `all analyse analyze and any array as asc asymmetric both case cast check collate column
		constraint create current_catalog current_date current_role current_time current_timestamp
		current_user default deferrable desc distinct do else end except false fetch for foreign from grant
		group having in initially intersect into lateral leading limit localtime localtimestamp not null
		offset on only or order placing primary references returning select session_user some symmetric
		table then to trailing true union unique user using variadic when where window with`,
})

// notBareLabel holds the words that name a result column only after AS, although they are no
// reserved words or are reserved with that restriction.
var notBareLabel = wordSet(`array as char character create day except fetch filter for from grant group
	having hour intersect into isnull limit minute month notnull offset on order over overlaps precision
	returning second to union varying where window with within without year`)

// sqlValueFuncs are the functions that Postgres calls without parentheses.
var sqlValueFuncs = wordSet(`current_catalog current_date current_role current_schema current_time
	current_timestamp current_user localtime localtimestamp session_user user`)

func classes(lists map[wordClass]string) map[string]wordClass {
	m := make(map[string]wordClass, 128)
	for class, words := range lists {
		for _, w := range strings.Fields(words) {
			m[w] = class
		}
	}
	return m
}

func wordSet(words string) map[string]bool {
	m := make(map[string]bool, 64)
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// isColID says whether the token may name a column, a table or an alias.
func (t token) isColID() bool {
	return t.kind == tokIdent || t.kind == tokWord && keywordClass[t.text] <= colName
}

// isTypeFuncName says whether the token may name a function or a type.
func (t token) isTypeFuncName() bool {
	if t.kind == tokIdent {
		return true
	}
	class := keywordClass[t.text]
	return t.kind == tokWord && (class == plain || class == funcName)
}

// isLabel says whether the token may stand after AS or after a dot.
func (t token) isLabel() bool { return t.kind == tokIdent || t.kind == tokWord }

// isBareLabel says whether the token names a result column without AS.
func (t token) isBareLabel() bool {
	return t.kind == tokIdent || t.kind == tokWord && !notBareLabel[t.text]
}
