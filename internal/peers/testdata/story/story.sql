CREATE TABLE people (id BIGINT PRIMARY KEY, name TEXT NOT NULL, born DATE, score NUMERIC(10,2), seen TIMESTAMPTZ, tags TEXT[]);
INSERT INTO people VALUES (1, 'Ada', '1815-12-10', 1.50, '2026-03-01 12:00:00+00', '{a,"b c"}'), (2, 'Kurt', NULL, NULL, NULL, NULL);
CREATE FUNCTION initials(rows TABLE) RETURNS TABLE (letter TEXT) LANGUAGE starlark AS $$
def process(key, rows, state, ctx):
    return [[r.name[0]] for r in rows]
$$;
