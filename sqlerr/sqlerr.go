// Package sqlerr is the one error type that a SQL client may see.
package sqlerr

import (
	"errors"
	"fmt"
)

// Code is a five-character SQLSTATE.
type Code string

// The SQLSTATEs wmsql answers with. Class WM is wmsql's own: the state gate.
const (
	FeatureNotSupported       Code = "0A000"
	ProtocolViolation         Code = "08P01"
	ConnectionFailure         Code = "08006"
	InvalidAuthorization      Code = "28000"
	InvalidPassword           Code = "28P01"
	InvalidCatalogName        Code = "3D000"
	InvalidSchemaName         Code = "3F000"
	CardinalityViolation      Code = "21000"
	StringTooLong             Code = "22001"
	BitLengthMismatch         Code = "22026"
	NumericOutOfRange         Code = "22003"
	SequenceLimit             Code = "2200H"
	NullNotAllowed            Code = "22004"
	InvalidDatetimeFormat     Code = "22007"
	DatetimeOverflow          Code = "22008"
	DivisionByZero            Code = "22012"
	IntervalOverflow          Code = "22015"
	InvalidEscape             Code = "22025"
	InvalidRegexp             Code = "2201B"
	InvalidParameterValue     Code = "22023"
	InvalidTextRepresentation Code = "22P02"
	InvalidBinary             Code = "22P03"
	BadCopyFormat             Code = "22P04"
	UntranslatableCharacter   Code = "22P05"
	CharacterNotInRepertoire  Code = "22021"
	InvalidJSON               Code = "22P02"
	NotNullViolation          Code = "23502"
	UniqueViolation           Code = "23505"
	CheckViolation            Code = "23514"
	InvalidCursorState        Code = "24000"
	ActiveTransaction         Code = "25001"
	ReadOnlyTransaction       Code = "25006"
	NoActiveTransaction       Code = "25P01"
	FailedTransaction         Code = "25P02"
	IdleInTransactionTimeout  Code = "25P03"
	InvalidStatementName      Code = "26000"
	DependentObjects          Code = "2BP01"
	InvalidCursorName         Code = "34000"
	ExternalRoutine           Code = "38000"
	InvalidSavepoint          Code = "3B001"
	SerializationFailure      Code = "40001"
	InvalidRecursion          Code = "42P19"
	SyntaxError               Code = "42601"
	InsufficientPrivilege     Code = "42501"
	CannotCoerce              Code = "42846"
	GroupingError             Code = "42803"
	WindowingError            Code = "42P20"
	InvalidColumnReference    Code = "42P10"
	WrongObjectType           Code = "42809"
	CollationMismatch         Code = "42P21"
	DatatypeMismatch          Code = "42804"
	IndeterminateDatatype     Code = "42P18"
	UndefinedColumn           Code = "42703"
	UndefinedFunction         Code = "42883"
	UndefinedTable            Code = "42P01"
	UndefinedParameter        Code = "42P02"
	UndefinedObject           Code = "42704"
	DuplicateColumn           Code = "42701"
	DuplicateCursor           Code = "42P03"
	DuplicateStatement        Code = "42P05"
	DuplicateSchema           Code = "42P06"
	DuplicateTable            Code = "42P07"
	DuplicateAlias            Code = "42712"
	DuplicateObject           Code = "42710"
	AmbiguousColumn           Code = "42702"
	AmbiguousFunction         Code = "42725"
	DuplicateFunction         Code = "42723"
	InvalidColumnDefinition   Code = "42611"
	InvalidObjectDefinition   Code = "42P17"
	InvalidTableDefinition    Code = "42P16"
	GeneratedAlways           Code = "428C9"
	InvalidName               Code = "42602"
	ReservedName              Code = "42939"
	OutOfMemory               Code = "53200"
	DiskFull                  Code = "53100"
	TooManyConnections        Code = "53300"
	ConfigurationLimit        Code = "53400"
	ProgramLimitExceeded      Code = "54000"
	StatementTooComplex       Code = "54001"
	TooManyColumns            Code = "54011"
	TooManyArguments          Code = "54023"
	ObjectNotReady            Code = "55000"
	ObjectInUse               Code = "55006"
	CantChangeNow             Code = "55P02"
	LockNotAvailable          Code = "55P03"
	DeadlockDetected          Code = "40P01"
	QueryCanceled             Code = "57014"
	AdminShutdown             Code = "57P01"
	CannotConnectNow          Code = "57P03"
	IdleSessionTimeout        Code = "57P05"
	IOError                   Code = "58030"
	UndefinedFile             Code = "58P01"
	DataCorrupted             Code = "XX001"
	Internal                  Code = "XX000"

	NoWatermark           Code = "WM001" // windowed aggregate, no watermark
	WatermarkAboveAgg     Code = "WM002" // EventTimeWatermark above the Aggregate
	WindowOtherColumn     Code = "WM003" // window over another column than the watermark's
	WindowTimeComputed    Code = "WM004" // the window's time is computed inside GROUP BY
	WatermarkNotTimestamp Code = "WM005" // watermark on a column that is no timestamp
	WatermarkLost         Code = "WM006" // the mark is lost on the way
	KeysAlone             Code = "WM007" // aggregate by keys alone
	JoinUnbounded         Code = "WM008" // stream-stream join without a time bound
	DistinctUnbounded     Code = "WM009" // DISTINCT ON without the event time
	CompleteUnbounded     Code = "WM010" // complete mode on unbounded keys
	WatermarkSuspicious   Code = "WM011" // legal, but with a predictable bad effect
	SuccessfulCompletion  Code = "00000"
	Warning               Code = "01000"
)

// Severity says how grave a message is.
type Severity uint8

// The severities: the zero value is an error.
const (
	SevError Severity = iota
	SevWarning
	SevNotice
	SevInfo
	SevFatal
)

// Error is an error that a user caused or must act on, or a notice when Severity says so.
type Error struct {
	Severity Severity
	Code     Code
	Msg      string // one clause, lower case, no final period
	Detail   string // why: full sentences
	Hint     string // what to write instead: full sentences, or SQL that works when pasted
	Pos      int    // 1-based byte offset in the statement's text; 0 if none
	Where    string // context, such as the COPY line
	Cause    error

	// Of a broken constraint: what it belongs to and its name, as far as they are known. Drivers hand them to programs.
	Schema, Table, Column, Constraint string
}

func (e *Error) Error() string { return e.Msg }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Newf returns an Error with the given code and message.
func Newf(c Code, format string, args ...any) *Error {
	return &Error{Code: c, Msg: fmt.Sprintf(format, args...)}
}

// Unsupported returns the 0A000 error for something that wmsql does not do yet.
func Unsupported(format string, args ...any) *Error {
	return Newf(FeatureNotSupported, "%s is not supported yet", fmt.Sprintf(format, args...))
}

// At sets the position, a 1-based byte offset, that the client marks with a caret. Only the
// first call counts: the place nearest to the fault is the right one.
func (e *Error) At(pos int) *Error {
	if e.Pos == 0 {
		e.Pos = pos
	}
	return e
}

// WithDetail sets the reason.
func (e *Error) WithDetail(format string, args ...any) *Error {
	e.Detail = fmt.Sprintf(format, args...)
	return e
}

// Of names the table of a broken constraint, and its column or the constraint itself; "" for what does not apply.
func (e *Error) Of(schema, table, column, constraint string) *Error {
	e.Schema, e.Table, e.Column, e.Constraint = schema, table, column, constraint
	return e
}

// WithHint sets the fix.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// From returns err as an *Error: itself if it is one or wraps one, else an internal error.
func From(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Code: Internal, Msg: err.Error(), Cause: err}
}
