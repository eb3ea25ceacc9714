package refund

import (
	"testing"

	"moonfund/internal/amount"
	"moonfund/internal/staking/payout"
)

// limits are the defaults for a manifest without [refunds].
var limits = payout.RefundLimits{PerDay: 20_000_000, PerOwnerDay: 2_000_000}

func TestRefundLimits(t *testing.T) {
	for name, row := range map[string]struct {
		total, toOwner, sats amount.Sats
		allowed              bool
	}{
		"an ordinary refund":                {0, 0, 5_000, true},
		"all that one owner may have":       {0, 0, 2_000_000, true},
		"one sat more":                      {0, 0, 2_000_001, false},
		"in parts":                          {1_500_000, 1_500_000, 500_000, true},
		"in parts, one sat more":            {1_500_000, 1_500_000, 500_001, false},
		"the first half":                    {8_000_000, 0, 2_000_000, true},
		"beyond it for a large one":         {8_000_001, 0, 2_000_000, false},
		"beyond it for a tenth":             {14_800_000, 0, 200_000, true},
		"beyond three quarters for a tenth": {14_800_001, 0, 200_000, false},
		"the last quarter for a hundredth":  {19_980_000, 0, 20_000, true},
		"beyond the total":                  {19_980_001, 0, 20_000, false},
		"a small one after a large one":     {10_000_000, 1_999_000, 1_000, false},
	} {
		charged := payout.ChargedRefunds{Total: row.total, ToOwner: row.toOwner}
		if allows(limits, charged, row.sats) != row.allowed {
			t.Errorf("%s: want allowed %v", name, row.allowed)
		}
	}
}

// Owners who each get the largest refund that the limits allow need at least this many addresses, each with its own
// order, to delay a refund of another owner: 5 for 2,000,000 sats, 30 for 200,000 sats and 280 for 20,000 sats.
func TestManyOwnersAreNeededToUseUpTheDay(t *testing.T) {
	for others, want := range map[amount.Sats]int{2_000_000: 5, 200_000: 30, 20_000: 280} {
		charged, owners := payout.ChargedRefunds{}, 0
		for allows(limits, charged, others) {
			largest := amount.Sats(0)
			for _, sats := range []amount.Sats{20_000, 200_000, 2_000_000} {
				if allows(limits, charged, sats) {
					largest = sats
				}
			}
			charged.Total, owners = charged.Total+largest, owners+1
		}
		if owners != want {
			t.Errorf("got %d owners to delay a refund of %d sats, want %d", owners, others, want)
		}
	}
}
