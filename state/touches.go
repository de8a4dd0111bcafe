package state

import "bytes"

// Span is the keys of [Lo, Hi) of an object; Hi nil: to its end.
type Span struct{ Lo, Hi []byte }

const (
	spansMax   = 64 // of a commit and a result; beyond, one span that covers all
	touchesMax = 64 // of a result that are remembered
)

// touched is what one transaction changes in one result: the spans that it names one by one, or, when they are too many, one that has all.
type touched struct {
	object uint32
	spans  []Span
	wide   bool // spans is that one
}

// add notes a change of [lo, hi); hi nil: to the object's end. The slices are not kept.
func (t *touched) add(lo, hi []byte) {
	if !t.wide && len(t.spans) < spansMax {
		t.spans = append(t.spans, Span{clone(lo), clone(hi)})
		return
	}
	if !t.wide {
		all := t.spans[0]
		for _, s := range t.spans[1:] {
			all.widen(s.Lo, s.Hi)
		}
		t.spans, t.wide = []Span{all}, true
	}
	t.spans[0].widen(lo, hi)
}

// addKey notes a change of one key.
func (t *touched) addKey(key []byte) {
	if t.wide && t.spans[0].has(key) {
		return // mostly, in a large transaction
	}
	t.add(key, append(bytes.Clone(key), 0))
}

func (s *Span) has(key []byte) bool {
	return bytes.Compare(key, s.Lo) >= 0 && (s.Hi == nil || bytes.Compare(key, s.Hi) < 0)
}

// widen makes s cover [lo, hi) too.
func (s *Span) widen(lo, hi []byte) {
	if bytes.Compare(lo, s.Lo) < 0 {
		s.Lo = clone(lo)
	}
	if s.Hi != nil && (hi == nil || bytes.Compare(hi, s.Hi) > 0) {
		s.Hi = clone(hi)
	}
}

// clone copies b; nil stays nil.
func clone(b []byte) []byte {
	if b == nil {
		return nil
	}
	return append([]byte{}, b...)
}

// history is the commits that may have changed one result since the store was opened.
type history struct {
	last    uint64  // the newest
	recent  []touch // oldest first; each stands for one commit or for several that follow each other
	open    int     // of those that have begun, how many cannot be seen yet
	storing bool    // columns of the result are being stored, and no commit begins
}

// touch is what the commits up to one have touched.
type touch struct {
	commit uint64
	touched
}

func (h *history) add(commit uint64, t touched) {
	h.last = commit
	h.recent = append(h.recent, touch{commit, t})
	if len(h.recent) > touchesMax {
		h.halve()
	}
}

// halve makes one touch of each two.
func (h *history) halve() {
	kept := h.recent[:0]
	for i, t := range h.recent {
		if i%2 == 0 {
			kept = append(kept, t)
			continue
		}
		last := &kept[len(kept)-1]
		last.commit = t.commit
		for _, s := range t.spans {
			last.add(s.Lo, s.Hi)
		}
	}
	h.recent = kept
}

// since returns spans in which all lies that the commits after one have touched.
func (h *history) since(commit uint64) (spans []Span) {
	for _, t := range h.recent {
		if t.commit > commit {
			spans = append(spans, t.spans...)
		}
	}
	return spans
}
