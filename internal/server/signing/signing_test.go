package signing

import (
	"testing"

	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/signer"
	"moonfund/internal/staking/community"
)

// The signer has each limit of the manifests. All limits differ in this test, so that none can be mistaken for another.
func TestPoliciesOfManifests(t *testing.T) {
	m := community.Manifest{Prefix: "lobo", Name: "LOBO", Account: 3}
	m.Rune.ID = "840000:35"
	m.Limits.DailyOutflow, m.Limits.DailySats, m.Limits.ColdAbove = 11, 12, 13
	m.Refunds.PerDay, m.Refunds.PerOwnerDay, m.ServiceFee = 14, 15, 16
	want := signer.Policy{
		Community: "LOBO", Prefix: "lobo", Rune: runes.ID{Block: 840_000, Tx: 35}, RunesPerDay: 11, SatsPerDay: 12,
		ColdAbove: 13, RefundSatsPerDay: 14, RefundSatsPerOwnerDay: 15, ServiceFee: 16,
	}
	got, err := policies([]community.Manifest{m})
	if err != nil || len(got) != 1 || got[3] != want {
		t.Errorf("policies %+v, error %v, want %+v for account 3", got, err, want)
	}
	m.Rune.ID = "x"
	if _, err := policies([]community.Manifest{m}); err == nil {
		t.Error("no error for a rune that is no id")
	}
}
