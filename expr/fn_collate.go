package expr

import (
	"bytes"

	"golang.org/x/text/cases"
	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"wmsql/types"
)

// CollationVersion is the version of the Unicode locale data that orders texts.
const CollationVersion = collate.CLDRVersion

// A key is the collation's own, with 0x00 0xff for 0x00, then 0x00 0x01, then the text: texts that the collation holds for equal are in the order
// of their bytes, as in Postgres, and the text can be had back.
const (
	keyZero byte = 0x00
	keyStop byte = 0x01
	keySame byte = 0xff
)

// languageOf is the language that a collation's locale means.
func languageOf(c types.Collation) language.Tag {
	tag, err := language.Parse(c.Locale())
	if err != nil {
		return language.Und // of what golang.org/x/text does not know
	}
	return tag
}

func collationKey(c types.Collation) kernel {
	return func(s *site) body {
		order, buf := collate.New(languageOf(c)), &collate.Buffer{}
		return tx1(func(dst, a []byte) []byte {
			buf.Reset()
			for _, b := range order.Key(buf, a) {
				if dst = append(dst, b); b == keyZero {
					dst = append(dst, keySame)
				}
			}
			return append(append(dst, keyZero, keyStop), a...)
		})(s)
	}
}

func collationText(s *site) body {
	return tx1(func(dst, key []byte) []byte {
		return append(dst, key[bytes.Index(key, []byte{keyZero, keyStop})+2:]...)
	})(s)
}

// caseIn is lower, upper or initcap by the rules of a language, nil for other functions.
func caseIn(name string, c types.Collation) *Function {
	var newCaser func(language.Tag, ...cases.Option) cases.Caser
	switch name {
	case "lower":
		newCaser = cases.Lower
	case "upper":
		newCaser = cases.Upper
	case "initcap":
		newCaser = cases.Title
	default:
		return nil
	}
	text := types.Of(types.Text)
	return &Function{Name: name, Args: []types.Type{text}, Return: text, Strict: true, total: true, kernel: func(s *site) body {
		caser := newCaser(languageOf(c))
		return tx1(func(dst, a []byte) []byte { return append(dst, caser.Bytes(a)...) })(s)
	}}
}
