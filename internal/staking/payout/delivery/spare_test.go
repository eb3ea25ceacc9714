package delivery_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/testkit"
)

const dip = amount.FeeRate(3000) // the network's rate in sats per 1,000 vB while rates are low

// claimable returns a world at 12 sat/vB in which every wallet has a reward of each of a number of epochs.
func claimable(t *testing.T, epochs int) *testkit.World {
	t.Helper()
	return claimableIn(testkit.NewWorld(t), epochs)
}

func claimableIn(w *testkit.World, epochs int) *testkit.World {
	w.Helper()
	w.GiveSignerIndex()
	for _, wallet := range []*testkit.Wallet{w.Anna, w.Bert, w.Cleo} {
		w.Staked(wallet, 5000)
	}
	for range epochs {
		w.NextEpoch()
		w.Settle(ledger.SettleDepth)
	}
	w.Rate = amount.SatPerVB(12)
	return w
}

// claimAt opens an economy claim of a wallet's first reward at a rate, while the network's rate is higher.
func claimAt(w *testkit.World, from *testkit.Wallet, rate amount.FeeRate) order.Order {
	w.Helper()
	network := w.Rate
	defer func() { w.Rate = network }()
	w.Rate = amount.SatPerVB(20)
	return w.Economy(from, action.Claim, rate, w.Units(from, ledger.Claimable)[0])
}

// stuck sends an economy claim of a reward at a rate, and then raises the network's rate to 12 sat/vB, so that the
// payout stays unconfirmed.
func stuck(w *testkit.World, from *testkit.Wallet, rate amount.FeeRate) order.Order {
	w.Helper()
	o := claimAt(w, from, rate)
	paidEmpty(w, from, o)
	w.WantStatus(o.ID, order.Paid)
	w.Rate = rate
	w.Step()
	w.WantStatus(o.ID, order.Sent)
	w.Rate = amount.SatPerVB(12)
	w.EmptyBlocks(1)
	return o
}

// paidEmpty pays an order, and mines nothing but its payment.
func paidEmpty(w *testkit.World, from *testkit.Wallet, o order.Order) {
	w.Helper()
	pay := w.Payment(from, from.Sats(), o, o.Due(), 1000)
	w.Node.MineOnly(pay)
	w.Step()
}

// A claim of economy delivery that was sent while rates were low does not confirm. Claims at normal speed, and of
// economy delivery at a higher rate, are sent at once, and all are delivered.
func TestEconomyHoldsNobodyBack(t *testing.T) { holdsNobodyBack(t) }

func holdsNobodyBack(t *testing.T) {
	w := claimable(t, 1)
	attack := stuck(w, w.Anna, dip)
	economy := claimAt(w, w.Bert, amount.SatPerVB(15))
	paidEmpty(w, w.Bert, economy)
	w.WantStatus(economy.ID, order.Sent)
	normal := *w.Act(w.Cleo, action.Claim).Order
	paidEmpty(w, w.Cleo, normal)
	w.WantStatus(normal.ID, order.Sent)
	w.WantStatus(attack.ID, order.Sent)
	waiting := inMempool(w)
	delivered := []order.Order{w.Order(economy.ID), w.Order(normal.ID)}
	for _, o := range append(delivered, w.Order(attack.ID)) {
		if _, waits := waiting[o.PayoutTx]; !waits {
			t.Errorf("the node's mempool has no payout %s of order %s", o.PayoutTx, o.ID)
		}
	}
	w.Node.MineOnly(waiting[delivered[0].PayoutTx], waiting[delivered[1].PayoutTx])
	w.Step()
	w.EmptyBlocks(order.FinalDepth)
	for _, o := range delivered {
		w.WantStatus(o.ID, order.Consolidated)
	}
	w.WantStatus(attack.ID, order.Sent)
	w.Settle(order.FinalDepth)
	w.WantStatus(attack.ID, order.Consolidated)
	w.Audit()
}

// inMempool returns the transactions in the mempool of the node that the services use, by id.
func inMempool(w *testkit.World) map[string]chain.Tx {
	w.Helper()
	ids, err := w.Chain().Mempool(w.Context())
	testkit.Must(w, err)
	txs := map[string]chain.Tx{}
	for _, id := range ids {
		tx, _, err := w.Chain().Tx(w.Context(), id)
		testkit.Must(w, err)
		txs[id.String()] = tx
	}
	return txs
}

// Claims of different rates that the network meets share a payout at the lowest of them. The rest of what they paid
// stays in the treasury.
func TestEconomySharesAtTheLowestRate(t *testing.T) { sharesAtTheLowestRate(t) }

func sharesAtTheLowestRate(t *testing.T) {
	w := claimable(t, 1)
	rates := []amount.FeeRate{dip, dip + 2000, dip + 4000}
	var orders []order.Order
	for i, wallet := range []*testkit.Wallet{w.Anna, w.Bert, w.Cleo} {
		o := claimAt(w, wallet, rates[i])
		w.PayInFull(wallet, o)
		orders = append(orders, o)
	}
	_, before, _ := w.TreasuryBalance()
	w.Rate = dip
	w.Settle(1)
	live := w.PayoutsIn(payout.Live)
	if len(live) != 1 || len(live[0].OrderIDs) != 3 {
		t.Fatalf("got the payouts %+v, want one of three orders", live)
	}
	v := live[0].Versions[0]
	if rate := rateOf(v); rate < dip || rate > dip+10 {
		t.Errorf("it pays %s sat/vB, want %s", rate, dip)
	}
	w.Settle(2 * order.FinalDepth)
	for _, o := range orders {
		w.WantStatus(o.ID, order.Consolidated)
	}
	if _, after, _ := w.TreasuryBalance(); after < before+orders[2].Fees.Network/2 {
		t.Errorf("the treasury has %d sats after %d, and the orders paid %d more than the fee", after, before,
			orders[1].Fees.Network+orders[2].Fees.Network)
	}
	w.Audit()
}

// An order whose rate is below the minimum of the node's mempool waits alone: the others share a payout without it.
func TestEconomyBelowTheMempoolWaitsAlone(t *testing.T) {
	w := claimable(t, 1)
	low, high := claimAt(w, w.Anna, dip), claimAt(w, w.Bert, dip+4000)
	w.PayInFull(w.Anna, low)
	w.PayInFull(w.Bert, high)
	w.Rate, w.MempoolMin = dip, dip+2000
	w.Step()
	w.WantStatus(high.ID, order.Sent)
	w.WantStatus(low.ID, order.Paid)
	if reason := w.Payouts.Waiting()[low.ID]; !strings.Contains(reason, "the node's mempool requires 5 sat/vB now") {
		t.Errorf("it waits for %q", reason)
	}
	w.MempoolMin = dip
	w.Settle(2 * order.FinalDepth)
	w.WantStatus(low.ID, order.Consolidated)
	w.Audit()
}

// A payout of different rates that does not confirm is replaced at the rate that its orders paid together.
func TestSharedEconomyPayoutIsReplaced(t *testing.T) {
	w := claimable(t, 1)
	a, b := claimAt(w, w.Anna, dip), claimAt(w, w.Bert, 3*dip)
	w.PayInFull(w.Anna, a)
	w.PayInFull(w.Bert, b)
	w.Rate = dip
	w.Step()
	w.Rate = amount.SatPerVB(12)
	w.EmptyBlocks(payout.BumpAfter + 1)
	live := w.PayoutsIn(payout.Live)
	if len(live) != 1 || len(live[0].Versions) != 2 {
		t.Fatalf("got the payouts %+v, want one of two versions", live)
	}
	last := live[0].Last()
	paid := a.Fees.Network + b.Fees.Network
	if rate := rateOf(last); rate < 2*dip-500 || last.Fee > paid {
		t.Errorf("it pays %s sat/vB, %d of %d sats", rate, last.Fee, paid)
	}
	w.EmptyBlocks(2 * payout.BumpAfter)
	if n := len(w.PayoutsIn(payout.Live)[0].Versions); n != 2 {
		t.Errorf("it has %d versions, and its orders paid for 2", n)
	}
	w.Settle(order.FinalDepth)
	w.Audit()
}

// While rates are low, a claim of economy delivery waits for the payout of an earlier one, for six blocks at most.
func TestEconomyWaitsForOneThatConfirmsSoon(t *testing.T) {
	w := claimable(t, 1)
	a := claimAt(w, w.Anna, dip)
	w.PayInFull(w.Anna, a)
	w.Rate = dip
	w.Step()
	w.WantStatus(a.ID, order.Sent)
	b := claimAt(w, w.Bert, dip)
	paidEmpty(w, w.Bert, b)
	w.WantStatus(b.ID, order.Paid)
	if reason := w.Payouts.Waiting()[b.ID]; !strings.Contains(reason, "6 blocks at most") {
		t.Errorf("it waits for %q", reason)
	}
	w.EmptyBlocks(payout.BumpAfter)
	w.WantStatus(a.ID, order.Sent)
	w.WantStatus(b.ID, order.Sent)
	w.Settle(order.FinalDepth)
	w.Audit()
}

// Claims of economy delivery that do not confirm leave the treasury's last output to others. A claim at normal speed
// spends it and splits it again; one of economy delivery is sent when its rate is twice the network's.
func TestEconomyLeavesTheLastOutput(t *testing.T) {
	w := claimable(t, 2)
	w.SetPayoutTerms(func(p *payout.Terms) { p.FeeTopUp = 1000 }) // too little for a payout that only splits
	w.AddTreasurySats(100_000)
	for i, wallet := range []*testkit.Wallet{w.Anna, w.Bert, w.Anna} {
		stuck(w, wallet, dip+amount.FeeRate(i))
	}
	last := claimAt(w, w.Bert, amount.SatPerVB(15))
	paidEmpty(w, w.Bert, last)
	w.WantStatus(last.ID, order.Paid)
	if reason := w.Payouts.Waiting()[last.ID]; !strings.Contains(reason, "the treasury's last free rune output") {
		t.Errorf("it waits for %q", reason)
	}
	w.Rate = amount.SatPerVB(10) // a treasury is split up to this rate
	normal := *w.Act(w.Cleo, action.Claim).Order
	paidEmpty(w, w.Cleo, normal)
	w.WantStatus(last.ID, order.Paid)
	sent := w.WantStatus(normal.ID, order.Sent)
	var payouts []payout.Payout
	for _, p := range w.PayoutsIn(payout.Live) {
		if p.ID == sent.PayoutID {
			payouts = append(payouts, p)
		}
	}
	tx := payouts[0].Versions[0].Tx
	runes, _ := w.Account.TreasuryRunes()
	split := 0
	for _, out := range tx.Msg.TxOut {
		if bytes.Equal(out.PkScript, runes.Script) {
			split++
		}
	}
	if split < 2 {
		t.Errorf("the last output is split into %d", split)
	}
	mineOnly(w, tx, payout.InputDepth)
	w.WantStatus(last.ID, order.Sent)
	w.Settle(order.FinalDepth)
	w.Audit()
}

// A treasury has one free output. An economy claim spends it only if its rate is twice the network's.
func TestEconomySpendsTheLastOutputAtHalfItsRate(t *testing.T) {
	w := claimable(t, 2)
	for i, wallet := range []*testkit.Wallet{w.Anna, w.Bert, w.Anna} {
		stuck(w, wallet, dip+amount.FeeRate(i))
	}
	last := claimAt(w, w.Bert, amount.SatPerVB(15))
	paidEmpty(w, w.Bert, last)
	w.WantStatus(last.ID, order.Paid)
	w.Rate = amount.FeeRate(7500)
	w.EmptyBlocks(1)
	w.WantStatus(last.ID, order.Sent)
	w.Settle(order.FinalDepth)
	w.Audit()
}

// A treasury has one output. The fee account pays a payout that splits it, and then an economy claim is sent at its own
// rate, while claims at normal speed find an output, too. The owners of further economy claims cause no further split.
func TestEconomySplitsTheTreasury(t *testing.T) { splitsTheTreasury(t) }

func splitsTheTreasury(t *testing.T) {
	w := oneOutput(t, func(p *payout.Terms) { p.FeeTopUp = 20_000 })
	_, _, before := w.TreasuryBalance()
	o := claimAt(w, w.Bert, amount.SatPerVB(15))
	paidEmpty(w, w.Bert, o)
	w.WantStatus(o.ID, order.Paid)
	splits := liveSplits(w)
	if len(splits) != 1 || len(liveSplits(w)) != 1 {
		t.Fatalf("got the splits %+v, want one", splits)
	}
	v := splits[0].Last()
	if rate := rateOf(v); rate < w.Rate || rate > w.Rate+50 {
		t.Errorf("it pays %s sat/vB, want %s", rate, w.Rate)
	}
	if reason := w.Payouts.Waiting()[o.ID]; !strings.Contains(reason, splits[0].ID) {
		t.Errorf("its order waits for %q", reason)
	}
	if _, relayed := inMempool(w)[v.Tx.ID.String()]; !relayed {
		t.Error("the node's mempool has no split")
	}
	mineOnly(w, v.Tx, payout.InputDepth)
	w.WantStatus(o.ID, order.Sent)
	normal := *w.Act(w.Cleo, action.Claim).Order
	paidEmpty(w, w.Cleo, normal)
	w.WantStatus(normal.ID, order.Sent)
	w.Settle(payout.InputDepth)
	for i, wallet := range []*testkit.Wallet{w.Anna, w.Bert, w.Anna} {
		stuck(w, wallet, dip+amount.FeeRate(i))
	}
	if len(liveSplits(w)) > 0 {
		t.Error("the treasury is split again")
	}
	w.Settle(2 * order.FinalDepth)
	w.WantStatus(o.ID, order.Consolidated)
	if _, _, after := w.TreasuryBalance(); after > before-v.Fee+5000 || after < before-v.Fee {
		t.Errorf("the fee account has %d sats after %d, and the split cost %d", after, before, v.Fee)
	}
	w.Audit()
}

// A payout that splits the treasury is replaced like others if it does not confirm, and waits for a normal claim that
// will spend the last output.
func TestSplitIsReplacedAndWaits(t *testing.T) {
	w := oneOutput(t, func(p *payout.Terms) { p.FeeTopUp, p.MaxWait = 20_000, time.Hour })
	normal := *w.Act(w.Cleo, action.Claim).Order
	paidEmpty(w, w.Cleo, normal)
	o := claimAt(w, w.Bert, amount.SatPerVB(15))
	paidEmpty(w, w.Bert, o)
	if len(liveSplits(w)) > 0 {
		t.Error("the treasury is split while a claim at normal speed waits for others")
	}
	w.SetPayoutTerms(func(p *payout.Terms) { p.FeeTopUp = 0 })
	w.Clock.Advance(time.Hour)
	w.Step()
	w.WantStatus(normal.ID, order.Sent)
	w.Settle(payout.InputDepth)
	w.SetPayoutTerms(func(p *payout.Terms) { p.FeeTopUp = 20_000 })
	w.Step()
	w.Rate = amount.SatPerVB(20)
	w.EmptyBlocks(payout.BumpAfter + 1)
	splits := liveSplits(w)
	if len(splits) != 1 || len(splits[0].Versions) != 2 {
		t.Fatalf("got the splits %+v, want one of two versions", splits)
	}
	w.Settle(2 * order.FinalDepth)
	w.Audit()
}

// oneOutput returns the world of claimable with a treasury of one rune output, whose fee account can pay a split.
func oneOutput(t *testing.T, change func(*payout.Terms)) *testkit.World {
	t.Helper()
	w := claimableIn(testkit.NewSingle(t), 2)
	w.SetPayoutTerms(change)
	w.AddTreasurySats(100_000)
	return w
}

func liveSplits(w *testkit.World) []payout.Payout {
	w.Helper()
	return slices.DeleteFunc(w.PayoutsIn(payout.Live), func(p payout.Payout) bool { return p.Kind != payout.Split })
}

// mineOnly mines a transaction, and follows until it has a number of confirmations.
func mineOnly(w *testkit.World, tx chain.Tx, depth int) {
	w.Helper()
	w.Node.MineOnly(tx)
	w.Step()
	w.EmptyBlocks(depth - 1)
}
