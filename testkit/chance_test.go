package testkit

import (
	"errors"
	"slices"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/action"
	"moonfund/amount"
	"moonfund/chain"
	"moonfund/fault"
	"moonfund/ledger"
	"moonfund/order"
	"moonfund/payout"
	"moonfund/runes"
	"moonfund/store"
	"moonfund/vault"
)

// deeds are what may happen in a random life.
var deeds = []struct {
	name   string
	weight int
	do     func(l *life)
}{
	{"deposit", 2, (*life).deposit},
	{"deposit of a foreign rune", 1, (*life).depositForeign},
	{"act", 10, (*life).act},
	{"pay", 16, (*life).pay},
	{"runes as a payment", 1, (*life).payRunes},
	{"replace", 6, (*life).replace},
	{"recover", 3, (*life).recover},
	{"cancel", 3, (*life).cancel},
	{"rerate", 4, (*life).rerate},
	{"ask the operator", 5, (*life).ask},
	{"mine", 14, (*life).mine},
	{"reorg", 7, (*life).reorg},
	{"let time pass", 8, (*life).pass},
	{"end the epoch", 1, (*life).endEpoch},
	{"restart the server", 2, (*life).restart},
	{"restart the node", 1, (*life).forget},
	{"the node refuses", 3, (*life).refuse},
	{"the fee rate moves", 2, func(l *life) { l.Rate = amount.SatPerVB(l.between(1, 40)) }},
}

// spend is a transaction of a wallet that it may replace.
type spend struct {
	from *Wallet
	coin Coin // of sats, spent by it
	fee  int64
}

func (l *life) wallet() *Wallet { return choose(l, []*Wallet{l.Anna, l.Bert, l.Cleo}) }

// give sends what the node may refuse, since the wallet does not know of reorgs.
func (l *life) give(tx chain.Tx) {
	var refusal *chain.Refusal
	if err := l.Node.Broadcast(l.Context(), tx.Bytes()); err != nil && !errors.As(err, &refusal) {
		l.Fatal(err)
	}
}

// refused ends the test unless an error is a sentence for people.
func (l *life) refused(err error) bool {
	if err == nil {
		return false
	}
	if f := new(fault.Error); !errors.As(err, &f) || f.Code == fault.Internal {
		l.Fatalf("not a refusal: %v", err)
	}
	l.note("  refused: %v", err)
	return true
}

func (l *life) deposit() {
	from := l.wallet()
	if len(from.runes) == 0 || len(from.sats) < 2 {
		return
	}
	n := amount.Runes(l.between(1, 40_000))
	switch l.rng.IntN(6) {
	case 0:
		n = amount.Runes(l.between(1, int64(MinimumStake)-1))
	case 1:
		n = 0 // sats alone
	}
	given, err := l.Actions.NewStake(l.Context(), Prefix, from.Request(max(n, MinimumStake)))
	if l.refused(err) {
		return
	}
	to, err := chain.ParseAddress(given.Address, l.Network)
	Must(l, err)
	sats := from.Sats()
	l.open = append(l.open, spend{from, sats, fee})
	l.note("  of %d", n)
	l.give(l.TransferOf(from, from.Runes(), sats, to.Script, n, fee))
}

func (l *life) depositForeign() {
	if len(l.foreign) == 0 || len(l.Anna.sats) < 2 {
		return
	}
	given, err := l.Actions.NewStake(l.Context(), Prefix, l.Anna.Request(MinimumStake))
	if l.refused(err) {
		return
	}
	to, err := chain.ParseAddress(given.Address, l.Network)
	Must(l, err)
	held, sats := l.foreign[0], l.Anna.Sats()
	l.foreign = l.foreign[1:]
	l.give(l.Anna.Spend([]Coin{held, sats}, wire.NewTxOut(held.Out.Value, to.Script),
		wire.NewTxOut(sats.Out.Value-fee, l.Anna.Payment.Script)))
}

// act posts and signs any action, mostly on units in a stage that allows it.
func (l *life) act() {
	from := l.wallet()
	kind := choose(l, []action.Type{
		action.Withdraw, action.Withdraw, action.Withdraw, action.Claim, action.Claim, action.Unstake, action.Restake, action.Compound,
	})
	stage := map[action.Type]ledger.Stage{
		action.Withdraw: ledger.Unlocked, action.Restake: ledger.Unlocked, action.Unstake: ledger.Staked,
		action.Claim: ledger.Claimable, action.Compound: ledger.Claimable,
	}[kind]
	if l.one(6) {
		stage = choose(l, []ledger.Stage{ledger.PendingStake, ledger.PendingUnlock, ledger.POLocked, ledger.BatchLocked, ledger.Withdrawn})
	}
	units := l.Units(from, stage)
	if len(units) > 1 && l.one(2) {
		units = units[:1+l.rng.IntN(len(units)-1)]
	}
	l.note("  %s of %d %s units", kind, len(units), stage)
	signed, err := l.TryAct(from, kind, units...)
	if !l.refused(err) && signed.Order != nil {
		l.orders = append(l.orders, signed.Order.ID)
		l.note("  order %s", signed.Order.ID)
	}
}

// order returns one of the life's orders, with its owner: mostly one with such a
// status, if there is one, or else a late one.
func (l *life) order(likely ...order.Status) (o order.Order, owner *Wallet, ok bool) {
	if len(l.orders) == 0 {
		return o, nil, false
	}
	o = l.Order(choose(l, l.orders[max(0, len(l.orders)-6):]))
	for try := 0; try < 6 && !slices.Contains(likely, o.Status) && !l.one(6); try++ {
		o = l.Order(choose(l, l.orders))
	}
	for _, wallet := range []*Wallet{l.Anna, l.Bert, l.Cleo} {
		if wallet.Ordinals.Text == o.Owner {
			owner = wallet
		}
	}
	l.note("  %s order %s", o.Status, o.ID)
	return o, owner, true
}

// sum returns what somebody pays: mostly what is due, or a part, too much, dust.
func (l *life) sum(o order.Order) amount.Sats {
	due := max(o.Due(), vault.PaymentFloor(o.FeeRate))
	switch l.rng.IntN(8) {
	case 0, 1:
		due = amount.Sats(l.between(600, int64(due)+600))
	case 2:
		due += amount.Sats(l.between(1, 20_000))
	case 3:
		due = amount.Sats(l.between(330, 700))
	}
	return min(due, SatsCoin-20*fee)
}

func (l *life) pay() {
	o, owner, ok := l.order(order.Pending, order.Confirmed, order.PendingRerate)
	if !ok || len(owner.sats) < 2 {
		return
	}
	coin, sats := owner.Sats(), l.sum(o)
	l.note("  %d of %d sats due", sats, o.Due())
	l.open = append(l.open, spend{owner, coin, fee})
	l.give(l.Payment(owner, coin, o, sats, fee))
}

func (l *life) payRunes() {
	o, owner, ok := l.order()
	if ok && len(owner.sats) > 1 && len(owner.runes) > 0 {
		l.give(l.Transfer(owner, o.Script, 5000))
	}
}

// replace spends a coin of an earlier payment or deposit otherwise: to the wallet
// itself or to an order, by fee or by a block of its own.
func (l *life) replace() {
	if len(l.open) == 0 {
		return
	}
	s := &l.open[len(l.open)-1-l.rng.IntN(min(3, len(l.open)))]
	s.fee += 2 * fee
	if s.fee > 15*fee {
		return
	}
	tx := l.Elsewhere(s.from, s.fee, s.coin)
	if o, _, ok := l.order(); ok && l.one(2) {
		tx = l.Payment(s.from, s.coin, o, l.sum(o), s.fee)
	}
	if l.one(3) {
		l.mineAlone(tx)
		return
	}
	l.give(tx)
}

// mineAlone puts one transaction into the next block, if the chain allows it.
func (l *life) mineAlone(tx chain.Tx) {
	l.Node.mu.Lock()
	_, err := l.Node.check(tx, false)
	l.Node.mu.Unlock()
	if err == nil {
		l.note("  by a block")
		l.Clock.Advance(time.Minute)
		l.Node.MineOnly(tx)
	}
}

// recover takes a staked output back by its owner alone.
func (l *life) recover() {
	from := l.wallet()
	stage := choose(l, []ledger.Stage{ledger.Staked, ledger.Unlocked, ledger.POLocked, ledger.PendingWithdraw, ledger.BatchLocked, ledger.BatchLocked})
	for _, id := range l.Units(from, stage) {
		if !l.Unit(id).Virtual() && len(from.sats) > 1 {
			l.note("  %s unit %s", stage, id)
			if tx := l.Recover(from, id); l.one(2) {
				l.give(tx)
			} else {
				l.mineAlone(tx)
			}
			return
		}
	}
}

func (l *life) cancel() {
	o, owner, ok := l.order(order.Confirmed, order.PendingRerate)
	if !ok {
		return
	}
	asked, err := l.Actions.AskCancel(l.Context(), Prefix, owner.Pair(), o.ID)
	if l.refused(err) {
		return
	}
	_, err = l.Actions.SignCancel(l.Context(), Prefix, action.SignRequest{
		Wallet: owner.Pair(), ActionID: asked.ActionID, Signature: owner.Sign(asked.Message),
	}, o.ID)
	l.refused(err)
}

func (l *life) rerate() {
	o, _, ok := l.order(order.PendingRerate)
	if !ok {
		return
	}
	l.refused(l.Store.Update(l.Context(), func(tx *store.Tx) error {
		_, err := l.Orders.Rerate(l.Context(), tx, Prefix, o.Owner, o.ID, l.Rate, l.Clock.Now())
		return err
	}))
}

// ask has the operator refund or resume an AUDIT order, if there is one.
func (l *life) ask() {
	for _, id := range l.orders {
		if l.Order(id).Status == order.Audit {
			kind := choose(l, []payout.RequestKind{payout.AskRefund, payout.AskResume})
			l.note("  %s %s", kind, id)
			l.Ask(kind, id)
			return
		}
	}
}

func (l *life) mine() {
	for range l.between(1, 4) {
		l.block()
		if l.one(2) {
			l.Step()
		}
	}
}

// block mines a block a minute later, in which some of the mempool may be left out.
func (l *life) block() {
	l.Clock.Advance(time.Minute)
	if l.one(2) {
		l.Node.Mine()
		return
	}
	l.Node.mu.Lock()
	out := map[chainhash.Hash]bool{}
	var in []chain.Tx
	for _, tx := range l.Node.mempool {
		orphan := slices.ContainsFunc(tx.Msg.TxIn, func(i *wire.TxIn) bool { return out[i.PreviousOutPoint.Hash] })
		if orphan || l.one(2) {
			out[tx.ID] = true
		} else {
			in = append(in, tx)
		}
	}
	l.Node.mu.Unlock()
	l.note("  %d transactions in a block, %d left out", len(in), len(out))
	l.Node.MineOnly(in...)
}

// reorg replaces up to six blocks by more; what they held may come later,
// differently or never.
func (l *life) reorg() {
	l.Step()
	depth := min(l.between(1, 6), l.Node.Height()-l.floor)
	if depth == 0 {
		return
	}
	l.note("  %d deep", depth)
	l.Node.Rewind(int(depth))
	if l.one(3) {
		l.Step() // between the two chains
	}
	if l.one(3) {
		l.replace()
	}
	if l.one(4) {
		l.Node.Forget()
	}
	for range depth + 1 {
		l.block()
	}
	l.Step()
}

func (l *life) pass() {
	var d time.Duration
	switch l.rng.IntN(6) {
	case 0:
		d = time.Duration(l.between(-30, 30)) * time.Second
	case 1, 2, 3:
		d = time.Duration(l.between(20, 45)) * time.Minute
	case 4:
		d = time.Duration(l.between(1, 30)) * time.Hour
	case 5:
		d = time.Duration(l.between(1, 8*24)) * time.Hour
	}
	l.note("  %s", d)
	l.Clock.Advance(d)
}

func (l *life) endEpoch() {
	l.NextEpoch()
	l.Settle(l.rng.IntN(10))
}

func (l *life) restart() { l.Restart() }

func (l *life) forget() { l.Node.Forget() }

// refuse lets one look of the server meet a node that fails, refuses, or takes
// what it is sent and loses the answer.
func (l *life) refuse() {
	gone := errors.New("connection reset by peer")
	switch l.rng.IntN(4) {
	case 0:
		l.Node.Fail(gone)
	case 1:
		l.Node.FailSend(gone, false)
	case 2:
		l.Node.FailSend(gone, true)
	case 3:
		l.Node.FailSend(&chain.Refusal{Code: -26, Reason: "mempool min fee not met"}, false)
	}
	if _, err := l.Follower.Step(l.Context()); err != nil && !errors.Is(err, gone) {
		l.Fatal(err)
	}
	l.Node.Fail(nil)
	l.Node.FailSend(nil, false)
}

// grantForeign gives a wallet coins of a rune that no community follows.
func (w *World) grantForeign(to *Wallet, coins int) (granted []Coin) {
	w.Helper()
	var outs []*wire.TxOut
	var stone runes.Runestone
	for i := range coins {
		stone.Edicts = append(stone.Edicts, runes.Edict{Amount: uint128.From64(1_000_000), Output: uint32(i)})
		outs = append(outs, wire.NewTxOut(vault.DustSats, to.Ordinals.Script))
	}
	premine := uint128.From64(uint64(coins) * 1_000_000)
	stone.Etching = &runes.Etching{Premine: &premine}
	script, err := stone.Script()
	Must(w, err)
	tx := w.Node.Grant(append(outs, wire.NewTxOut(0, script))...)
	for i, out := range outs {
		granted = append(granted, Coin{OutPoint: wire.OutPoint{Hash: tx.ID, Index: uint32(i)}, Out: out})
	}
	return granted
}
