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

// SatsWithdrawal describes a transaction that pays sats of the treasury to the operator. The network fee is paid in
// addition to Amount.
type SatsWithdrawal struct {
	Kept       []Coin // treasury sats that the replaced version spends
	Spare      []Coin // confirmed treasury sats
	Amount     amount.Sats
	To         []byte // script
	SatsChange []byte // script
	FeeRate    amount.FeeRate
	Version    int32 // 2 or 3; 0 means 2
}

// BuildSatsWithdrawal builds the unsigned transaction and returns its inputs. Its outputs are sats change, unless it
// would be dust and goes to the fee, and then the payment. It has no runestone, so that runes unknown to the index go
// to the first output. It returns *ErrSatsShort if the coins are not enough.
func BuildSatsWithdrawal(p SatsWithdrawal) (*wire.MsgTx, []Coin, PayoutCost, error) {
	if len(p.To) == 0 || len(p.SatsChange) == 0 || p.FeeRate <= 0 || p.Amount < max(DustSats, chain.Dust(p.To)) {
		return nil, nil, PayoutCost{}, errors.New("withdrawal: needs a destination, a script for change, a positive fee " +
			"rate and more than dust")
	}
	kept, err := inputSats(p.Kept)
	if err != nil {
		return nil, nil, PayoutCost{}, err
	}
	// Each added input increases the fee, so each round selects for the fee of one more input.
	least := 1 - min(1, len(p.Kept))
	for more := least; more <= max(least, len(p.Spare)); more++ {
		size := SignedVBytes(p.template(make([]Coin, len(p.Kept)+more), false))
		need, err := p.Amount.Add(p.FeeRate.Fee(size) - kept)
		if err != nil {
			return nil, nil, PayoutCost{}, err
		}
		chosen, err := SelectSats(p.Spare, need)
		if err != nil {
			return nil, nil, PayoutCost{}, err
		}
		if len(chosen) > more {
			if size > MaxPayoutVBytes {
				return nil, nil, PayoutCost{}, &ErrTooMany{1, size, MaxPayoutVBytes, "vB"}
			}
			continue
		}
		return p.fund(append(append([]Coin{}, p.Kept...), chosen...))
	}
	return nil, nil, PayoutCost{}, &ErrSatsShort{Missing: p.Amount}
}

// fund spends the inputs, with change unless it would be dust.
func (p SatsWithdrawal) fund(inputs []Coin) (*wire.MsgTx, []Coin, PayoutCost, error) {
	if len(inputs) == 0 {
		return nil, nil, PayoutCost{}, errors.New("withdrawal: no inputs")
	}
	in, err := inputSats(inputs)
	if err != nil {
		return nil, nil, PayoutCost{}, err
	}
	tx := p.template(inputs, true)
	fee := p.FeeRate.Fee(SignedVBytes(tx))
	if left := in - p.Amount - fee; left >= max(DustSats, chain.Dust(p.SatsChange)) {
		tx.TxOut[0].Value = int64(left)
	} else {
		tx = p.template(inputs, false)
		least := p.FeeRate.Fee(SignedVBytes(tx))
		if fee = in - p.Amount; fee < least {
			return nil, nil, PayoutCost{}, &ErrSatsShort{Missing: least - fee}
		}
	}
	size := SignedVBytes(tx)
	if size > MaxPayoutVBytes {
		return nil, nil, PayoutCost{}, &ErrTooMany{1, size, MaxPayoutVBytes, "vB"}
	}
	return tx, inputs, PayoutCost{size, fee}, nil
}

func (p SatsWithdrawal) template(inputs []Coin, change bool) *wire.MsgTx {
	tx := wire.NewMsgTx(max(2, p.Version))
	for _, c := range inputs {
		tx.AddTxIn(&wire.TxIn{PreviousOutPoint: c.OutPoint, Sequence: Sequence})
	}
	if change {
		tx.AddTxOut(wire.NewTxOut(0, p.SatsChange))
	}
	tx.AddTxOut(wire.NewTxOut(int64(p.Amount), p.To))
	return tx
}

// VerifySatsWithdrawal checks a withdrawal of sats independently of the code that built it. It spends plain treasury
// sats only; its outputs are at most one sats change and then the payment of exactly sats to the script to; it has no
// runestone.
func VerifySatsWithdrawal(tx *wire.MsgTx, inputs []Coin, to []byte, sats amount.Sats, satsChange []byte) error {
	if err := checkInputs(tx, inputs); err != nil {
		return err
	}
	for _, c := range inputs {
		if c.Kind != TreasurySats || len(c.Runes) > 0 {
			return fmt.Errorf("withdrawal: input %s is not plain sats of the treasury", c.OutPoint)
		}
	}
	outs := tx.TxOut
	if len(outs) == 2 && bytes.Equal(outs[0].PkScript, satsChange) && outs[0].Value >= DustSats {
		outs = outs[1:]
	}
	switch {
	case len(outs) != 1:
		return errors.New("withdrawal: an output that is neither the payment nor our change")
	case !bytes.Equal(outs[0].PkScript, to) || txscript.IsUnspendable(to):
		return errors.New("withdrawal: it does not pay the address")
	case sats < DustSats || outs[0].Value != int64(sats):
		return fmt.Errorf("withdrawal: it pays %d sats instead of %d", outs[0].Value, sats)
	case runes.Decipher(tx) != nil:
		return errors.New("withdrawal: it has a runestone")
	}
	return nil
}

// WithdrawalOf returns a withdrawal of runes as the delivery of a payout. The rest of the runes is the payout's rune
// change.
func WithdrawalOf(id runes.ID, n amount.Runes, to []byte) Delivery {
	return Delivery{OrderID: "withdrawal", Rune: id, Amount: n, To: to, Value: DustSats}
}
