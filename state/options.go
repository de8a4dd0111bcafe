package state

import (
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
)

const (
	defaultMemory = 192 << 20
	minMemtable   = 4 << 20
	maxMemtable   = 64 << 20
	minCache      = 8 << 20

	// windowsGoneAfter is how long a closed window's range deletion may stay in memory before it is written
	// out, from when on compactions can free what it covers.
	windowsGoneAfter = 10 * time.Second
)

// pebbleOptions chooses for small epochs that are read rarely and deleted by ranges: memory tables so large that most
// windows open and close in them, snappy above and zstd at the bottom, and a second compaction when deletions wait.
func pebbleOptions(o Options, space *spaceFS, log *logger) *pebble.Options {
	memory := o.Memory
	if memory <= 0 {
		memory = defaultMemory
	}
	po := &pebble.Options{
		FS:                          space,
		FormatMajorVersion:          pebble.FormatNewest,
		Logger:                      log,
		CacheSize:                   max(minCache, memory/3),
		MemTableSize:                uint64(min(max(minMemtable, memory/4), maxMemtable)),
		MemTableStopWritesThreshold: 3,
		L0CompactionThreshold:       4,
		L0StopWritesThreshold:       24,
		LBaseMaxBytes:               64 << 20,
		MaxOpenFiles:                1000,
		FlushDelayDeleteRange:       windowsGoneAfter,
		CompactionConcurrencyRange:  func() (int, int) { return 1, 2 },
		EventListener: &pebble.EventListener{
			// Without a handler Pebble ends the process; the read that met the damage gets XX001.
			DataCorruption: func(i pebble.DataCorruptionInfo) {
				o.Warn("store: damaged file", "file", i.Path, "error", i.Details)
			},
			BackgroundError: func(err error) { o.Warn("store: background work failed, it is tried again", "error", err) },
			DiskSlow:        func(i pebble.DiskSlowInfo) { o.Warn("store: slow disk", "file", i.Path, "took", i.Duration) },
		},
	}
	po.ApplyCompressionSettings(func() pebble.DBCompressionSettings { return pebble.DBCompressionBalanced })
	for i := range po.Levels {
		po.Levels[i].FilterPolicy = bloom.FilterPolicy(10)
		po.Levels[i].BlockSize = 32 << 10
	}
	po.Experimental.ReadSamplingMultiplier = -1 // a walk pays for each key to find tables to compact: a scan of all rows a twentieth
	po.Experimental.CompactionGarbageFractionForMaxConcurrency = func() float64 { return 0.3 }
	return po
}
