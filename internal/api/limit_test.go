package api

import (
	"fmt"
	"testing"
	"time"
)

func TestLimiterForgets(t *testing.T) {
	l := newLimiter(Limit{PerSecond: 1, Burst: 1}, func() time.Time { return still })
	for i := range 3 * generationKeys {
		l.wait(fmt.Sprint(i))
	}
	if n := len(l.young) + len(l.older); n > 2*generationKeys {
		t.Errorf("got %d buckets after many keys", n)
	}
}

// TestLimiterRemembersIdleKeys checks that a key that used its burst gets no new burst before its bucket is full again.
func TestLimiterRemembersIdleKeys(t *testing.T) {
	now := still
	l := newLimiter(Limit{PerSecond: 1.0 / 60, Burst: 10}, func() time.Time { return now })
	l.waitFor("idle", 10)
	for range 5 {
		now = now.Add(generationAge + time.Second)
		l.wait("another")
	}
	if l.waitFor("idle", 10) == 0 {
		t.Error("an idle key got a burst of 10 after 5 minutes, which refill 5 calls")
	}
}
