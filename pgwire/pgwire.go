// Package pgwire speaks the Postgres protocol, version 3, to clients. It knows messages, types
// on the wire, COPY formats and portals, and nothing of SQL.
package pgwire

import (
	"context"
	"net"
	"time"

	"wmsql/column"
	"wmsql/password"
	"wmsql/sqlerr"
	"wmsql/types"
)

// Backend is what stands behind the protocol.
type Backend interface {
	// Open starts a session. A FATAL *sqlerr.Error (28000, 3D000, ...) refuses it.
	Open(ctx context.Context, s Startup) (Session, error)
	// Verifier is the user's password, or one that nobody knows. It is asked where the protocol asks for passwords.
	Verifier(user string) password.Verifier
}

// Startup is what a client said when it connected.
type Startup struct {
	User, Database string
	Params         map[string]string // the rest of the startup message, "options" unpacked (-c name=value)
	Remote         net.Addr
	TLS            bool
	PID            int32 // what BackendKeyData tells the client; pg_backend_pid()
	Statements     Statements
	Client         Client // nil: nobody is to be interrupted
}

// Client is a connection as other sessions may reach it, from any goroutine.
type Client interface {
	// Cancel ends the running statement, if one runs, with 57014.
	Cancel()
	// Wake tells that the session has notifications.
	Wake()
	// Terminate ends the running statement and the connection with FATAL 57P01.
	Terminate()
}

// Session serves one connection, one call at a time. Errors are *sqlerr.Error; Pos is a byte
// offset in the text given to Parse, which pgwire turns into characters.
type Session interface {
	// Parse splits a text into statements. Nothing is resolved yet.
	Parse(text string) ([]Parsed, error)
	// Prepare resolves one statement. A params type of kind Unknown is for the session to infer.
	Prepare(ctx context.Context, p Parsed, params []types.Type) (Statement, error)
	// Simple tells that a simple query of n statements begins: more than one run in one implicit transaction.
	Simple(n int)
	// Sync ends what ran since the last Sync: an implicit transaction is committed, or rolled back when err is not nil;
	// an explicit block is marked failed when err is not nil.
	Sync(ctx context.Context, err error) error
	// Cursor returns the columns of a cursor that DECLARE made, nil if there is none: to clients it is a portal.
	Cursor(name string) *types.Schema
	// CloseCursor closes such a cursor, if there is one.
	CloseCursor(name string)
	// Status is ReadyForQuery's byte: 'I' idle, 'T' in a block, 'E' in a failed block.
	Status() byte
	// Ended is how many transactions of the session have ended: a portal lives as long as its transaction.
	Ended() int64
	// Level grows with each savepoint that the transaction sets or goes back to: a portal made since a savepoint ends with a ROLLBACK TO it.
	Level() int64
	// Undone are the levels that the transaction's last ROLLBACK TO took back, to not among them.
	Undone() (from, to int64)
	// Format is the present rules for text.
	Format() *types.Format
	// Notices returns and forgets the notices since the last call.
	Notices() []*sqlerr.Error
	// Parameters returns and forgets the parameters that ParameterStatus must report; at first all of them, in order.
	Parameters() []Parameter
	// Notifications returns and forgets what was said on the channels that the session listens to, nothing inside of a block.
	Notifications() []Notification
	// StatementTimeout is how long the statement that begins now may run, 0 for ever, and what the client is told then.
	StatementTimeout() (time.Duration, *sqlerr.Error)
	// IdleTimeout is how long the session may wait for its client as it stands now, 0 for ever, and what the client is told then.
	IdleTimeout() (time.Duration, *sqlerr.Error)
	Close() error
}

// Parameter is one ParameterStatus.
type Parameter struct{ Name, Value string }

// Parsed is one statement of a text.
type Parsed interface {
	// Empty reports that there is no statement, only blanks and comments.
	Empty() bool
	// AllowedInFailed reports that the statement may run in a failed block (ROLLBACK, COMMIT).
	AllowedInFailed() bool
}

// Statement is a resolved statement. It may be run many times, and is re-resolved by the session when the catalog changed.
type Statement interface {
	Params() []types.Type
	Schema() *types.Schema // nil if it returns no rows
	// Run starts the statement. args has a one-row vector a parameter. The context ends when the client cancels.
	Run(ctx context.Context, args []column.Vector) (Result, error)
}

// Binary is a Statement whose rows go out in binary where the client has no way to say which format it wants.
type Binary interface {
	Statement
	Binary() bool
}

// Result is a running statement. pgwire calls Next until nil, then Tag, then Close; a suspended portal
// is closed early. If it implements CopyIn or CopyOut, the COPY protocol is spoken instead of rows.
type Result interface {
	// Next returns the next rows, nil at the end. They are valid until the next call.
	Next(ctx context.Context) (*column.Batch, error)
	// Tag is the command tag. rows is how many rows this Execute sent ("SELECT 3"); statements without rows ignore it.
	Tag(rows int64) string
	Close() error
}

// Live is a Result that may follow what has not happened yet.
type Live interface {
	Result
	// Live reports that Next may wait for long: what was sent before must reach the client first.
	Live() bool
}

// CopyIn is a Result that takes rows.
type CopyIn interface {
	Result
	CopyIn() (*types.Schema, CopyOptions)
	// Append takes over a batch. Done makes all rows durable and returns their number; Abort forgets them.
	Append(ctx context.Context, b *column.Batch) error
	Done(ctx context.Context) (int64, error)
	Abort(ctx context.Context, reason error)
}

// CopyOut is a Result whose rows go out by COPY.
type CopyOut interface {
	Result
	CopyOut() (*types.Schema, CopyOptions)
}

// CopyOptions are COPY's options. The zero value of a field means Postgres's default for the format.
type CopyOptions struct {
	Format                              string // "text", "csv", "binary"
	Relation                            string // of COPY FROM, for the context of errors: COPY clicks, line 3
	Delimiter                           byte
	Null                                *string
	Header                              bool
	HeaderMatch                         bool // of COPY FROM: the header has to name the columns
	Quote                               byte
	Escape                              byte
	ForceNull, ForceNotNull, ForceQuote []string // column names; "*" is all
}
