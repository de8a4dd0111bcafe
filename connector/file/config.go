package file

import (
	"path"
	"slices"
	"strings"

	"wmsql/connector"
	"wmsql/connector/format"
	"wmsql/sqlerr"
	"wmsql/types"
)

var optionNames = slices.Concat([]string{"path"}, format.Options)

// config is a stream's options, checked.
type config struct {
	disk   *disk
	path   string
	kind   kind
	format *format.Format // nil for Parquet
	spec   connector.Spec
	read   *types.Schema
	event  int // ordinal in a batch of the column that keeps the files even, -1 if none is read
	epoch  format.EpochUnit
}

// kind is how files are written.
type kind uint8

const (
	kindJSON kind = iota
	kindCSV
	kindParquet
)

var kindNames = []string{"json", "csv", "parquet"}

func parse(root string, spec connector.Spec) (*config, error) {
	o := connector.NewOptions(spec, optionNames)
	c := &config{path: o.Must("path", "/data/clicks"), spec: spec, event: slices.Index(spec.Read, spec.EventTime)}
	c.kind = guessKind(c.path)
	if o.Text("format", "") != "" {
		c.kind = kind(o.OneOf("format", kindNames...))
	}
	c.epoch = format.EpochUnit(o.OneOf("timestamp_format", format.TimestampFormats...))
	if err := o.Err(); err != nil {
		return nil, err
	}
	if c.event >= 0 && !format.HoldsTimes(spec.Schema.Fields[spec.EventTime].Type) {
		c.event = -1
	}
	var err error
	if c.disk, c.path, err = openDisk(root, c.path); err != nil {
		return nil, err
	}
	f, err := format.Compile(spec, o, kindNames[c.kind], nil)
	if err != nil {
		return nil, err
	}
	c.read = f.Shape.Read
	if c.kind != kindParquet {
		c.format = f
	}
	return c, nil
}

// guessKind takes the format from the path's extension; JSON lines is the default.
func guessKind(p string) kind {
	p = strings.TrimSuffix(strings.TrimSuffix(p, ".gz"), ".zst")
	if i := slices.Index(kindNames, strings.TrimPrefix(path.Ext(p), ".")); i >= 0 {
		return kind(i)
	}
	return kindJSON
}

// check refuses options that cannot work. A path where nothing is yet is one: it is most often a wrong one.
func check(root string, spec connector.Spec) error {
	c, err := parse(root, spec)
	if err != nil {
		return err
	}
	defer c.disk.close()
	files, err := c.disk.list(c.path)
	if err != nil {
		return err
	}
	if len(files) == 0 && !c.disk.isFolder(c.path) && !isGlob(c.path) {
		return sqlerr.Newf(sqlerr.UndefinedFile, "could not open file %q: no such file or folder", c.path).
			WithHint("The path is one on the server's machine. Make the folder first when files are to come later.")
	}
	if len(files) > 0 && c.kind == kindParquet {
		r := &parquetReader{cfg: c, name: files[0].name}
		defer r.close()
		return r.open()
	}
	return nil
}
