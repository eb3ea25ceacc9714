package etching_test

import (
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/etching"
	"moonfund/internal/testkit"
)

func TestUnderpaidGoesStaleAndBack(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	w.pay(o, o.FundAmount-1)
	w.Settle(2)
	w.want(o, etching.New)
	w.Clock.Advance(etching.FundingWindow)
	w.Step()
	w.want(o, etching.Stale)
	p := w.settle(o, etching.Refunded)
	w.back(p, o.FundAmount-1, 300)
	if _, found := w.entry(name); found {
		t.Error("the rune was etched although the order was not paid in full")
	}
}

// A payment that costs more to refund than its value is refunded once fees are low enough.
func TestRefundWaitsForLowerRates(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	w.pay(o, o.FundAmount-1)
	w.Settle(1)
	w.Rate = amount.SatPerVB(400)
	w.Clock.Advance(etching.FundingWindow)
	w.Settle(etching.MaxReorg + 4)
	if p := w.want(o, etching.Stale); len(p.Txs) != 1 {
		t.Errorf("transactions: %v", ids(p.Txs))
	}
	w.Rate = amount.SatPerVB(2)
	w.back(w.settle(o, etching.Refunded), o.FundAmount-1, 300)
}

func TestUnpaidGoesStale(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	w.Clock.Advance(etching.FundingWindow)
	w.Step()
	w.want(o, etching.Stale)
	w.pay(o, o.FundAmount) // late
	w.back(w.settle(o, etching.Refunded), o.FundAmount, 300)
}

func TestPaidInTwoParts(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	w.pay(o, 1000)
	w.Settle(1)
	w.pay(o, o.FundAmount-1000)
	w.Step()
	w.want(o, etching.New) // the input of the second payment has a cost
	w.pay(o, 2*o.FeeRate.Fee(58))
	w.settle(o, etching.Complete)
}

func TestTooMuchComesBackWithTheDelivery(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	w.pay(o, o.FundAmount+5000)
	reveal := w.role(w.settle(o, etching.Complete), etching.Reveal)
	outs := reveal.Msg.TxOut
	change := outs[len(outs)-1]
	if string(change.PkScript) != string(w.Anna.Payment.Script) || change.Value < 4800 || change.Value > 5000 {
		t.Errorf("change of an overpayment of 5,000 sats: got %d", change.Value)
	}
}

// A remainder below the cost of an output goes to the destination, not to the miners.
func TestALittleTooMuchStaysWithTheRunes(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	w.pay(o, o.FundAmount+100)
	reveal := w.role(w.settle(o, etching.Complete), etching.Reveal)
	if out := reveal.Msg.TxOut[0]; out.Value != vault.DustSats+100 {
		t.Errorf("sats on the output of the destination: got %d", out.Value)
	}
}

func TestPaidTwiceComesBack(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	w.pay(o, o.FundAmount)
	w.Settle(1)
	w.want(o, etching.Executing)
	w.pay(o, o.FundAmount) // a second payment
	w.settle(o, etching.Complete)
	w.Settle(1)
	p := w.progress(o)
	w.back(p, o.FundAmount, 300)
	if w.want(o, etching.Complete); len(p.Txs) != 5 {
		t.Errorf("transactions: %v", ids(p.Txs))
	}
	w.Settle(10)
	w.pay(o, o.FundAmount) // a third payment, after the order is final
	w.Settle(2)
	if p = w.want(o, etching.Complete); len(p.Txs) != 7 {
		t.Errorf("transactions: %v", ids(p.Txs))
	}
}

func TestMoneyThatBearsRunesGoesBackWithThem(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	bearing := w.Anna.Runes()
	sats := w.Anna.Sats()
	tx := w.Anna.Spend([]testkit.Coin{bearing, sats}, wire.NewTxOut(int64(o.FundAmount), o.Script),
		wire.NewTxOut(sats.Out.Value-int64(o.FundAmount)-1000, w.Anna.Payment.Script))
	testkit.Must(t, w.Node.Broadcast(t.Context(), tx.Bytes()))
	p := w.settle(o, etching.Refunded)
	if p.Reason != "The payment contains runes." {
		t.Errorf("reason: %s", p.Reason)
	}
	refund := w.back(p, o.FundAmount, 300)
	w.holds(first(refund), testkit.Rune, uint64(testkit.RuneCoin))
}

func TestThePayerTakesTheMoneyAway(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	coin := w.Anna.Sats()
	pay := func(to []byte, fee int64) {
		tx := w.Anna.Spend([]testkit.Coin{coin}, wire.NewTxOut(coin.Out.Value-fee, to))
		testkit.Must(t, w.Node.Broadcast(t.Context(), tx.Bytes()))
	}
	pay(o.Script, 1000)
	w.Step()
	w.want(o, etching.Pending)
	pay(w.Anna.Payment.Script, 5000)
	w.Step()
	w.want(o, etching.New)
	w.Settle(1)
	w.pay(o, o.FundAmount)
	w.settle(o, etching.Complete)
}

// If a reorg replaces the payment after the order's transactions were broadcast, the order waits for another payment.
func TestAReorgTakesTheMoneyAway(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	coin := w.Anna.Sats()
	paid := w.Anna.Spend([]testkit.Coin{coin}, wire.NewTxOut(coin.Out.Value-1000, o.Script))
	testkit.Must(t, w.Node.Broadcast(t.Context(), paid.Bytes()))
	w.Settle(2)
	w.want(o, etching.Executing)
	w.Node.Rewind(2)
	w.Node.Forget()
	elsewhere := w.Anna.Spend([]testkit.Coin{coin}, wire.NewTxOut(coin.Out.Value-1000, w.Anna.Payment.Script))
	w.Node.MineOnly(elsewhere)
	w.Node.MineOnly()
	w.Node.MineOnly()
	w.Step()
	w.want(o, etching.New)
	w.pay(o, o.FundAmount)
	w.settle(o, etching.Complete)
	if entry, found := w.entry(name); !found || entry.Premine.Lo != 1000 {
		t.Errorf("entry: got %+v", entry)
	}
}

func TestCostIsThatOfTheTransactions(t *testing.T) {
	w := newWorld(t)
	entry := w.open("100")
	for _, repeats := range []int64{1, 2, etching.MaxRepeats} {
		r := etching.Request{Mint: w.mintRequest(repeats)}
		r.Mint.AppFee, r.Mint.AppFeeTo = 700, w.Bert.Payment.Text
		cost, err := w.Etching.Estimate(t.Context(), r)
		testkit.Must(t, err)
		o := w.create(r)
		w.pay(o, o.FundAmount)
		p := w.settle(o, etching.Complete)
		var size int64
		var fees amount.Sats
		for _, tx := range p.Txs {
			size += tx.VBytes
			fees += tx.Fee
			if tx.Role != etching.Funding && vbytes(tx) != tx.VBytes {
				t.Errorf("size of a transaction: got %d vB, stored as %d", vbytes(tx), tx.VBytes)
			}
		}
		if size != cost.Size || fees != cost.Network || cost.Total != o.FundAmount ||
			cost.Total != cost.Network+cost.Postage+cost.ServiceFee+cost.AppFee || cost.ServiceFee != testkit.EtchingFee ||
			cost.AppFee != 700 {
			t.Errorf("%d mints: got a cost of %d sats for %d vB, want the estimate %+v", repeats, fees, size, cost)
		}
		last := w.role(p, etching.Minting)
		w.holds(first(last), entry.ID, uint64(50*repeats))
		if out := last.Msg.TxOut[2]; out.Value != 700 || string(out.PkScript) != string(w.Bert.Payment.Script) {
			t.Errorf("output of the app's fee: got %+v", out)
		}
	}
}

func vbytes(t etching.Tx) int64 {
	weight := 3*t.Msg.SerializeSizeStripped() + t.Msg.SerializeSize()
	return int64(weight+3) / 4
}

func TestNoMoneyMeetsTheLedger(t *testing.T) {
	w := newWorld(t)
	before := w.Rows(`SELECT * FROM custody ORDER BY txid, vout`) + w.Rows(`SELECT * FROM journal ORDER BY number`)
	entry := w.open("10")
	m := w.mint(2)
	w.pay(m, m.FundAmount)
	w.settle(m, etching.Complete)
	w.Clock.Advance(time.Minute)
	if after := w.Rows(`SELECT * FROM custody ORDER BY txid, vout`) +
		w.Rows(`SELECT * FROM journal ORDER BY number`); after != before {
		t.Error("orders changed the staking ledger")
	}
	if entry.ID == (runes.ID{}) {
		t.Error("the rune was not etched")
	}
}

// A payment that never confirms no longer pays an order after 14 days. If it confirms later, it is refunded.
func TestPaymentThatNeverConfirms(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	payment := w.pay(o, o.FundAmount)
	w.Step()
	w.want(o, etching.Pending)
	w.Clock.Advance(etching.UnconfirmedFor - time.Minute)
	w.Step()
	w.want(o, etching.Pending)
	w.Clock.Advance(time.Minute)
	w.Node.Evict(payment.ID)
	w.Step()
	w.want(o, etching.Stale)
	sent := w.Node.Broadcasts(payment.ID)
	w.Restart()
	w.Step()
	if got := w.Node.Broadcasts(payment.ID); got != sent {
		t.Errorf("the payment was broadcast %d times after 14 days, want 0", got-sent)
	}
	w.Node.MineOnly(payment)
	w.Step()
	w.back(w.settle(o, etching.Refunded), o.FundAmount, 300)
}

// An overpayment that never confirms does not keep an order open, and is not broadcast after 14 days. If it confirms
// later, it is refunded.
func TestOverpaymentThatNeverConfirms(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	w.pay(o, o.FundAmount)
	w.settle(o, etching.Complete)
	overpayment := w.pay(o, 50_000)
	w.Step()
	w.Node.Evict(overpayment.ID)
	w.Clock.Advance(etching.UnconfirmedFor)
	w.Step()
	w.Restart()
	sent := w.Node.Broadcasts(overpayment.ID)
	w.Step()
	if got := w.Node.Broadcasts(overpayment.ID); got != sent {
		t.Errorf("the payment was broadcast %d times after 14 days, want 0", got-sent)
	}
	w.Settle(etching.MaxReorg + 1)
	if open := w.Rows(`SELECT id FROM rune_order WHERE settled = 0`); open != "" {
		t.Errorf("not settled: %s", open)
	}
	w.Node.MineOnly(overpayment)
	w.Step()
	w.back(w.settle(o, etching.Complete), 50_000, 300)
}
