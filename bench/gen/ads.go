package main

import (
	"fmt"
	"math/rand/v2"
)

// twoHours is how long after its impression a click comes at most, in milliseconds: half of them come within the hour.
const twoHours = 2 * 3600 * 1000

// ads makes impressions of ads, and clicks each of which names the ad of an impression of the last two hours.
func ads(c *config) error {
	r := newRand(c)
	err := each(c, "impressions", func(b []byte, i int) []byte {
		b = fmt.Appendf(b, `{"ad_id":%d,"campaign":"c%04d","imp_time":`, i, r.IntN(1000))
		b = appendTime(b, c.due(i)-int64(r.IntN(c.ooo)))
		return fmt.Appendf(b, `,"cost":%d}`, r.IntN(1000))
	})
	if err != nil {
		return err
	}
	return each(c, "clicks", func(b []byte, i int) []byte {
		ad := i - r.IntN(twoHours)*c.events/(c.span*1000)
		b = fmt.Appendf(b, `{"click_ad":%d,"user_id":%d,"click_time":`, ad, r.IntN(c.users))
		return append(appendTime(b, c.due(i)-int64(r.IntN(c.ooo))), '}')
	})
}

// bids makes bids as Nexmark's generator does: of 50 events 46 are bids, 3 open an auction and 1 a person; half of the bids go to a hot
// auction, three quarters come from a hot bidder, the others to and from one of the newest.
func bids(c *config) error {
	r := newRand(c)
	return each(c, "", func(b []byte, i int) []byte {
		auctions, persons := i*3/46, i/46
		auction := recent(r, auctions, 100)
		if r.IntN(2) == 0 {
			auction = auctions / 100 * 100
		}
		bidder := recent(r, persons, 1000)
		if r.IntN(4) > 0 {
			bidder = persons / 100 * 100
		}
		b = fmt.Appendf(b, `{"auction":%d,"bidder":%d,"price":%d,"channel":"channel-%d","url":"https://example.org/item.htm?query=1","date_time":`,
			1000+auction, 1000+bidder, 100+r.IntN(1_000_000), r.IntN(10_000))
		return append(appendTime(b, c.due(i)), `,"extra":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}`...)
	})
}

// recent chooses one of the newest so many of n numbers.
func recent(r *rand.Rand, n, newest int) int { return max(0, n-1-r.IntN(newest)) }

// each writes what make appends for 0, 1, ... to the sink of the given name.
func each(c *config, name string, record func(b []byte, i int) []byte) error {
	s, err := open(c, name)
	if err != nil {
		return err
	}
	var b []byte
	for i := range c.events {
		b = record(b[:0], i)
		if err := s.put(i%c.parts, b); err != nil {
			return err
		}
	}
	return s.close()
}
