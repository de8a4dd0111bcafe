package expr

import (
	"fmt"
	"strings"

	"wmsql/sqlerr"
	"wmsql/types"
)

// catalogSignatures are the functions that the server's catalog answers, one a line. Each is asked of Session.Catalog
// under its own name; if that does not know it, the answer is the default behind the arrow, NULL without one.
const catalogSignatures = `
acldefault(char,oid) aclitem[]
col_description(oid,int4) text
obj_description(oid) text
obj_description(oid,name) text
shobj_description(oid,name) text
pg_advisory_unlock_all() void
pg_advisory_lock(int8) void
pg_advisory_lock(int4,int4) void
pg_advisory_lock_shared(int8) void
pg_advisory_lock_shared(int4,int4) void
pg_advisory_xact_lock(int8) void
pg_advisory_xact_lock(int4,int4) void
pg_advisory_xact_lock_shared(int8) void
pg_advisory_xact_lock_shared(int4,int4) void
pg_advisory_unlock(int8) bool
pg_advisory_unlock(int4,int4) bool
pg_advisory_unlock_shared(int8) bool
pg_advisory_unlock_shared(int4,int4) bool
pg_try_advisory_lock(int8) bool
pg_try_advisory_lock(int4,int4) bool
pg_try_advisory_lock_shared(int8) bool
pg_try_advisory_lock_shared(int4,int4) bool
pg_try_advisory_xact_lock(int8) bool
pg_try_advisory_xact_lock(int4,int4) bool
pg_try_advisory_xact_lock_shared(int8) bool
pg_try_advisory_xact_lock_shared(int4,int4) bool
pg_blocking_pids(int4) int4[]
pg_trigger_depth() int4 => 0
pg_jit_available() bool => false
pg_collation_is_visible(oid) bool
pg_conversion_is_visible(oid) bool
pg_function_is_visible(oid) bool
pg_opclass_is_visible(oid) bool
pg_operator_is_visible(oid) bool
pg_opfamily_is_visible(oid) bool
pg_statistics_obj_is_visible(oid) bool
pg_table_is_visible(oid) bool
pg_ts_config_is_visible(oid) bool
pg_ts_dict_is_visible(oid) bool
pg_ts_parser_is_visible(oid) bool
pg_ts_template_is_visible(oid) bool
pg_type_is_visible(oid) bool
pg_database_size(oid) int8
pg_database_size(name) int8
pg_table_size(regclass) int8
pg_total_relation_size(regclass) int8
pg_relation_size(regclass) int8
pg_relation_size(regclass,text) int8
pg_indexes_size(regclass) int8
pg_relation_filenode(regclass) oid
pg_get_constraintdef(oid) text
pg_get_constraintdef(oid,bool) text
pg_get_expr(pg_node_tree,oid) text
pg_get_expr(pg_node_tree,oid,bool) text
pg_get_function_arguments(oid) text
pg_get_function_identity_arguments(oid) text
pg_get_function_result(oid) text
pg_get_function_sqlbody(oid) text
pg_get_functiondef(oid) text
pg_get_indexdef(oid) text
pg_get_indexdef(oid,int4,bool) text
pg_get_partkeydef(oid) text
pg_get_partition_constraintdef(oid) text
pg_get_ruledef(oid) text
pg_get_ruledef(oid,bool) text
pg_get_serial_sequence(text,text) text
pg_get_statisticsobjdef_columns(oid) text
pg_get_statisticsobjdef(oid) text
pg_get_triggerdef(oid) text
pg_get_triggerdef(oid,bool) text
pg_get_userbyid(oid) name
pg_get_viewdef(oid) text
pg_get_viewdef(oid,bool) text
pg_get_viewdef(oid,int4) text
pg_get_viewdef(text) text
pg_get_viewdef(text,bool) text
pg_get_replica_identity_index(regclass) regclass
pg_index_column_has_property(regclass,int4,text) bool
pg_indexam_has_property(oid,text) bool
pg_is_in_recovery() bool => false
pg_is_wal_replay_paused() bool => false
pg_relation_is_publishable(regclass) bool => false
pg_relation_is_updatable(regclass,bool) int4 => 0
pg_sequence_last_value(regclass) int8
nextval(regclass) int8
currval(regclass) int8
lastval() int8
setval(regclass,int8) int8
setval(regclass,int8,bool) int8
pg_postmaster_start_time() timestamptz
pg_conf_load_time() timestamptz
pg_stat_get_numscans(oid) int8
pg_tablespace_location(oid) text =>
pg_tablespace_size(oid) int8
pg_tablespace_size(name) int8
pg_my_temp_schema() oid => 0
pg_is_other_temp_schema(oid) bool => false
pg_notify(text,text) void
pg_sleep(float8) void
pg_cancel_backend(int4) bool
pg_terminate_backend(int4) bool
pg_terminate_backend(int4,int8) bool
pg_stat_reset() void =>
pg_stat_reset_shared(text) void =>
pg_stat_reset_single_table_counters(oid) void =>
pg_stat_reset_single_function_counters(oid) void =>
pg_stat_reset_slru(text) void =>
pg_stat_clear_snapshot() void =>
pg_stat_force_next_flush() void =>
pg_reload_conf() bool => true
pg_xact_commit_timestamp(xid) timestamptz
pg_last_xact_replay_timestamp() timestamptz
pg_relation_filepath(regclass) text
pg_partition_root(regclass) regclass
pg_collation_actual_version(oid) text
pg_database_collation_actual_version(oid) text
pg_encoding_max_length(int4) int4
pg_safe_snapshot_blocking_pids(int4) int4[]
txid_current_if_assigned() int8
txid_status(int8) text
pg_sleep_until(timestamptz) void
current_query() text
getpgusername() name
pg_export_snapshot() text
pg_current_xact_id() xid
txid_current() int8
age(xid) int4
inet_server_addr() text
inet_client_addr() text
inet_server_port() int4
inet_client_port() int4
to_regclass(text) regclass
to_regtype(text) regtype
to_regproc(text) regproc
to_regprocedure(text) regprocedure
to_regoper(text) regoper
to_regoperator(text) regoperator
to_regcollation(text) regcollation
oidvectortypes(oidvector) text
pg_describe_object(oid,oid,int4) text
to_regnamespace(text) regnamespace
to_regrole(text) regrole
row_security_active(text) bool => false
row_security_active(oid) bool => false
wm_last_progress(text) json
wm_advance_watermark(text,text) void
wm_advance_watermark(text,timestamptz) void
wm_current_watermark(text) timestamptz
wm_flush() void
`

// mustKnow are the functions for which an unknown name is an error, not a default.
const mustKnow = " wm_last_progress wm_advance_watermark wm_current_watermark wm_flush pg_notify pg_sleep pg_sleep_until pg_cancel_backend pg_terminate_backend nextval currval lastval setval "

func catalogFunctions() []*Function {
	var out []*Function
	for line := range strings.Lines(catalogSignatures) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		sig, fallback, _ := strings.Cut(line, "=>")
		vol := stable
		if strings.HasPrefix(sig, "wm_") || strings.Contains(sig, "advisory") || strings.Contains(sig, "_backend(") || strings.HasPrefix(sig, "pg_notify(") || strings.HasPrefix(sig, "pg_sleep") || strings.Contains(sig, "val(") {
			vol = volatile
		}
		out = append(out, def(strings.TrimSpace(sig), catalogKernel(fallbackValue(strings.TrimSpace(fallback), strings.Contains(line, "=>"))), vol))
	}
	return append(out, def("pg_size_bytes(text) int8", fn1e(sizeBytes)),
		def("pg_size_pretty(int8) text", tx1(appendSizePretty), total),
		def("pg_size_pretty(numeric) text", tx1e(func(dst []byte, v types.Decimal) ([]byte, error) {
			n, ok := v.ToInt64()
			if !ok {
				return nil, types.ErrIntRange(types.Int8)
			}
			return appendSizePretty(dst, n), nil
		})))
}

// CatalogFunctions are the signatures of the functions that the server's catalog answers, with the answer that one has of which the catalog
// knows nothing: "" for NULL. For docs/catalog.md.
func CatalogFunctions() (signatures, answers []string) {
	for line := range strings.Lines(strings.TrimSpace(catalogSignatures)) {
		sig, answer, _ := strings.Cut(line, "=>")
		signatures, answers = append(signatures, strings.TrimSpace(sig)), append(answers, strings.TrimSpace(answer))
	}
	return signatures, answers
}

func fallbackValue(text string, given bool) any {
	switch {
	case !given:
		return nil
	case text == "true", text == "false":
		return text == "true"
	case text == "0":
		return int64(0)
	}
	return text // void
}

// catalogKernel asks the server.
func catalogKernel(fallback any) kernel {
	return anys(func(s *site) func([]any) (any, error) {
		return func(args []any) (any, error) {
			v, known, err := s.catalog(s.fn.Name, args)
			switch {
			case err != nil:
				return nil, err
			case known:
				return v, nil
			case strings.Contains(mustKnow, " "+s.fn.Name+" "):
				return nil, sqlerr.Unsupported("function %s here", s.fn.Name)
			case strings.HasPrefix(s.fn.Name, "to_reg"):
				return s.toReg(args[0].(string))
			}
			return fallback, nil
		}
	})
}

// toReg is to_regclass and its like: NULL if there is no such object.
func (s *site) toReg(text string) (any, error) {
	id, err := s.readReg(s.ret.Kind, text)
	if err != nil {
		return nil, nil //nolint:nilerr // an unknown name is NULL, whatever the reason
	}
	return id, nil
}

// appendSizePretty writes a number of bytes as Postgres does: a unit is left when ten of the next are reached.
func appendSizePretty(dst []byte, v int64) []byte {
	units := [...]string{"bytes", "kB", "MB", "GB", "TB", "PB"}
	sign := int64(1)
	if v < 0 {
		sign, v = -1, -v
	}
	u := 0
	const limit = 10 * 1024
	if v >= limit {
		v >>= 9 // keep one bit for rounding
		for u = 1; u < len(units)-1 && v >= 2*limit-1; u++ {
			v >>= 10
		}
		v = (v + 1) / 2
	}
	return fmt.Appendf(dst, "%d %s", sign*v, units[u])
}
