//go:build peers

package peers

// calls are expressions with places for others: by type, what they give, and their text with $type for what they take.
var calls = parseCalls(`
int: $int + $int | $int - $int | abs($int) | length($text) | position($text in $text) | $int % 7 | -$int | ($int)::smallint::int | strpos($text, $text) | ascii($text) | $int * $int
int: $date - $date | $int / 3 | $int & 12 | $int # $int | $int|5 | ~$int | $int << 2 | $int >> 1 | gcd($int, $int) | lcm($int, 6) | div($int, 4)::int | width_bucket($numeric, 0, 10, 5)
int: ($numeric)::int | round($numeric)::int | char_length($text) | octet_length($text) | mod($int, 5) | sign($int)::int | ($bool)::int | $int * 3 | $int / nullif($int, 0) | 100 / $int | bit_length($text)
int: cardinality($ints) | array_length($texts, 1) | array_position($ints, $int) | ($ints)[$int] | ($ints)[1] | array_upper($ints, 1) | array_lower($texts, 1) | array_ndims($ints) | num_nulls($int, $text, $bool) | num_nonnulls($int, $text)
int: jsonb_array_length($jsonb) | ($jsonb)::int | ($jsonb ->> 'a')::int | length($bytea) | get_byte($bytea, 0) | date_part('year', $date)::int | scale($numeric) | min_scale($numeric) | extract(day FROM $timestamp)::int | regexp_count($text, 'a') | regexp_instr($text, 'b')
int: ($text)::int | array_length(string_to_array($text, ','), 1) | bit_count($bytea)::int | (($int)::bit(12) # B'101010101010')::int | bit_length(($int)::bit(7)) | get_bit(($bigint)::bit(70), 3) | position(B'01' in ($int)::bit(9))
bigint: $bigint + $int | $bigint - $bigint | abs($bigint) | ($int)::bigint | coalesce($bigint, 0) | $bigint / 7 | $bigint % 10 | ($numeric % 99999)::bigint | $bigint * 2 | $bigint & 255 | $int * 3000000000 | (1::bigint << $int) | $bigint * $bigint
bigint: extract(epoch FROM $timestamptz)::bigint | ($float8)::bigint | ($text)::bigint | factorial(abs($int) % 5)::bigint | bit_count($bytea)
numeric: $numeric + $numeric | $numeric - $int | $numeric * $numeric | $numeric / 3 | round($numeric, 1) | trunc($numeric) | floor($numeric) | ceil($numeric) | abs($numeric) | ($int)::numeric | $numeric % 2 | $numeric ^ 2 | power($numeric, 2) | sqrt(abs($numeric))
numeric: round(($bigint)::numeric, 3) | extract(epoch FROM $interval) | extract(year FROM $date) | extract(dow FROM $timestamp) | extract(hour FROM $timestamptz) | extract(epoch FROM $timestamptz) | extract(epoch FROM $date) | trunc($numeric, 1) | sign($numeric)
numeric: ($float8)::numeric | -$numeric | round($numeric) | $numeric / nullif($numeric, 0) | extract(second FROM $timestamp) | extract(isoyear FROM $date) | extract(quarter FROM $date) | extract(doy FROM $date) | extract(month FROM $interval) | mod($numeric, $numeric)
numeric: ($text)::numeric | ($numeric)::numeric(10,3) | ($numeric)::numeric(4,1) | $numeric / $numeric | to_number(($int)::text, '999') | trim_scale($numeric) | div($numeric, 3) | exp($numeric % 5) | ln(abs($numeric) + 1) | log(abs($numeric) + 2) | gcd($numeric, 2.5)
numeric: extract(timezone FROM ($timestamptz)::timetz) | extract(epoch FROM ($timestamptz)::timetz) | extract(microseconds FROM $time) | extract(century FROM $timestamp) | extract(week FROM $date) | extract(isodow FROM $date) | extract(timezone FROM $timestamptz) | extract(julian FROM $timestamp) | extract(decade FROM $date) | extract(minute FROM $interval) | ($jsonb -> 'a')::numeric
numeric: $int + 0.5 | $bigint * 1.5 | $int / 2.0 | width_bucket($numeric, 1, 9, 3)::numeric | (date_part('epoch', $interval))::numeric(20,3) | round($numeric, -1) | round($numeric, $int % 4) | log(2.0, abs($numeric) + 1.5)
float8: $float8 + $float8 | $float8 * $float8 | ($int)::float8 | floor($float8) | round($float8) | abs($float8) | ($numeric)::float8 | sqrt(abs($float8)) | $float8 / 4 | -$float8 | date_part('day', $date) | trunc($float8) | ceil($float8) | $float8 - $int | $float8 / $float8
float8: date_part('epoch', $timestamp) | degrees($float8) | radians($float8) | sign($float8) | pi() | ($text)::float8 | ($float8)::real | |/ abs($float8) | @ $float8 | ($jsonb -> 'a')::float8 | date_part('second', $time) | mod($int, 3)::real | $int * 0.5::float8 | ($float8)::real + $int
text: $text || $text | upper($text) | lower($text) | substr($text, $int) | substring($text from 2 for 3) | trim($text) | left($text, $int) | right($text, 2) | replace($text, 'a', $text) | reverse($text) | repeat($text, 2) | $text || $int | $int || $text | $text || $date
text: lpad($text, 6, '*') | rpad($text, 5) | initcap($text) | concat($text, $int, $bool) | ($int)::text | ($numeric)::text | ($bool)::text | ($date)::text | ($interval)::text | ($timestamptz)::text | ($float8)::text | md5($text) | ($time)::text | ($uuid)::text | ($bytea)::text | ($ints)::text | ($jsonb)::text
text: to_char($timestamp, 'YYYY-MM-DD HH24:MI:SS.US') | to_char($numeric, 'FM999990.00') | split_part($text, ' ', 1) | split_part($text, ',', $int) | translate($text, 'abc', 'xyz') | ltrim($text, 'ab') | rtrim($text, 'c') | trim(both 'a' from $text) | trim(leading from $text) | substring($text from '[a-c]+') | substring($text from $int)
text: to_char($date, 'Day, DD Mon YYYY') | to_char($int, '000') | concat_ws('-', $text, $text) | concat_ws(',', $int, NULL, $bool) | btrim($text, 'a') | regexp_replace($text, '[a-c]+', 'Z') | overlay($text placing 'Q' from 1 for 1) | ($text)::varchar(3) | ($text)::char(3) | to_char($interval, 'HH24:MI') | chr(65 + abs($int) % 26) | format('%s/%s', $text, $int) | quote_literal($text)
text: to_char($timestamptz, 'IYYY-IW-ID Q J TZ') | to_char($timestamp, 'FMMonth FMDDth, HH12:MI AM') | to_char($date, 'DDD D W WW CC') | to_char($numeric, '9,999.99') | to_char($numeric, 'S0000.0') | to_char($int, 'RN') | to_char($numeric, '99.9EEEE') | to_char($int, '9999PR') | to_char($bigint, 'FM9,999,999') | to_char($float8, '9990.999') | to_char($interval, 'YYYY MM DD HH24:MI:SS') | to_char($numeric, 'L99D99')
text: regexp_replace($text, '(.)(.)', '\2\1', 'g') | regexp_substr($text, '[a-z]+') | (regexp_match($text, '([a-z])(.)'))[1] | array_to_string($texts, ',', '*') | array_to_string($ints, '-') | ($texts)[$int] | ($texts)[1] | encode($bytea, 'hex') | encode($bytea, 'base64') | encode($bytea, 'escape') | quote_ident($text) | quote_nullable($text) | to_hex($int) | unistr('\0041') | ($int)::varchar
text: (($int)::bit(5) || B'01')::text | ((($bigint)::bit(40) << 3) & ~($bigint)::bit(40))::varbit::text | (($timestamptz)::timetz)::text | (($timestamptz)::timetz + $interval)::text | (($timestamptz)::timetz AT TIME ZONE INTERVAL '-05:30')::text | $jsonb ->> 'a' | $jsonb ->> 0 | $jsonb #>> '{b,0}' | $jsonb #>> '{b,a}' | jsonb_typeof($jsonb) | jsonb_pretty($jsonb) | array_dims($ints) | format('%1$s %2$s %1$s', $text, $int) | format('%I %L %%', $text, $text) | format('%-5s|%5s', $text, $int) | starts_with($text, $text)::text | normalize($text) | row_to_json(row($int, $text))::text | json_build_object('k', $int, 'v', $text)::text | to_json($numeric)::text
text: lower(($text)::varchar(3)) | upper(($text)::char(4)) | ($text)::char(5) || '.' | pg_typeof($int)::text | pg_typeof($numeric)::text | row($int, $text)::text | md5($bytea) | left($text, -1) | right($text, $int) | substring($text similar '%#"[a-b]#"%' escape '#') | string_to_array($text, ',')::text | json_typeof(to_json($int)) | ($jsonb -> 'b' -> 0)::text
bool: $int < $int | $int = $int | $numeric >= $numeric | $text = $text | $text LIKE 'a%' | $text ILIKE '%B%' | $bool AND $bool | $bool OR $bool | NOT $bool | $int IS NULL | $text IS NOT NULL | $bool IS TRUE | $int BETWEEN $int AND $int | $bool IS UNKNOWN | $bool IS NOT TRUE | $int NOT BETWEEN $int AND $int | $int BETWEEN SYMMETRIC $int AND $int
bool: $int IN (1, 2, 42) | $text IN ('abc', 'x') | $date < $date | $timestamp >= $timestamp | $timestamptz > $timestamptz | $interval < $interval | $float8 <> $float8 | $text ~ '^[a-c]' | $int IS DISTINCT FROM $int | $text IS NOT DISTINCT FROM $text | $text < $text | $bigint > $int | $text !~* 'A' | $text ~* '^A.C$' | $text ~~ $text | $text LIKE $text || '%'
bool: $bool = $bool | $numeric = $int | $float8 > $numeric | starts_with($text, 'a') | $text NOT LIKE '_b%' | $date = $timestamp | $int NOT IN (3, NULL) | $bool IS NOT FALSE | ($int)::bool | $int = ANY (ARRAY[1, 2, $int]) | ($int, $text) = ($int, $text) | ($int, $int) < ($int, $int) | ($int, $text) IN ((1, 'abc'), (2, $text)) | row($int, $text) IS NOT NULL | row($int, $int) IS DISTINCT FROM row($int, $int) | $int = ALL ($ints) | $text = ANY ($texts)
bool: $ints @> ARRAY[1] | $ints && $ints | $ints <@ $ints | $ints = $ints | $texts < $texts | $jsonb ? 'a' | $jsonb @> '{"a": 1}' | $jsonb = $jsonb | $jsonb ?| ARRAY['a', 'z'] | $jsonb ?& ARRAY['a', 'b'] | $jsonb <@ '{"a": 1, "b": [1, 2]}' | $uuid = $uuid | $uuid < $uuid | $bytea < $bytea | $time < $time | $time BETWEEN $time AND $time | $text SIMILAR TO '(a|b)%' | ($text)::bool | ($jsonb -> 'a') IS NULL | $int <> ALL (ARRAY[$int, 2])
bool: ($timestamptz)::timetz < ($timestamptz)::timetz | ($int)::bit(4) <= ($bigint)::bit(4) | $date < $timestamptz | $timestamp = $timestamptz | isfinite($date) | ($timestamp, $interval) OVERLAPS ($timestamp, $timestamp) | ($date, $date) OVERLAPS ($date, $interval) | $numeric < ANY (ARRAY[0.5, $numeric]) | regexp_like($text, '^a', 'i') | $text ^@ 'a' | $text >= $text COLLATE "C" | $text = ($text)::char(4) | $jsonb < $jsonb
date: $date + $int | $date - 3 | ($timestamp)::date | date_trunc('month', $timestamp)::date | coalesce($date, $date) | greatest($date, $date) | make_date(2024, 1 + abs($int) % 12, 5) | ($timestamptz)::date | to_date('2024-0' || abs($int % 9 + 1), 'YYYY-MM') | ($text)::date | make_date($int, 2, 29) | ($date + $interval)::date
timestamp: $timestamp + $interval | $date + $interval | date_trunc('hour', $timestamp) | ($date)::timestamp | $timestamptz AT TIME ZONE 'Europe/Berlin' | $timestamp - $interval | date_trunc('week', $timestamp) | ($timestamptz)::timestamp | $date + $time | date_bin('7 minutes', $timestamp, TIMESTAMP '2024-01-01') | date_bin($interval, $timestamp, TIMESTAMP '2024-01-01')
timestamp: make_timestamp(2024, 1 + abs($int) % 12, 5, 6, 7, 8.5) | date_trunc('quarter', $timestamp) | ($timestamp)::timestamp(0) | ($timestamp)::timestamp(3) | ($text)::timestamp | date_trunc('millennium', $timestamp) | $date - $interval | timezone('Asia/Kolkata', $timestamptz) | $timestamptz AT TIME ZONE $interval | date_trunc('milliseconds', $timestamp)
timestamptz: $timestamptz + $interval | date_trunc('day', $timestamptz) | $timestamp AT TIME ZONE 'America/New_York' | ($date)::timestamptz | to_timestamp($int) | date_bin('15 minutes', $timestamptz, TIMESTAMPTZ '2001-01-01 00:00:00+00') | date_trunc('day', $timestamptz, 'Europe/Berlin') | $timestamptz - $interval | ($timestamp)::timestamptz | to_timestamp($float8)
timestamptz: $date + ($timestamptz)::timetz | to_timestamp('2024 03 31 02', 'YYYY MM DD HH24') | make_timestamptz(2024, 3, 31, 2, 30, 0, 'Europe/Berlin') | ($text)::timestamptz | date_trunc('hour', $timestamptz, 'Asia/Kathmandu') | ($timestamptz)::timestamptz(0) | $timestamp AT TIME ZONE 'Europe/Berlin' | $timestamp AT TIME ZONE '+02'
interval: $timestamp - $timestamp | $timestamptz - $timestamptz | $interval + $interval | $interval * 2 | $interval / 2 | -$interval | justify_hours($interval) | age($timestamp, $timestamp) | make_interval(days => $int) | justify_interval($interval) | justify_days($interval) | age($timestamptz, $timestamptz) | $interval * $float8 | $time - $time | $interval - $interval
interval: ($text || ' days')::interval | make_interval(1, 2, 3, 4, 5, 6, 7.5) | ($time)::interval | date_trunc('hour', $interval) | $int * INTERVAL '1 hour' | $interval / $float8 | ($interval)::interval(0) | age($date, $date) | make_interval(hours => $int, secs => $int) | $timestamp - $date
time: $time + $interval | ($timestamp)::time | $time - $interval | ($timestamptz)::time | make_time(abs($int) % 24, 5, 6.5) | ($interval)::time | ($time)::text::time | ($time)::time(0) | date_trunc('hour', $timestamp)::time
uuid: ($text)::uuid | md5($text)::uuid
bytea: ($text)::bytea | $bytea || $bytea | substr($bytea, 2) | decode('61ff', 'hex') | convert_to($text, 'UTF8') | sha256($bytea) | set_byte($bytea, 0, 65) | decode($text, 'base64') | overlay($bytea placing '\x00' from 1) | substring($bytea from 1 for 2) | trim('\x61'::bytea from $bytea) | decode(encode($bytea, 'hex'), 'hex')
ints: ARRAY[$int, $int] | array_append($ints, $int) | $ints || $ints | $ints || $int | array_remove($ints, $int) | ($ints)[2:3] | array_cat($ints, $ints) | array_prepend($int, $ints) | array_replace($ints, 1, $int) | array_positions($ints, 1) | ($text)::int[] | ($ints)[:2] | string_to_array('1,2,3', ',')::int[] | trim_array($ints, 1)
texts: ARRAY[$text, $text] | string_to_array($text, ',') | string_to_array($text, NULL) | string_to_array($text, 'b', 'a') | array_append($texts, $text) | regexp_split_to_array($text, '[ ,]') | regexp_match($text, '(.)b(.)') | $texts || $text | ($ints)::text[] | array_remove($texts, $text) | array_replace($texts, 'a', $text) | ARRAY[$int, 1]::text[] | $texts || $texts | ($texts)[1:2]
jsonb: $jsonb -> 'a' | $jsonb -> 0 | $jsonb #> '{b,2}' | $jsonb || $jsonb | $jsonb - 'a' | $jsonb - 0 | to_jsonb($int) | to_jsonb($text) | to_jsonb($ints) | jsonb_build_object('i', $int, 't', $text) | jsonb_build_array($int, $bool, $text) | jsonb_set($jsonb, '{a}', '2') | jsonb_insert($jsonb, '{b,0}', '9') | jsonb_strip_nulls($jsonb) | $jsonb #- '{b,0}' | to_jsonb($timestamptz) | to_jsonb($date)
jsonb: ($text)::jsonb | to_jsonb($bool) | jsonb_set($jsonb, '{x,y}', to_jsonb($int), true) | jsonb_extract_path($jsonb, 'b', '1') | jsonb_object(ARRAY['k', $text]) | to_jsonb($texts) | $jsonb - ARRAY['a', 'b'] | to_jsonb($interval) | to_jsonb(row($int, $text)) | jsonb_build_object($text, $bool) | ($jsonb)::json::jsonb
int: jsonb_path_query_first($jsonb, '$.b.size()')::int | ($intss)[1][2] | array_length($intss, 2) | array_ndims($intss) | cardinality($intss) | jsonb_path_query_first($jsonb, '$.a')::int | ($intss)[$int][$int] | array_upper($intss, 2) | extract(hour FROM $interval::interval day to hour)::int | array_lower(array_fill($int, ARRAY[2], ARRAY[3]), 1)
numeric: extract(epoch FROM $interval::interval day to minute) | extract(second FROM ($interval)::interval second(1)) | ($numeric)::numeric(6,-1) | ($numeric)::numeric(3,5) | ($jsonb -> 'b' -> 0)::numeric | to_number(abs($int % 90)::text || '.5', '99.9')
float8: extract(epoch FROM $timestamp)::float8 | power($float8, 2) | $float8 ^ 2 | ($float8)::float4::float8
text: jsonb_path_query_array($jsonb, '$.b[*]')::text | ($intss)::text | array_dims($intss) | array_to_string($intss, ',') | array_fill($text, ARRAY[1, 2])::text | jsonb_path_query_first($jsonb, '$.a.b') #>> '{}' | to_char($timestamptz, 'HH24:MI:SS.MS TZH:TZM OF') | to_char($timestamp, 'Y,YYY YY AD BC J SSSS') | to_char($date, 'FMDay FMMonth FMRM IYY') | to_char($timestamp, 'DDth "at" HH:MI PM') | to_char($interval, 'DD HH12 MI SS MS US') | to_char($numeric, 'FM0.99') | to_char($int, 'FM999th') | to_char($numeric, 'MI999.9') | to_char($int, '99V99') | regexp_replace($text, 'b', $text, 1, 1) | regexp_substr($text, '(a)(b)', 1, 1, '', 2) | format('%2$s|%1$-6s|%3$I', $text, $int, $text) | substring($text, '(b.)') | split_part($text, ',', -1) | string_to_array($text, 'b')::text | to_json($timestamp)::text | json_build_array($int, $text, $numeric)::text | to_json($texts)::text | to_json(row($int, $text, $date))::text | array_to_json($ints)::text | json_object($texts || $texts)::text | ($interval)::interval day to second(2)::text | justify_hours($interval)::text | overlay($text placing $text from 2) | sha256($bytea)::text | ($time)::time(1)::text | ($timestamptz)::date::text
bool: $jsonb @? '$.b[*] ? (@ > 1)' | $jsonb @@ '$.a == 1' | jsonb_path_exists($jsonb, '$.a') | jsonb_path_match($jsonb, 'exists($.b)') | $intss = $intss | $intss @> $ints | $int = ANY ($intss) | ROW($int, $text) < ROW($int, $text) | ($int, $int) >= ($int, $int) | $text LIKE $text ESCAPE '!' | $text SIMILAR TO 'a_*' | $text ~ '(a|b)+c?' | $text ~ '^\w+$' | $int < ALL (ARRAY[$int, $int]) | $text LIKE ANY (ARRAY['a%', '%c']) | $text NOT ILIKE ALL ($texts) | $numeric IN (SELECT 1.5) | ($int IS NULL) = ($text IS NULL) | ($int, $text) IS NULL | $jsonb @> $jsonb | ($jsonb ->> 'a') = $text | $date BETWEEN $date AND $date | $interval BETWEEN $interval AND $interval
date: to_date('2024-1' || abs($int % 3) || '-0' || abs($int % 8 + 1), 'YYYY-MM-DD') | ($timestamp + ($interval)::interval day)::date | to_date('15 Jan 2024', 'DD Mon YYYY') | date_bin('1 day', $timestamp, TIMESTAMP '2000-01-01')::date
timestamp: to_timestamp('2024-02-03 04:05', 'YYYY-MM-DD HH24:MI')::timestamp | $timestamp + ($interval)::interval day to hour | date_trunc('decade', $timestamp) | date_trunc($text, $timestamp) | ($timestamp)::timestamp(1) | ($date + $time)
timestamptz: to_timestamp('05 Dec 2023 PM 03', 'DD Mon YYYY AM HH12') | to_timestamp('2024-100', 'IYYY-IDDD') | $timestamptz + ($interval)::interval month | timezone('UTC', $timestamp)
interval: ($interval)::interval day to hour | ($interval)::interval year to month | ($interval)::interval second(1) | ($interval)::interval minute | make_interval(secs => ($int % 100000) / 7.0) | make_interval(weeks => $int, mins => $int) | ($text)::interval | ($text)::interval day to second | justify_interval($interval) * 2 | $interval * 1e2 | $interval * $int
time: ($timestamptz AT TIME ZONE 'Asia/Kolkata')::time | ($time)::time(2) | ($interval)::time | $time + ($interval)::interval hour to minute
ints: array_fill($int, ARRAY[2]) | ARRAY[$int]::int[] | array_remove($ints, NULL) | ARRAY(SELECT unnest($ints) ORDER BY 1) | ($ints)[$int:$int] | array_replace($ints, NULL, $int)
intss: ARRAY[$ints, $ints] | array_fill($int, ARRAY[2], ARRAY[0]) | $ints || $intss | (ARRAY[$ints, $ints])[1:1] | ($intss)[1:1][1:2] | ARRAY[ARRAY[$int, 1], ARRAY[2, $int]] | array_fill($int, ARRAY[2, 2]) | ($intss)[1:1] | $intss || $intss | array_cat($intss, $intss) | array_fill($int, ARRAY[1, 2], ARRAY[0, 3]) | ($intss)[:2][2:2]
texts: array_fill($text, ARRAY[2]) | ARRAY(SELECT jsonb_array_elements_text('["a", "b"]')) | string_to_array($text, '') | array_prepend($text, $texts) | ($texts)[$int:] | $text || $texts | regexp_split_to_array($text, 'b') | ARRAY[$text, NULL]
jsonb: jsonb_path_query_array($jsonb, '$.**') | jsonb_path_query_first($jsonb, '$.b[last]') | jsonb_path_query_array($jsonb, 'lax $.b[*] ? (@.type() == "number")') | jsonb_path_query_first($jsonb, 'strict $.a') | to_jsonb($intss) | jsonb_set_lax($jsonb, '{a}', NULL) | jsonb_set($jsonb, '{b,-1}', to_jsonb($text)) | jsonb_build_object('a', $jsonb, 'b', $ints) | jsonb_object($texts || $texts) | $jsonb || to_jsonb($int) | ($jsonb)['a'] | ($jsonb)['b'][0] | to_jsonb(row($numeric, $texts)) | jsonb_extract_path($jsonb, $text) | $jsonb #> ARRAY[$text, '0'] | jsonb_path_query_array($jsonb, '$.b[*] + 1', '{}', true) | jsonb_path_query_array($jsonb, '$.b[0 to 1].double()', '{}', true)
any: CASE WHEN $bool THEN $any ELSE $any END | coalesce($any, $any) | CASE WHEN $bool THEN $any WHEN $bool THEN $any END | CASE $int WHEN 1 THEN $any WHEN $int THEN $any ELSE $any END | nullif($any, $any) | (ARRAY[$any, $any])[1 + abs($int) % 2] | coalesce(NULL, $any) | greatest($any, $any) | least($any, $any, $any)
`)

// aggregateCalls are the same for aggregates. $ids is what makes an order of the rows whole; sums of floats are left out, for their last digits
// depend on that order.
var aggregateCalls = parseCalls(`
bigint: count(*) | count($int) | count(DISTINCT $text) | sum($int) | count(*) FILTER (WHERE $bool) | regr_count($float8, $float8) | count(DISTINCT $int) | sum(DISTINCT $int) | count(DISTINCT ($int, $bool)) | sum($int) FILTER (WHERE $bool)
int: min($int) | max($int) | bit_and($int) | bit_or($int) | bit_xor($int) | max(length($text)) | mode() WITHIN GROUP (ORDER BY $int) | percentile_disc(0.5) WITHIN GROUP (ORDER BY $int) | min($int) FILTER (WHERE $bool) | percentile_disc(0.2) WITHIN GROUP (ORDER BY $int DESC)
numeric: sum($numeric) | avg($int) | avg($numeric) | sum($bigint) | max(round($numeric, 3)) | min(round($numeric, 2)) | stddev($int) | variance($numeric) | sum(DISTINCT $numeric) | var_pop($int) | stddev_pop($bigint) | var_samp($numeric) | avg(DISTINCT $int) | avg($bigint) FILTER (WHERE $bool)
float8: max($float8) | min($float8) | percentile_cont(0.5) WITHIN GROUP (ORDER BY $int) | percentile_cont(0.3) WITHIN GROUP (ORDER BY $float8) | percent_rank(2) WITHIN GROUP (ORDER BY $int) | cume_dist(1) WITHIN GROUP (ORDER BY $int)
text: bit_xor(($int)::bit(6))::text | bit_and(($bigint)::bit(50))::text | max(($timestamptz)::timetz)::text | string_agg($text, ',' ORDER BY $text, $ids) | min($text) | max($text) | string_agg(DISTINCT $text, '-') | string_agg($text, $text ORDER BY $ids) | string_agg($text, '' ORDER BY $int DESC NULLS LAST, $ids) FILTER (WHERE $bool) | mode() WITHIN GROUP (ORDER BY $text) | percentile_disc(0.5) WITHIN GROUP (ORDER BY $text) | (json_agg($int ORDER BY $ids))::text
bool: bool_and($bool) | bool_or($bool) | every($bool) | bool_or($bool) FILTER (WHERE $bool) | count(*) > $int
date: min($date) | max($date) | percentile_disc(0.9) WITHIN GROUP (ORDER BY $date)
timestamp: min($timestamp) | max($timestamp)
timestamptz: min($timestamptz) | max($timestamptz)
interval: sum($interval) | avg($interval)
time: min($time) | max($time)
ints: array_agg($int ORDER BY $int, $ids) | array_agg(DISTINCT $int) | array_agg($int ORDER BY $ids) | array_agg($int ORDER BY $int DESC, $ids) FILTER (WHERE $bool) | percentile_disc(ARRAY[0.25, 0.75]) WITHIN GROUP (ORDER BY $int) | max($ints)
texts: array_agg($text ORDER BY $ids) | array_agg(DISTINCT $text)
jsonb: jsonb_agg($int ORDER BY $ids) | jsonb_object_agg(coalesce($text, 'n'), $int) FILTER (WHERE false) | jsonb_agg($text ORDER BY $text, $ids) | jsonb_agg(DISTINCT $int)
bigint: count(DISTINCT $numeric) FILTER (WHERE $bool) | rank(2) WITHIN GROUP (ORDER BY $int) | dense_rank(2, 'abc') WITHIN GROUP (ORDER BY $int, $text) | count(ALL $text)
text: json_object_agg($int, $text ORDER BY $ids)::text | max($text COLLATE "C") | mode() WITHIN GROUP (ORDER BY $text DESC) | percentile_disc(0) WITHIN GROUP (ORDER BY $text)
interval: percentile_cont(0.5) WITHIN GROUP (ORDER BY $interval) | sum($interval) FILTER (WHERE $bool)
ints: array_agg($int ORDER BY $text NULLS FIRST, $ids) | percentile_disc(ARRAY[0, 1]) WITHIN GROUP (ORDER BY $int DESC)
numeric: percentile_disc(0.5) WITHIN GROUP (ORDER BY round($numeric, 2)) | stddev_samp(DISTINCT $int) | regr_count($float8, $int)::numeric | (percentile_cont(ARRAY[0.5, 1]) WITHIN GROUP (ORDER BY $int))[1]::numeric
intss: array_agg(ARRAY[$int, 1] ORDER BY $ids) | array_agg(DISTINCT ARRAY[$int, 2])
`)

// orderedAggregates are those of the rows of one table in their order.
var orderedAggregates = parseCalls(`
float8: sum($float8) | avg($float8) | stddev($float8) | var_pop($float8) | corr($float8, $float8) | covar_pop($float8, $int) | regr_slope($float8, $float8) | regr_intercept($float8, $int) | regr_r2($float8, $float8) | covar_samp($float8, $float8)
text: string_agg($text, ',') | json_agg($text)::text | json_object_agg(id, $text)::text
ints: array_agg($int) | array_agg($int) FILTER (WHERE $bool)
jsonb: jsonb_agg($text) | jsonb_object_agg(id, $int)
`)

// rowWindowCalls need an order that has no equals; peerWindowCalls are the same for equal rows.
var rowWindowCalls = parseCalls(`
bigint: row_number()
int: lag($int) | lead($int, 2, 0) | first_value($int) | ntile(3) | nth_value($int, 2) | last_value($int) | lag($int, $int) | nth_value($int, 1 + abs($int)) | ntile(2)
numeric: lead($numeric) | first_value($numeric)
text: lag($text, 1, 'none') | last_value($text) | string_agg($text, '') | first_value($text) | string_agg($text, ',') FILTER (WHERE $bool)
ints: array_agg($int)
date: lag($date) | lead($date, 1, DATE '2024-01-01')
timestamptz: lead($timestamptz) | lag($timestamptz, 2)
bool: lag($bool)
jsonb: jsonb_agg($int)
interval: lag($interval) | first_value($interval) | nth_value($interval, 2)
float8: lead($float8) | last_value($float8)
texts: array_agg($text)
`)

var peerWindowCalls = parseCalls(`
bigint: rank() | dense_rank() | count($int) | sum($int) | count(*) | count(*) FILTER (WHERE $bool) | sum($int) FILTER (WHERE $bool)
int: max($int) | min($int) | bit_or($int)
numeric: avg($int) | sum(round($numeric, 2)) | avg(round($numeric, 2)) | sum($bigint) | var_pop($int)
float8: percent_rank() | cume_dist() | max($float8)
text: min($text) | max($text)
bool: bool_or($bool) | bool_and($bool)
date: max($date)
timestamptz: min($timestamptz)
interval: sum($interval)
numeric: sum($numeric) | avg($numeric) | stddev_pop($int) | variance($int)
interval: avg($interval) | min($interval)
date: min($date)
`)
