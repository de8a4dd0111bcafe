import java.sql.*;
import java.time.*;
import java.util.*;
import org.postgresql.util.*;

/** The story told by JDBC. A fifth execution of a statement is prepared by name and read in binary. */
public class Story {
  static Connection c;

  static void say(String act, Object... what) {
    StringJoiner j = new StringJoiner("|", act + ": ", "");
    for (Object o : what) j.add(show(o));
    System.out.println(j);
  }

  static String show(Object o) {
    if (o == null) return "";
    if (o instanceof Timestamp) return ((Timestamp) o).toInstant().toString();
    try {
      if (o instanceof java.sql.Array) return String.join("+", (String[]) ((java.sql.Array) o).getArray());
    } catch (SQLException e) {
      return e.toString();
    }
    return o.toString();
  }

  static Object[] row(ResultSet r) throws SQLException {
    Object[] out = new Object[r.getMetaData().getColumnCount()];
    for (int k = 0; k < out.length; k++) out[k] = r.getObject(k + 1);
    return out;
  }

  static Object[] one(String sql) throws SQLException {
    try (Statement s = c.createStatement(); ResultSet r = s.executeQuery(sql)) {
      r.next();
      return row(r);
    }
  }

  static ServerErrorMessage fault(String sql, Object... values) throws SQLException {
    try (PreparedStatement p = c.prepareStatement(sql)) {
      for (int k = 0; k < values.length; k++) p.setObject(k + 1, values[k]);
      p.execute();
      throw new IllegalStateException("no fault: " + sql);
    } catch (PSQLException e) {
      return e.getServerErrorMessage();
    }
  }

  static Object[] asked(PreparedStatement p) throws SQLException {
    p.setLong(1, 41);
    p.setString(2, "it's é\\");
    p.setNull(3, Types.VARCHAR);
    p.setBigDecimal(4, new java.math.BigDecimal("6.25"));
    p.setObject(5, OffsetDateTime.parse("2026-03-01T12:00:00Z"));
    try (ResultSet r = p.executeQuery()) {
      r.next();
      return row(r);
    }
  }

  public static void main(String[] args) throws Exception {
    c = DriverManager.getConnection(args[0]);
    boolean named = !args[0].contains("prepareThreshold=0"); // statements may have names
    say("connect", c.getMetaData().getDatabaseMajorVersion(), c.getMetaData().getUserName(), c.getCatalog());

    StringJoiner columns = new StringJoiner("|", "reflect: ", "");
    try (ResultSet r = c.getMetaData().getColumns(null, "public", "people", "%")) {
      while (r.next()) columns.add(r.getString("COLUMN_NAME") + " " + r.getString("TYPE_NAME"));
    }
    System.out.println(columns);

    try (Statement s = c.createStatement(); ResultSet r = s.executeQuery("SELECT * FROM people ORDER BY id")) {
      while (r.next()) say("query", row(r));
    }

    try (PreparedStatement p = c.prepareStatement("SELECT ?::bigint + 1, ?::text || '!', ?::text IS NULL, ?::numeric(10,2) * 2, ?::timestamptz + interval '1 hour'")) {
      say("text", asked(p));
      if (named) {
        for (int k = 0; k < 6; k++) asked(p);
        say("prepared", asked(p));
      }
    }
    if (named) try (PreparedStatement p = c.prepareStatement("SELECT ?::bigint + 1, ?::text || '!', ?::text IS NULL, ?::numeric(10,2) * 2, ?::timestamptz + interval '1 hour'")) {
      p.unwrap(org.postgresql.PGStatement.class).setPrepareThreshold(-1); // binary from the first on
      say("binary", asked(p));
    }

    c.setAutoCommit(false);
    try (PreparedStatement p = c.prepareStatement("SELECT i FROM generate_series(1, ?) i")) {
      p.setFetchSize(1000);
      p.setInt(1, 25000);
      long rows = 0, sum = 0;
      try (ResultSet r = p.executeQuery()) {
        for (; r.next(); rows++) sum += r.getInt(1);
      }
      say("paging", rows / 1000, rows, sum);
    }
    c.commit();
    c.setAutoCommit(true);

    try (Statement s = c.createStatement(); ResultSet r = s.executeQuery("SELECT i, repeat('x', 100) AS t FROM generate_series(1, 200000) i")) {
      long rows = 0, length = 0;
      for (; r.next(); rows++) length += r.getString(2).length();
      say("large", rows, length);
    }

    try (Statement s = c.createStatement()) {
      s.setQueryTimeout(1); // the driver cancels
      s.executeQuery("SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b");
    } catch (SQLException e) {
      say("cancel", e.getSQLState(), one("SELECT 1")[0]);
    }

    String insert = "INSERT INTO people (id, name) VALUES (3, 'Emmy')";
    c.setAutoCommit(false);
    Statement s = c.createStatement();
    s.execute(insert);
    c.rollback();
    Object before = one("SELECT count(*) FROM people")[0];
    s.execute(insert);
    Savepoint mark = c.setSavepoint("s");
    try {
      s.execute(insert);
    } catch (SQLException e) {
      c.rollback(mark);
    }
    c.commit();
    c.setAutoCommit(true);
    say("transaction", before, one("SELECT count(*) FROM people")[0]);

    ServerErrorMessage unknown = fault("SELECT nosuch FROM people");
    say("error", unknown.getSQLState(), unknown.getPosition(), unknown.getMessage());
    ServerErrorMessage twice = fault("INSERT INTO people (id, name) VALUES (?, 'x')", 1);
    say("error", twice.getSQLState(), twice.getTable(), twice.getConstraint(), twice.getDetail());
    ServerErrorMessage date = fault("SELECT ?::date", "soon");
    say("error", date.getSQLState(), date.getMessage());
    c.close();
  }
}
