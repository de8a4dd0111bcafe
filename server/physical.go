package server

import (
	"wmsql/catalog"
	"wmsql/types"
)

// physicalOrd turns an ordinal of a relation's columns into one of its physical columns.
func physicalOrd(cols []catalog.Column, ord int) int {
	n := 0
	for _, c := range cols[:ord] {
		if c.Generated == "" {
			n++
		}
	}
	return n
}

func physicalOrds(cols []catalog.Column, ords []int) []int {
	out := make([]int, len(ords))
	for i, o := range ords {
		out[i] = physicalOrd(cols, o)
	}
	return out
}

// schemaOf is the row type of a relation.
func schemaOf(cols []catalog.Column) *types.Schema {
	s := &types.Schema{}
	for _, c := range cols {
		s.Fields = append(s.Fields, types.Field{Name: c.Name, Type: c.Type, NotNull: c.NotNull})
	}
	return s
}
