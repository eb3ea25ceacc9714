package dev

import (
	"testing"
	"time"

	"moonfund/internal/epoch"
	"moonfund/internal/server"
	"moonfund/internal/server/clock"
	"moonfund/internal/staking/community"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// TestEpochsLastASecond checks that an epoch that is ended by hand within the second in which it began lasts until the
// next second. Otherwise its statement would have no duration, and the chain of statements would end.
func TestEpochsLastASecond(t *testing.T) {
	w := testkit.NewWorld(t)
	communities := []community.Manifest{{Prefix: testkit.Prefix}}
	c := control{Server: &server.Server{Config: server.Config{
		Store: w.Store, Clock: clock.New(), Communities: communities,
	}}}
	calendar := func() (read epoch.Calendar) {
		testkit.Must(t, w.Store.View(t.Context(), func(tx *store.Tx) (err error) {
			read, err = tx.Calendar(t.Context(), testkit.Prefix)
			return err
		}))
		return read
	}
	at := calendar().Start(100).Add(time.Hour)
	first, err := c.AdvanceEpoch(t.Context(), testkit.Prefix, at)
	testkit.Must(t, err)
	next, err := c.AdvanceEpoch(t.Context(), testkit.Prefix, at.Add(time.Millisecond))
	if err != nil || next != first+1 {
		t.Fatalf("epoch %d began after epoch %d, error %v", next, first, err)
	}
	if lasted := calendar().Start(next).Unix() - calendar().Start(first).Unix(); lasted != 1 {
		t.Errorf("epoch %d lasted %d seconds, want 1", first, lasted)
	}
	if now, err := c.Clock.Moment(); err != nil || now.Now.Before(calendar().Start(next)) {
		t.Errorf("the clock is at %v, before the epoch %d, error %v", now.Now, next, err)
	}
}
