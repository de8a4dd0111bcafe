-- What clients ask while they connect, complete words, describe tables and give a connection back: functions, operators, casts, settings and
-- statements, one a line. Postgres and wmsql answer each alike, message by message, or wmsql says 0A000.

SELECT (information_schema._pg_expandarray(ARRAY[5,6])).n
SELECT array_agg(x ORDER BY x DESC) FROM (VALUES (1),(3)) v(x)
SELECT array_lower(ARRAY[1,2],1), array_upper(ARRAY[1,2],1), array_remove(ARRAY[1,2,1],1), array_to_string(ARRAY['a',NULL,'b'],',','*')
SELECT bool_and(x) FROM (VALUES (true),(false)) v(x)
SELECT btrim(' x '), col_description('pg_class'::regclass,1), current_schema(), current_schemas(false), current_schemas(true)
SELECT format('%I.%L %s %%', 'A b', 'it''s', 3), format_type(1700,655366), format_type(1043,24), format_type(25,NULL), format_type(1184,7), format_type(99999,NULL)
SELECT * FROM generate_series(1,10,4)
SELECT generate_subscripts(ARRAY['a','b'],1)
SELECT has_database_privilege(current_database(),'CONNECT'), has_function_privilege('pg_catalog.now()','EXECUTE'), has_schema_privilege('public','USAGE'), has_table_privilege('pg_class','SELECT')
SELECT json_build_object('a',1,'b',ARRAY[1,2],'c',NULL)
SELECT like_escape('a%b','x'), lower('ABC'), max(x), min(x) FROM (VALUES ('a'),('b')) v(x)
SELECT obj_description('pg_class'::regclass,'pg_class'), shobj_description(0,'pg_database')
SELECT pg_advisory_unlock_all()
SELECT pg_collation_is_visible(100), pg_function_is_visible(2034), pg_opclass_is_visible((SELECT min(oid) FROM pg_opclass)), pg_operator_is_visible(96), pg_opfamily_is_visible((SELECT min(oid) FROM pg_opfamily)), pg_table_is_visible('pg_class'::regclass), pg_type_is_visible(25)
SELECT pg_encoding_to_char(6), pg_char_to_encoding('UTF8')
SELECT pg_get_constraintdef(0), pg_get_expr(NULL,0), pg_get_functiondef(NULL), pg_get_indexdef(0), pg_get_ruledef(0), pg_get_triggerdef(0), pg_get_viewdef(0), pg_get_statisticsobjdef_columns(0), pg_get_function_sqlbody(0)
SELECT pg_get_function_arguments('lower(text)'::regprocedure), pg_get_function_identity_arguments('lower(text)'::regprocedure), pg_get_function_result('lower(text)'::regprocedure)
SELECT count(*) > 400 FROM pg_get_keywords()
SELECT word, catcode, catdesc FROM pg_get_keywords() WHERE word IN ('select','abort','between','authorization') ORDER BY 1
SELECT pg_is_in_recovery(), pg_relation_is_publishable('pg_class'), pg_tablespace_location(1663)
SELECT * FROM pg_options_to_table(ARRAY['a=1','b=2'])
SELECT pg_size_pretty(8192::bigint), pg_size_pretty(123456789::bigint), pg_size_pretty(10::bigint), pg_size_pretty(10240::bigint)
SELECT count(*) > 100 FROM pg_timezone_names()
SELECT name FROM pg_timezone_names WHERE name='UTC'
SELECT quote_ident('a'), quote_ident('A b'), quote_ident('select'), quote_literal('it''s'), quote_literal(E'a\\b'), quote_literal(5), quote_nullable(NULL)
SELECT replace('abc','b','x'), rtrim('abc  '), row_number() OVER () 
SELECT set_config('application_name','zz',false), current_setting('application_name'), current_setting('nosuch.x',true)
SELECT string_agg(x,', ' ORDER BY x DESC) FROM (VALUES ('a'),('b')) v(x)
SELECT substring('abcdef' from 2 for 3), substring('foobar' from 'o(.)b'), to_regtype('int4'), to_regtype('nosuch'), to_regtype('character varying'), to_regclass('pg_class'), to_regclass('nope')
SELECT * FROM unnest(ARRAY['a','b']) WITH ORDINALITY AS u(x,n)
SELECT unnest(ARRAY[1,2])
SELECT 'a' !~ 'b', 'abc' LIKE 'a%', 'abc' !~~ 'a%', 5 & 3, 'abc' ~ '^(abc)$', 'abc' OPERATOR(pg_catalog.~) '^(a.c)$' COLLATE pg_catalog.default, 2 <> ALL(ARRAY[1,3]), 2 = ANY(ARRAY[1,2]), 2 = ANY('{1,2}'::int[]), NULLIF(1,1) IS NULL, 1 IS DISTINCT FROM NULL
SELECT 'x'::"char", '2024-01-02'::date, 1::int2, '{1,2}'::int2[], 3::int8, 'abc'::name, 7::oid, '{7,8}'::oid[], 'pg_class'::regclass, 'pg_catalog'::regnamespace, 'now'::regproc, 'int4'::regtype, '{int4,text}'::regtype[], 1::text, '{a,b}'::text[], '2024-01-01 00:00+00'::timestamptz, 'abc'::varchar
SELECT int4range(1,5)
SELECT '[1,5)'::int4range
SELECT '(1,2)'::pg_catalog.record
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM t WHERE n<4) SELECT sum(n) FROM t
SELECT CURRENT_USER = SESSION_USER, CURRENT_ROLE IS NOT NULL, current_catalog = current_database()
SELECT ROW(1,'a'), (SELECT ARRAY(SELECT 1 UNION SELECT 2 ORDER BY 1)), EXISTS(SELECT 1), CASE WHEN 1=1 THEN 'x' ELSE 'y' END
SELECT (ARRAY[1,2,3])[2], (ARRAY[1,2,3])[2:3], ARRAY[[1,2],[3,4]]
SELECT pg_table_size('pg_class') >= 0, pg_database_size(current_database()) >= 0
SELECT pg_get_userbyid(10) IS NOT NULL, pg_get_serial_sequence('pg_class','oid'), pg_backend_pid() > 0, txid_current() > 0, inet_server_addr() IS NULL OR true
SELECT 1 IS TRUE
SELECT true IS NOT FALSE, NULL::bool IS UNKNOWN
SELECT count(DISTINCT x), sum(x) FILTER (WHERE x>1) FROM (VALUES (1),(2),(2)) v(x)
SELECT x, row_number() OVER (PARTITION BY y ORDER BY x DESC) FROM (VALUES (1,1),(2,1),(3,2)) v(x,y) ORDER BY 1

-- Sessions, transactions, cursors, prepared statements.
BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY
SELECT 1
COMMIT
START TRANSACTION ISOLATION LEVEL REPEATABLE READ
SAVEPOINT a
SELECT 1/0
ROLLBACK TO SAVEPOINT a
RELEASE SAVEPOINT a
ROLLBACK
BEGIN;select 1
DECLARE c NO SCROLL CURSOR WITHOUT HOLD FOR SELECT generate_series(1,5)
FETCH FORWARD 2 FROM c
MOVE 1 FROM c
FETCH FORWARD ALL FROM c
CLOSE c
DECLARE d CURSOR FOR SELECT 1
CLOSE ALL
COMMIT
PREPARE p(int) AS SELECT $1+1
EXECUTE p(4)
DEALLOCATE p
deallocate all
DISCARD ALL
RESET ALL
UNLISTEN *
LISTEN x
SELECT pg_advisory_unlock_all(); CLOSE ALL; UNLISTEN *; RESET ALL
SET search_path TO public, pg_catalog
SET SESSION search_path = 'public'
SHOW search_path
SET TIME ZONE 'UTC'
SET client_encoding TO 'UTF8'
SET client_encoding = 'SQL_ASCII'
SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY
SHOW transaction_read_only
SHOW default_transaction_read_only
SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE
SELECT set_config('search_path','',false)
SHOW search_path
SET search_path TO DEFAULT
SHOW search_path
SHOW TRANSACTION ISOLATION LEVEL
SHOW time zone
SHOW standard_conforming_strings
SHOW max_identifier_length
SHOW password_encryption
SHOW datestyle
SHOW client_min_messages
SHOW bytea_output
SHOW integer_datetimes
SHOW server_encoding
SET extra_float_digits TO 3
SET statement_timeout = 0
SET lock_timeout = 0
SET idle_in_transaction_session_timeout = 0
SET row_security = off
SET synchronize_seqscans TO off
SET default_transaction_isolation = 'read committed'
SET client_min_messages TO warning
SET bytea_output = 'hex'
SET IntervalStyle = POSTGRES
SET SESSION AUTHORIZATION DEFAULT
SET ROLE NONE
SET LOCAL x.y = '1'
SET jit = off
SET standard_conforming_strings = on
SET escape_string_warning = off
SET enable_seqscan = off
SET SESSION AUTHORIZATION DEFAULT;RESET ALL;CLOSE ALL;UNLISTEN *;SELECT pg_advisory_unlock_all();DISCARD SEQUENCES;DISCARD TEMP
RESET SESSION AUTHORIZATION
SET LOCAL search_path TO DEFAULT
RESET ROLE
BEGIN TRANSACTION READ WRITE; ROLLBACK

-- Rows as JSON, for REST layers and dashboards: names of fields, no spaces within a row.
SELECT row_to_json(x), to_json(x), to_jsonb(x) FROM (SELECT 1 AS a, 'x"y' AS b, ARRAY[1,2] AS c, NULL AS d, '2024-01-01 00:00Z'::timestamptz AS e) x
SELECT json_build_object('r', x, 's', row(1,'x')), json_build_array(1, x), jsonb_build_object('r', x) FROM (SELECT 1 AS a, 'x' AS b) x
SELECT row_to_json(row(1,'x',NULL)), row_to_json(x) FROM (SELECT 1 AS a, row(2,3) AS r, ARRAY['p','q'] AS l) x
SELECT json_agg(row_to_json(x)), jsonb_agg(x), json_object_agg(x.b, x.a) FROM (SELECT 1 AS a, 'x' AS b) x
