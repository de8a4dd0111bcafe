"""What psqlODBC says of the catalogue: SQLTables, SQLColumns, SQLPrimaryKeys, SQLStatistics, SQLProcedures, SQLGetTypeInfo and the rest."""
import sys

import pyodbc

server, driver = sys.argv[1].split(":"), sys.argv[2]
c = pyodbc.connect(f"Driver={driver};Server={server[0]};Port={server[1]};Database=wmsql;UID=wmsql;sslmode=disable")
cur = c.cursor()


def show(what, rows, *columns):
    for r in rows:
        print(what, *(getattr(r, k) for k in columns))


show("table", [r for r in cur.tables(schema="public")], "table_name", "table_type")
show("column", cur.columns(schema="public", table="tab"), "column_name", "type_name", "column_size", "decimal_digits", "nullable", "column_def", "ordinal_position")
show("view column", cur.columns(schema="public", table="res"), "column_name", "type_name")
show("key", cur.primaryKeys(schema="public", table="tab"), "column_name", "key_seq", "pk_name")
show("index", [r for r in cur.statistics(schema="public", table="tab") if r.index_name], "index_name", "column_name", "non_unique")
show("row", cur.rowIdColumns(schema="public", table="tab"), "column_name")
show("foreign key", cur.foreignKeys(schema="public", table="tab"), "pk_name")
show("procedure", cur.procedures(procedure="initials"), "procedure_name", "procedure_type")
show("argument", cur.procedureColumns(procedure="initials"), "column_name", "column_type", "type_name")
print("types", len([r.type_name for r in cur.getTypeInfo()]) > 20)
print("name", c.getinfo(pyodbc.SQL_DBMS_NAME), c.getinfo(pyodbc.SQL_DBMS_VER).split(".")[0], c.getinfo(pyodbc.SQL_DATABASE_NAME))
