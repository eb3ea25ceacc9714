package inquiry_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/operate/inquiry"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// found returns the answer to a query. It fails the test if there are no results, or if the page lacks one of the
// texts.
func found(w *testkit.World, query string, wants ...string) inquiry.Answer {
	w.Helper()
	a, err := find(w, query)
	testkit.Must(w, err)
	for _, want := range wants {
		if !strings.Contains(a.String(), want) {
			w.Errorf("%s: no %q in\n%s", query, want, a)
		}
	}
	return a
}

func find(w *testkit.World, query string) (a inquiry.Answer, err error) {
	w.Helper()
	err = w.Store.View(w.Context(), func(tx *store.Tx) (err error) {
		a, err = inquiry.Find(w.Context(), tx, query)
		return err
	})
	return a, err
}

func codes(a inquiry.Answer) (all []string) {
	for _, s := range a.Sections {
		for _, l := range s.Lines {
			all = append(all, l.Code)
		}
	}
	return all
}

// TestStakeIsFound checks that every address, transaction, output and id of a stake finds the stake, from the request
// for a stake address on.
func TestStakeIsFound(t *testing.T) {
	w := testkit.NewWorld(t)
	stake, script := w.StakeAddress(w.Anna, 5000)
	for _, query := range []string{stake.Address, w.Anna.Ordinals.Text, w.Anna.Payment.Text} {
		a := found(w, query, stake.Address, "Nothing was received there.")
		if a.Kind != inquiry.Address {
			t.Errorf("query %s: got kind %s", query, a.Kind)
		}
	}
	found(w, w.Anna.Payment.Text, "does not prove that they belong together")
	tx := w.Transfer(w.Anna, script, 5000)
	w.Send(tx)
	w.Step()
	unit := w.Units(w.Anna, "PENDING_STAKE")[0]
	for _, query := range []string{
		stake.Address, strings.ToUpper(w.Anna.Ordinals.Text), w.Anna.Payment.Text, tx.ID.String(),
		strings.ToUpper(tx.ID.String()), unit,
	} {
		found(w, query, unit, "not in a block yet", "5000 ", "the next epoch, which begins on ")
	}
	w.Settle(3)
	found(w, unit, "deposited", "in block", "It holds")
	w.Clock.Advance(testkit.EpochLength)
	w.Settle(3)
	found(w, unit, "staked. It earns rewards since epoch 1.")
	w.Act(w.Anna, action.Unstake, unit)
	found(w, unit, "unstaked. It unlocks when epoch 3 begins, on 7 Nov 2026 00:00 UTC.")
}

// TestOrderIsFound checks that the answer about an order contains its delivery, its payments, each refund, and the next
// step.
func TestOrderIsFound(t *testing.T) {
	w := testkit.NewWorld(t)
	unit := w.Unlocked(w.Anna, 5000)
	o := *w.Act(w.Anna, action.Withdraw, unit).Order
	found(w, o.ID, "waits for a payment to "+o.Address, "waits for its payment", unit)
	payment := w.Pay(w.Anna, o, o.Due()+40_000)
	w.Step()
	found(w, o.Address, "It received "+amountOf(o.Due()+40_000), payment.ID.String()+":0")
	w.Settle(1)
	delivery := w.Order(o.ID).PayoutTx
	for _, query := range []string{o.ID, delivery, payment.ID.String(), w.Anna.Payment.Text} {
		found(w, query, o.ID, delivery)
	}
	found(w, delivery, "is a delivery of this server", "For order "+o.ID+" it brings")
	found(w, w.Anna.Payment.Text, "by a message that the owner signed")
	w.Settle(3)
	w.WantStatus(o.ID, order.Delivered)
	found(w, o.ID, "the runes are at the ordinals address", "A refund of", "delivered by order "+o.ID)
	found(w, unit, "delivered by order "+o.ID)
	w.Settle(8)
	a := found(w, o.ID, "A refund of")
	if !slices.Contains(codes(a), "REFUND") {
		t.Errorf("the answer has no signed refund:\n%s", a)
	}
}

// TestEconomyOrderIsFound checks that the answer about an economy order contains its rate, its limit and the condition
// that it waits for, and after its end the refund.
func TestEconomyOrderIsFound(t *testing.T) {
	w := testkit.NewWorld(t)
	w.SetRecoveryDelay(26_280)
	w.Rate = amount.SatPerVB(10)
	o := w.Economy(w.Anna, action.Withdraw, amount.FeeRate(2500), w.Unlocked(w.Anna, 5000))
	limit := o.Economy.Until.UTC().Format("2 Jan 2006 15:04 UTC")
	limits := "it is sent when the network's fee rate is at most 2.5 sat/vB. Its limit is " + limit
	found(w, o.ID, limits, "waits for a payment to "+o.Address)
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	end := w.Order(o.ID).EndsAt().UTC().Format("2 Jan 2006 15:04 UTC")
	found(w, o.ID, limits, "it ends on "+end+", or at block ",
		"It is paid and waits until the network's fee rate is at most 2.5 sat/vB.")
	w.Clock.Advance(order.EconomyDefault*24*time.Hour + order.LimitExtension + time.Minute)
	w.Settle(1)
	found(w, o.ID, "It has economy delivery at 2.5 sat/vB.", "did not fall to 2.5 sat/vB in time", "A refund of")
}

func amountOf(n amount.Sats) string { return strconv.FormatInt(int64(n), 10) + " sats" }

// TestQuarantineIsFound checks that a quarantined output is found by its outpoint and by its owner, with the way to
// return it.
func TestQuarantineIsFound(t *testing.T) {
	w := testkit.NewWorld(t)
	_, script := w.StakeAddress(w.Anna, 5000)
	tx := w.Send(w.Transfer(w.Anna, script, testkit.MinimumStake-1))
	w.Settle(3)
	out := tx.ID.String() + ":0"
	for _, query := range []string{out, tx.ID.String(), w.Anna.Ordinals.Text} {
		found(w, query, ledger.BelowMinimum, "moonfund quarantine return "+out)
	}
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.FeeTopUp = 10_000 })
	w.AddTreasurySats(50_000)
	w.Request(payout.RequestReturn, out)
	w.Settle(1)
	a := found(w, out, "is a return of an output that was not credited")
	if !slices.Contains(codes(a), "RETURNED") {
		t.Errorf("the answer has no return:\n%s", a)
	}
}

// TestRefundIsFound checks that the answer about an order that was closed after a payment contains the refund with its
// address and transaction.
func TestRefundIsFound(t *testing.T) {
	w := testkit.NewWorld(t)
	o, unit := w.OrderInAudit()
	found(w, o.ID, "An operator decides", "A refund of", w.Anna.Payment.Text, unit)
	w.Request(payout.RequestRefund, o.ID)
	w.Settle(1)
	a := found(w, o.ID, "it is sent and waits for 3 confirmations")
	i := strings.Index(a.String(), " is transaction ")
	if i < 0 {
		t.Fatalf("the answer has no refund:\n%s", a)
	}
	refund := a.String()[i+len(" is transaction "):][:64]
	found(w, refund, "is a refund of this server", "For order "+o.ID+" it brings its refund to "+w.Anna.Payment.Text)
	w.Settle(3)
	found(w, o.ID, "It is canceled", "it is confirmed.")
}

// TestOthersAreFound checks that the answer about a treasury address contains its purpose, and that runes which a
// transaction moved to other addresses are listed.
func TestOthersAreFound(t *testing.T) {
	w := testkit.NewWorld(t)
	runes, _ := w.Account.TreasuryRunes()
	found(w, runes.Text, "address for runes of the treasury")
	tx := w.Send(w.Transfer(w.Anna, w.Bert.Ordinals.Script, 700))
	w.Settle(1)
	for _, query := range []string{tx.ID.String(), tx.ID.String() + ":0"} {
		found(w, query, "700 ", "at an address that is not this server's")
	}
}

// TestNothingIsFound checks that a query without results returns an error and the searched places, for each kind of
// query.
func TestNothingIsFound(t *testing.T) {
	w := testkit.NewWorld(t)
	txid := strings.Repeat("ab", 32)
	for query, want := range map[string]string{
		w.Cleo.Ordinals.Text:                         "ordinals and payment addresses of stakers",
		"bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4": "another Bitcoin network",
		txid:                      "the server sees it as soon as its node does",
		txid + ":3":               "outputs at this server's addresses",
		"no such thing":           "orders; mint and etch orders; units; payouts",
		"":                        "it is no address",
		strings.Repeat("9", 5000): "it is no address",
	} {
		a, err := find(w, query)
		if !errors.Is(err, inquiry.ErrNothing) || a.Found || len(a.Searched) == 0 || !strings.Contains(a.String(), want) {
			t.Errorf("query %q: got error %v and %s, want ErrNothing", query, err, a)
		}
	}
	if _, err := find(w, txid+":99999999999"); err == nil || errors.Is(err, inquiry.ErrNothing) {
		t.Errorf("query for an output with too large an index: got error %v", err)
	}
}
