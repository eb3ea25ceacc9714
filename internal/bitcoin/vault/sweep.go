package vault

import (
	"errors"
	"fmt"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// MaxSweepInputs is the maximum number of outputs that one sweep spends, far below the standard size limit of a
// transaction.
const MaxSweepInputs = 1000

// BuildSweep builds a transaction that moves everything on treasury outputs to two scripts: all runes on an output of
// 546 sats to runesTo, and all sats minus the fee to satsTo. It has no runestone, so all runes go to the first output.
// If the remaining sats are dust, they go to the fee. Without inputs that may hold runes there is only the output to
// satsTo. It returns *ErrSatsShort if the sats cannot pay the fee, or if that only output would be dust.
func BuildSweep(inputs []Coin, runesTo, satsTo []byte, rate amount.FeeRate) (*wire.MsgTx, PayoutCost, error) {
	switch {
	case len(inputs) == 0:
		return nil, PayoutCost{}, errors.New("sweep: nothing to move")
	case len(inputs) > MaxSweepInputs:
		return nil, PayoutCost{}, fmt.Errorf("sweep: %d outputs, at most %d are moved at once", len(inputs), MaxSweepInputs)
	case rate <= 0:
		return nil, PayoutCost{}, errors.New("sweep: fee rate must be positive")
	}
	if err := checkDistinct(inputs); err != nil {
		return nil, PayoutCost{}, fmt.Errorf("sweep: %w", err)
	}
	tx := wire.NewMsgTx(2)
	bearing := false
	for _, c := range inputs {
		if c.Kind != TreasuryRunes && c.Kind != TreasurySats {
			return nil, PayoutCost{}, fmt.Errorf("sweep: %s is a %s output: only the treasury is swept", c.OutPoint, c.Kind)
		}
		bearing = bearing || c.Kind == TreasuryRunes || len(c.Runes) > 0
		tx.AddTxIn(&wire.TxIn{PreviousOutPoint: c.OutPoint, Sequence: Sequence})
	}
	if bearing {
		tx.AddTxOut(wire.NewTxOut(DustSats, runesTo))
	}
	in, err := inputSats(inputs)
	if err != nil {
		return nil, PayoutCost{}, err
	}
	tx.AddTxOut(wire.NewTxOut(0, satsTo))
	size := SignedVBytes(tx)
	left := in - outputSats(tx) - rate.Fee(size)
	if left < max(DustSats, chain.Dust(satsTo)) && bearing {
		tx.TxOut = tx.TxOut[:1]
		size = SignedVBytes(tx)
		left = in - outputSats(tx) - rate.Fee(size)
		if left < 0 {
			return nil, PayoutCost{}, &ErrSatsShort{Missing: -left}
		}
		return tx, PayoutCost{size, rate.Fee(size) + left}, nil
	}
	if left < max(DustSats, chain.Dust(satsTo)) {
		return nil, PayoutCost{}, &ErrSatsShort{Missing: max(DustSats, chain.Dust(satsTo)) - left}
	}
	tx.TxOut[len(tx.TxOut)-1].Value = int64(left)
	return tx, PayoutCost{size, rate.Fee(size)}, nil
}

// VerifySweep allocates the runes of a sweep by the index's rules. It returns an error unless every rune is on the
// first output and none is burned.
func VerifySweep(tx *wire.MsgTx, inputs []Coin, allocate Allocate) error {
	balances := map[wire.OutPoint][]runes.Balance{}
	want := map[runes.ID]uint128.Uint128{}
	for _, c := range inputs {
		balances[c.OutPoint] = c.Runes
		for _, b := range c.Runes {
			want[b.ID] = want[b.ID].Add(b.Amount)
		}
	}
	outputs, burned, cenotaph, err := allocate(tx, func(o wire.OutPoint) []runes.Balance { return balances[o] })
	switch {
	case err != nil:
		return fmt.Errorf("sweep: allocation: %w", err)
	case cenotaph || !isZero(burned):
		return errors.New("sweep: runes would be burned")
	}
	got := map[runes.ID]uint128.Uint128{}
	if len(outputs) > 0 {
		for _, b := range outputs[0] {
			got[b.ID] = b.Amount
		}
	}
	for id, n := range want {
		if got[id] != n {
			return fmt.Errorf("sweep: %s of rune %s on the first output, there are %s", got[id], id, n)
		}
	}
	return nil
}
