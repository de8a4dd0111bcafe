-- The story told by psql.
\set QUIET on
\pset tuples_only on
\pset format unaligned
\pset fieldsep '|'
SET TimeZone = 'UTC';
\echo -n 'connect: '
SELECT split_part(current_setting('server_version'), '.', 1), current_user, current_database();
SELECT 'query: ' || id, name, born, score, to_char(seen, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), array_to_string(tags, '+') FROM people ORDER BY id;
\set asked 'SELECT $1::bigint + 1, $2::text || \'!\', ($3::text IS NULL)::text, $4::numeric(10,2) * 2, to_char($5::timestamptz + interval \'1 hour\', \'YYYY-MM-DD"T"HH24:MI:SS"Z"\')'
\set name 'it\'s é\\'
SELECT :VERSION_NUM >= 160000 AS binds \gset
\if :binds
\set bound 'SELECT $1::bigint + 1, $2::text || \'!\', (nullif($3::text, \'\') IS NULL)::text, $4::numeric(10,2) * 2, to_char($5::timestamptz + interval \'1 hour\', \'YYYY-MM-DD"T"HH24:MI:SS"Z"\')'
\echo -n 'text: '
:bound \bind 41 :name '' 6.25 '2026-03-01 12:00:00+00' \g
\endif
PREPARE kept AS :asked;
EXECUTE kept (1, 'x', 'x', 1, now()) \g /dev/null
\echo -n 'prepared: '
EXECUTE kept (41, :'name', NULL, '6.25', '2026-03-01 12:00:00+00');
\set FETCH_COUNT 1000
SELECT i FROM generate_series(1, 25000) i \g | awk '{ rows++; sum += $1 } END { printf "paging: %d|%d|%d\n", rows / 1000, rows, sum }'
\set FETCH_COUNT 0
SELECT repeat('x', 100) FROM generate_series(1, 200000) i \g | awk '{ rows++; length_ += length($1) } END { printf "large: %d|%d\n", rows, length_ }'
BEGIN;
INSERT INTO people (id, name) VALUES (3, 'Emmy');
ROLLBACK;
SELECT count(*) AS before FROM people \gset
\set ON_ERROR_ROLLBACK on
BEGIN;
INSERT INTO people (id, name) VALUES (3, 'Emmy');
INSERT INTO people (id, name) VALUES (3, 'Emmy');
COMMIT;
SELECT count(*) AS after FROM people \gset
\echo 'transaction: ':before'|':after
SELECT nosuch FROM people;
\echo 'error: ':LAST_ERROR_SQLSTATE'||':LAST_ERROR_MESSAGE
INSERT INTO people (id, name) VALUES (1, 'x');
\echo 'error: ':LAST_ERROR_SQLSTATE'|||'
SELECT 'soon'::date;
\echo 'error: ':LAST_ERROR_SQLSTATE'|':LAST_ERROR_MESSAGE
