package pgwire

import "wmsql/sqlerr"

// header reads the first record under HEADER: it is skipped, or with HEADER MATCH has to name the columns in their order.
func (r *lineReader) header(rec []byte) error {
	if !r.spec.match {
		return nil
	}
	columns := r.spec.schema.Fields
	var names []string
	var nulls []bool
	err := r.fields.each(r.spec, rec, func(_ int, raw, value []byte, quoted bool) error {
		names = append(names, string(value))
		nulls = append(nulls, !quoted && string(raw) == string(r.spec.null))
		return nil
	})
	if err != nil {
		return r.where(sqlerr.From(err), r.excerpt(rec))
	}
	if len(names) != len(columns) {
		return r.where(sqlerr.Newf(sqlerr.BadCopyFormat, "wrong number of fields in header line: got %d, expected %d", len(names), len(columns)), r.excerpt(rec))
	}
	for i, name := range names {
		got := `"` + name + `"`
		switch {
		case nulls[i]:
			got = `null value ("` + string(r.spec.null) + `")`
		case name == columns[i].Name:
			continue
		}
		return r.where(sqlerr.Newf(sqlerr.BadCopyFormat, "column name mismatch in header line field %d: got %s, expected %q", i+1, got, columns[i].Name), r.excerpt(rec))
	}
	return nil
}
