package action_test

import (
	"context"
	"errors"
	"testing"

	"moonfund/internal/amount"
	"moonfund/internal/fault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/testkit"
)

// Every call requires addresses of this network.
func TestAddressesAreChecked(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id := w.Unlocked(w.Anna, 5000)
	o := *w.Act(w.Anna, action.Withdraw, id).Order
	before := w.Dump()
	for _, bad := range []action.Wallet{
		{Ordinals: "nonsense", Payment: w.Anna.Payment.Text}, {Ordinals: w.Anna.Ordinals.Text, Payment: "nonsense"},
	} {
		for name, call := range map[string]func() error{
			"Post": func() error {
				_, err := w.Actions.Post(t.Context(), testkit.Prefix, bad, action.Withdraw, []string{id}, "")
				return err
			},
			"Sign": func() error {
				_, err := sign(w, action.SignRequest{Wallet: bad, ActionID: "0", Type: action.Withdraw, Signature: "x"})
				return err
			},
			"PostCancel": func() error {
				_, err := w.Actions.PostCancel(t.Context(), testkit.Prefix, bad, o.ID, "")
				return err
			},
			"SignCancel": func() error {
				_, err := w.Actions.SignCancel(t.Context(), testkit.Prefix, action.SignRequest{Wallet: bad, ActionID: "0",
					Signature: "x"}, o.ID)
				return err
			},
			"Estimate": func() error {
				_, _, err := w.Actions.Estimate(t.Context(), testkit.Prefix, bad, action.Withdraw, []string{id})
				return err
			},
		} {
			t.Run(name, func(t *testing.T) { refused(t, call(), fault.InvalidAddress) })
		}
	}
	_, _, err := w.Actions.Estimate(t.Context(), "other", w.Anna.Pair(), action.Withdraw, []string{id})
	if fault.From(err).Kind != fault.NotFound {
		t.Errorf("estimate for another community: got %v, want NotFound", err)
	}
	_, _, err = w.Actions.Estimate(t.Context(), testkit.Prefix, w.Anna.Pair(), action.Withdraw, []string{id})
	refused(t, err, fault.UnitNotUnlocked, id)
	if w.Dump() != before {
		t.Error("a refused call changed the ledger")
	}
}

// dry is a random source that always fails.
type dry struct{}

func (dry) Read([]byte) (int, error) { return 0, errors.New("no randomness") }

// If the random source fails, actions and stake addresses are refused, and nothing changes. A proof of an earlier
// action is still accepted.
func TestNoRandomness(t *testing.T) {
	w := testkit.NewWorld(t)
	id := w.Unlocked(w.Anna, 5000)
	proof := signing(w, w.Anna, action.Withdraw, post(w, w.Anna, action.Withdraw, id))
	before, random := w.Dump(), w.Actions.Random
	w.Actions.Random = dry{}
	if _, err := w.Actions.NewStake(t.Context(), testkit.Prefix, w.Bert.Request(5000)); err == nil {
		t.Error("a stake address was issued without randomness")
	}
	if _, err := w.TryAct(w.Anna, action.Withdraw, id); err == nil {
		t.Error("a message was issued without randomness")
	}
	if w.Dump() != before {
		t.Error("a refused call changed the ledger")
	}
	w.Actions.Random = random
	if signed, err := sign(w, proof); err != nil || signed.Order == nil {
		t.Errorf("with randomness: %+v, %v", signed, err)
	}
	w.Actions.Random = nil // crypto/rand
	w.Step()
	first, err := w.Actions.PostCancel(t.Context(), testkit.Prefix, w.Anna.Pair(),
		w.Rows(`SELECT id FROM payment_order`)[3:35], "")
	second, again := w.Actions.PostCancel(t.Context(), testkit.Prefix, w.Anna.Pair(),
		w.Rows(`SELECT id FROM payment_order`)[3:35], "")
	if err != nil || again != nil || len(first.ActionID) != 32 || first.ActionID == second.ActionID {
		t.Errorf("action ids: got %q, %q, errors %v, %v", first.ActionID, second.ActionID, err, again)
	}
}

// While the server catches up, or while the supply is unknown, nothing is issued.
func TestNothingIsIssuedWhileCatchingUp(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	behind := fault.Refuse(fault.CatchingUp)
	w.Actions.Ready = func() error { return behind }
	_, err := w.Actions.NewStake(t.Context(), testkit.Prefix, w.Anna.Request(5000))
	refused(t, err, fault.CatchingUp)
	w.Actions.Ready = func() error { return nil }
	unknown := errors.New("the rune is not known yet")
	w.Actions.Supply = func(context.Context, string) (amount.Runes, error) { return 0, unknown }
	if _, err = w.Actions.NewStake(t.Context(), testkit.Prefix, w.Anna.Request(5000)); !errors.Is(err, unknown) {
		t.Errorf("without a supply: %v", err)
	}
	if rows := w.Rows(`SELECT * FROM stake_address`); rows != "" {
		t.Errorf("a stake address was issued: %s", rows)
	}
}

// A claim without unit ids contains the oldest rewards that fit in one order. The others can be claimed afterwards.
func TestClaimOfMoreThanFits(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	_, first := w.Rewarded(w.Anna, 5000)
	w.NextEpoch()
	w.Settle(ledger.SettleDepth)
	terms, err := w.Actions.Terms.Of(testkit.Prefix)
	testkit.Must(t, err)
	terms.Limits.Units = 1
	w.Actions.Terms.Add(testkit.Prefix, terms)
	o := w.Act(w.Anna, action.Claim).Order
	if len(o.UnitIDs) != 1 || o.UnitIDs[0] != first {
		t.Errorf("claimed %v, want %s", o.UnitIDs, first)
	}
	if left := w.Units(w.Anna, ledger.Claimable); len(left) != 1 {
		t.Errorf("rewards left to claim: got %v, want 1", left)
	}
}

// A caller that reports the txid of another owner's deposit gets no unit, and the owner keeps the unit.
func TestTwoClaimantsOfOneDeposit(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	of := map[*testkit.Wallet]action.SignRequest{}
	var script []byte
	for _, wallet := range []*testkit.Wallet{w.Anna, w.Bert} {
		given, to := w.StakeAddress(wallet, 5000)
		if wallet == w.Anna {
			script = to
		}
		of[wallet] = action.SignRequest{Wallet: wallet.Pair(), ActionID: given.ActionID, Type: action.Stake}
	}
	deposit := w.Send(w.Transfer(w.Anna, script, 5000))
	for _, wallet := range []*testkit.Wallet{w.Bert, w.Anna, w.Bert} {
		report := of[wallet]
		report.TxID = deposit.ID.String()
		signed, err := sign(w, report)
		if err != nil || signed.Applied != (wallet == w.Anna) {
			t.Errorf("%s: %+v, %v", wallet.Ordinals.Text, signed, err)
		}
	}
	stolen := of[w.Anna]
	stolen.Wallet, stolen.TxID = w.Bert.Pair(), deposit.ID.String()
	_, err := sign(w, stolen)
	refused(t, err, fault.ActionUnknown)
	if unit := w.Unit(deposit.ID.String() + ":0"); unit.Owner != w.Anna.Ordinals.Text ||
		len(w.Units(w.Bert, ledger.PendingStake)) != 0 {
		t.Errorf("unit: got %+v, want it to be Anna's", unit)
	}
}
