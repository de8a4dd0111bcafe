package stream

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"

	"wmsql/catalog"
	"wmsql/physicalplan"
	"wmsql/sqlerr"
	"wmsql/state"
)

// progressKept is about how many progress rows a query keeps, trimmed every progressTrim epochs.
const (
	progressKept = 1000
	progressTrim = 100
)

func progressKey(epoch int64) []byte {
	return binary.BigEndian.AppendUint64(nil, uint64(epoch))
}

// putProgress stores the progress row of an epoch.
func putProgress(txn state.Txn, query catalog.ID, p *Progress) error {
	v, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("progress of epoch %d: %w", p.Epoch, err)
	}
	txn.Put(state.Progress, uint32(query), progressKey(p.Epoch), v)
	if p.Epoch%progressTrim == 0 && p.Epoch > progressKept {
		txn.DeleteRange(state.Progress, uint32(query), nil, progressKey(p.Epoch-progressKept))
	}
	return nil
}

// ScanProgress calls f for the stored progress rows of a query, oldest first.
func ScanProgress(r state.Reader, query catalog.ID, f func(*Progress) bool) error {
	it, err := r.Iter(state.Progress, uint32(query), nil, nil, false)
	if err != nil {
		return err
	}
	var bad error
	for it.Next() {
		p, err := parseProgress(it.Value())
		if err != nil {
			bad = err
			break
		}
		if !f(&p) {
			break
		}
	}
	return firstOf(it.Close(), bad)
}

// lastProgress returns the newest stored progress, Epoch 0 if there is none.
func lastProgress(r state.Reader, query catalog.ID) (Progress, error) {
	it, err := r.Iter(state.Progress, uint32(query), nil, nil, true)
	if err != nil {
		return Progress{}, err
	}
	var p Progress
	var bad error
	if it.Next() {
		p, bad = parseProgress(it.Value())
	}
	return p, firstOf(it.Close(), bad)
}

func parseProgress(v []byte) (Progress, error) {
	var p Progress
	if err := json.Unmarshal(v, &p); err != nil {
		return Progress{}, sqlerr.Newf(sqlerr.DataCorrupted, "a stored progress row is damaged: %v", err)
	}
	return p, nil
}

// planText draws a plan, to tell later what was changed.
func planText(p *physicalplan.Plan) string {
	if p.Root == nil {
		return ""
	}
	return physicalplan.Format(p)
}

// firstDifference returns the first lines in which two drawings of plans differ.
func firstDifference(was, is string) (string, string) {
	a, b := strings.Split(strings.TrimSpace(was), "\n"), strings.Split(strings.TrimSpace(is), "\n")
	for i := range max(len(a), len(b)) {
		if x, y := lineAt(a, i), lineAt(b, i); x != y {
			return x, y
		}
	}
	return "another plan", "a plan of the same form"
}

func lineAt(lines []string, i int) string {
	if i >= len(lines) || lines[i] == "" {
		return "nothing in that place"
	}
	return strings.TrimSpace(lines[i])
}
