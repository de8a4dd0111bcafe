package exec_test

import (
	"fmt"
	"testing"

	"wmsql/exec"
)

// TestScan_Range counts the rows that a scan reads: conditions on the leading key columns narrow them.
func TestScan_Range(t *testing.T) {
	w := newWorld(t, 4096, 2, false)
	var rows string
	for i := range 1000 {
		rows += fmt.Sprintf("%d | %d\n", i, i%7)
	}
	if err := w.createTable("CREATE TABLE t (id INT PRIMARY KEY, v INT)", rows); err != nil {
		t.Fatal(err)
	}
	w.cache = exec.NewCache(1 << 20)
	for _, c := range []struct {
		where, how string
		read, rows int
	}{
		{"id = 7", "one key", 1, 1},
		{"id = 7 AND v = 1", "one key", 1, 0},
		{"id = 5000", "one key", 0, 0},
		{"id = 7 - 1", "one key", 1, 1},
		{"id = 7::bigint", "one key", 1, 1},
		{"id = 3000000000", "one key", 0, 0},
		{"id >= 990::smallint AND 3000000000 > id", "a range of keys", 10, 10},
		{"id = 7.0", "all keys", 1000, 1},
		{"id >= 10 AND id < 20", "a range of keys", 10, 10},
		{"20 > id AND v = 3", "a range of keys", 20, 3},
		{"id > 10 AND id > 990", "a range of keys", 9, 9},
		{"id < 5 AND id > 10", "a range of keys", 0, 0},
		{"v = 3", "all keys", 1000, 143},
		{"id % 2 = 0", "all keys", 1000, 500},
		{"id = 1 OR id = 2", "all keys, cached columns", 1000, 2},
	} {
		for _, query := range []string{"SELECT id, v FROM t WHERE " + c.where, "SELECT id, v, count(*) FROM t WHERE " + c.where + " GROUP BY id, v"} {
			got, err := w.selectRows(query)
			if err != nil {
				t.Fatal(err)
			}
			s := w.scanned[0]
			if len(got) != c.rows || s.Rows != int64(c.read) || s.Relation != "t" {
				t.Errorf("%s: %d rows, read %d of %s, want %d and %d", query, len(got), s.Rows, s.Relation, c.rows, c.read)
			}
			if how := s.How; how != c.how && how != c.how+", cached columns" {
				t.Errorf("%s: %s, want %s", query, how, c.how)
			}
		}
	}
}

// TestScan_Varchar finds a key of varchar, which is compared as text.
func TestScan_Varchar(t *testing.T) {
	w := newWorld(t, 4096, 2, false)
	if err := w.createTable("CREATE TABLE t (name VARCHAR(10) PRIMARY KEY, v INT)", "a | 1\nb | 2\nc | 3\n"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		where, how string
		rows       int
	}{
		{"name = 'b'", "one key", 1},
		{"name = 'b '", "one key", 0},
		{"name = 'b'::text", "one key", 1},
		{"'b'::varchar < name", "a range of keys", 1},
		{"name::char(3) = 'b '", "all keys", 1},
	} {
		got, err := w.selectRows("SELECT v FROM t WHERE " + c.where)
		if err != nil {
			t.Fatal(err)
		}
		if how := w.scanned[0].How; len(got) != c.rows || how != c.how {
			t.Errorf("%s: %d rows, %s; want %d, %s", c.where, len(got), how, c.rows, c.how)
		}
	}
}
