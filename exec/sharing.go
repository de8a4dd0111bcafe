package exec

import (
	"wmsql/logicalplan"
	"wmsql/physicalplan"
)

// sharing is what the copies of a pipeline share: the aggregate above has one for each worker. A scan hands each block or piece to one copy.
// The right side of a join is read once.
type sharing struct {
	copy  int // that is built now, the first is 0
	of    int // so many
	scans map[*physicalplan.TableScan]*scanShare
	joins map[*physicalplan.HashJoin]*joinBuild
}

func newSharing(copies int) *sharing {
	return &sharing{of: copies, scans: map[*physicalplan.TableScan]*scanShare{}, joins: map[*physicalplan.HashJoin]*joinBuild{}}
}

// scanShare returns what the copies of a scan share, and whether this is the first of them.
func (b *builder) scanShare(n *physicalplan.TableScan) (share *scanShare, first bool) {
	s := b.sharing
	if s != nil && s.copy > 0 {
		return s.scans[n], false
	}
	share = &scanShare{node: n, copies: 1}
	b.q.scans = append(b.q.scans, share)
	if s != nil {
		share.copies = s.of
		s.scans[n] = share
	}
	return share, true
}

// pipelines builds the operators of n as often as workers may run them at once.
func (b *builder) pipelines(n physicalplan.Node, parallel bool) ([]Operator, error) {
	around := b.sharing
	defer func() { b.sharing = around }()
	b.sharing = nil
	copies := 1
	if parallel && b.env.Query == 0 && b.outer == nil && len(b.rounds) == 0 && splits(n) {
		copies = max(1, b.env.Workers)
		b.sharing = newSharing(copies)
	}
	var out []Operator
	for i := range copies {
		if b.sharing != nil {
			b.sharing.copy = i
		}
		op, err := b.build(n)
		if err != nil {
			return nil, err
		}
		out = append(out, op)
	}
	return out, nil
}

// splits reports whether copies of n can share its rows, and compute what they need at the same time.
func splits(n physicalplan.Node) bool {
	switch n := n.(type) {
	case *physicalplan.TableScan:
		return true
	case *physicalplan.Project:
		return !depends(n.Exprs) && splits(n.Input)
	case *physicalplan.Filter:
		return !n.Retract && !n.Corrects && !depends(n.Conds) && splits(n.Input)
	case *physicalplan.Expand:
		return splits(n.Input)
	case *physicalplan.HashJoin:
		return n.Kind != logicalplan.FullJoin && len(n.L) > 0 && !depends(n.L) && !depends(n.R) && !depends(n.On) && splits(n.Left)
	}
	return false
}
