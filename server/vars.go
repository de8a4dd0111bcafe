package server

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"wmsql/catalog"
	"wmsql/pgwire"
	"wmsql/sqlerr"
	"wmsql/types"
)

// vars are the parameters as one session sees them. Values are in canonical form.
type vars struct {
	base  map[string]string // what the server and the startup message set: where RESET goes back to
	set   map[string]string // by SET
	local map[string]string // by SET LOCAL, until the transaction ends
	saved map[string]string // set, as it was when the transaction began; nil: it did not change since

	known    map[string]bool   // other programs' parameters that were ever set here: RESET leaves them empty, as in Postgres
	reported map[string]string // what the client was told last
	dirty    bool              // something may have changed since
	version  uint64            // grows with every change
	often    often
	format   *types.Format
	path     []string
	objects  *Session // names and finds the objects of reg* values; nil: nobody does
}

func newVars(base map[string]string) *vars {
	v := &vars{base: base, set: map[string]string{}, local: map[string]string{}, known: map[string]bool{}, reported: map[string]string{}}
	v.changed()
	return v
}

// get returns the value of a parameter, ok false if there is none of the name.
func (v *vars) get(name string) (value string, ok bool) {
	name = strings.ToLower(name)
	for _, m := range []map[string]string{v.local, v.set, v.base} {
		if value, ok := m[name]; ok {
			return value, true
		}
	}
	if ofTransaction(name) {
		return v.get("default_" + name)
	}
	if d := settings()[name]; d != nil {
		return d.boot, true
	}
	return "", v.known[name]
}

// show returns the value of a parameter as SHOW writes it.
func (v *vars) show(name string) (value string, ok bool) {
	value, ok = v.get(name)
	if d := settings()[strings.ToLower(name)]; d != nil && ok {
		value = d.display(value)
	}
	return value, ok
}

// assign sets a parameter for the session, or for the transaction only.
func (v *vars) assign(name, value string, local bool) error {
	name = strings.ToLower(name)
	if name == "datestyle" {
		now, _ := v.get(name)
		value = completeDateStyle(value, now)
	}
	value, err := checkSetting(name, value)
	if err != nil {
		return err
	}
	v.save()
	if settings()[name] == nil {
		v.known[name] = true
	}
	if own := strings.TrimPrefix(name, "default_"); own != name && ofTransaction(own) {
		v.local[own], _ = v.get(own) // the present transaction stays what it is
	}
	if local {
		v.local[name] = value
	} else {
		delete(v.local, name)
		v.set[name] = value
	}
	v.changed()
	return nil
}

// checkSetting brings value into canonical form, or refuses the name or the value.
func checkSetting(name, value string) (string, error) {
	d := settings()[name]
	switch {
	case d == nil && strings.Contains(name, ".") && !strings.HasPrefix(name, "wmsql."):
		return value, nil // any other program's own parameter, as in Postgres
	case d == nil:
		return "", unknownSetting(name)
	case d.internal:
		return "", sqlerr.Newf(sqlerr.CantChangeNow, "parameter %q cannot be changed", d.name)
	}
	return d.canonical(value)
}

func unknownSetting(name string) error {
	err := sqlerr.Newf(sqlerr.UndefinedObject, "unrecognized configuration parameter %q", name)
	if near := sqlerr.Nearest(name, slices.Collect(maps.Keys(settings()))); near != "" {
		err.WithHint("Perhaps you meant %q.", settings()[near].name)
	}
	return err
}

// reset puts a parameter back to what it was when the session began.
func (v *vars) reset(name string, local bool) error {
	name = strings.ToLower(name)
	d := settings()[name]
	if d == nil && !strings.Contains(name, ".") {
		return unknownSetting(name)
	}
	if d != nil && d.internal {
		return sqlerr.Newf(sqlerr.CantChangeNow, "parameter %q cannot be changed", d.name)
	}
	v.save()
	delete(v.local, name)
	if local {
		v.local[name] = v.initial(name)
	} else {
		delete(v.set, name)
	}
	v.changed()
	return nil
}

func (v *vars) initial(name string) string {
	if value, ok := v.base[name]; ok {
		return value
	}
	if d := settings()[name]; d != nil {
		return d.boot
	}
	return ""
}

func (v *vars) resetAll() {
	v.save()
	clear(v.set)
	clear(v.local)
	v.changed()
}

// save keeps what SET did before the transaction, in which the first change comes now.
func (v *vars) save() {
	if v.saved == nil {
		v.saved = maps.Clone(v.set)
	}
}

// settingsKept is what SET and SET LOCAL had set when a savepoint was.
type settingsKept struct{ set, local map[string]string }

func (v *vars) keep() settingsKept { return settingsKept{maps.Clone(v.set), maps.Clone(v.local)} }

// goBack takes back what was set since.
func (v *vars) goBack(to settingsKept) {
	v.save()
	v.set, v.local = maps.Clone(to.set), maps.Clone(to.local)
	v.changed()
}

// end is that of a transaction: one that is rolled back takes its SETs with it, one that is committed its SET LOCALs.
func (v *vars) end(commit bool) {
	saved := v.saved
	v.saved = nil
	maps.DeleteFunc(v.local, func(name, _ string) bool { return ofTransaction(name) })
	if len(v.local) == 0 && (saved == nil || commit) {
		return
	}
	if saved != nil && !commit {
		v.set = saved
	}
	clear(v.local)
	v.changed()
}

// changed computes what is derived from the values.
func (v *vars) changed() {
	v.dirty = true
	v.version++
	v.often = v.readOften()
	value := func(name string) string { s, _ := v.get(name); return s }
	name, loc, ok := zone(value("timezone"))
	if !ok {
		panic("server: a time zone was kept that cannot be found again: " + value("timezone"))
	}
	digits, _ := strconv.Atoi(value("extra_float_digits"))
	v.format = &types.Format{
		Zone: loc, ZoneName: name, ExtraFloatDigits: digits,
		ByteaEscape: value("bytea_output") == "escape", IntervalStyle: types.IntervalStyle(slices.Index(intervalStyles(), value("intervalstyle"))),
	}
	v.format.DateStyle, v.format.DateOrder = dateStyleOf(value("datestyle"))
	if v.objects != nil {
		v.format.RegName, v.format.Lookup, v.format.Now = v.objects.regName, v.objects.regLookup, v.objects.txTime()
	}
	v.path = splitPath(value("search_path"))
}

// searchPath is where names are looked for: the setting's schemas that exist, pg_catalog first unless it is
// among them; before it the one for temporary relations, unless the setting says where it stands.
func (v *vars) searchPath(c *catalog.Snapshot, user, temporary string) []string {
	out := make([]string, 0, len(v.path)+2)
	if temporary != "" && c.Schema(temporary) != nil && !slices.Contains(v.path, catalog.TemporaryAlias) {
		out = append(out, temporary)
	}
	if !slices.Contains(v.path, "pg_catalog") {
		out = append(out, "pg_catalog")
	}
	for _, p := range v.path {
		switch p {
		case "$user":
			p = user
		case catalog.TemporaryAlias:
			p = temporary
		}
		if c.Schema(p) != nil && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// report returns the parameters that the client was not told of yet, sorted by name.
func (v *vars) report() []pgwire.Parameter {
	if !v.dirty {
		return nil
	}
	v.dirty = false
	var out []pgwire.Parameter
	for key, d := range settings() {
		if !d.report {
			continue
		}
		value, _ := v.show(key)
		if old, told := v.reported[key]; !told || old != value {
			v.reported[key] = value
			out = append(out, pgwire.Parameter{Name: d.name, Value: value})
		}
	}
	slices.SortFunc(out, func(a, b pgwire.Parameter) int {
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return out
}
