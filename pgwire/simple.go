package pgwire

import (
	"context"

	"github.com/jackc/pgproto3/v2"

	"wmsql/sqlerr"
)

// simple serves a Query message: statements run one by one until one fails, in one implicit transaction if there are several.
// A returned error ends the connection.
func (c *conn) simple(text string) error {
	return c.answerQuery(text, func(ctx context.Context) (string, error) { return c.runText(ctx, text) })
}

// answerQuery answers a Query message: run does what it says and returns the last command tag, which is not sent yet.
func (c *conn) answerQuery(text string, run func(context.Context) (tag string, err error)) error {
	c.dropPortal("")
	before := c.session.Ended()
	ctx, end := c.begin()
	tag, err := run(ctx)
	// Only what is committed is reported as done: the last tag waits for the end of the implicit transaction.
	if serr := c.session.Sync(ctx, err); err == nil {
		err = serr
	}
	err = end(err)
	c.outlived(c.session.Status() == 'I' || c.session.Ended() != before)
	if err != nil {
		if e := sqlerr.From(err); e.Severity == sqlerr.SevFatal {
			return e
		}
		c.tell(err, text)
	} else {
		c.notices(text)
		if tag != "" {
			c.out.send(&pgproto3.CommandComplete{CommandTag: []byte(tag)})
		}
	}
	c.ready()
	return c.out.flush()
}

// runText runs all statements of a text and returns the last one's command tag, which is not sent yet.
func (c *conn) runText(ctx context.Context, text string) (tag string, err error) {
	if err := checkString(text); err != nil {
		return "", err
	}
	list, err := c.session.Parse(text)
	c.notices(text)
	if err != nil {
		return "", err
	}
	live := list[:0:0]
	for _, p := range list {
		if !p.Empty() {
			live = append(live, p)
		}
	}
	if len(live) == 0 {
		c.out.send(&pgproto3.EmptyQueryResponse{})
		return "", nil
	}
	c.session.Simple(len(live))
	for k, p := range live {
		if k > 0 {
			c.notices(text)
			c.out.send(&pgproto3.CommandComplete{CommandTag: []byte(tag)})
		}
		if tag, err = c.runOne(ctx, p, text); err != nil {
			return "", err
		}
	}
	return tag, nil
}

func (c *conn) runOne(ctx context.Context, p Parsed, text string) (tag string, err error) {
	if err := c.failedBlock(p); err != nil {
		return "", err
	}
	defer c.limit()()
	st, err := c.session.Prepare(ctx, p, nil)
	c.notices(text)
	if err != nil {
		return "", err
	}
	if n := len(st.Params()); n > 0 {
		return "", sqlerr.Newf(sqlerr.UndefinedParameter, "there is no parameter $1")
	}
	res, err := st.Run(ctx, nil)
	c.notices(text)
	if err != nil {
		return "", err
	}
	run := &portal{st: st, res: res}
	if b, ok := st.(Binary); ok && b.Binary() {
		run.formats = []int16{formatBinary}
	}
	defer run.close()
	if in, ok := res.(CopyIn); ok {
		return c.copyIn(ctx, in)
	}
	if out, ok := res.(CopyOut); ok {
		return c.copyOut(ctx, out, text)
	}
	if s := st.Schema(); s != nil {
		c.rowDescription(s, run.formats)
	}
	rows, _, err := c.sendRows(ctx, run, 0, text)
	if err != nil {
		return "", err
	}
	return res.Tag(rows), nil
}
