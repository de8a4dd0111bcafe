package server

import (
	"math"
	"slices"
	"strings"
	"sync"
)

// ServerVersion is the Postgres release whose protocol and SQL the server follows, as drivers read it.
const (
	ServerVersion    = "15.0"
	serverVersionNum = "150000"
)

const (
	maxInt32 = math.MaxInt32
	catConn  = "Client Connection Defaults / Statement Behavior"
	catShape = "Client Connection Defaults / Locale and Formatting"
	catFixed = "Preset Options"
	catLog   = "Reporting and Logging / What to Log"
	catPlan  = "Query Tuning / Planner Method Configuration"
	catMem   = "Resource Usage / Memory"
	catCompt = "Version and Platform Compatibility / Previous PostgreSQL Versions"
	catOwn   = "wmsql / Continuous Queries"
)

// settings are all parameters there are, by name in lower case.
var settings = sync.OnceValue(func() map[string]*setting {
	m := map[string]*setting{}
	for _, d := range slices.Concat(formatSettings(), sessionSettings(), plannerSettings(), fixedSettings(), ownSettings()) {
		m[strings.ToLower(d.name)] = d
	}
	return m
})

func formatSettings() []*setting {
	return []*setting{
		{name: "application_name", kind: stringSetting, report: true, category: catLog, doc: "Name of the client program."},
		{name: "client_encoding", kind: stringSetting, boot: "UTF8", report: true, category: catShape, check: checkEncoding, doc: "Character set of the client."},
		{name: "DateStyle", kind: stringSetting, boot: "ISO, MDY", list: true, report: true, category: catShape, check: checkDateStyle, doc: "Text form of dates and times."},
		{name: "IntervalStyle", kind: enumSetting, boot: "postgres", enum: intervalStyles(), report: true, category: catShape, doc: "Text form of intervals."},
		{name: "TimeZone", kind: stringSetting, boot: "UTC", report: true, category: catShape, check: checkTimeZone, doc: "Zone in which timestamps with time zone are shown and read."},
		{name: "extra_float_digits", kind: intSetting, boot: "1", min: -15, max: 3, category: catShape, doc: "Digits of floating-point values in text; above 0 the shortest exact form."},
		{name: "bytea_output", kind: enumSetting, boot: "hex", enum: []string{"escape", "hex"}, category: catConn, doc: "Text form of bytea."},
		{name: "lc_messages", kind: stringSetting, boot: "C", category: catShape, doc: "Language of messages."},
		{name: "lc_monetary", kind: stringSetting, boot: "C", category: catShape, doc: "Locale of money amounts."},
		{name: "lc_numeric", kind: stringSetting, boot: "C", category: catShape, doc: "Locale of numbers in to_char."},
		{name: "lc_time", kind: stringSetting, boot: "C", category: catShape, doc: "Locale of dates in to_char."},
		{name: "default_text_search_config", kind: stringSetting, boot: "pg_catalog.simple", category: catShape, doc: "Accepted for compatibility."},
		{name: "xmlbinary", kind: enumSetting, boot: "base64", enum: []string{"base64", "hex"}, category: catConn, doc: "Accepted for compatibility."},
		{name: "xmloption", kind: enumSetting, boot: "content", enum: []string{"content", "document"}, category: catConn, doc: "Accepted for compatibility."},
	}
}

func sessionSettings() []*setting {
	isolation := []string{"serializable", "repeatable read", "read committed", "read uncommitted"}
	levels := []string{"debug5", "debug4", "debug3", "debug2", "debug1", "log", "notice", "warning", "error"}
	return []*setting{
		{name: "search_path", kind: stringSetting, boot: `"$user", public`, list: true, category: catConn, doc: "Schemas in which names without one are looked for."},
		{name: "statement_timeout", kind: intSetting, boot: "0", unit: "ms", max: maxInt32, category: catConn, doc: "Longest time a statement may take; 0: no limit."},
		{name: "lock_timeout", kind: intSetting, boot: "0", unit: "ms", max: maxInt32, category: catConn, doc: "Longest time to wait for a lock; 0: no limit."},
		{name: "idle_in_transaction_session_timeout", kind: intSetting, boot: "0", unit: "ms", max: maxInt32, category: catConn, doc: "How long a session may wait for its client inside of a transaction; 0: for ever."},
		{name: "idle_session_timeout", kind: intSetting, boot: "0", unit: "ms", max: maxInt32, category: catConn, doc: "How long a session may wait for its client outside of a transaction; 0: for ever."},
		{name: "client_min_messages", kind: enumSetting, boot: "notice", enum: levels, category: catConn, doc: "Least level of messages sent to the client."},
		{name: "log_min_messages", kind: enumSetting, boot: "warning", enum: levels, category: catLog, doc: "Accepted for compatibility."},
		{name: "transaction_isolation", kind: enumSetting, boot: "read committed", enum: isolation, category: catConn, doc: "Isolation of the present transaction."},
		{name: "default_transaction_isolation", kind: enumSetting, boot: "read committed", enum: isolation, category: catConn, doc: "Isolation of new transactions."},
		{name: "transaction_read_only", kind: boolSetting, boot: "off", category: catConn, doc: "Whether the present transaction may write."},
		{name: "default_transaction_read_only", kind: boolSetting, boot: "off", report: true, category: catConn, doc: "Whether new transactions may write."},
		{name: "transaction_deferrable", kind: boolSetting, boot: "off", category: catConn, doc: "Accepted for compatibility."},
		{name: "default_transaction_deferrable", kind: boolSetting, boot: "off", category: catConn, doc: "Accepted for compatibility."},
		{name: "default_tablespace", kind: stringSetting, category: catConn, doc: "Accepted for compatibility."},
		{name: "default_table_access_method", kind: stringSetting, boot: "heap", category: catConn, doc: "Accepted for compatibility."},
		{name: "default_toast_compression", kind: enumSetting, enum: []string{"pglz", "lz4"}, boot: "pglz", category: catConn, doc: "Accepted for compatibility."},
		{name: "default_with_oids", unlisted: true, kind: boolSetting, boot: "off", category: catCompt, check: onlyValue("default_with_oids", "off"), doc: "Tables have no oid column."},
		{name: "temp_tablespaces", kind: stringSetting, category: catConn, doc: "Accepted for compatibility."},
		{name: "check_function_bodies", kind: boolSetting, boot: "on", category: catConn, doc: "Accepted for compatibility."},
		{name: "tcp_keepalives_idle", kind: intSetting, boot: "7200", unit: "s", max: maxInt32, category: catConn, doc: "Accepted for compatibility."},
		{name: "tcp_keepalives_interval", kind: intSetting, boot: "75", unit: "s", max: maxInt32, category: catConn, doc: "Accepted for compatibility."},
		{name: "tcp_keepalives_count", kind: intSetting, boot: "9", max: maxInt32, category: catConn, doc: "Accepted for compatibility."},
		{name: "tcp_user_timeout", kind: intSetting, boot: "0", unit: "ms", max: maxInt32, category: catConn, doc: "Accepted for compatibility."},
		{name: "row_security", kind: boolSetting, boot: "on", category: catConn, doc: "Accepted for compatibility."},
		{name: "session_replication_role", kind: enumSetting, boot: "origin", enum: []string{"origin", "replica", "local"}, category: catConn, doc: "Accepted for compatibility."},
		{name: "synchronous_commit", kind: enumSetting, boot: "on", enum: []string{"local", "remote_write", "remote_apply", "on", "off"}, category: catConn, doc: "Accepted; a commit is always durable when acknowledged."},
		{name: "standard_conforming_strings", kind: boolSetting, boot: "on", report: true, category: catCompt, check: onlyValue("standard_conforming_strings", "on"), doc: "Backslashes in '...' are ordinary characters."},
		{name: "escape_string_warning", kind: boolSetting, boot: "on", category: catCompt, doc: "Accepted for compatibility."},
		{name: "backslash_quote", kind: enumSetting, boot: "safe_encoding", enum: []string{"safe_encoding", "on", "off"}, category: catCompt, doc: "Accepted for compatibility."},
		{name: "quote_all_identifiers", kind: boolSetting, boot: "off", category: catCompt, doc: "Accepted for compatibility."},
		{name: "array_nulls", kind: boolSetting, boot: "on", category: catCompt, check: onlyValue("array_nulls", "on"), doc: "NULL in array text is a null element."},
		{name: "transform_null_equals", kind: boolSetting, boot: "off", category: catCompt, check: onlyValue("transform_null_equals", "off"), doc: "x = NULL is not x IS NULL."},
		{name: "synchronize_seqscans", kind: boolSetting, boot: "on", category: catCompt, doc: "Accepted for compatibility."},
		{name: "lo_compat_privileges", kind: boolSetting, boot: "off", category: catCompt, doc: "Accepted for compatibility."},
		{name: "password_encryption", kind: enumSetting, boot: "scram-sha-256", enum: []string{"md5", "scram-sha-256"}, category: "Connections and Authentication / Authentication", doc: "Accepted for compatibility."},
		{name: "role", unlisted: true, kind: stringSetting, boot: "none", category: catConn, doc: "Present role."},
		{name: "session_authorization", unlisted: true, kind: stringSetting, report: true, internal: true, category: catConn, doc: "User the session logged in as."},
		{name: "work_mem", kind: intSetting, boot: "4096", unit: "kB", min: 64, max: maxInt32, category: catMem, doc: "Accepted for compatibility; --memory rules."},
		{name: "maintenance_work_mem", kind: intSetting, boot: "65536", unit: "kB", min: 1024, max: maxInt32, category: catMem, doc: "Accepted for compatibility."},
		{name: "temp_buffers", kind: intSetting, boot: "1024", unit: "8kB", min: 100, max: maxInt32, category: catMem, doc: "Accepted for compatibility."},
		{name: "max_stack_depth", kind: intSetting, boot: "2048", unit: "kB", min: 100, max: maxInt32, category: catMem, doc: "Accepted for compatibility."},
	}
}

func plannerSettings() []*setting {
	var out []*setting
	for _, name := range []string{"enable_async_append", "enable_bitmapscan", "enable_gathermerge", "enable_hashagg", "enable_hashjoin", "enable_incremental_sort",
		"enable_indexonlyscan", "enable_indexscan", "enable_material", "enable_memoize", "enable_mergejoin", "enable_nestloop", "enable_parallel_append",
		"enable_parallel_hash", "enable_partition_pruning", "enable_partitionwise_aggregate", "enable_partitionwise_join", "enable_seqscan", "enable_sort",
		"enable_tidscan", "geqo", "jit"} {
		boot := "on"
		if strings.Contains(name, "partitionwise") || name == "jit" {
			boot = "off"
		}
		out = append(out, &setting{name: name, kind: boolSetting, boot: boot, category: catPlan, doc: "Accepted for compatibility; has no effect."})
	}
	for name, boot := range map[string]string{"random_page_cost": "4", "seq_page_cost": "1", "cpu_tuple_cost": "0.01", "cpu_index_tuple_cost": "0.005", "cpu_operator_cost": "0.0025", "cursor_tuple_fraction": "0.1"} {
		out = append(out, &setting{name: name, kind: realSetting, boot: boot, max: math.MaxFloat64, category: catPlan, doc: "Accepted for compatibility; has no effect."})
	}
	return append(out,
		&setting{name: "effective_cache_size", kind: intSetting, boot: "524288", unit: "8kB", min: 1, max: maxInt32, category: catPlan, doc: "Accepted for compatibility; has no effect."},
		&setting{name: "default_statistics_target", kind: intSetting, boot: "100", min: 1, max: 10000, category: catPlan, doc: "Accepted for compatibility; has no effect."},
		&setting{name: "from_collapse_limit", kind: intSetting, boot: "8", min: 1, max: maxInt32, category: catPlan, doc: "Accepted for compatibility; has no effect."},
		&setting{name: "join_collapse_limit", kind: intSetting, boot: "8", min: 1, max: maxInt32, category: catPlan, doc: "Accepted for compatibility; has no effect."},
		&setting{name: "max_parallel_workers_per_gather", kind: intSetting, boot: "2", max: 1024, category: catPlan, doc: "Accepted for compatibility; has no effect."},
		&setting{name: "plan_cache_mode", kind: enumSetting, boot: "auto", enum: []string{"auto", "force_generic_plan", "force_custom_plan"}, category: catPlan, doc: "With force_custom_plan, texts that differ in constants alone are each planned."},
		&setting{name: "constraint_exclusion", kind: enumSetting, boot: "partition", enum: []string{"partition", "on", "off"}, category: catPlan, doc: "Accepted for compatibility; has no effect."},
	)
}

func fixedSettings() []*setting {
	fixed := func(name string, kind settingKind, value string) *setting {
		return &setting{name: name, kind: kind, boot: value, internal: true, max: maxInt32, category: catFixed, doc: "Fixed by the server."}
	}
	report := func(d *setting) *setting { d.report = true; return d }
	unlisted := func(d *setting) *setting { d.unlisted = true; return d }
	measured := func(unit string, d *setting) *setting { d.unit = unit; return d }
	return []*setting{
		report(fixed("server_version", stringSetting, ServerVersion)),
		fixed("server_version_num", intSetting, serverVersionNum),
		report(fixed("server_encoding", stringSetting, "UTF8")),
		report(fixed("integer_datetimes", boolSetting, "on")),
		report(fixed("in_hot_standby", boolSetting, "off")),
		unlisted(report(fixed("is_superuser", boolSetting, "on"))),
		fixed("lc_collate", stringSetting, "C"), fixed("lc_ctype", stringSetting, "C.UTF-8"),
		fixed("block_size", intSetting, "8192"), measured("8kB", fixed("segment_size", intSetting, "131072")),
		fixed("max_identifier_length", intSetting, "63"), fixed("max_index_keys", intSetting, "32"),
		fixed("max_function_args", intSetting, "100"), fixed("max_connections", intSetting, "100"),
		fixed("superuser_reserved_connections", intSetting, "3"), fixed("max_prepared_transactions", intSetting, "0"),
		fixed("wal_level", enumSetting, "replica"), fixed("data_checksums", boolSetting, "on"),
		fixed("debug_assertions", boolSetting, "off"), fixed("ssl", boolSetting, "off"), fixed("fsync", boolSetting, "on"),
		fixed("port", intSetting, "0"), fixed("listen_addresses", stringSetting, "localhost"),
		fixed("data_directory", stringSetting, ""), fixed("hot_standby", boolSetting, "off"), fixed("track_activities", boolSetting, "off"),
		fixed("autovacuum", boolSetting, "off"), measured("8kB", fixed("shared_buffers", intSetting, "16384")), fixed("log_timezone", stringSetting, "UTC"),
		fixed("timezone_abbreviations", stringSetting, "Default"), fixed("unix_socket_directories", stringSetting, ""),
	}
}

func ownSettings() []*setting {
	return []*setting{
		{name: "wmsql.unbounded_state", kind: enumSetting, boot: "error", enum: []string{"error", "warn", "allow"}, category: catOwn, doc: "What happens to a continuous query whose state only grows."},
		{name: "wmsql.multiple_watermark_policy", kind: enumSetting, boot: "min", enum: []string{"min", "max"}, category: catOwn, doc: "Which watermark counts when a query has several inputs."},
	}
}
