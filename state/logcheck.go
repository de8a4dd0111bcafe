package state

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"wmsql/sqlerr"
)

// Pebble's log is a file of blocks; a record is cut into chunks, none of which crosses a block. In the newest format a chunk is
//
//	checksum u32 | length u16 | encoding 1 byte (9 to 12) | log number u32 | bytes of the log that were synced before, u64 | data
//
// little endian, the checksum over all from the encoding on. Where a chunk is not valid the log ends, torn by a crash, unless a later chunk
// says that this place had been synced: then the disk has lost what was acknowledged. Pebble looks for such a chunk only from the next block
// on, and takes a damaged log number for a clean end. logCheck looks everywhere, so that a damaged log is told and not cut.
type logCheck struct {
	log     uint32
	buf     []byte // the present block
	base    int64  // its offset
	invalid int64  // where the log ends, -1 while that is not known
}

const (
	walBlock       = 32 << 10
	walHeader      = 19
	walSyncedFirst = 9
	walSyncedLast  = 12
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checkLog reads the newest log of dir.
func checkLog(f vfs.FS, dir string) error {
	name, number, err := newestLogOf(f, dir)
	if err != nil || name == "" {
		return err
	}
	file, err := f.Open(f.PathJoin(dir, name))
	if err != nil {
		return err
	}
	c := &logCheck{log: number, invalid: -1, buf: make([]byte, walBlock)}
	return errors.Join(c.run(file, f.PathJoin(dir, name)), file.Close())
}

func newestLogOf(f vfs.FS, dir string) (name string, number uint32, err error) {
	names, err := f.List(dir)
	if err != nil {
		return "", 0, err
	}
	for _, n := range names {
		digits, ok := strings.CutSuffix(n, ".log")
		if !ok {
			continue
		}
		if k, err := strconv.ParseUint(digits, 10, 32); err == nil && uint32(k) >= number {
			name, number = n, uint32(k)
		}
	}
	return name, number, nil
}

func (c *logCheck) run(r io.Reader, name string) error {
	for {
		n, err := io.ReadFull(r, c.buf[:walBlock])
		if n == 0 {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("read %s: %w", name, err)
		}
		c.buf = c.buf[:n]
		if c.damaged() {
			e := sqlerr.Newf(sqlerr.DataCorrupted, "file \"%s\" is damaged at byte %d: what was written after it is intact", name, c.invalid)
			return e.WithHint("Check the disk, then restore the directory from a backup or start with an empty one and read the sources again.")
		}
		c.base += walBlock
		if n < walBlock {
			return nil
		}
	}
}

// damaged goes through a block and reports whether it proves that the invalid place was valid once.
func (c *logCheck) damaged() bool {
	at := 0
	for c.invalid < 0 || at == 0 {
		size := c.chunk(at)
		switch {
		case size > 0:
			if c.proves(at) {
				return true
			}
			at += size
			continue
		case c.blockEnd(at):
			return false
		case c.invalid < 0:
			c.invalid = c.base + int64(at)
		}
		break
	}
	for ; at+walHeader <= len(c.buf); at++ {
		if e := c.buf[at+6]; e >= walSyncedFirst && e <= walSyncedLast && c.chunk(at) > 0 && c.proves(at) {
			return true
		}
	}
	return false
}

// chunk returns the size of the valid chunk at a place of the block, 0 if there is none.
func (c *logCheck) chunk(at int) int {
	if at+walHeader > len(c.buf) {
		return 0
	}
	h := c.buf[at:]
	size := walHeader + int(binary.LittleEndian.Uint16(h[4:]))
	if h[6] < walSyncedFirst || h[6] > walSyncedLast || binary.LittleEndian.Uint32(h[7:]) != c.log || size > len(h) {
		return 0
	}
	sum := crc32.Checksum(h[6:size], castagnoli)
	if sum = (sum>>15 | sum<<17) + 0xa282ead8; sum != binary.LittleEndian.Uint32(h) {
		return 0
	}
	return size
}

// proves reports whether the valid chunk at a place was written after the invalid place had been synced.
func (c *logCheck) proves(at int) bool {
	return c.invalid >= 0 && binary.LittleEndian.Uint64(c.buf[at+11:]) > uint64(c.invalid)
}

// blockEnd reports whether only the zeros that fill a block are left.
func (c *logCheck) blockEnd(at int) bool {
	if len(c.buf) < walBlock || len(c.buf)-at >= walHeader {
		return at == len(c.buf)
	}
	for _, b := range c.buf[at:] {
		if b != 0 {
			return false
		}
	}
	return true
}
