package main

import (
	"wmsql/connector"
	"wmsql/connector/datagen"
	"wmsql/connector/file"
	"wmsql/connector/kafka"
)

// connectors are the sources there are. Files are read below fileRoot only; "" is nowhere.
func connectors(fileRoot string) connector.Registry {
	return connector.Registry{
		"datagen": datagen.Driver(),
		"file":    file.Driver(fileRoot),
		"kafka":   kafka.Driver(),
	}
}
