package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"strconv"
	"time"
)

func clicks(c *config) error {
	s, err := open(c, "")
	if err != nil {
		return err
	}
	g := newGenerator(c)
	if c.rate > 0 {
		err = paced(c, g, s)
	} else {
		err = all(c, g, s)
	}
	if err != nil {
		return err
	}
	return s.close()
}

func all(c *config, g *generator, s sink) error {
	for i := range c.events {
		if err := s.put(i%c.parts, g.click(c.due(i))); err != nil {
			return err
		}
	}
	return nil
}

func paced(c *config, g *generator, s sink) error {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	began := time.Now()
	for sent := 0; ; {
		<-tick.C
		due := int(time.Since(began).Seconds() * float64(c.rate))
		for ; sent < due; sent++ {
			if err := s.put(sent%c.parts, g.click(time.Now().UnixMilli())); err != nil {
				return err
			}
		}
		if time.Since(began) > time.Duration(c.secs)*time.Second {
			return nil
		}
	}
}

// generator makes clicks.
type generator struct {
	c    *config
	rnd  *rand.Rand
	cum  []float64 // cumulated Zipf probabilities of the pages
	buf  []byte
	made int
}

func newGenerator(c *config) *generator {
	g := &generator{c: c, rnd: newRand(c), cum: make([]float64, c.pages)}
	total := 0.0
	for i := range g.cum {
		total += 1 / float64(i+1)
		g.cum[i] = total
	}
	for i := range g.cum {
		g.cum[i] /= total
	}
	return g
}

// click makes an event near the given time in milliseconds. The bytes are valid until the next call.
func (g *generator) click(ms int64) []byte {
	if g.c.rate == 0 {
		ms -= int64(g.rnd.IntN(g.c.ooo))
		if g.rnd.Float64() < g.c.late {
			ms -= int64(g.c.ooo) + 90_000 + int64(g.rnd.IntN(60_000))
		}
	}
	cents := g.rnd.IntN(10_000)
	b := g.appendID(append(g.buf[:0], `{"event_id":"`...), g.id())
	b = append(b, `","user_id":`...)
	b = strconv.AppendInt(b, int64(g.rnd.IntN(g.c.users)), 10)
	b = fmt.Appendf(b, `,"page":"/page/%04d","event_time":`, sort.SearchFloat64s(g.cum, math.Min(g.rnd.Float64(), 1)))
	b = appendTime(b, ms)
	b = fmt.Appendf(b, `,"amount":%d.%02d,"ref":"https://example.org/r/%04d"}`, cents/100, cents%100, g.rnd.IntN(1000))
	g.buf = b
	g.made++
	return b
}

// id is the number of the next click, or of an earlier one that it repeats.
func (g *generator) id() int {
	if g.c.dup > 0 && g.made > 1000 && g.rnd.Float64() < g.c.dup {
		return g.made - 1 - g.rnd.IntN(1000)
	}
	return g.made
}

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"

// appendID appends e and the number; a longer id goes on with digits of 6 bits that depend on the number, and do not compress much.
func (g *generator) appendID(b []byte, id int) []byte {
	from := len(b)
	b = fmt.Appendf(b, "e%010d", id)
	src := rand.NewPCG(g.c.seed, uint64(id))
	for len(b)-from < g.c.idLen {
		for bits, n := src.Uint64(), 0; n < 10; n++ {
			b = append(b, digits[bits&63])
			bits >>= 6
		}
	}
	return b[:from+max(g.c.idLen, 11)]
}
