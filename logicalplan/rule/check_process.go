package rule

import (
	"strings"

	"wmsql/logicalplan"
	"wmsql/sqlerr"
)

// processUnbounded is WM007 for a user-defined function: a state that nothing frees. Timers that go by a watermark which
// is not there are WM001.
var processUnbounded = Check{
	Name: "ProcessUnbounded",
	Verify: func(n logicalplan.Node, t *Target) []*sqlerr.Error {
		var out []*sqlerr.Error
		logicalplan.Walk(n, func(x logicalplan.Node) bool {
			p, ok := x.(*logicalplan.Process)
			if !ok {
				return true
			}
			if p.Func.EventTimers && p.EventTime().ID == 0 {
				out = append(out, timersWithoutTime(p))
			}
			if len(p.Unbounded()) > 0 {
				out = append(out, functionState(p))
			}
			return true
		})
		return out
	},
}

// functionStateWhere marks the WM007 of a function's state, which can be allowed in every mode: its rows come at once.
const functionStateWhere = "function state"

func functionState(p *logicalplan.Process) *sqlerr.Error {
	states := p.Unbounded()
	first := states[0]
	err := sqlerr.Newf(sqlerr.KeysAlone, "WM007: state %q of function %s is kept for ever", first.Name, p.Func.Name).At(p.Pos).
		WithDetail("A key may come again at any time, and nothing says when its state is of no use any more: it has no ttl and is not kept with a timer.").
		WithHint("In the text of %s: states = {%s}", p.Func.Name, strings.Join(withTTL(p), ", "))
	err.Where = functionStateWhere
	return err
}

// withTTL are the states of a function as they would be declared with a bound.
func withTTL(p *logicalplan.Process) []string {
	var out []string
	for _, s := range p.Func.States {
		bound := `ttl = "1 day"`
		switch {
		case s.TTL > 0:
			bound = `ttl = "` + logicalplan.FormatInterval(s.TTLInterval()) + `"`
		case s.WithTimer:
			bound = "with_timer = True"
		}
		out = append(out, `"`+s.Name+`": `+s.Kind+"_state("+bound+")")
	}
	return out
}

func timersWithoutTime(p *logicalplan.Process) *sqlerr.Error {
	err := sqlerr.Newf(sqlerr.NoWatermark, "WM001: function %s sets timers by a watermark, and there is none", p.Func.Name).At(p.Pos).
		WithDetail("timers.at fires when the watermark has come to a time, and there is no watermark below %s.", p.Title())
	if s, col, ok := timeColumn(p.Input); ok {
		return err.WithHint("%s", fixStream(s, streamFix{watermark: col, delay: tenMinutes}))
	}
	return err.WithHint("%s", watermarkClause("event_time", tenMinutes))
}
