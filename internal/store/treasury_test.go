package store_test

import (
	"testing"

	"moonfund/internal/amount"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

// figures returns the figures of the treasury at the tip, without the inputs of a payout.
func figures(w *testkit.World, except string) (f payout.TreasuryFigures) {
	w.Helper()
	w.Update(func(tx *store.Tx) error {
		tip, err := tx.Tip(w.Context())
		if err != nil {
			return err
		}
		f, err = tx.TreasuryFigures(w.Context(), payout.FiguresQuery{Community: testkit.Prefix,
			Highest: payout.HighestSpendable(tip.Height), NextBudget: testkit.Budget, Except: except})
		return err
	})
	return f
}

// sums returns the two surpluses of figures.
func sums(t *testing.T, f payout.TreasuryFigures) (amount.Runes, amount.Sats) {
	t.Helper()
	runes, err := f.Runes.Surplus()
	testkit.Must(t, err)
	sats, err := f.Sats.Surplus()
	testkit.Must(t, err)
	return runes, sats
}

// lived returns a world with rewards that are not delivered, treasury sats and an unconfirmed payout.
func lived(t *testing.T) *testkit.World {
	w := testkit.NewWorld(t)
	w.AddTreasurySats(50_000)
	w.Staked(w.Bert, 50_000)
	_, reward := w.Rewarded(w.Anna, 5000)
	o := *w.Act(w.Anna, action.Claim, reward).Order
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	return w
}

// Each statement changes rows of one kind, and the surplus changes by the expected amount, which can be 0.
func TestEachSubtraction(t *testing.T) {
	type change struct {
		what, statement string
		runes           amount.Runes
		sats            amount.Sats
	}
	w := lived(t)
	before := figures(w, "")
	if before.Runes.Carried == 0 || before.Runes.Owed == 0 || before.Sats.Payouts == 0 ||
		before.Runes.Treasury <= before.Runes.Confirmed || before.Sats.FeeAccount != 50_000 {
		t.Fatalf("figures: got %+v", before)
	}
	const one = `(SELECT MIN(txid || ':' || vout) FROM custody
		WHERE kind = 'runes' AND spent_by = '' AND height > 0)`
	const coin = testkit.TreasuryCoin
	for _, c := range []change{
		{"a reward", `UPDATE unit SET amount = amount + 7 WHERE origin = 'REWARD' AND stage = 'CLAIMABLE'`, -7, 0},
		{"a reward that a payout carries", `UPDATE unit SET amount = amount + 7 WHERE origin = 'REWARD'
			AND stage = 'BATCH_LOCKED'`, -7, 0},
		{"a reward that is delivered", `UPDATE unit SET stage = 'WITHDRAWN' WHERE origin = 'REWARD'
			AND stage = 'BATCH_LOCKED'`, before.Runes.Carried, 0},
		{"a stake", `UPDATE unit SET amount = amount + 7 WHERE origin = 'STAKE'`, 0, 0},
		{"a running epoch", `UPDATE epoch_account SET reserved = reserved + 7 WHERE settled = 0`, -7, 0},
		{"a settled epoch", `UPDATE epoch_account SET reserved = reserved + 7 WHERE settled = 1`, 0, 0},
		{"a refund that is due", `UPDATE payment_order SET refund_due = refund_due + 7`, 0, -7},
		{"network fees of a payout on its way", `UPDATE payment_order SET network_fee = network_fee + 7`, 0, -7},
		{"fees for outputs of a payout on its way", `UPDATE payment_order SET rutxos_fee = rutxos_fee + 7`, 0, -7},
		{"a payout that is confirmed", `UPDATE payout SET status = 'confirmed'`, 0, 0},
		{"a payout that is final", `UPDATE payout SET status = 'final'`, 0, before.Sats.Payouts},
		{"the fee account", `UPDATE journal SET amount = amount + 7 WHERE to_account = 'fees:lobo'`, 0, -7},
		{"the fee account of another community", `UPDATE journal SET amount = 1, subject = 'fees:x'
			WHERE to_account = 'fees:lobo'`, 0, before.Sats.FeeAccount},
		{"an unconfirmed output", `UPDATE custody SET height = -1 WHERE txid || ':' || vout = ` + one, -coin, 0},
		{"an output with 2 confirmations", `UPDATE custody SET height = (SELECT MAX(height) - 1 FROM block)
			WHERE txid || ':' || vout = ` + one, -coin, 0},
		{"an output with 3 confirmations", `UPDATE custody SET height = (SELECT MAX(height) - 2 FROM block)
			WHERE txid || ':' || vout = ` + one, 0, 0},
		{"a coinbase output", `UPDATE custody SET coinbase = 1 WHERE kind = 'sats'`, 0, -50_000},
		{"an output that vanished", `UPDATE custody SET vanished = 1 WHERE kind = 'sats'`, 0, -50_000},
		{"an output that is not credited", `UPDATE custody SET booked = 0 WHERE kind = 'sats'`, 0, -50_000},
		{"an output in quarantine", `UPDATE custody SET quarantine = 'x' WHERE kind = 'sats'`, 0, -50_000},
		{"an output that is spent", `UPDATE custody SET spent_by = 'x' WHERE kind = 'sats'`, 0, -50_000},
		{"runes at the address for sats", `UPDATE custody SET runes = 7 WHERE kind = 'sats'`, 0, -50_000},
		{"payments of orders", `UPDATE custody SET value = value + 7 WHERE kind = 'payment'`, 0, 0},
		{"stakes", `UPDATE custody SET runes = runes + 7 WHERE kind = 'stake'`, 0, 0},
		{"another community", `UPDATE custody SET community = 'x' WHERE kind = 'sats'`, 0, -50_000},
	} {
		t.Run(c.what, func(t *testing.T) {
			twin := w.Copy()
			changed := engine.Damage(t, twin.URL(), c.statement)
			if changed == 0 {
				t.Fatal("the statement changed no row")
			}
			wasRunes, wasSats := sums(t, before)
			runes, sats := sums(t, figures(twin, ""))
			if n := amount.Runes(changed); c.runes == -7 || c.sats == -7 { // one for each row
				c.runes *= n
			}
			if runes-wasRunes != c.runes || sats-wasSats != c.sats && sats-wasSats != c.sats*amount.Sats(changed) {
				t.Errorf("surplus changed by %d base units and %d sats, want %d and %d (%d rows)", runes-wasRunes, sats-wasSats,
					c.runes, c.sats, changed)
			}
		})
	}
}

// The inputs of the payout in FiguresQuery.Except count as unspent, and its change does not count as confirmed.
func TestInputsOfTheReplacedPayout(t *testing.T) {
	w := lived(t)
	id := ""
	w.Update(func(tx *store.Tx) error {
		live, err := tx.PayoutsIn(w.Context(), payout.Live)
		id = live[0].ID
		return err
	})
	free, with := figures(w, "").Runes, figures(w, id).Runes
	if with.Confirmed != free.Confirmed+testkit.TreasuryCoin {
		t.Errorf("confirmed: got %s with Except, and %s without", with.Confirmed, free.Confirmed)
	}
}
