package file

import (
	"encoding/json"
	"math"

	"wmsql/connector"
	"wmsql/sqlerr"
)

// wholeFile is the position of a file that is never read on: Parquet or compressed, and read to its end.
const wholeFile = math.MaxInt64

// position is what an Offset holds: the files in the order in which they were first seen, which is their split number.
type position struct {
	Files []filePosition `json:"files"`
}

// filePosition is where one file stands: bytes of a plain file, bytes of what a compressed one holds, rows of Parquet.
type filePosition struct {
	Name string `json:"name"`
	Pos  int64  `json:"pos"`
	Size int64  `json:"size"` // as it was known then; a file that vanishes before Pos has come to it is an error
}

func (p position) offset() connector.Offset {
	b, err := json.Marshal(p)
	if err != nil {
		panic("file: an offset does not encode: " + err.Error())
	}
	return connector.Offset(b)
}

func parsePosition(o connector.Offset) (position, error) {
	var p position
	if o == "" {
		return p, nil
	}
	if err := json.Unmarshal([]byte(o), &p); err != nil {
		return p, sqlerr.Newf(sqlerr.DataCorrupted, "not an offset of files: %s", o)
	}
	return p, nil
}

// reached reports whether p has come to end in every file.
func (p position) reached(end position) bool {
	at := make(map[string]int64, len(p.Files))
	for _, f := range p.Files {
		at[f.Name] = f.Pos
	}
	for _, f := range end.Files {
		if at[f.Name] < f.Pos {
			return false
		}
	}
	return true
}
