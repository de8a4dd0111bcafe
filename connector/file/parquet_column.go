package file

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"

	"wmsql/column"
	"wmsql/connector/format"
	"wmsql/types"
)

// parquetColumn reads one column of a Parquet file into builders.
type parquetColumn struct {
	field types.Field
	leaf  *parquet.Column // nil: the file has no such column
	read  func(v *values, i int, b column.Builder) (reason string)

	pages parquet.Pages
	page  parquet.Page
	row   int    // next row of the page
	value int    // next value of the page: NULLs have none
	vals  values // of the page
}

// values are the values of a page as they lie in memory: the slice of its physical type is set.
type values struct {
	index   []int32 // into the slices, nil: one after the other
	bools   []byte
	int32s  []int32
	int64s  []int64
	int96s  []byte // 12 bytes each
	floats  []float32
	doubles []float64
	bytes   []byte
	offsets []uint32 // of bytes
	size    int      // of a fixed-length byte array
}

// load takes the values of a page, through its dictionary if it has one.
func (v *values) load(p parquet.Page, k parquet.Kind) {
	*v = values{}
	data := p.Data()
	if d := p.Dictionary(); d != nil {
		v.index = data.Int32()
		data = d.Page().Data()
	}
	v.set(data, k)
}

func (v *values) set(data encoding.Values, k parquet.Kind) {
	switch k {
	case parquet.Boolean:
		v.bools = data.Boolean()
	case parquet.Int32:
		v.int32s = data.Int32()
	case parquet.Int64:
		v.int64s = data.Int64()
	case parquet.Int96:
		for _, x := range data.Int96() {
			for _, w := range x {
				v.int96s = binary.LittleEndian.AppendUint32(v.int96s, w)
			}
		}
	case parquet.Float:
		v.floats = data.Float()
	case parquet.Double:
		v.doubles = data.Double()
	case parquet.ByteArray:
		v.bytes, v.offsets = data.ByteArray()
	case parquet.FixedLenByteArray:
		v.bytes, v.size = data.FixedLenByteArray()
	}
}

// blob returns byte array i.
func (v *values) blob(i int) []byte {
	if v.size > 0 {
		return v.bytes[i*v.size : (i+1)*v.size]
	}
	return v.bytes[v.offsets[i]:v.offsets[i+1]]
}

// append reads n rows; row is the number of the first in its stretch, for bad. A bad value becomes NULL until its row
// is taken out.
func (c *parquetColumn) append(b column.Builder, n, row int, bad *badRows) error {
	if c.leaf == nil {
		for range n {
			b.AppendNull()
		}
		return nil
	}
	for n > 0 {
		if c.page == nil || c.row == int(c.page.NumRows()) {
			if err := c.nextPage(); err != nil {
				return err
			}
			continue
		}
		k := min(n, int(c.page.NumRows())-c.row)
		c.run(b, k, row, bad)
		n -= k
		row += k
	}
	return nil
}

// run reads k rows of the page.
func (c *parquetColumn) run(b column.Builder, k, row int, bad *badRows) {
	levels := c.page.DefinitionLevels()
	defined := byte(c.leaf.MaxDefinitionLevel())
	for r := range k {
		if len(levels) > 0 && levels[c.row+r] != defined {
			if c.field.NotNull {
				bad.add(row+r, `"`+c.field.Name+`" is null, but the column is NOT NULL`)
			}
			b.AppendNull()
			continue
		}
		i := c.value
		c.value++
		if c.vals.index != nil {
			i = int(c.vals.index[i])
		}
		if reason := c.read(&c.vals, i, b); reason != "" {
			bad.add(row+r, `"`+c.field.Name+`": `+reason)
			b.AppendNull()
		}
	}
	c.row += k
}

func (c *parquetColumn) nextPage() error {
	c.releasePage()
	p, err := c.pages.ReadPage()
	if errors.Is(err, io.EOF) {
		return errors.New("a column has fewer rows than its row group")
	}
	if err != nil {
		return err
	}
	c.page, c.row, c.value = p, 0, 0
	c.vals.load(p, c.leaf.Type().Kind())
	return nil
}

func (c *parquetColumn) releasePage() {
	if c.page != nil {
		parquet.Release(c.page)
		c.page = nil
	}
}

func (c *parquetColumn) closePages() {
	c.releasePage()
	if c.pages != nil {
		c.pages.Close()
		c.pages = nil
	}
}

// bind chooses how the file's values become the column's. The error names the file's type.
func (c *parquetColumn) bind(epoch format.EpochUnit) error {
	if !c.leaf.Leaf() || c.leaf.MaxRepetitionLevel() > 0 {
		return errors.New("a group or a list")
	}
	t := c.leaf.Type()
	c.read = c.reader(t, c.field.Type, epoch)
	if c.read == nil {
		return errors.New(t.String())
	}
	return nil
}
