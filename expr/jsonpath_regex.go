package expr

import (
	"errors"
	"strings"

	"wmsql/sqlerr"
	"wmsql/types"
)

// pathRegexes are the compiled patterns of one path, by node.
type pathRegexes map[*types.JSONPathNode]*regex

// likeRegex tells whether a string matches a pattern. Its flags are those of XQuery, of which Postgres makes its own.
func (r *pathRun) likeRegex(n *types.JSONPathNode, v []byte) (pathTruth, error) {
	if v[0] != '"' {
		return pathUnknown, nil
	}
	re := (*r.regex)[n]
	if re == nil {
		var err error
		if re, err = compilePathRegex(n); err != nil {
			return pathUnknown, err
		}
		(*r.regex)[n] = re
	}
	text, err := jsonUnquote(v)
	if err != nil {
		return pathUnknown, err
	}
	found, err := re.match(text, r.steps)
	return truthOf(found), err
}

func compilePathRegex(n *types.JSONPathNode) (*regex, error) {
	has := func(flag string) bool { return strings.Contains(n.Flags, flag) }
	if has("x") && !has("q") {
		return nil, sqlerr.Newf(sqlerr.FeatureNotSupported, "XQuery \"x\" flag (expanded regular expressions) is not implemented")
	}
	flags := regexFlags{fold: has("i")}
	if has("q") {
		flags.literal = true
	} else {
		flags.partDot, flags.partLine = !has("s"), has("m")
	}
	return compileRegex(n.Text, flags)
}

// hardPathError passes on what no condition and no silence swallows.
func hardPathError(err error) error {
	if errors.Is(err, errPathEnough) {
		return err
	}
	var e *sqlerr.Error
	if errors.As(err, &e) {
		switch e.Code {
		case sqlerr.FeatureNotSupported, sqlerr.UndefinedObject, sqlerr.StatementTooComplex, sqlerr.InvalidRegexp:
			return err
		}
		return nil
	}
	return err
}
