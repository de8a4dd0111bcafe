package main

import (
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// memoryBudget reads --memory: bytes, a size such as 2GiB or 512MB, or a share of the machine such as 60%.
func memoryBudget(text string) (int64, error) {
	if share, ok := strings.CutSuffix(text, "%"); ok {
		p, err := strconv.ParseFloat(share, 64)
		if err != nil || p <= 0 || p > 100 {
			return 0, badMemory(text)
		}
		total, err := machineMemory()
		if err != nil {
			return 0, err
		}
		return int64(float64(total) * p / 100), nil
	}
	units := []struct {
		name string
		size float64
	}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}, {"", 1}}
	for _, u := range units {
		digits, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
		if err == nil && n*u.size >= 64<<20 {
			return int64(n * u.size), nil
		}
		if err == nil {
			return 0, fmt.Errorf("--memory %s is too little: give it at least 64MiB", text)
		}
	}
	return 0, badMemory(text)
}

func badMemory(text string) error {
	return fmt.Errorf("--memory %q is no size: write 2GiB, 512MB or 60%%", text)
}

// machineMemory is what the process may use: the control group's limit, else the machine's memory.
func machineMemory() (uint64, error) {
	if n, err := memlimit.FromCgroup(); err == nil && n > 0 {
		if total, err := memlimit.FromSystem(); err != nil || n < total {
			return n, nil
		}
	}
	n, err := memlimit.FromSystem()
	if err != nil {
		return 0, fmt.Errorf("cannot tell how much memory the machine has (%w): give --memory a size", err)
	}
	return n, nil
}

// limitMemory makes the collector work harder before the budget is used up. An eighth is left for what is not the collector's: the program
// itself, and what the kernel keeps for it.
func limitMemory(budget int64) { debug.SetMemoryLimit(budget / 8 * 7) }
