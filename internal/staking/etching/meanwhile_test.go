package etching_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/fault"
	"moonfund/internal/staking/etching"
	"moonfund/internal/testkit"
)

// An order fails and is refunded if another transaction etches the name before the commitment is sent.
func TestNameTakenBeforeTheCommitment(t *testing.T) {
	w := newWorld(t)
	theirs := w.foreignCommit(name)
	o := w.etch()
	w.Mine(4)
	w.pay(o, o.FundAmount)
	w.Node.MineOnly(w.foreignReveal(theirs))
	w.Settle(1)
	p := w.want(o, etching.Failed)
	if entry, _ := w.entry(name); !strings.Contains(p.Reason, "is already taken by rune "+entry.ID.String()) {
		t.Errorf("reason: %s", p.Reason)
	}
	w.back(w.settle(o, etching.Refunded), o.FundAmount, 300)
}

// If another transaction etches the name while the commitment matures, the refund spends the commitment by its key.
func TestNameTakenWhileTheCommitmentRipens(t *testing.T) {
	w := newWorld(t)
	theirs := w.foreignCommit(name)
	o := w.etch()
	w.pay(o, o.FundAmount)
	w.Settle(5)
	w.want(o, etching.Executing)
	w.Node.MineOnly(w.foreignReveal(theirs))
	w.Step()
	w.want(o, etching.Failed)
	p := w.settle(o, etching.Refunded)
	// The reveal may have been broadcast, so the refund pays a higher fee.
	w.back(p, o.FundAmount, w.role(p, etching.Commit).Fee+800)
	for range 8 {
		w.Settle(1)
	}
	if p = w.want(o, etching.Refunded); len(p.Txs) != 3 {
		t.Errorf("transactions: %v", ids(p.Txs))
	}
}

// If a block contains both reveals, ours second, the index gives our reveal no effect, and the order fails. A reorg
// without the other reveal completes it.
func TestNameTakenInTheSameBlock(t *testing.T) {
	w, theirs, o, reveal := revealing(t)
	w.Node.MineOnly(w.foreignReveal(theirs), reveal.Tx)
	w.Step()
	p := w.want(o, etching.Failed)
	if p.Reason != "Someone else etched "+name+" first." || p.ReasonCode != fault.RuneEtchedByOther.Code ||
		!slices.Equal(p.ReasonValues, []string{name}) {
		t.Errorf("reason: %s", p.Reason)
	}
	w.Settle(3)
	w.want(o, etching.Failed) // nothing is left to refund

	w.Node.Rewind(4) // ours has an effect without the other one
	w.Node.MineOnly(reveal.Tx)
	for range 4 {
		w.Node.MineOnly()
	}
	w.Step()
	w.want(o, etching.Complete)
}

// Of two orders for one name, the second one fails and is refunded.
func TestTwoOrdersForOneName(t *testing.T) {
	w := newWorld(t)
	first, second := w.etch(), w.etch()
	if first.Address == second.Address {
		t.Fatal("two orders have one address")
	}
	w.pay(first, first.FundAmount)
	w.pay(second, second.FundAmount)
	w.Settle(1)
	w.want(first, etching.Executing)
	if p := w.want(second, etching.Failed); p.Reason != "Another order on this server is already etching "+name+"." {
		t.Errorf("reason: %s", p.Reason)
	}
	w.settle(second, etching.Refunded)
	w.settle(first, etching.Complete)
}

func TestMintFullMeanwhile(t *testing.T) {
	w := newWorld(t)
	entry := w.open("2")
	o := w.mint(2)
	w.pay(o, o.FundAmount)
	testkit.Must(t, w.Node.Broadcast(t.Context(), w.foreignMint(entry.ID).Bytes()))
	w.Settle(1)
	if p := w.want(o, etching.Failed); p.Reason != "Only 1 mints of "+name+" are left." {
		t.Errorf("reason: %s", p.Reason)
	}
	w.back(w.settle(o, etching.Refunded), o.FundAmount, 400)
}

// If other transactions use the last mints while our mints are unconfirmed, a refund replaces our mints.
func TestMintFullWhileOursWait(t *testing.T) {
	w := newWorld(t)
	entry := w.open("2")
	r := w.mintRequest(1)
	r.AppFee, r.AppFeeTo = 5000, w.Bert.Payment.Text
	o := w.create(etching.Request{Mint: r})
	w.pay(o, o.FundAmount)
	w.Settle(1)
	w.want(o, etching.Executing)
	w.Node.MineOnly(w.foreignMint(entry.ID), w.foreignMint(entry.ID))
	w.Step()
	p := w.want(o, etching.Failed)
	if !strings.Contains(p.Reason, "All mints of "+entry.SpacedName().String()+" have been used") {
		t.Errorf("reason: %s", p.Reason)
	}
	p = w.settle(o, etching.Refunded)
	w.back(p, o.FundAmount, 1200)
}

// If an abandoned mint is mined instead of its refund, the index determines the result of the order.
func TestGivenUpAndMinedAllTheSame(t *testing.T) {
	w := newWorld(t)
	entry := w.open("2")
	o := w.mint(1)
	w.pay(o, o.FundAmount)
	w.Settle(1)
	ours := w.role(w.want(o, etching.Executing), etching.Minting)
	w.Node.MineOnly(w.foreignMint(entry.ID), w.foreignMint(entry.ID))
	w.Step()
	w.want(o, etching.Failed)
	w.Node.MineOnly(ours.Tx)
	w.Step()
	const reason = "Only 0 of 1 mints took effect. The runes of these mints were delivered."
	if p := w.want(o, etching.Failed); p.Reason != reason {
		t.Errorf("reason: %s", p.Reason)
	}
	w.Settle(8)
	w.want(o, etching.Failed)
}

// A refund whose fee is too low is replaced by one with a higher fee.
func TestRefundGetsFaster(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	w.pay(o, o.FundAmount-1)
	w.Settle(1)
	w.Clock.Advance(etching.FundingWindow)
	w.Step()
	slow := w.role(w.want(o, etching.Stale), etching.Refund)
	w.Step()
	if again := w.role(w.progress(o), etching.Refund); again.ID != slow.ID {
		t.Error("the refund was replaced at the same fee rate")
	}
	w.Rate = amount.SatPerVB(9)
	w.Step()
	fast := w.role(w.progress(o), etching.Refund)
	if fast.ID == slow.ID || rate(fast) < 9000 || w.Node.Broadcasts(fast.ID) == 0 {
		t.Errorf("fee rate of the refund: got %s sat/vB, want 9", rate(fast))
	}
	w.settle(o, etching.Refunded)
}

// If some of an order's mints exceed the cap in their block, the runes of the other mints are delivered.
func TestMintPartlyTooLate(t *testing.T) {
	w := newWorld(t)
	entry := w.open("3")
	o := w.mint(3)
	w.pay(o, o.FundAmount)
	w.Settle(1)
	p := w.want(o, etching.Executing)
	ours := p.Txs[1:]
	w.Node.MineOnly(ours[0].Tx, w.foreignMint(entry.ID), ours[1].Tx, ours[2].Tx)
	w.Step()
	p = w.want(o, etching.Failed)
	if p.Reason != "Only 2 of 3 mints took effect. The runes of these mints were delivered." {
		t.Errorf("reason: %s", p.Reason)
	}
	w.holds(first(ours[2]), entry.ID, 100)
	w.Settle(8)
	w.want(o, etching.Failed)
}

func TestMintEndsMeanwhile(t *testing.T) {
	w := newWorld(t)
	r := w.etchRequest()
	r.Terms.OffsetEnd = "3"
	e := w.create(etching.Request{Etch: r})
	w.pay(e, e.FundAmount)
	w.settle(e, etching.Complete)
	o := w.mint(1)
	w.pay(o, o.FundAmount)
	w.Settle(3)
	if p := w.progress(o); !strings.Contains(p.Reason, "the mint is over") && p.State != etching.Complete {
		t.Errorf("state %s, reason: %s", p.State, p.Reason)
	}
	late := w.mintRequest(1)
	_, err := w.Etching.Create(t.Context(), etching.Request{Mint: late})
	refused(t, err, "the mint is over")
}

func TestPartialIndexIsOff(t *testing.T) {
	w := newWorld(t)
	config := w.Etching.Config
	config.Rules.Follow = map[runes.ID]bool{testkit.Rune: true}
	service := etching.NewService(config)
	_, err := service.Estimate(t.Context(), etching.Request{Etch: w.etchRequest()})
	refused(t, err, "turned off on this server. (the rune index follows only some runes")
	_, err = service.Create(t.Context(), etching.Request{Mint: w.mintRequest(1)})
	refused(t, err, "turned off on this server")
}

// A payment whose unconfirmed parent is replaced can't confirm: it counts as vanished, also after a restart, and after
// a reorg that undoes the parent's block.
func TestParentOfAPaymentIsReplaced(t *testing.T) {
	for _, undone := range []bool{false, true} {
		w := newWorld(t)
		o := w.etch()
		coin := w.Anna.Sats()
		parent := w.Anna.Spend([]testkit.Coin{coin}, wire.NewTxOut(coin.Out.Value-1000, w.Anna.Payment.Script))
		w.Send(parent)
		if undone {
			w.Node.Mine()
		}
		w.Send(w.Anna.Spend([]testkit.Coin{{OutPoint: wire.OutPoint{Hash: parent.ID}, Out: parent.Msg.TxOut[0]}},
			wire.NewTxOut(int64(o.FundAmount), o.Script)))
		w.Step()
		if seen := w.progress(o).Received; seen != o.FundAmount {
			t.Fatalf("seen: got %d sats, want %d", seen, o.FundAmount)
		}
		other := w.SpendToSelf(w.Anna, 50_000, coin)
		if undone {
			w.Node.Rewind(1)
			w.Node.MineOnly()
			w.Step()
		}
		w.Restart()
		w.Step()
		w.Node.MineOnly(other)
		w.Step()
		if seen := w.progress(o).Received; seen != 0 {
			t.Errorf("the parent's block was undone: %t; seen: got %d sats of a payment that can't confirm", undone, seen)
		}
		w.pay(o, o.FundAmount)
		w.settle(o, etching.Complete)
	}
}
