package delivery_test

import (
	"testing"

	"moonfund/internal/testkit"
)

// Real nodes relay and mine the payouts of economy delivery: one that does not confirm while others are delivered, a
// shared one, its replacement, and one that waits until the treasury is split.

func TestEconomyOnBtcd(t *testing.T) {
	testkit.OnBtcd(t)
	onRealNode(t)
}

func TestEconomyOnCore(t *testing.T) {
	testkit.OnCore(t)
	onRealNode(t)
}

func onRealNode(t *testing.T) {
	t.Run("holds nobody back", holdsNobodyBack)
	t.Run("shares at the lowest rate", sharesAtTheLowestRate)
	t.Run("replaced", TestSharedEconomyPayoutIsReplaced)
	t.Run("splits the treasury", splitsTheTreasury)
}
