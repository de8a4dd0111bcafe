package exec_test

import (
	"fmt"
	"testing"
)

// A bounded join keeps as many rows in its fiftieth window as in its tenth; one that nothing frees keeps all.
func TestStreamJoin_StateStaysFlat(t *testing.T) {
	for _, c := range []struct {
		on   string
		flat bool
	}{
		{"ad = cad AND ct BETWEEN it AND it + INTERVAL '5' MINUTE", true},
		{"ct = it", true},
		{"ad = cad", false},
		{"ad = cad AND ct >= it", false},
	} {
		w := newWorld(t, 4096, 1, false)
		for _, s := range []string{
			"CREATE STREAM imp (ad INT, it TIMESTAMPTZ, WATERMARK FOR it AS it - INTERVAL '10' MINUTE)",
			"CREATE STREAM clk (cad INT, ct TIMESTAMPTZ, WATERMARK FOR ct AS ct - INTERVAL '10' MINUTE)"} {
			if err := w.createStream(s); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.createView("append", "SELECT ad, it, ct FROM imp JOIN clk ON "+c.on, 0); err != nil {
			t.Fatal(err)
		}
		var at [51]int64
		for i := range at {
			now := fmt.Sprintf("%02d:%02d", i*5/60, i*5%60)
			if _, err := w.run(map[string]string{"imp/0": fmt.Sprintf("%d | %s\n", i, now), "clk/0": fmt.Sprintf("%d | %s\n", i%7, now)}); err != nil {
				t.Fatal(err)
			}
			at[i] = w.query.Stats()[0].RowsTotal
		}
		if flat := at[50] == at[10]; flat != c.flat {
			t.Errorf("%s: %d rows after 10 windows, %d after 50", c.on, at[10], at[50])
		}
	}
}
