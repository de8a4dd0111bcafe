package state

import (
	"math/rand/v2"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Disk is a disk in memory whose power can be cut, for the tests of crashes. It is given as Options.FS.
type Disk struct{ *vfs.MemFS }

// NewDisk returns an empty disk.
func NewDisk() Disk { return Disk{vfs.NewCrashableMem()} }

// PowerCut returns what is on the disk when the power fails now: what was synced, and of the rest each block with a
// chance of kept percent. The disk itself goes on.
func (d Disk) PowerCut(kept int, rng *rand.Rand) Disk {
	return Disk{d.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: kept, RNG: rng})}
}
