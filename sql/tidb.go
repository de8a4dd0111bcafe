package sql

import (
	"sync"

	tidb "github.com/pingcap/tidb/pkg/parser"
	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/mysql"
	_ "github.com/pingcap/tidb/pkg/parser/test_driver" // the parser wants a driver for constants, of which it gets none
)

// tidbPool keeps parsers: making one costs several queries' time.
var tidbPool = sync.Pool{New: func() any {
	p := tidb.New()
	p.SetSQLMode(mysql.ModePipesAsConcat | mysql.ModeNoBackslashEscapes | mysql.ModeANSIQuotes | mysql.ModeHighNotPrecedence)
	p.SetParserConfig(tidb.ParserConfig{EnableWindowFunction: true, SkipPositionRecording: true})
	return p
}}

// parseTranscript parses a transcription. It was written by the front, so an error is the front's.
func parseTranscript(text []byte) ast.StmtNode {
	p := tidbPool.Get().(*tidb.Parser)
	stmts, _, err := p.ParseSQL(string(text))
	if err != nil || len(stmts) != 1 {
		internalf("transcription %q was not read: %v", text, err)
	}
	stmt := stmts[0]
	tidbPool.Put(p) // not after a panic: the parser may be in any state
	return stmt
}
