package vault

import (
	"errors"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// RevealSequence is the nSequence of an etching's input (BIP-68): the etching cannot be mined before its commitment is
// old enough.
const RevealSequence = runes.CommitConfirmations - 1

// minimumRelay is the fee rate, for its own size, that a replacement pays in addition to the fees of the replaced
// transactions (BIP-125).
const minimumRelay amount.FeeRate = 1000

// OrderTx is an unsigned transaction of an order, with its inputs and its cost.
type OrderTx struct {
	Tx     *wire.MsgTx
	Inputs []Coin
	PayoutCost
}

// FeeTarget determines the fees of an order's transactions: Rate for their own size, plus Ancestors sats for
// unconfirmed ancestors that pay too little. A replacement pays at least the fees in Replaces and the minimum relay fee
// for its own size (BIP-125).
type FeeTarget struct {
	Rate      amount.FeeRate
	Ancestors amount.Sats
	Replaces  amount.Sats // fees of the replaced transactions; 0 if there are none
}

func (p FeeTarget) fee(vbytes int64) amount.Sats {
	fee := p.Rate.Fee(vbytes) + p.Ancestors
	if p.Replaces > 0 {
		fee = max(fee, p.Replaces+minimumRelay.Fee(vbytes))
	}
	return fee
}

// Mints builds the remaining transactions of a mint order, left in number. Each spends the previous one and passes on
// the minted runes; the last one delivers them. It returns *ErrSatsShort if the coins cannot pay for all of them.
func (p *OrderPlan) Mints(coins []Coin, left int, target FeeTarget) (txs []OrderTx, err error) {
	if p.Order.Mint == nil || len(coins) == 0 || left < 1 {
		return nil, errors.New("rune order: not a mint, or nothing to spend")
	}
	in, err := orderSats(coins)
	if err != nil {
		return nil, err
	}
	for range left - 1 {
		tx := p.spend(coins, wire.NewTxOut(0, p.Work), wire.NewTxOut(0, p.Stone))
		cost := p.cost(tx, coins, target)
		in -= int64(cost.Fee)
		tx.TxOut[0].Value = in
		txs = append(txs, OrderTx{tx, coins, cost})
		next, err := p.Coin(OrderWork, wire.OutPoint{Hash: tx.TxHash()}, amount.Sats(in))
		if err != nil {
			return nil, err
		}
		coins, target = []Coin{next}, FeeTarget{Rate: target.Rate}
	}
	last, err := p.finish(coins, in, target)
	return append(txs, last), err
}

// CommitAndReveal builds the two transactions of an etching: the commitment spends all payments, the reveal etches and
// delivers. It returns *ErrSatsShort if the coins cannot pay for both.
func (p *OrderPlan) CommitAndReveal(coins []Coin, target FeeTarget) ([]OrderTx, error) {
	if p.Order.Etch == nil || len(coins) == 0 {
		return nil, errors.New("rune order: not an etching, or nothing to spend")
	}
	in, err := orderSats(coins)
	if err != nil {
		return nil, err
	}
	commit := p.spend(coins, wire.NewTxOut(0, p.Commit))
	cost := p.cost(commit, coins, target)
	in -= int64(cost.Fee)
	commit.TxOut[0].Value = in
	committed, err := p.Coin(OrderCommit, wire.OutPoint{Hash: commit.TxHash()}, amount.Sats(in))
	if err != nil {
		return nil, err
	}
	reveal, err := p.finish([]Coin{committed}, in, FeeTarget{Rate: target.Rate})
	return []OrderTx{{commit, coins, cost}, reveal}, err
}

// Finish builds an order's last transaction with other inputs: the last mint, or the reveal of a commitment, which must
// be the first coin. It returns *ErrSatsShort if the coins cannot pay for it.
func (p *OrderPlan) Finish(coins []Coin, target FeeTarget) (OrderTx, error) {
	in, err := orderSats(coins)
	if err != nil {
		return OrderTx{}, err
	}
	return p.finish(coins, in, target)
}

// finish builds the transaction that delivers. Its outputs are the destination, to which the pointer sends the runes,
// the runestone, the fees and, if it is not dust, the change.
func (p *OrderPlan) finish(coins []Coin, in int64, target FeeTarget) (OrderTx, error) {
	outs := []*wire.TxOut{wire.NewTxOut(DustSats, p.destination), wire.NewTxOut(0, p.Stone)}
	if p.Order.AppFee > 0 {
		outs = append(outs, wire.NewTxOut(int64(p.Order.AppFee), p.appFee))
	}
	if p.Order.ServiceFee > 0 {
		outs = append(outs, wire.NewTxOut(int64(p.Order.ServiceFee), p.serviceFee))
	}
	for _, out := range outs {
		in -= out.Value
	}
	changed := p.spend(coins, append(outs, wire.NewTxOut(0, p.refund))...)
	cost := p.cost(changed, coins, target)
	if left := in - int64(cost.Fee); left >= int64(chain.Dust(p.refund)) {
		changed.TxOut[len(outs)].Value = left
		return OrderTx{changed, coins, cost}, nil
	}
	tx := p.spend(coins, outs...)
	cost = p.cost(tx, coins, target)
	left := in - int64(cost.Fee)
	if left < 0 {
		return OrderTx{tx, coins, cost}, &ErrSatsShort{Missing: amount.Sats(-left)}
	}
	tx.TxOut[0].Value += left
	return OrderTx{tx, coins, cost}, nil
}

// Refund builds the transaction that refunds coins. It has one output and no runestone, so that runes on the coins are
// returned too. It returns *ErrSatsShort if the output would be dust.
func (p *OrderPlan) Refund(coins []Coin, target FeeTarget) (OrderTx, error) {
	if len(coins) == 0 {
		return OrderTx{}, errors.New("rune order: nothing to give back")
	}
	in, err := orderSats(coins)
	if err != nil {
		return OrderTx{}, err
	}
	tx := p.spend(coins, wire.NewTxOut(0, p.refund))
	cost := p.cost(tx, coins, target)
	left := in - int64(cost.Fee)
	if least := int64(chain.Dust(p.refund)); left < least {
		return OrderTx{tx, coins, cost}, &ErrSatsShort{Missing: amount.Sats(least - left)}
	}
	tx.TxOut[0].Value = left
	return OrderTx{tx, coins, cost}, nil
}

func (p *OrderPlan) spend(coins []Coin, outs ...*wire.TxOut) *wire.MsgTx {
	tx := wire.NewMsgTx(2)
	for _, c := range coins {
		tx.AddTxIn(&wire.TxIn{PreviousOutPoint: c.OutPoint, Sequence: Sequence})
	}
	for _, out := range outs {
		tx.AddTxOut(wire.NewTxOut(out.Value, out.PkScript))
	}
	if p.Reveals(tx) && coins[0].Kind == OrderCommit {
		tx.TxIn[0].Sequence = RevealSequence
	}
	return tx
}

// Reveals reports whether a transaction of this order etches. It then spends the commitment through the script,
// otherwise through the key.
func (p *OrderPlan) Reveals(tx *wire.MsgTx) bool {
	return p.Order.Etch != nil && len(tx.TxOut) > 1 && string(tx.TxOut[1].PkScript) == string(p.Stone)
}

func (p *OrderPlan) cost(tx *wire.MsgTx, coins []Coin, target FeeTarget) PayoutCost {
	vbytes := p.VBytes(tx, coins)
	return PayoutCost{vbytes, target.fee(vbytes)}
}

// VBytes returns the virtual size of a transaction of this order after signing.
func (p *OrderPlan) VBytes(tx *wire.MsgTx, coins []Coin) int64 {
	weight := 4*tx.SerializeSizeStripped() + segwitMarkerWeight
	for _, c := range coins {
		if c.Kind == OrderCommit && p.Reveals(tx) {
			witness := wire.TxWitness{make([]byte, 64), p.Leaf.Script, p.Control}
			weight += witness.SerializeSize()
			continue
		}
		weight += keySpendWeight
	}
	return int64(weight+3) / 4
}

// orderSats returns the sum of the coins. The caller passes coins of one order only.
func orderSats(coins []Coin) (int64, error) {
	in, err := inputSats(coins)
	return int64(in), err
}
