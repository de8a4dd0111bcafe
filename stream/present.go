package stream

import (
	"errors"

	"wmsql/catalog"
	"wmsql/exec"
	"wmsql/state"
	"wmsql/types"
)

// presentResult is a view's result as it stands after one of its epochs: what everybody who follows a view begins with.
type presentResult struct {
	snap  state.Snapshot
	rows  *exec.ResultReader
	epoch int64           // 0: the view never ran
	mark  types.MicroTime // the watermark that the rows are under
}

// present opens the result of a view as of now; only the columns at the ordinals read are decoded.
func (r *Results) present(view catalog.ID, read []int) (*presentResult, error) {
	p := &presentResult{snap: r.store.Snapshot(), mark: types.MinTime}
	pos, err := readPosition(p.snap, view)
	if err != nil {
		return nil, errors.Join(err, p.close())
	}
	if pos != nil {
		p.epoch = pos.Epoch
		if pos.Mark != nil {
			p.mark = *pos.Mark
		}
	}
	if p.rows, err = exec.ReadResult(p.snap, view, read); err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

func (p *presentResult) close() error {
	var err error
	if p.rows != nil {
		err = p.rows.Close()
	}
	return errors.Join(err, p.snap.Close())
}
