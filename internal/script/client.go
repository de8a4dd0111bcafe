package script

import (
	"context"
	"fmt"
	"strings"

	"wmsql/column"
	"wmsql/pgwire"
	"wmsql/sqlerr"
)

// Exec runs a text as a simple query and returns what a client would see, as text.
func (e *Engine) Exec(text string) string {
	var out strings.Builder
	Run(context.Background(), e.Session, text, &out)
	return out.String()
}

// Run runs a text as a simple query of the session and writes rows, tags of statements without rows, notices and the
// error to out.
func Run(ctx context.Context, s pgwire.Session, text string, out *strings.Builder) {
	err := simple(ctx, s, text, out)
	if err2 := s.Sync(ctx, err); err == nil {
		err = err2
	}
	writeNotices(s, out)
	if err != nil {
		writeError(out, sqlerr.From(err), text)
	}
}

func simple(ctx context.Context, s pgwire.Session, text string, out *strings.Builder) error {
	list, err := s.Parse(text)
	if err != nil {
		return err
	}
	n := 0
	for _, p := range list {
		if !p.Empty() {
			n++
		}
	}
	s.Simple(n)
	for _, p := range list {
		if p.Empty() {
			continue
		}
		if err := statement(ctx, s, p, out); err != nil {
			return err
		}
	}
	return nil
}

func statement(ctx context.Context, s pgwire.Session, p pgwire.Parsed, out *strings.Builder) error {
	st, err := s.Prepare(ctx, p, nil)
	if err != nil {
		return err
	}
	r, err := st.Run(ctx, nil)
	if err != nil {
		return err
	}
	defer r.Close()
	rows := int64(0)
	for {
		b, err := r.Next(ctx)
		if err != nil {
			return err
		}
		if b == nil {
			break
		}
		rows += int64(b.Rows)
		writeRows(s, b, out)
	}
	writeNotices(s, out)
	if st.Schema() == nil {
		fmt.Fprintln(out, r.Tag(rows))
	}
	return nil
}

func writeRows(s pgwire.Session, b *column.Batch, out *strings.Builder) {
	for i := range b.Rows {
		for c, v := range b.Cols {
			if c > 0 {
				out.WriteString(" | ")
			}
			if v.IsNull(i) {
				out.WriteString("NULL")
				continue
			}
			out.Write(column.AppendText(nil, v, i, s.Format()))
		}
		out.WriteByte('\n')
	}
}

func writeNotices(s pgwire.Session, out *strings.Builder) {
	for _, n := range s.Notices() {
		writeMessage(out, n)
	}
}

func writeError(out *strings.Builder, e *sqlerr.Error, text string) {
	writeMessage(out, e)
	if e.Pos > 0 && e.Pos <= len(text)+1 {
		before := text[:e.Pos-1]
		line := strings.Count(before, "\n")
		start := strings.LastIndexByte(before, '\n') + 1
		fmt.Fprintf(out, "LINE %d: %s\n%s^\n", line+1, strings.SplitN(text[start:], "\n", 2)[0],
			strings.Repeat(" ", len(fmt.Sprintf("LINE %d: ", line+1))+e.Pos-1-start))
	}
}

func writeMessage(out *strings.Builder, e *sqlerr.Error) {
	word := map[sqlerr.Severity]string{
		sqlerr.SevError: "ERROR", sqlerr.SevWarning: "WARNING", sqlerr.SevNotice: "NOTICE", sqlerr.SevInfo: "INFO", sqlerr.SevFatal: "FATAL",
	}[e.Severity]
	msg := e.Msg
	if code := string(e.Code) + ": "; !strings.HasPrefix(msg, code) {
		msg = code + msg
	}
	fmt.Fprintf(out, "%s:  %s\n", word, msg)
	if e.Detail != "" {
		fmt.Fprintf(out, "DETAIL:  %s\n", e.Detail)
	}
	if e.Hint != "" {
		fmt.Fprintf(out, "HINT:  %s\n", e.Hint)
	}
}
