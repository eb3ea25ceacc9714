package vault

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// ReturnPlan describes the return of one quarantined output, at a stake or payment address, to its owner with all its
// runes. The deposit pays the fee itself if at least 546 sats remain.
// Otherwise the treasury's Spare sats pay it, and the owner gets the deposit's full value.
type ReturnPlan struct {
	Deposit    Coin
	Kept       []Coin // treasury sats that the replaced version spends
	Spare      []Coin // confirmed treasury sats
	To         []byte // script of the owner's ordinals address
	SatsChange []byte
	FeeRate    amount.FeeRate
	Version    int32 // 2 or 3; 0 means 2
}

// BuildReturn builds the unsigned return and returns its inputs. It has no runestone, so that every rune, known or not,
// goes to the first output. It returns *ErrSatsShort if Spare is not enough.
func BuildReturn(p ReturnPlan) (*wire.MsgTx, []Coin, PayoutCost, error) {
	if !returnable(p.Deposit.Kind) || len(p.To) == 0 || len(p.SatsChange) == 0 || p.FeeRate <= 0 {
		return nil, nil, PayoutCost{}, errors.New("return: needs an output of a stake, a payment or the treasury's runes, " +
			"a destination, a script for change and a positive fee rate")
	}
	value := amount.Sats(p.Deposit.Output.Value)
	alone := p.template([]Coin{p.Deposit}, value, false)
	size := SignedVBytes(alone)
	if left := value - p.FeeRate.Fee(size); left >= DustSats && len(p.Kept) == 0 {
		alone.TxOut[0].Value = int64(left)
		return alone, []Coin{p.Deposit}, PayoutCost{size, p.FeeRate.Fee(size)}, nil
	}
	return p.fundedByTreasury(value)
}

func returnable(k CoinKind) bool { return k == Stake || k == Payment || k == TreasuryRunes }

// fundedByTreasury builds a return whose fee the treasury's sats pay.
func (p ReturnPlan) fundedByTreasury(value amount.Sats) (*wire.MsgTx, []Coin, PayoutCost, error) {
	gives := max(value, chain.Dust(p.To))
	held, err := inputSats(p.Kept)
	if err != nil {
		return nil, nil, PayoutCost{}, err
	}
	least := 1 - min(1, len(p.Kept))
	var short error
	for more := least; more <= max(least, len(p.Spare)); more++ {
		size := SignedVBytes(p.template(make([]Coin, 1+len(p.Kept)+more), gives, true))
		fee := p.FeeRate.Fee(size)
		chosen, err := SelectSats(p.Spare, max(0, fee+gives-value+chain.Dust(p.SatsChange)-held))
		if err != nil {
			return nil, nil, PayoutCost{}, err
		}
		if len(chosen) > more {
			short = &ErrSatsShort{Missing: fee}
			continue
		}
		spent := append(append([]Coin{p.Deposit}, p.Kept...), chosen...)
		in, err := inputSats(spent)
		if err != nil {
			return nil, nil, PayoutCost{}, err
		}
		tx := p.template(spent, gives, true)
		size = SignedVBytes(tx)
		fee = p.FeeRate.Fee(size)
		tx.TxOut[1].Value = int64(in - gives - fee)
		return tx, spent, PayoutCost{size, fee}, nil
	}
	return nil, nil, PayoutCost{}, short
}

func (p ReturnPlan) template(inputs []Coin, gives amount.Sats, change bool) *wire.MsgTx {
	tx := wire.NewMsgTx(max(2, p.Version))
	for _, c := range inputs {
		tx.AddTxIn(&wire.TxIn{PreviousOutPoint: c.OutPoint, Sequence: Sequence})
	}
	tx.AddTxOut(wire.NewTxOut(int64(gives), p.To))
	if change {
		tx.AddTxOut(wire.NewTxOut(0, p.SatsChange))
	}
	return tx
}

// VerifyReturn checks a return independently of the code that built it. The inputs are one output at a stake or payment
// address and then only treasury sats. The first output goes to the owner with the deposit's value, minus the fee if
// the deposit pays it. The only other output is sats change. All runes go to the first output.
func VerifyReturn(tx *wire.MsgTx, inputs []Coin, to, satsChange []byte, allocate Allocate) error {
	if err := checkInputs(tx, inputs); err != nil {
		return err
	}
	balances := map[wire.OutPoint][]runes.Balance{}
	for i, c := range inputs {
		balances[c.OutPoint] = c.Runes
		if i == 0 && !returnable(c.Kind) || i > 0 && (c.Kind != TreasurySats || len(c.Runes) > 0) {
			return fmt.Errorf("return: input %d is a %s output", i, c.Kind)
		}
	}
	value, outs := inputs[0].Output.Value, tx.TxOut
	switch {
	case len(outs) == 0 || !bytes.Equal(outs[0].PkScript, to):
		return errors.New("return: the first output does not go to the owner")
	case len(inputs) == 1 && (len(outs) != 1 || outs[0].Value < DustSats):
		return errors.New("return: a deposit that pays its own fee goes to its owner alone")
	case len(inputs) > 1 && outs[0].Value != max(value, int64(chain.Dust(to))):
		return fmt.Errorf("return: the owner gets %d sats of %d", outs[0].Value, value)
	case len(inputs) > 1 && (len(outs) != 2 || !bytes.Equal(outs[1].PkScript, satsChange)):
		return errors.New("return: an output that is neither the owner's nor our change")
	}
	for _, out := range outs {
		if txscript.IsUnspendable(out.PkScript) {
			return errors.New("return: an output that nobody can spend")
		}
	}
	outputs, burned, cenotaph, err := allocate(tx, func(o wire.OutPoint) []runes.Balance { return balances[o] })
	if err != nil || cenotaph || !isZero(burned) {
		return fmt.Errorf("return: runes would be burned (%v)", err)
	}
	for i, balances := range outputs {
		if i > 0 && !isZero(balances) {
			return fmt.Errorf("return: output %d would bear runes", i)
		}
	}
	return nil
}
