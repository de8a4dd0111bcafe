import java.sql.*;
import java.util.*;
import org.postgresql.util.*;

/** Two batches of a thousand rows, of which the second has a bad one. */
public class Batches {
  public static void main(String[] args) throws Exception {
    try (Connection c = DriverManager.getConnection(args[0]); Statement s = c.createStatement()) {
      s.execute("TRUNCATE made");
      c.setAutoCommit(false);
      try (PreparedStatement p = c.prepareStatement("INSERT INTO made (n, t) VALUES (?, ?)", Statement.RETURN_GENERATED_KEYS)) {
        fill(p, 1000);
        System.out.println(Arrays.stream(p.executeBatch()).filter(n -> n == 1 || n == Statement.SUCCESS_NO_INFO).count() + " done");
        Set<Integer> keys = new HashSet<>();
        for (ResultSet r = p.getGeneratedKeys(); r.next(); ) keys.add(r.getInt("id"));
        System.out.println(keys.size() + " keys");
      }
      c.commit();
      try (PreparedStatement p = c.prepareStatement("INSERT INTO made (n, t) VALUES (?, ?)")) {
        fill(p, 500);
        p.setInt(1, -1);
        p.setString(2, "bad");
        p.addBatch();
        p.executeBatch();
      } catch (BatchUpdateException e) {
        c.rollback();
        PSQLException cause = (PSQLException) e.getCause();
        System.out.println("failed: " + e.getSQLState() + " " + cause.getServerErrorMessage().getConstraint());
      }
      try (ResultSet r = s.executeQuery("SELECT count(*) FROM made")) {
        r.next();
        System.out.println(r.getInt(1) + " rows");
      }
    }
  }

  static void fill(PreparedStatement p, int rows) throws SQLException {
    for (int k = 0; k < rows; k++) {
      p.setInt(1, k);
      p.setString(2, "row " + k);
      p.addBatch();
    }
  }
}
