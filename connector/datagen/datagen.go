// Package datagen makes rows up: for demos, for tries without a broker, and for measuring. Row n of a seed is always the
// same row, so a restart repeats exactly what was not committed.
package datagen

import (
	"context"
	"slices"

	"wmsql/connector"
)

// Driver returns the driver of connector = 'datagen'.
func Driver() connector.Driver {
	return connector.Driver{
		Check: func(_ context.Context, spec connector.Spec) error {
			_, err := parse(spec)
			return err
		},
		Open: func(_ context.Context, spec connector.Spec, from connector.Offset) (connector.Source, error) {
			return open(spec, from)
		},
		Options: append(slices.Clone(optionNames), fieldPrefix),
	}
}
