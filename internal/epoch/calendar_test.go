package epoch

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

var genesis = time.Date(2026, 1, 7, 0, 0, 0, 0, time.UTC) // a Wednesday

func weekly() Calendar {
	return Calendar{Anchors: []Anchor{{0, genesis}}, Length: 7 * 24 * time.Hour}
}

func TestWeeks(t *testing.T) {
	c := weekly()
	for _, row := range []struct {
		at   time.Time
		want int64
	}{
		{genesis.Add(-time.Second), NotStarted},
		{genesis, 0},
		{genesis.AddDate(0, 0, 7).Add(-time.Nanosecond), 0},
		{genesis.AddDate(0, 0, 7), 1},
		{genesis.AddDate(0, 0, 700), 100},
	} {
		if got := c.At(row.at); got != row.want {
			t.Errorf("At(%s) = %d, want %d", row.at, got, row.want)
		}
	}
	if got := c.Next(genesis.Add(-time.Hour)); !got.Equal(genesis) {
		t.Errorf("before the genesis, Next = %s, want the genesis", got)
	}
}

func TestEndAtMovesOnlyTheFuture(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := weekly()
		now := genesis
		for range rapid.IntRange(1, 8).Draw(t, "advances") {
			now = now.Add(time.Duration(rapid.Int64Range(1, 30*24*3600).Draw(t, "seconds")) * time.Second)
			before := c.At(now)
			past := c.Start(before)
			c, _ = c.EndAt(now)
			if c.At(now) != before+1 || !c.Start(before).Equal(past) || !c.End(before).Equal(now) {
				t.Fatalf("epoch %d ended at %s: %+v", before, now, c)
			}
		}
		for n := int64(0); n < 20; n++ {
			if c.At(c.Start(n)) != n || c.At(c.End(n).Add(-time.Nanosecond)) != n {
				t.Fatalf("At(Start(n)) or At(End(n) - 1 ns) is not n for epoch %d: %+v", n, c)
			}
		}
	})
}

func TestManualNeverEndsByItself(t *testing.T) {
	c := weekly()
	c.Manual = true
	later := genesis.AddDate(1, 0, 0)
	if c.At(later) != 0 || !c.Next(later).After(later) {
		t.Errorf("without an anchor: epoch %d, Next = %s; want epoch 0 and a later instant", c.At(later), c.Next(later))
	}
	c, _ = c.EndAt(later)
	if c.At(later) != 1 || c.At(later.AddDate(0, 1, 0)) != 1 {
		t.Error("a manual epoch did not end at its anchor, or ended without one")
	}
}
