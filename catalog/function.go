package catalog

import "wmsql/types"

// Function is a user-defined function over the rows of a key, with state.
type Function struct {
	Object
	Params      []Column // scalar parameters; Default is the SQL of a value, "" if it must be given
	Table       string   // name of the table parameter, "" if it has none
	Returns     []Column // of RETURNS TABLE
	TimeColumn  int      // ordinal in Returns of the column that carries the watermark on, -1: none
	Language    string
	Source      string
	States      []State
	FiresTimers bool // the text defines what happens at a timer
	EventTimers bool // it sets timers by the watermark
}

// State is one state of a function.
type State struct {
	Name      string
	Kind      string // "value", "list" or "map"
	TTL       int64  // µs after its last change at which an entry is gone; 0: never
	WithTimer bool   // it is gone when the key has no timer any more
}

// Bounded reports whether something frees the state.
func (s *State) Bounded() bool { return s.TTL > 0 || s.WithTimer }

// TTLInterval is the time to live.
func (s *State) TTLInterval() types.IntervalValue {
	return types.IntervalValue{Days: int32(s.TTL / types.MicrosPerDay), Micros: s.TTL % types.MicrosPerDay}
}

// String is the state as it was declared: "count value, ttl 01:00:00".
func (s *State) String() string {
	out := s.Name + " " + s.Kind
	if s.TTL > 0 {
		out += ", ttl " + string(types.AppendInterval(nil, s.TTLInterval()))
	}
	if s.WithTimer {
		out += ", with a timer"
	}
	return out
}
