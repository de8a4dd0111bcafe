//go:build peers

package peers

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// kafka returns the address of a real broker (KRaft, one node), started once for all tests.
func kafka(t testing.TB) string {
	t.Helper()
	broker.once.Do(func() { broker.addr, broker.stop, broker.err = startBroker(t) })
	if broker.err != nil {
		t.Fatal(broker.err)
	}
	return broker.addr
}

func startBroker(t testing.TB) (addr string, stop func(), err error) {
	jars := filepath.Join(env(t, "WMSQL_PEERS"), "kafka", "*")
	dir, err := os.MkdirTemp("", "wmsql-kafka-")
	if err != nil {
		return "", nil, err
	}
	port, ctl := freePort(t), freePort(t)
	conf := filepath.Join(dir, "server.properties")
	props := fmt.Sprintf(`process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:%[2]d
listeners=PLAINTEXT://127.0.0.1:%[1]d,CONTROLLER://127.0.0.1:%[2]d
advertised.listeners=PLAINTEXT://127.0.0.1:%[1]d
controller.listener.names=CONTROLLER
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
log.dirs=%[3]s/log
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
log.retention.hours=1000000
`, port, ctl, dir)
	if err := os.WriteFile(conf, []byte(props), 0o600); err != nil {
		return "", nil, err
	}
	format := exec.Command("java", "-cp", jars, "kafka.tools.StorageTool", "format", "-t", "MkU3OEVBNTcwNTJENDM2Qk", "-c", conf)
	if out, err := format.CombinedOutput(); err != nil {
		return "", nil, fmt.Errorf("format the broker's storage: %w\n%s", err, out)
	}
	cmd := exec.Command("java", "-Xmx512m", "-cp", jars, "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", "kafka.Kafka", conf)
	log := &lockedBuffer{}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = cmd.Process.Signal(syscall.SIGKILL)
		_ = cmd.Wait()
		_ = os.RemoveAll(dir)
	}
	addr = fmt.Sprintf("127.0.0.1:%d", port)
	deadline := time.Now().Add(60 * time.Second)
	for time.Now().Before(deadline) {
		if err = ping(addr); err == nil {
			return addr, stop, nil
		}
		time.Sleep(200 * time.Millisecond)
	}
	stop()
	return "", nil, fmt.Errorf("broker does not answer: %w\n%s", err, tail(log.String(), 2000))
}

func ping(addr string) error {
	cl, err := kgo.NewClient(kgo.SeedBrokers(addr))
	if err != nil {
		return err
	}
	defer cl.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	return cl.Ping(ctx)
}

// topic is a Kafka topic of one test.
type topic struct {
	t    testing.TB
	name string
	addr string
	cl   *kgo.Client
}

// newTopic makes a topic named after the test.
func newTopic(t testing.TB, name string, partitions int32) *topic {
	t.Helper()
	addr := kafka(t)
	cl, err := kgo.NewClient(kgo.SeedBrokers(addr), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.ProducerLinger(2*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cl.Close)
	tp := &topic{t: t, addr: addr, cl: cl, name: strings.ToLower(strings.ReplaceAll(t.Name(), "/", "-")) + "-" + name}
	tp.create(partitions)
	return tp
}

func (k *topic) create(partitions int32) {
	k.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	adm := kadm.NewClient(k.cl)
	if _, err := adm.CreateTopic(ctx, partitions, 1, nil, k.name); err != nil {
		k.t.Fatal(err)
	}
	eventually(k.t, 60*time.Second, func() string { // a busy broker tells of a topic only after it has said that it is there
		topics, err := adm.ListTopics(ctx, k.name)
		switch {
		case err != nil:
			return err.Error()
		case topics[k.name].Err != nil:
			return topics[k.name].Err.Error()
		case len(topics[k.name].Partitions) != int(partitions):
			return "not all partitions are there"
		}
		return ""
	})
}

// send produces the records to partition 0 and waits for the broker's word. A nil record is a tombstone.
func (k *topic) send(records ...string) {
	k.t.Helper()
	k.sendTo(0, records...)
}

func (k *topic) sendTo(partition int32, records ...string) {
	k.t.Helper()
	rs := make([]*kgo.Record, len(records))
	for i, r := range records {
		rs[i] = &kgo.Record{Topic: k.name, Partition: partition, Value: []byte(r)}
	}
	if err := k.cl.ProduceSync(context.Background(), rs...).FirstErr(); err != nil {
		k.t.Fatal(err)
	}
}

// with is the WITH clause of a stream over the topic.
func (k *topic) with(more string) string {
	if more != "" {
		more = ", " + more
	}
	return fmt.Sprintf("WITH (connector = 'kafka', brokers = '%s', topic = '%s', format = 'json'%s)", k.addr, k.name, more)
}
