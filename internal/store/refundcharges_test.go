package store

import (
	"testing"
	"time"

	"moonfund/internal/staking/payout"
)

func TestRefundCharges(t *testing.T) {
	ctx := t.Context()
	within(t, func(tx *Tx) {
		for id, c := range map[string]payout.RefundCharge{
			"a": {Community: "lobo", Owner: "anna", Sats: 5_000, At: noon},
			"b": {Community: "lobo", Owner: "anna", Sats: 7_000, At: noon.Add(time.Hour)},
			"c": {Community: "lobo", Owner: "bert", Sats: 11_000, At: noon.Add(time.Hour)},
			"d": {Community: "dummy", Owner: "anna", Sats: 13_000, At: noon.Add(time.Hour)},
		} {
			must(t, tx.ChargeRefund(ctx, id, c))
		}
		want := func(what string, after time.Time, total, toOwner int64) {
			t.Helper()
			got, err := tx.ChargedRefunds(ctx, "lobo", "anna", after)
			if must(t, err); int64(got.Total) != total || int64(got.ToOwner) != toOwner {
				t.Errorf("%s: %+v, want %d and %d", what, got, total, toOwner)
			}
		}
		want("all", noon.Add(-time.Second), 23_000, 12_000)
		want("after the first", noon, 18_000, 7_000)
		want("none", noon.Add(time.Hour), 0, 0)
		must(t, tx.ChargeRefund(ctx, "a", payout.RefundCharge{Community: "lobo", Owner: "anna", Sats: 5_000,
			At: noon.Add(2 * time.Hour)}))
		want("a replacement counts once", noon, 23_000, 12_000)
	})
}
