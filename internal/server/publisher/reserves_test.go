package publisher_test

import (
	"testing"

	"moonfund/internal/signed/statement"
	"moonfund/internal/testkit"
)

// The reserves are the outputs of rewarded and other units that were unspent when the epoch settled. A spend before the
// statement is signed does not change the reserves.
func TestReservesAreThoseOfTheSettlement(t *testing.T) {
	w := testkit.NewWorld(t)
	p := w.Publisher(w.StatementSigner(t.TempDir()), t.TempDir())
	w.Anna.Self = true
	unlocked := w.Unlocked(w.Cleo, 7000)
	rewarded, recovered := w.Staked(w.Anna, 5000), w.Staked(w.Bert, 3000)
	w.NextEpoch()
	published(w, p)
	w.Send(w.Recover(w.Bert, recovered)) // unconfirmed when the epoch settles
	w.NextEpoch()
	pending, _ := w.Deposit(w.Anna, 4000)
	w.Settle(8)
	w.Send(w.Recover(w.Anna, rewarded)) // before the statement is signed
	w.Settle(1)
	all := published(w, p)
	last := all[len(all)-1]
	reserves := map[string]string{}
	for _, r := range last.Document.Reserves {
		if r.Kind == statement.ReserveStake {
			reserves[r.Outpoint] = r.Runes.String() + " " + r.CustodyKind
		}
	}
	want := map[string]string{rewarded: "5000 self", unlocked: "7000 operator", pending: "4000 self"}
	if self := last.Document.InSelfCustody().String(); self != "9000" {
		t.Errorf("%s base units in self-custody, want 9000", self)
	}
	if len(reserves) != len(want) {
		t.Errorf("reserves: %v, want %v", reserves, want)
	}
	for outpoint, runes := range want {
		if reserves[outpoint] != runes {
			t.Errorf("reserve %s: %q, want %q", outpoint, reserves[outpoint], runes)
		}
	}
}
