package kafka

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"wmsql/column"
	"wmsql/connector"
	"wmsql/sqlerr"
	"wmsql/types"
)

var schema = &types.Schema{Fields: []types.Field{
	{Name: "page", Type: types.Of(types.Text)},
	{Name: "v", Type: types.Of(types.Int8)},
	{Name: "event_time", Type: types.Of(types.TimestampTZ)},
}}

// broker is a Kafka broker in the process.
type broker struct {
	t    testing.TB
	fake *kfake.Cluster
	cl   *kgo.Client
}

func newBroker(t testing.TB, partitions int32, options ...kfake.Opt) *broker {
	t.Helper()
	options = append([]kfake.Opt{kfake.NumBrokers(1), kfake.SeedTopics(partitions, "clicks")}, options...)
	fake, err := kfake.NewCluster(options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(fake.Close)
	cl, err := kgo.NewClient(kgo.SeedBrokers(fake.ListenAddrs()...), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cl.Close)
	return &broker{t, fake, cl}
}

func (b *broker) spec(options ...string) connector.Spec {
	o := map[string]string{"connector": "kafka", "brokers": strings.Join(b.fake.ListenAddrs(), ","), "topic": "clicks", "format": "json"}
	for i := 0; i < len(options); i += 2 {
		o[options[i]] = options[i+1]
	}
	return connector.Spec{Stream: "clicks", Schema: schema, Read: []int{0, 1, 2}, EventTime: 2, Delay: 10 * time.Second, Options: o}
}

func (b *broker) produce(recs ...*kgo.Record) {
	b.t.Helper()
	for _, r := range recs {
		r.Topic = "clicks"
	}
	if err := b.cl.ProduceSync(b.t.Context(), recs...).FirstErr(); err != nil {
		b.t.Fatal(err)
	}
}

var base = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func event(partition, v int, at time.Duration) *kgo.Record {
	return &kgo.Record{Partition: int32(partition), Value: fmt.Appendf(nil, `{"page":"/p%d","v":%d,"event_time":"%s"}`, v%10, v, base.Add(at).Format(time.RFC3339Nano))}
}

type row struct {
	v, ts int64
	split int
}

// reader reads a source as the engine does.
type reader struct {
	t        testing.TB
	src      connector.Source
	rejected []connector.Rejected
}

func openAt(t testing.TB, spec connector.Spec, from connector.Offset) *reader {
	t.Helper()
	d := Driver()
	if err := d.Check(t.Context(), spec); err != nil {
		t.Fatal(err)
	}
	src, err := d.Open(t.Context(), spec, from)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	return &reader{t: t, src: src}
}

func (r *reader) epoch(rows int64) (out []row, err error) {
	if err := r.src.Begin(connector.Bounds{Rows: rows}); err != nil {
		r.t.Fatal(err)
	}
	for {
		b, err := r.src.Next(r.t.Context())
		if err != nil {
			return out, err
		}
		if b == nil {
			r.rejected = append(r.rejected, r.src.Rejected()...)
			return out, nil
		}
		if len(b.Arrivals) != b.Rows {
			r.t.Fatalf("%d arrivals of %d rows", len(b.Arrivals), b.Rows)
		}
		v, ts := b.Cols[1].(*column.Of[int64]), b.Cols[2].(*column.Of[int64])
		for k := range b.Rows {
			out = append(out, row{v.Values[k], ts.Values[k], b.Split})
		}
		r.src.Recycle(b)
	}
}

func (r *reader) until(n int, rows int64) (out []row) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), 20*time.Second)
	defer cancel()
	for len(out) < n {
		if err := r.src.Wait(ctx); err != nil {
			r.t.Fatalf("%d of %d rows, then %v; %+v", len(out), n, err, r.src.Status())
		}
		more, err := r.epoch(rows)
		if err != nil {
			r.t.Fatal(err)
		}
		out = append(out, more...)
	}
	if len(out) > n {
		r.t.Fatalf("%d rows, want %d", len(out), n)
	}
	return out
}

func (r *reader) fails(want string) {
	r.t.Helper()
	for range 500 {
		if _, err := r.epoch(0); err != nil {
			var e *sqlerr.Error
			if !errors.As(err, &e) || !strings.Contains(e.Msg, want) {
				r.t.Fatalf("error %v\nwant %s", err, want)
			}
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	r.t.Fatal("no error")
}

func wantValues(t testing.TB, rows []row, n int) {
	t.Helper()
	var vs []int64
	for _, r := range rows {
		vs = append(vs, r.v)
	}
	slices.Sort(vs)
	for k, v := range vs {
		if v != int64(k) {
			t.Fatalf("row %d is missing or doubled, of %d", k, len(rows))
		}
	}
	if len(rows) != n {
		t.Fatalf("%d rows, want %d", len(rows), n)
	}
}

// TestKafka_Poison: one bad record does not stop the stream, and each is named by its offset and reason.
func TestKafka_Poison(t *testing.T) {
	b := newBroker(t, 1)
	for _, v := range []string{
		`{"page":"a","v":0,"event_time":"2026-03-01T12:00:00Z"}`, `{"page":"b", v:2}`, ``, `{"page":"c","v":"three","event_time":"2026-03-01T12:00:02Z"}`,
		`[1,2]`, `null`, `tombstone`, "{\"page\":\"\xff\"}", `{"page":"d","v":1,"event_time":"2026-03-01T12:00:03Z"}`,
	} {
		r := &kgo.Record{Value: []byte(v)}
		if v == "tombstone" {
			r.Value = nil
		}
		b.produce(r)
	}
	r := openAt(t, b.spec(), "")
	wantValues(t, r.until(2, 0), 2)
	want := []string{"not valid JSON", "the record is empty", `"v": wants bigint, has string "three"`, "an array", "null", "tombstone", "UTF-8"}
	for i, w := range want {
		x := r.rejected[i]
		if !strings.Contains(x.Reason, w) || x.Offset != strconv.Itoa(i+1) || x.Split != "partition 0" || x.Time == 0 {
			t.Errorf("rejected %d: %+v, want %q", i, x, w)
		}
	}
	if len(r.rejected) != len(want) {
		t.Errorf("%d rejected", len(r.rejected))
	}
	if got := string(r.src.Offset()); !strings.HasPrefix(got, `{"partitions":{"0":9},"topic_id":"`) {
		t.Errorf("offset %s", got)
	}
}

// TestKafka_Even reads a backlog that lies unevenly in four partitions: no row comes more than the delay behind
// another that came before it, whatever arrives first.
func TestKafka_Even(t *testing.T) {
	b := newBroker(t, 4)
	n := 0
	for p, count := range []int{30000, 2000, 11, 9000} {
		r := rand.New(rand.NewPCG(1, uint64(p)))
		var recs []*kgo.Record
		for k := range count {
			recs = append(recs, event(p, n, time.Duration(k)*time.Hour/time.Duration(count)-time.Duration(r.IntN(2000))*time.Millisecond))
			n++
		}
		b.produce(recs...)
	}
	for range 3 {
		r := openAt(t, b.spec(), "")
		rows := r.until(n, 1000)
		wantValues(t, rows, n)
		newest := int64(0)
		for _, x := range rows {
			if newest-x.ts > (10 * time.Second).Microseconds() {
				t.Fatalf("row %d of partition %d comes %v behind", x.v, x.split, time.Duration(newest-x.ts)*time.Microsecond)
			}
			newest = max(newest, x.ts)
		}
		r.src.Close()
	}
}

// TestKafka_Restart: with a restart after every epoch nothing is lost or doubled.
func TestKafka_Restart(t *testing.T) {
	b := newBroker(t, 3)
	const n = 100
	for v := range n {
		b.produce(event(v%3, v, time.Duration(v)*time.Second))
		if v%10 == 0 {
			b.produce(&kgo.Record{Partition: int32(v % 3), Value: []byte("poison")})
		}
	}
	var rows []row
	rejected := 0
	at := connector.Offset("")
	for len(rows) < n {
		r := openAt(t, b.spec(), at)
		if err := r.src.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		got, err := r.epoch(9)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) > 9 {
			t.Fatalf("an epoch of %d rows", len(got))
		}
		rows = append(rows, got...)
		rejected += len(r.rejected)
		at = r.src.Offset()
		r.src.Close()
	}
	wantValues(t, rows, n)
	if rejected != 10 {
		t.Fatalf("%d rejected", rejected)
	}
}

// warnings is a server's log.
type warnings struct {
	mu    sync.Mutex
	lines []string
}

func (w *warnings) warn(msg string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lines = append(w.lines, fmt.Sprint(msg, " ", args))
}

// want compares the beginnings of the lines.
func (w *warnings) want(t testing.TB, lines ...string) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if !slices.EqualFunc(w.lines, lines, strings.HasPrefix) {
		t.Errorf("the log has %q, want %q", w.lines, lines)
	}
}

// TestKafka_Gone: records that the query wanted were deleted.
func TestKafka_Gone(t *testing.T) {
	b := newBroker(t, 1)
	for v := range 10 {
		b.produce(event(0, v, 0))
	}
	r := openAt(t, b.spec(), "")
	r.until(10, 0)
	at := r.src.Offset()
	r.src.Close()
	for v := 10; v < 20; v++ {
		b.produce(event(0, v, 0))
	}
	if err := b.fake.DeleteRecords("clicks", 0, 15); err != nil {
		t.Fatal(err)
	}
	_, err := Driver().Open(t.Context(), b.spec(), at)
	want := `5 records of topic "clicks" are gone: partition 0, wanted offset 10, earliest 15`
	if e := sqlerr.From(err); err == nil || e.Msg != want || !strings.Contains(e.Hint, "on_data_loss = 'earliest'") {
		t.Fatalf("%v", err)
	}
	log, spec := &warnings{}, b.spec("on_data_loss", "earliest")
	spec.Warn = log.warn
	r = openAt(t, spec, at)
	if rows := r.until(5, 0); rows[0].v != 15 {
		t.Fatalf("%v", rows)
	}
	log.want(t, "records were lost [stream clicks lost "+want+" went_on_at 15]")
	if s := r.src.Status(); s[0].Note != want+"; went on at 15" || s[0].Lag != 0 {
		t.Fatalf("%+v", s)
	}
}

// TestKafka_MadeAnew: the topic was deleted and created again, before a start and under a running query.
func TestKafka_MadeAnew(t *testing.T) {
	t.Parallel()
	b := newBroker(t, 1)
	for v := range 10 {
		b.produce(event(0, v, 0))
	}
	r := openAt(t, b.spec(), "")
	r.until(10, 0)
	at := r.src.Offset()
	running := openAt(t, b.spec(), "")
	running.until(10, 0)
	if err := b.fake.DeleteTopic("clicks"); err != nil {
		t.Fatal(err)
	}
	if err := b.fake.CreateTopic("clicks", 1, nil); err != nil {
		t.Fatal(err)
	}
	b.cl.PurgeTopicsFromClient("clicks")
	for v := range 3 {
		b.produce(event(0, v, 0))
	}
	want := `topic "clicks" was deleted and made anew: partition 0, wanted offset 10, earliest 0, end 3`
	_, err := Driver().Open(t.Context(), b.spec(), at)
	if e := sqlerr.From(err); err == nil || e.Msg != want {
		t.Fatalf("%v", err)
	}
	anew := openAt(t, b.spec("on_data_loss", "earliest"), at)
	end, err := anew.src.End(t.Context())
	if err != nil || anew.src.Reached(at, end) {
		t.Fatalf("%v: offset 10 of the topic that is gone has reached end 3 of the new one", err)
	}
	wantValues(t, anew.until(3, 0), 3)
	if !anew.src.Reached(anew.src.Offset(), end) {
		t.Fatal("the end is not reached")
	}
	running.fails("was deleted and made anew")
}

// TestKafka_NewPartitions: partitions that are added are read from their beginning.
func TestKafka_NewPartitions(t *testing.T) {
	t.Parallel()
	b := newBroker(t, 1)
	b.produce(event(0, 0, 0))
	r := openAt(t, b.spec("start", "latest"), "")
	if _, err := kadm.NewClient(b.cl).CreatePartitions(t.Context(), 2, "clicks"); err != nil {
		t.Fatal(err)
	}
	b.cl.ForceMetadataRefresh()
	time.Sleep(600 * time.Millisecond)
	b.produce(event(2, 0, 0), event(0, 1, 0))
	wantValues(t, r.until(2, 0), 2)
}

func TestKafka_Start(t *testing.T) {
	b := newBroker(t, 2)
	for v := range 6 {
		e := event(v%2, v, 0)
		e.Timestamp = base.Add(time.Duration(v) * time.Minute)
		b.produce(e)
	}
	at := openAt(t, b.spec("start", "2026-03-01 12:03:00+00"), "")
	latest := openAt(t, b.spec("start", "latest"), "")
	b.produce(event(0, 6, 0))
	if rows := at.until(4, 0); slices.ContainsFunc(rows, func(r row) bool { return r.v < 3 }) {
		t.Fatalf("%v", rows)
	}
	if rows := latest.until(1, 0); rows[0].v != 6 {
		t.Fatalf("%v", rows)
	}
}

// TestKafka_End: the end counts records only that are there, and a transaction's marker, which is no row, is passed.
func TestKafka_End(t *testing.T) {
	b := newBroker(t, 2)
	r := openAt(t, b.spec(), "")
	reached := func() bool {
		end, err := r.src.End(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return r.src.Reached(r.src.Offset(), end)
	}
	if !reached() {
		t.Fatal("an empty topic is not read to its end")
	}
	tx, err := kgo.NewClient(kgo.SeedBrokers(b.fake.ListenAddrs()...), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.TransactionalID("t"))
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Close()
	for k, commit := range []kgo.TransactionEndTry{kgo.TryCommit, kgo.TryAbort} {
		if err := tx.BeginTransaction(); err != nil {
			t.Fatal(err)
		}
		e := event(0, k, 0)
		e.Topic = "clicks"
		if err := tx.ProduceSync(t.Context(), e).FirstErr(); err != nil {
			t.Fatal(err)
		}
		if err := tx.EndTransaction(t.Context(), commit); err != nil {
			t.Fatal(err)
		}
	}
	if reached() {
		t.Fatal("reached an end that is not read")
	}
	wantValues(t, r.until(1, 0), 1)
	for range 100 {
		if reached() {
			return
		}
		time.Sleep(20 * time.Millisecond)
		if more, err := r.epoch(0); err != nil || len(more) > 0 {
			t.Fatalf("%v, %v", more, err)
		}
	}
	t.Fatalf("the end is never reached: %s", r.src.Offset())
}

func TestKafka_Metadata(t *testing.T) {
	b := newBroker(t, 2)
	b.produce(&kgo.Record{Partition: 1, Key: []byte("k1"), Value: []byte(`{"v":1}`), Timestamp: base, Headers: []kgo.RecordHeader{{Key: "h", Value: []byte("x")}}},
		&kgo.Record{Partition: 1, Value: []byte(`{"v":2}`), Timestamp: base}, &kgo.Record{Partition: 1, Key: []byte("\xff"), Value: []byte(`{"v":3}`)})
	spec := b.spec()
	spec.Schema = &types.Schema{Fields: append([]types.Field{{Name: "v", Type: types.Of(types.Int8)}}, metadata...)}
	spec.Read, spec.EventTime = []int{5, 4, 3, 2, 1, 0}, -1
	r := openAt(t, spec, "")
	var got []string
	for len(got) < 2 {
		if err := r.src.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		r.src.Begin(connector.Bounds{})
		batch, err := r.src.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for k := 0; batch != nil && k < batch.Rows; k++ {
			var cells []string
			for _, c := range batch.Cols {
				if c.IsNull(k) {
					cells = append(cells, "NULL")
				} else {
					cells = append(cells, string(column.AppendText(nil, c, k, types.UTC)))
				}
			}
			got = append(got, strings.Join(cells, " | "))
		}
	}
	want := []string{`{"h": "x"} | k1 | 2026-03-01 12:00:00+00 | 0 | 1 | 1`, `{} | NULL | 2026-03-01 12:00:00+00 | 1 | 1 | 2`}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if bad := r.src.Rejected(); len(bad) != 1 || !strings.Contains(bad[0].Reason, "declare kafka_key as bytea") {
		t.Errorf("%+v", bad)
	}
}

// TestKafka_Outage: while the broker is away nothing fails, the status and one line of the log say why nothing comes, and it goes on after.
func TestKafka_Outage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	b := newBroker(t, 1, kfake.Ports(port), kfake.DataDir(dir))
	b.produce(event(0, 0, 0))
	log, spec := &warnings{}, b.spec()
	spec.Warn = log.warn
	r := openAt(t, spec, "")
	wantValues(t, r.until(1, 0), 1)
	spec.Warn = nil
	b.fake.Close()
	for r.src.Status()[0].Note == "" {
		if _, err := r.epoch(0); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
	if note := r.src.Status()[0].Note; !strings.Contains(note, "trying again") {
		t.Fatalf("note %q", note)
	}
	away, err := Driver().Open(t.Context(), spec, "") // a restart during the outage is no error either
	if err != nil {
		t.Fatal(err)
	}
	defer away.Close()
	if s := away.Status(); len(s) != 1 || s[0].Note == "" {
		t.Fatalf("%+v", s)
	}
	back := newBroker(t, 1, kfake.Ports(port), kfake.DataDir(dir))
	back.produce(event(0, 1, 0))
	if rows := r.until(1, 0); rows[0].v != 1 {
		t.Fatalf("%v", rows)
	}
	wantValues(t, (&reader{t: t, src: away}).until(2, 0), 2)
	r.src.Close()
	log.want(t, "the source cannot be read; trying again [stream clicks topic clicks error ")
}

func TestCheck(t *testing.T) {
	b := newBroker(t, 1)
	wrong := b.spec()
	wrong.Schema = &types.Schema{Fields: []types.Field{{Name: "kafka_offset", Type: types.Of(types.Text)}}}
	wrong.Read, wrong.EventTime = []int{0}, -1
	away := b.spec("brokers", "127.0.0.1:1")
	for _, c := range []struct {
		spec connector.Spec
		want string
	}{
		{b.spec(), ""},
		{b.spec("idle_timeout", "1 minute", "timestamp_format", "epoch_millis"), ""},
		{b.spec("topc", "x"), `22023: unrecognized option "topc" / Perhaps you meant the option "topic".`},
		{b.spec("topic", ""), `22023: option "topic" is missing / Add topic = 'clicks' to the WITH clause.`},
		{b.spec("topic", "click"), `22023: topic "click" does not exist at ` + b.fake.ListenAddrs()[0] + ` / Perhaps you meant topic "clicks".`},
		{b.spec("start", "soon"), `22023: invalid value for option "start": "soon" / It is earliest, latest, or a timestamp such as '2026-01-01 00:00:00+00'.`},
		{b.spec("on_data_loss", "skip"), `22023: invalid value for option "on_data_loss": "skip" / Available values: fail, earliest.`},
		{b.spec("timestamp_format", "epoch_milis"), `22023: invalid value for option "timestamp_format": "epoch_milis" / Perhaps you meant 'epoch_millis'. Available values: iso, epoch_seconds, epoch_millis, epoch_micros.`},
		{b.spec("brokers", "a:b:c"), `22023: invalid value for option "brokers": "a:b:c" / It is a list of host:port, such as '127.0.0.1:9092,127.0.0.1:9093'.`},
		{b.spec("format", "csv", "header", "true"), `22023: option "header" is for files only / Leave it out: the values of a record are the stream's columns in order.`},
		{wrong, `22023: metadata column "kafka_offset" has type text / Declare it as kafka_offset bigint.`},
		{away, `08006: could not reach Kafka at 127.0.0.1:1 / Is a broker running there, and is option brokers right?`},
	} {
		start, got := time.Now(), ""
		if err := Driver().Check(t.Context(), c.spec); err != nil {
			e := sqlerr.From(err)
			got = string(e.Code) + ": " + e.Msg + " / " + e.Hint
		}
		if got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s took %v", c.want, took)
		}
	}
}
