package pgwire

// csvSplitter: a newline inside quotes is data. It keeps its state between calls for one record.
type csvSplitter struct {
	spec   *copySpec
	quoted bool
	// escaped: the last byte seen was an escape inside quotes, whose partner has not come.
	escaped bool
}

func (s *csvSplitter) next(data []byte, from int) int {
	if from == 0 {
		s.quoted, s.escaped = false, false
	}
	for k := from; k < len(data); k++ {
		c := data[k]
		switch {
		case s.escaped:
			s.escaped = false
			if c != s.spec.quote && c != s.spec.escape {
				k-- // it escaped nothing
			}
		case s.quoted && c == s.spec.escape && s.spec.escape != s.spec.quote:
			s.escaped = true
		case c == s.spec.quote:
			s.quoted = !s.quoted // a doubled quote is two turns
		case c == '\n' && !s.quoted:
			return k
		}
	}
	return -1
}

// csvFields reads fields of the csv format. Quotes may begin inside a field, as in Postgres.
type csvFields struct{ buf []byte }

func (t *csvFields) each(p *copySpec, rec []byte, f func(k int, raw, value []byte, quoted bool) error) error {
	if len(p.schema.Fields) == 0 && len(rec) == 0 {
		return nil
	}
	for k := 0; ; k++ {
		end, quoted, err := t.field(p, rec)
		if err != nil {
			return err
		}
		value := rec[:end]
		if quoted {
			value = t.buf
		}
		// What stood in quotes is compared with NULL's text without them.
		if err := f(k, value, value, quoted); err != nil {
			return err
		}
		if end == len(rec) {
			return nil
		}
		rec = rec[end+1:]
	}
}

// field finds the end of the first field; if there are quotes in it, its value is in t.buf.
func (t *csvFields) field(p *copySpec, rec []byte) (end int, quoted bool, err error) {
	t.buf = t.buf[:0]
	inside := false
	for k := 0; k < len(rec); k++ {
		c := rec[k]
		switch {
		case !inside && c == p.delim:
			return k, quoted, nil
		case !inside && c == '\r':
			return 0, false, p.literal(false)
		case !inside && c == p.quote:
			if !quoted {
				t.buf = append(t.buf, rec[:k]...)
			}
			inside, quoted = true, true
			continue
		case inside && c == p.escape && k+1 < len(rec) && (rec[k+1] == p.quote || rec[k+1] == p.escape):
			k++
			t.buf = append(t.buf, rec[k])
			continue
		case inside && c == p.quote:
			inside = false
			continue
		}
		if quoted {
			t.buf = append(t.buf, c)
		}
	}
	return len(rec), quoted, nil
}
