package kafka

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"wmsql/connector"
	"wmsql/sqlerr"
)

// checkTimeout is how long CREATE STREAM waits for a broker: within Driver.Check's 5 s.
const checkTimeout = 4 * time.Second

// check reads the options and asks the broker for the topic.
func check(ctx context.Context, spec connector.Spec) error {
	c, err := parse(spec)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	cl, err := kgo.NewClient(kgo.SeedBrokers(c.brokers...), kgo.ClientID("wmsql"), kgo.DialTimeout(2*time.Second),
		kgo.RequestRetries(1), kgo.RetryTimeout(checkTimeout), kgo.DisableClientMetrics())
	if err != nil {
		return sqlerr.Newf(sqlerr.InvalidParameterValue, "invalid Kafka options: %v", err)
	}
	defer cl.Close()
	_, err = c.describe(ctx, kadm.NewClient(cl))
	return err
}

// describe asks for the topic. A topic that does not exist is a 22023 error whose hint has a name near it.
func (c *config) describe(ctx context.Context, adm *kadm.Client) (kadm.TopicDetail, error) {
	topics, err := adm.ListTopics(ctx, c.topic)
	if err != nil {
		return kadm.TopicDetail{}, c.unreachable(err)
	}
	t := topics[c.topic]
	switch {
	case errors.Is(t.Err, kerr.UnknownTopicOrPartition) || t.Err == nil && len(t.Partitions) == 0:
		return t, c.noTopic(ctx, adm)
	case t.Err != nil:
		return t, sqlerr.Newf(sqlerr.ConnectionFailure, "could not read topic %q: %v", c.topic, t.Err)
	}
	return t, nil
}

func (c *config) noTopic(ctx context.Context, adm *kadm.Client) *sqlerr.Error {
	e := sqlerr.Newf(sqlerr.InvalidParameterValue, "topic %q does not exist at %s", c.topic, strings.Join(c.brokers, ", "))
	all, err := adm.ListTopics(ctx)
	if err != nil || len(all) == 0 {
		return e.WithHint("Create the topic first.")
	}
	if near := sqlerr.Nearest(c.topic, all.Names()); near != "" {
		return e.WithHint("Perhaps you meant topic %q.", near)
	}
	return e.WithHint("Topics there are %s.", strings.Join(firstNames(all.Names()), ", "))
}

func firstNames(names []string) []string {
	const most = 10
	if len(names) > most {
		return append(names[:most:most], "...")
	}
	return names
}
