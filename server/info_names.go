package server

import (
	"context"
	"strconv"

	"wmsql/catalog"
)

func infoCatalogName(_ context.Context, _ *Session, out *rowSet) error {
	out.putKnown("catalog_name", catalog.Database)
	return nil
}

func infoCharacterSets(_ context.Context, _ *Session, out *rowSet) error {
	out.putKnown("character_set_name", "UTF8", "character_repertoire", "UCS", "form_of_use", "UTF8",
		"default_collate_catalog", catalog.Database, "default_collate_schema", "pg_catalog", "default_collate_name", "C")
	return nil
}

func infoCollations(_ context.Context, _ *Session, out *rowSet) error {
	for _, c := range pgCollations() {
		out.putKnown("collation_catalog", catalog.Database, "collation_schema", "pg_catalog", "collation_name", c.name, "pad_attribute", "NO PAD")
	}
	return nil
}

func infoCollationSets(_ context.Context, _ *Session, out *rowSet) error {
	for _, c := range pgCollations() {
		out.putKnown("collation_catalog", catalog.Database, "collation_schema", "pg_catalog", "collation_name", c.name, "character_set_name", "UTF8")
	}
	return nil
}

func infoColumnUDTUsage(_ context.Context, s *Session, out *rowSet) error {
	s.named(func(schema, name string, columns []catalog.Column) {
		for _, c := range columns {
			out.putKnown("udt_catalog", catalog.Database, "udt_schema", "pg_catalog", "udt_name", udtName(c.Type), "table_catalog", catalog.Database,
				"table_schema", schema, "table_name", name, "column_name", c.Name)
		}
	})
	return nil
}

// infoElementTypes shows what the columns of array type are arrays of.
func infoElementTypes(_ context.Context, s *Session, out *rowSet) error {
	s.named(func(schema, name string, columns []catalog.Column) {
		for i, c := range columns {
			if c.Type.Array {
				n := strconv.Itoa(i + 1)
				out.putKnown("object_catalog", catalog.Database, "object_schema", schema, "object_name", name, "object_type", "TABLE",
					"collection_type_identifier", n, "data_type", dataType(c.Type.Elem()), "udt_catalog", catalog.Database, "udt_schema", "pg_catalog",
					"udt_name", udtName(c.Type.Elem()), "dtd_identifier", "a"+n)
			}
		}
	})
	return nil
}
