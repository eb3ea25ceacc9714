package payout_test

import (
	"math"
	"testing"

	"moonfund/internal/staking/payout"
)

func TestSurplusOverflow(t *testing.T) {
	if _, err := (payout.RuneFigures{Owed: math.MaxInt64, Running: math.MaxInt64}).Surplus(); err == nil {
		t.Error("RuneFigures.Surplus returned no error for an overflow")
	}
	if _, err := (payout.SatsFigures{FeeAccount: math.MaxInt64, Refunds: math.MaxInt64}).Surplus(); err == nil {
		t.Error("SatsFigures.Surplus returned no error for an overflow")
	}
	if n, err := (payout.RuneFigures{Confirmed: 5, Owed: 7}).Surplus(); n != -2 || err != nil {
		t.Errorf("surplus of a treasury that owes 2 more than it holds: got %d, %v", n, err)
	}
}
