//go:build peers

package peers

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
)

// A server that was down for longer than the topic keeps its records says so: the query fails and names what is gone, or goes on
// behind it and warns, as the stream's option says. Everything else runs.
func TestRecordsThatAreGone(t *testing.T) {
	for _, x := range []struct {
		name   string
		lose   func(k *topic)
		what   string // %s is the topic
		goesOn string
		at     int
	}{
		{"deleted", (*topic).deleteTo15, `5 records of topic "%s" are gone: partition 0, wanted offset 10, earliest 15`, "15", 15},
		{"made anew", (*topic).makeAnew, `topic "%s" was deleted and made anew: partition 0, wanted offset 10, earliest 0, end 3`, "13", 0},
	} {
		for then, option := range map[string]string{"fails": "", "goes on": "on_data_loss = 'earliest'"} {
			t.Run(x.name+" "+then, func(t *testing.T) {
				s := start(t)
				k, other := newTopic(t, "clicks", 1), newTopic(t, "other", 1)
				s.exec(fmt.Sprintf(`CREATE STREAM clicks (%s, WATERMARK FOR event_time AS event_time - INTERVAL '10' MINUTE) %s;
CREATE STREAM other (v BIGINT) %s;
CREATE MATERIALIZED VIEW t AS SELECT count(*) AS n FROM clicks;
CREATE MATERIALIZED VIEW o AS SELECT count(*) AS n FROM other`, clicksColumns, k.with(option), other.with("")))
				k.clicks(10)
				s.exec("FLUSH")
				s.want("TABLE t", "10")
				s.end(syscall.SIGTERM)
				x.lose(k)
				s.run()
				other.send(`{"v":1}`)
				s.exec("FLUSH")
				s.want("TABLE o", "1")
				what := fmt.Sprintf(x.what, k.name)
				if option == "" {
					s.want("SELECT state, error, sqlstate, hint FROM wm_catalog.queries WHERE name = 't'",
						"failed|"+what+"|58030|To go on without them:\nALTER STREAM \"clicks\" SET (on_data_loss = 'earliest');")
					s.want("TABLE t", "10")
					s.exec(`ALTER STREAM "clicks" SET (on_data_loss = 'earliest')`)
					s.exec("FLUSH")
				}
				s.want("TABLE t", x.goesOn)
				s.want("SELECT note FROM wm_catalog.sources WHERE view = 't'", fmt.Sprintf("%s; went on at %d", what, x.at))
				(&steps{wmsql: s}).warned("records were lost", "stream=clicks", "wanted offset 10", fmt.Sprint("went_on_at=", x.at))
			})
		}
	}
}

// clicks sends n clicks of different seconds.
func (k *topic) clicks(n int) {
	for i := range n {
		k.send(fmt.Sprintf(`{"page":"a","event_time":"2026-03-01T12:00:%02dZ"}`, i))
	}
}

// deleteTo15 sends ten records more and deletes all before offset 15.
func (k *topic) deleteTo15() {
	k.t.Helper()
	k.clicks(10)
	var upTo kadm.Offsets
	upTo.Add(kadm.Offset{Topic: k.name, Partition: 0, At: 15})
	if done, err := kadm.NewClient(k.cl).DeleteRecords(context.Background(), upTo); err != nil || done.Error() != nil {
		k.t.Fatal(err, done.Error())
	}
}

// makeAnew deletes the topic, and makes another of its name with three records.
func (k *topic) makeAnew() {
	k.t.Helper()
	if _, err := kadm.NewClient(k.cl).DeleteTopic(context.Background(), k.name); err != nil {
		k.t.Fatal(err)
	}
	eventually(k.t, 20*time.Second, func() string { // the broker deletes when it comes to it
		made, err := kadm.NewClient(k.cl).CreateTopic(context.Background(), 1, 1, nil, k.name)
		if err == nil {
			err = made.Err
		}
		return errorText(err)
	})
	k.cl.PurgeTopicsFromClient(k.name)
	k.clicks(3)
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
