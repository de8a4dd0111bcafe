"""Apache Superset on wmsql: adds the database, a data set on a result view and a time-series chart, checks the chart's numbers against
wmsql's own, and saves a screenshot.

usage: bi.py SUPERSET_URL WMSQL_PORT SCREENSHOT.png
"""
import json
import os
import subprocess
import sys
import urllib.error
import urllib.request

import psycopg2

superset, port, picture = sys.argv[1], sys.argv[2], sys.argv[3]

SETUP = """
CREATE STREAM visits (page TEXT, ms INT, at TIMESTAMPTZ, WATERMARK FOR at AS at - INTERVAL '10 seconds');
CREATE MATERIALIZED VIEW visits_by_minute AS
SELECT window_start, window_end, page, count(*) AS visits, avg(ms) AS ms
FROM TUMBLE(TABLE visits, DESCRIPTOR(at), INTERVAL '1 minute') GROUP BY window_start, window_end, page;
COMMENT ON MATERIALIZED VIEW visits_by_minute IS 'Visits of each page in each minute.';
COMMENT ON COLUMN visits_by_minute.ms IS 'Mean time to answer.';
INSERT INTO visits
SELECT CASE i % 3 WHEN 0 THEN '/cart' ELSE '/' END, 20 + i % 50, timestamptz '2026-01-01 10:00:00Z' + i * interval '1 second' * (1 + (i / 600) % 3)
FROM generate_series(1, 4000) AS i;
"""


def call(method, path, body=None):
    """One call of Superset's REST API."""
    request = urllib.request.Request(superset + path, method=method)
    request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request, None if body is None else json.dumps(body).encode(), timeout=60) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as e:
        raise SystemExit(f"bi: {method} {path}: {e.code} {e.read().decode()[:2000]}") from e


def check(what, got, want):
    """Stops unless got is want."""
    if got != want:
        raise SystemExit(f"bi: {what} is {got!r}, not {want!r}")
    print(f"bi: {what}: {got!r}"[:150])


own = psycopg2.connect(host="127.0.0.1", port=port, user="wmsql", dbname="wmsql")
own.autocommit = True
cur = own.cursor()
cur.execute(SETUP)
cur.execute("FLUSH")

uri = f"postgresql+psycopg2://wmsql@127.0.0.1:{port}/wmsql"
database = {"database_name": "wmsql", "sqlalchemy_uri": uri}
call("POST", "/api/v1/database/test_connection/", database)
db = call("POST", "/api/v1/database/", database | {"expose_in_sqllab": True})["id"]
schemas = call("GET", f"/api/v1/database/{db}/schemas/?q=(force:!t)")["result"]
check("the list of schemas has public", "public" in schemas, True)
tables = call("GET", f"/api/v1/database/{db}/tables/?q=(force:!t,schema_name:public)")["result"]
check("tables", sorted((t["value"], t["type"]) for t in tables), [("visits", "table"), ("visits_by_minute", "view")])
table = call("GET", f"/api/v1/database/{db}/table_metadata/?name=visits_by_minute&schema=public")
check("columns", [(c["name"], c["type"]) for c in table["columns"]],
      [("window_start", "TIMESTAMP"), ("window_end", "TIMESTAMP"), ("page", "TEXT"), ("visits", "BIGINT"), ("ms", "NUMERIC")])
check("comment of a column", table["columns"][4]["comment"], "Mean time to answer.")

dataset = call("POST", "/api/v1/dataset/", {"database": db, "schema": "public", "table_name": "visits_by_minute"})["id"]
columns = call("GET", f"/api/v1/dataset/{dataset}")["result"]["columns"]
check("times", sorted(c["column_name"] for c in columns if c["is_dttm"]), ["window_end", "window_start"])

visits = {"expressionType": "SIMPLE", "column": {"column_name": "visits"}, "aggregate": "SUM", "label": "visits"}
chart = {
    "viz_type": "echarts_timeseries_line", "datasource": f"{dataset}__table", "x_axis": "window_start", "time_grain_sqla": "PT5M",
    "metrics": [visits], "groupby": ["page"], "row_limit": 1000, "color_scheme": "supersetColors", "show_legend": True, "markerEnabled": True,
    "x_axis_title": "five minutes", "x_axis_title_margin": 30, "y_axis_title": "visits", "y_axis_title_margin": 40,
}
query = {
    "columns": [{"columnType": "BASE_AXIS", "sqlExpression": "window_start", "label": "window_start", "expressionType": "SQL", "timeGrain": "PT5M"}, "page"],
    "metrics": [visits], "orderby": [[visits, False]], "row_limit": 1000, "series_columns": ["page"],
    "filters": [{"col": "window_start", "op": "TEMPORAL_RANGE", "val": "2026-01-01T10:00:00 : 2026-01-02T00:00:00"}],
}
got = call("POST", "/api/v1/chart/data", {"datasource": {"id": dataset, "type": "table"}, "queries": [query], "result_format": "json", "result_type": "full"})["result"][0]
print("bi: Superset asked:\n" + got["query"])
cur.execute("SELECT sum(visits)::int, count(DISTINCT (date_bin('5 minutes', window_start, '2026-01-01'), page)) FROM visits_by_minute")
total, points = cur.fetchone()
check("points of the chart", len(got["data"]), points)
check("visits of the chart", sum(int(r["visits"]) for r in got["data"]), total)

slice_id = call("POST", "/api/v1/chart/", {"slice_name": "Visits", "viz_type": chart["viz_type"], "datasource_id": dataset, "datasource_type": "table",
                                           "params": json.dumps(chart)})["id"]
answer = call("POST", "/api/v1/sqllab/execute/", {"database_id": db, "sql": "SELECT page, max(visits) AS top FROM visits_by_minute GROUP BY page ORDER BY page",
                                                  "schema": "public", "runAsync": False, "client_id": "bi", "queryLimit": 100, "tab": "", "expand_data": True})
check("SQL Lab", [r["page"] for r in answer["data"]], ["/", "/cart"])

subprocess.run([os.environ.get("CHROMIUM", "chromium"), "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1200,700",
                "--virtual-time-budget=60000", f"--screenshot={picture}", f"{superset}/explore/?slice_id={slice_id}&standalone=1"],
               check=True, timeout=180, stderr=subprocess.DEVNULL)
print("bi: the chart is in", picture)
