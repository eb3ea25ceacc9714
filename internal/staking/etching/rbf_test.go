package etching_test

import (
	"context"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/etching"
	"moonfund/internal/testkit"
)

type refusing struct{ etching.Signer }

func (refusing) SignRuneOrder(context.Context, vault.RuneOrder, vault.OrderTx) (*wire.MsgTx, error) {
	return nil, testkit.ErrRefused
}

// stuck mines a block without the service's transactions.
func (w *world) stuck() {
	w.Helper()
	w.Node.MineOnly()
	w.Step()
}

// quote returns the quote for a higher fee rate.
func (w *world) quote(o etching.Order, rate float64) amount.Sats {
	w.Helper()
	quoted, cost, err := w.Etching.Quote(w.Context(), o.ID, rate)
	testkit.Must(w, err)
	if quoted.Address != o.Address {
		w.Errorf("address of the quote: got %s", quoted.Address)
	}
	return cost
}

// bump pays sats for a higher fee rate, and mines a block with only that payment.
func (w *world) bump(o etching.Order, sats amount.Sats) {
	w.Helper()
	w.Node.MineOnly(w.pay(o, sats))
	w.Step()
}

// rate returns the fee rate of transactions together, in sats per 1,000 vB.
func rate(txs ...etching.Tx) amount.FeeRate {
	var fees, size int64
	for _, t := range txs {
		fees, size = fees+int64(t.Fee), size+t.VBytes
	}
	return amount.FeeRate(fees * 1000 / size)
}

func TestFasterCommitment(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	w.pay(o, o.FundAmount)
	w.Settle(1)
	old := w.role(w.progress(o), etching.Commit)
	w.stuck()
	cost := w.quote(o, 20)
	w.bump(o, cost)
	p := w.want(o, etching.Executing)
	commit, reveal := w.role(p, etching.Commit), w.role(p, etching.Reveal)
	if commit.ID == old.ID || rate(commit) < 20_000 || rate(reveal) < 20_000 {
		t.Errorf("fee rates: got %s sat/vB for the commitment, %s for the reveal, want 20", rate(commit), rate(reveal))
	}
	if w.Node.Broadcasts(commit.ID) == 0 {
		t.Error("the new commitment was not broadcast")
	}
	p = w.settle(o, etching.Complete)
	if w.role(p, etching.Commit).ID != commit.ID || len(p.Txs) != 4 {
		t.Errorf("transactions: %v", ids(p.Txs))
	}
}

// If the replaced commitment is mined instead, its reveal counts, and the payment for the replacement raises the fee
// rate of that reveal to the quoted rate.
func TestOldCommitmentIsMined(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	w.pay(o, o.FundAmount)
	w.Settle(1)
	old := w.role(w.progress(o), etching.Commit)
	cost := w.quote(o, 20)
	w.bump(o, cost)
	w.Node.MineOnly(old.Tx)
	w.Step()
	p := w.settle(o, etching.Complete)
	if w.role(p, etching.Commit).ID != old.ID {
		t.Error("the order has another commitment than the mined one")
	}
	if reveal := w.role(p, etching.Reveal); rate(reveal) < 20_000 || reveal.Msg.TxIn[0].PreviousOutPoint.Hash != old.ID {
		t.Errorf("fee rate of the reveal: got %s sat/vB, want 20", rate(reveal))
	}
	w.Settle(8)
	if free := w.unspent(o); free != 0 {
		t.Errorf("unspent funds: got %d sats, want 0", free)
	}
}

// unspent returns the sum of the unspent outputs at the order's address.
func (w *world) unspent(o etching.Order) (sats int64) {
	w.Helper()
	p := w.progress(o)
	spent := map[wire.OutPoint]bool{}
	for _, t := range p.Txs {
		for _, in := range t.Msg.TxIn {
			spent[in.PreviousOutPoint] = true
		}
	}
	for _, t := range p.Txs {
		for i, out := range t.Msg.TxOut {
			if string(out.PkScript) == string(o.Script) && !spent[wire.OutPoint{Hash: t.ID, Index: uint32(i)}] {
				sats += out.Value
			}
		}
	}
	return sats
}

func TestFasterReveal(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	w.pay(o, o.FundAmount)
	w.Settle(6)
	old := w.role(w.want(o, etching.Executing), etching.Reveal)
	w.stuck()
	w.bump(o, w.quote(o, 11.5))
	p := w.settle(o, etching.Complete)
	reveal := w.role(p, etching.Reveal)
	if reveal.ID == old.ID || rate(reveal) < 11_500 || len(reveal.Msg.TxIn) != 2 {
		t.Errorf("fee rate of the reveal: got %s sat/vB, want 11.5", rate(reveal))
	}
	entry, _ := w.entry(name)
	w.holds(first(reveal), entry.ID, 1000)
}

func TestFasterMints(t *testing.T) {
	for _, repeats := range []int64{1, 4} {
		w := newWorld(t)
		entry := w.open("100")
		o := w.mint(repeats)
		w.pay(o, o.FundAmount)
		w.Settle(1)
		before := w.want(o, etching.Executing)
		w.stuck()
		w.bump(o, w.quote(o, 25))
		p := w.want(o, etching.Executing)
		var ours []etching.Tx
		for _, tx := range p.Txs {
			if tx.Role == etching.Minting {
				ours = append(ours, tx)
			}
		}
		if len(ours) != int(repeats) || rate(ours...) < 25_000 {
			t.Errorf("fee rate of %d mints together: got %s sat/vB, want 25", len(ours), rate(ours...))
		}
		if last := w.role(p, etching.Minting); last.ID == w.role(before, etching.Minting).ID ||
			w.Node.Broadcasts(last.ID) == 0 {
			t.Error("the last mint was not replaced")
		}
		p = w.settle(o, etching.Complete)
		w.holds(first(w.role(p, etching.Minting)), entry.ID, uint64(50*repeats))
	}
}

// If some of the mints are confirmed, only the others are replaced.
func TestFasterMintsHalfWay(t *testing.T) {
	w := newWorld(t)
	entry := w.open("100")
	o := w.mint(4)
	w.pay(o, o.FundAmount)
	w.Settle(1)
	p := w.progress(o)
	w.Node.MineOnly(p.Txs[1].Tx, p.Txs[2].Tx)
	w.Step()
	w.bump(o, w.quote(o, 25))
	p = w.settle(o, etching.Complete)
	if waiting := p.Txs[len(p.Txs)-2:]; rate(waiting...) < 25_000 {
		t.Errorf("fee rate of the unconfirmed mints: got %s sat/vB: %v", rate(waiting...), ids(p.Txs))
	}
	w.holds(first(w.role(p, etching.Minting)), entry.ID, 200)
}

// Whoever receives the runes can spend them before the mint confirms. A replacement must pay the fees of that
// transaction too, so the quote contains them, and the node accepts the replacement.
func TestQuoteCountsDescendants(t *testing.T) {
	w := newWorld(t)
	entry := w.open("100")
	o := w.mint(1)
	w.pay(o, o.FundAmount)
	w.Settle(1)
	before := w.role(w.want(o, etching.Executing), etching.Minting)
	cost := w.quote(o, 8)
	const fee = 20_000
	runes := testkit.Coin{OutPoint: wire.OutPoint{Hash: before.ID}, Out: before.Msg.TxOut[0]}
	w.Send(w.SpendToSelf(w.Anna, fee, runes, w.Anna.Sats()))
	w.Step()
	if more := w.quote(o, 8) - cost; more < fee-3000 {
		t.Errorf("quote with a descendant of %d sats: %d more", fee, more)
	}
	w.Node.MineOnly(w.pay(o, w.quote(o, 8)))
	w.Step()
	after := w.role(w.want(o, etching.Executing), etching.Minting)
	if after.ID == before.ID || w.Node.Broadcasts(after.ID) == 0 {
		t.Error("the mint was not replaced")
	}
	w.Settle(1)
	w.want(o, etching.Complete)
	w.holds(first(after), entry.ID, 50)
}

// A rate below the minimum of the node's mempool is refused: nothing could be relayed for its price.
func TestQuoteBelowTheMempool(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	w.pay(o, o.FundAmount)
	w.Settle(1)
	w.MempoolMin = amount.SatPerVB(40)
	if _, _, err := w.Etching.Quote(t.Context(), o.ID, 39); err == nil || !strings.Contains(err.Error(), "40") {
		t.Errorf("a rate below the minimum: %v", err)
	}
	w.quote(o, 40)
}

// A replacement is the same after a reorg of three blocks and a restart.
func TestFasterThroughAReorg(t *testing.T) {
	w := newWorld(t)
	entry := w.open("100")
	w.Settle(3)
	o := w.mint(2)
	w.pay(o, o.FundAmount)
	w.Settle(1)
	w.stuck()
	w.bump(o, w.quote(o, 30))
	last := w.role(w.progress(o), etching.Minting)
	w.Settle(1)
	w.want(o, etching.Complete)
	w.Node.Rewind(3)
	w.Node.Forget()
	for range 4 {
		w.Node.MineOnly()
	}
	w.Restart()
	w.Step()
	p := w.settle(o, etching.Complete)
	if w.role(p, etching.Minting).ID != last.ID {
		t.Errorf("the last mint changed: %v", ids(p.Txs))
	}
	w.holds(first(last), entry.ID, 100)
}

// A payment below the quote replaces nothing and is refunded at the end.
func TestTooLittleForAFasterOne(t *testing.T) {
	w := newWorld(t)
	entry := w.open("100")
	o := w.mint(1)
	w.pay(o, o.FundAmount)
	w.Settle(1)
	cost := w.quote(o, 25)
	w.bump(o, cost-1)
	if p := w.progress(o); len(p.Txs) != 3 {
		t.Errorf("transactions: %v", ids(p.Txs))
	}
	p := w.settle(o, etching.Complete)
	w.Settle(1)
	w.holds(first(w.role(p, etching.Minting)), entry.ID, 50)
	w.back(w.progress(o), cost-1, 300)
}

func TestQuotesRefused(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	ask := func(rate float64) error {
		_, _, err := w.Etching.Quote(t.Context(), o.ID, rate)
		return err
	}
	refused(t, ask(20), "This order hasn't sent any transaction yet")
	w.pay(o, o.FundAmount)
	w.Step()
	refused(t, ask(20), "This order hasn't sent any transaction yet")
	w.Settle(1)
	refused(t, ask(3), "newFeeRate must be at least")
	refused(t, ask(0), "newFeeRate must be between 1 and 1000 sat/vB.")
	refused(t, ask(-4), "newFeeRate must be between 1 and 1000 sat/vB.")
	refused(t, ask(1e9), "newFeeRate must be between 1 and 1000 sat/vB.")
	for i := range 32 {
		testkit.Must(t, ask(float64(10+i)))
	}
	testkit.Must(t, ask(10))
	refused(t, ask(99), "too many fee rates")
	w.settle(o, etching.Complete)
	refused(t, ask(500), "This order is finished. Its state is complete.")
	_, _, err := w.Etching.Quote(t.Context(), "nope", 20)
	refused(t, err, "There is no such etch or mint order.")
}
