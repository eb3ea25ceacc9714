package vault

import (
	"errors"
	"testing"

	"moonfund/internal/amount"
)

// A treasury may hold its sats on many small outputs. A withdrawal that needs more outputs than one transaction can
// spend is not built, because the signer refuses it.
func TestSatsWithdrawalHasAMaximumSize(t *testing.T) {
	c := newCustody(t)
	_, change := c.change(t)
	plan := SatsWithdrawal{To: change, SatsChange: change, FeeRate: amount.SatPerVB(1)}
	small := c.coin(t, TreasurySats, 0, 1_500, 0, "")
	for n := range 300 {
		small.OutPoint.Index = uint32(n)
		plan.Spare = append(plan.Spare, small)
	}
	for sats, fits := range map[amount.Sats]bool{10_000: true, 240_000: true, 250_000: false, 400_000: false} {
		plan.Amount = sats
		tx, _, cost, err := BuildSatsWithdrawal(plan)
		switch {
		case fits && (err != nil || SignedVBytes(tx) > MaxPayoutVBytes || SignedVBytes(tx) != cost.VBytes):
			t.Errorf("%d sats: %+v, %v", sats, cost, err)
		case !fits && !errors.As(err, new(*ErrTooMany)):
			t.Errorf("%d sats are withdrawn with %d vB, and at most %d vB are signed (%v)", sats, cost.VBytes, MaxPayoutVBytes,
				err)
		}
	}
	plan.Amount, plan.Kept, plan.Spare = 10_000, plan.Spare[:200], nil
	if _, _, _, err := BuildSatsWithdrawal(plan); !errors.As(err, new(*ErrTooMany)) {
		t.Errorf("200 inputs that must be kept: %v", err)
	}
}
