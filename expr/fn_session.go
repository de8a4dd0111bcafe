package expr

import (
	"wmsql/sqlerr"
	"wmsql/types"
)

// sessionFunctions tell of the session and set its options.
func sessionFunctions() []*Function {
	text := func(sig string, f func(s Session) string) *Function {
		return def(sig, anys(func(s *site) func([]any) (any, error) {
			return func([]any) (any, error) {
				ses, err := s.session()
				if err != nil {
					return nil, err
				}
				return f(ses), nil
			}
		}), stable)
	}
	return []*Function{
		def("version() text", tx0(func(_ *site, dst []byte) []byte { return append(dst, versionText...) }), stable, total),
		text("current_database() name", Session.Database), text("current_catalog() name", Session.Database),
		text("current_user() name", Session.User), text("session_user() name", Session.User),
		text("user() name", Session.User), text("current_role() name", Session.User),
		def("current_schema() name", anys(currentSchema), stable),
		def("current_schemas(bool) name[]", anys(currentSchemas), stable),
		def("current_setting(text) text", anys(currentSetting), stable),
		def("current_setting(text,bool) text", anys(currentSetting), stable),
		def("set_config(text,text,bool) text", anys(setConfig), volatile, called),
		def("pg_backend_pid() int4", fn0s(func(s *site) func() (int64, error) {
			return func() (int64, error) {
				ses, err := s.session()
				if err != nil {
					return 0, err
				}
				return int64(ses.BackendPID()), nil
			}
		}), stable),
		def("pg_typeof(any) regtype", fn0s(func(s *site) func() (int64, error) {
			id := int64(plain(s.args[0]).OID())
			return func() (int64, error) { return id, nil }
		}), stable, called, total),
		def("format_type(oid,int4) text", anys(formatType), stable, called),
		def("pg_encoding_to_char(int4) name", tx1(func(dst []byte, v int64) []byte {
			if v == utf8Encoding {
				dst = append(dst, "UTF8"...)
			}
			return dst
		}), stable, total),
		def("pg_char_to_encoding(name) int4", fn1(func(a []byte) int64 {
			switch string(appendUpper(nil, a)) {
			case "UTF8", "UTF-8", "UNICODE":
				return utf8Encoding
			}
			return -1
		}), stable, total),
		def("pg_client_encoding() name", tx0(func(_ *site, dst []byte) []byte { return append(dst, "UTF8"...) }), stable, total),
		def("getdatabaseencoding() name", tx0(func(_ *site, dst []byte) []byte { return append(dst, "UTF8"...) }), stable, total),
	}
}

const (
	utf8Encoding = 6 // of pg_enc
	versionText  = "PostgreSQL 15.0 (wmsql)"
)

func (s *site) session() (Session, error) {
	if s.ctx == nil || s.ctx.Session == nil {
		return nil, sqlerr.Newf(sqlerr.FeatureNotSupported, "function %s needs a session: a continuous query has none", s.fn.Name)
	}
	return s.ctx.Session, nil
}

func currentSchema(s *site) func([]any) (any, error) {
	return func([]any) (any, error) {
		ses, err := s.session()
		if err != nil {
			return nil, err
		}
		if path := ses.SearchPath(); len(path) > 0 {
			return path[0], nil
		}
		return nil, nil
	}
}

// currentSchemas is the search path, with pg_catalog in front if asked for and not in it.
func currentSchemas(s *site) func([]any) (any, error) {
	return func(args []any) (any, error) {
		ses, err := s.session()
		if err != nil {
			return nil, err
		}
		var out []any
		implicit := args[0] == true
		for _, name := range ses.SearchPath() {
			implicit = implicit && name != "pg_catalog"
			out = append(out, name)
		}
		if implicit {
			out = append([]any{"pg_catalog"}, out...)
		}
		return out, nil
	}
}

func currentSetting(s *site) func([]any) (any, error) {
	return func(args []any) (any, error) {
		ses, err := s.session()
		if err != nil {
			return nil, err
		}
		name := args[0].(string)
		if v, ok := ses.Setting(name); ok {
			return v, nil
		}
		if len(args) == 2 && args[1] == true {
			return nil, nil
		}
		return nil, sqlerr.Newf(sqlerr.UndefinedObject, "unrecognized configuration parameter \"%s\"", name)
	}
}

func setConfig(s *site) func([]any) (any, error) {
	return func(args []any) (any, error) {
		ses, err := s.session()
		if err != nil {
			return nil, err
		}
		name, ok := args[0].(string)
		if !ok {
			return nil, sqlerr.Newf(sqlerr.NullNotAllowed, "SET requires parameter name")
		}
		value, _ := args[1].(string)
		if err := ses.SetSetting(name, value, args[2] == true); err != nil {
			return nil, err
		}
		if v, ok := ses.Setting(name); ok {
			return v, nil
		}
		return value, nil
	}
}

// formatType is the name of a type by its oid, with its modifiers.
func formatType(s *site) func([]any) (any, error) {
	return func(args []any) (any, error) {
		id, ok := args[0].(int64)
		if !ok {
			return nil, nil
		}
		t, ok := types.ByOID(uint32(id))
		if !ok {
			if name, known, err := s.catalog("format_type", args); known || err != nil {
				return name, err
			}
			if id == 0 {
				return "-", nil
			}
			return "???", nil
		}
		t.Mod = types.NoMod
		if mod, ok := args[1].(int64); ok {
			t.Mod = int32(mod)
		}
		return t.String(), nil
	}
}
