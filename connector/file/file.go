// Package file reads a file, a folder or a glob of files: JSON lines, CSV, or Parquet. New files are taken as they
// appear, and JSON and CSV files that grow are read on at complete lines.
//
//	feeder (one goroutine: lists, reads) -> jobs -> decoders (GOMAXPROCS goroutines) -> connector.Even -> the query
//
// Every file is a split, read evenly in event time with the others; a file is cut in stretches at line ends, so that one
// large file is decoded on all cores.
package file

import (
	"context"

	"wmsql/connector"
)

// Driver returns the driver of connector = 'file'. Paths are below the folder root, relative to it or not; "/" allows
// any path, "" none.
func Driver(root string) connector.Driver {
	return connector.Driver{
		Check: func(_ context.Context, spec connector.Spec) error { return check(root, spec) },
		Open: func(ctx context.Context, spec connector.Spec, from connector.Offset) (connector.Source, error) {
			return open(ctx, root, spec, from)
		},
		Options: optionNames,
	}
}
