package stream

import (
	"encoding/binary"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/sqlerr"
)

// The log keeps a stream's rows in chunks of at most column.MaxRows. Numbers are big endian.
//
//	key    commit u64 | part of the commit u32 | rows u32
//	value  version 1 byte | time of the commit, µs u64 | rows of the stream before the chunk u64 | column.AppendBatch
//
// The rows stand in the key, so that an epoch can be cut to size without reading the chunks.
const (
	chunkVersion   = 1
	chunkKeyLen    = 16
	chunkHeaderLen = 17
)

// chunk is encoded rows on their way into the log.
type chunk struct {
	stream catalog.ID
	rows   int
	value  []byte
}

// chunkID is what a key says.
type chunkID struct {
	commit int64
	rows   int
}

// chunkHeader is what precedes the batch.
type chunkHeader struct {
	time     int64 // µs
	firstRow int64 // rows of the stream before it
}

func encodeChunks(batches []Append) ([]chunk, error) {
	var out []chunk
	for _, a := range batches {
		if len(a.Batch.Cols) != len(a.Schema.Fields) {
			return nil, sqlerr.Newf(sqlerr.Internal, "rows for stream %d have %d columns, not %d", a.Stream, len(a.Batch.Cols), len(a.Schema.Fields))
		}
		for lo := 0; lo < a.Batch.Rows; lo += column.MaxRows {
			hi := min(lo+column.MaxRows, a.Batch.Rows)
			value := make([]byte, chunkHeaderLen, chunkHeaderLen+64)
			value[0] = chunkVersion
			out = append(out, chunk{a.Stream, hi - lo, column.AppendBatch(value, a.Batch.Slice(lo, hi))})
		}
	}
	return out, nil
}

// stamp fills in what is known only at the commit.
func (c *chunk) stamp(now, firstRow int64) {
	binary.BigEndian.PutUint64(c.value[1:], uint64(now))
	binary.BigEndian.PutUint64(c.value[9:], uint64(firstRow))
}

func chunkKey(commit int64, part, rows int) []byte {
	k := binary.BigEndian.AppendUint64(make([]byte, 0, chunkKeyLen), uint64(commit))
	k = binary.BigEndian.AppendUint32(k, uint32(part))
	return binary.BigEndian.AppendUint32(k, uint32(rows))
}

func parseKey(k []byte) (chunkID, error) {
	if len(k) != chunkKeyLen {
		return chunkID{}, badChunk("a key of %d bytes", len(k))
	}
	return chunkID{int64(binary.BigEndian.Uint64(k)), int(binary.BigEndian.Uint32(k[12:]))}, nil
}

func parseChunk(v []byte) (h chunkHeader, batch []byte, err error) {
	switch {
	case len(v) < chunkHeaderLen:
		return h, nil, badChunk("a chunk of %d bytes", len(v))
	case v[0] != chunkVersion:
		return h, nil, badChunk("chunk version %d", v[0])
	}
	h.time = int64(binary.BigEndian.Uint64(v[1:]))
	h.firstRow = int64(binary.BigEndian.Uint64(v[9:]))
	return h, v[chunkHeaderLen:], nil
}

func badChunk(format string, args ...any) error {
	return sqlerr.Newf(sqlerr.DataCorrupted, "the log of internal streams is damaged: "+format, args...)
}
