//! The story told by the crate postgres, which sends and reads every value in binary.
use openssl::ssl::{SslConnector, SslMethod};
use postgres::{types::Type, Client, Error, SimpleQueryMessage};
use postgres_openssl::MakeTlsConnector;
use std::{env, thread, time::Duration};

const ASKED: &str = "SELECT $1::bigint + 1, $2::text || '!', $3::text IS NULL, ($4::text::numeric(10,2) * 2)::text, to_char($5::text::timestamptz + interval '1 hour', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')";

fn main() -> Result<(), Error> {
    let url = env::args().nth(1).expect("usage: story URL");
    let (url, tls) = secured(&url);
    let mut c = Client::connect(&url, tls.clone())?;

    let version: String = match c.simple_query("SHOW server_version")?.into_iter().find_map(|m| match m {
        SimpleQueryMessage::Row(r) => r.get(0).map(str::to_string),
        _ => None,
    }) {
        Some(v) => v,
        None => panic!("no version"),
    };
    let who = c.query_one("SELECT current_user::text, current_database()::text", &[])?;
    println!("connect: {}|{}|{}", version.split('.').next().unwrap(), who.get::<_, String>(0), who.get::<_, String>(1));

    let described = c.prepare("SELECT * FROM people")?;
    let columns: Vec<String> = described.columns().iter().map(|k| format!("{} {}", k.name(), k.type_().name())).collect();
    println!("reflect: {}", columns.join("|"));

    for r in c.query("SELECT id, name, born::text, score::text, to_char(seen, 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'), tags FROM people ORDER BY id", &[])? {
        let text = |k: usize| r.get::<_, Option<String>>(k).unwrap_or_default();
        let tags = r.get::<_, Option<Vec<String>>>(5).unwrap_or_default().join("+");
        println!("query: {}|{}|{}|{}|{}|{}", r.get::<_, i64>(0), text(1), text(2), text(3), text(4), tags);
    }

    let kept = c.prepare_typed(ASKED, &[Type::INT8])?;
    for act in ["binary", "prepared"] {
        let r = c.query_one(&kept, &[&41i64, &"it's é\\", &None::<String>, &"6.25", &"2026-03-01T12:00:00Z"])?;
        println!("{act}: {}|{}|{}|{}|{}", r.get::<_, i64>(0), r.get::<_, String>(1), r.get::<_, bool>(2), r.get::<_, String>(3), r.get::<_, String>(4));
    }

    let mut t = c.transaction()?;
    let portal = t.bind("SELECT i FROM generate_series(1, $1::int) i", &[&25000i32])?;
    let (mut pages, mut rows, mut sum) = (0, 0, 0i64);
    loop {
        let page = t.query_portal(&portal, 1000)?;
        if page.is_empty() {
            break;
        }
        pages += 1;
        rows += page.len();
        sum += page.iter().map(|r| r.get::<_, i32>(0) as i64).sum::<i64>();
    }
    t.commit()?;
    println!("paging: {pages}|{rows}|{sum}");

    let all = c.query("SELECT i, repeat('x', 100) AS t FROM generate_series(1, 200000) i", &[])?;
    println!("large: {}|{}", all.len(), all.iter().map(|r| r.get::<_, &str>(1).len()).sum::<usize>());

    let token = c.cancel_token();
    let canceller = thread::spawn(move || {
        thread::sleep(Duration::from_millis(200));
        token.cancel_query(tls)
    });
    let hours = c.query("SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b", &[]);
    canceller.join().unwrap()?;
    println!("cancel: {}|{}", code(&hours.err().expect("a query of hours ended")), c.query_one("SELECT 1", &[])?.get::<_, i32>(0));

    let insert = "INSERT INTO people (id, name) VALUES (3, 'Emmy')";
    let mut t = c.transaction()?;
    t.execute(insert, &[])?;
    t.rollback()?;
    let before = count(&mut c)?;
    let mut t = c.transaction()?;
    t.execute(insert, &[])?;
    let mut s = t.savepoint("s")?;
    s.execute(insert, &[]).expect_err("a key twice");
    s.rollback()?;
    t.commit()?;
    println!("transaction: {before}|{}", count(&mut c)?);

    let unknown = c.query("SELECT nosuch FROM people", &[]).unwrap_err();
    let e = unknown.as_db_error().unwrap();
    let at = match e.position() {
        Some(postgres::error::ErrorPosition::Original(n)) => *n,
        _ => 0,
    };
    println!("error: {}|{}|{}", e.code().code(), at, e.message());
    let twice = c.execute("INSERT INTO people (id, name) VALUES ($1, 'x')", &[&1i64]).unwrap_err();
    let e = twice.as_db_error().unwrap();
    println!("error: {}|{}|{}|{}", e.code().code(), e.table().unwrap_or(""), e.constraint().unwrap_or(""), e.detail().unwrap_or(""));
    let date = c.query("SELECT $1::text::date", &[&"soon"]).unwrap_err();
    let e = date.as_db_error().unwrap();
    println!("error: {}|{}", e.code().code(), e.message());
    Ok(())
}

/// Takes libpq's sslrootcert, which the crate does not know, out of the URL; with a certificate TLS is required, and checked against the host.
fn secured(url: &str) -> (String, MakeTlsConnector) {
    let mut tls = SslConnector::builder(SslMethod::tls()).unwrap();
    let (base, params) = url.split_once('?').unwrap_or((url, ""));
    let Some(file) = params.split('&').find_map(|p| p.strip_prefix("sslrootcert=")) else {
        return (url.to_string(), MakeTlsConnector::new(tls.build()));
    };
    tls.set_ca_file(file).unwrap();
    (format!("{base}?sslmode=require"), MakeTlsConnector::new(tls.build()))
}

fn count(c: &mut Client) -> Result<i64, Error> {
    Ok(c.query_one("SELECT count(*) FROM people", &[])?.get(0))
}

fn code(e: &Error) -> String {
    e.code().map(|c| c.code().to_string()).unwrap_or_else(|| e.to_string())
}
