package vault

import (
	"errors"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
)

// RefundPlan describes the refund of an order's sats. Inputs are the order's payment outputs, including its anchor, so
// that a refund and a payout conflict with each other. To is the payment address's script.
type RefundPlan struct {
	Inputs  []Coin
	To      []byte
	FeeRate amount.FeeRate
	Version int32 // 2 or 3; 0 means 2
}

// BuildRefund builds the unsigned refund. It has one output, worth all inputs minus the fee, and no runestone. Inputs
// with runes are an error. It returns *ErrSatsShort if the output would be dust.
func BuildRefund(p RefundPlan) (*wire.MsgTx, PayoutCost, error) {
	if len(p.Inputs) == 0 || len(p.To) == 0 || p.FeeRate <= 0 {
		return nil, PayoutCost{}, errors.New("refund: needs inputs, a destination and a positive fee rate")
	}
	if p.Version != 0 && p.Version != 2 && p.Version != 3 {
		return nil, PayoutCost{}, errors.New("refund: transaction version must be 2 or 3")
	}
	tx := wire.NewMsgTx(2)
	if p.Version != 0 {
		tx.Version = p.Version
	}
	for _, c := range p.Inputs {
		if c.Kind != Payment || len(c.Runes) > 0 || c.OrderID != p.Inputs[0].OrderID {
			return nil, PayoutCost{}, errors.New("refund: an input is not a plain payment of this order")
		}
		tx.AddTxIn(&wire.TxIn{PreviousOutPoint: c.OutPoint, Sequence: Sequence})
	}
	if err := checkDistinct(p.Inputs); err != nil {
		return nil, PayoutCost{}, err
	}
	tx.AddTxOut(wire.NewTxOut(0, p.To))
	in, err := inputSats(p.Inputs)
	if err != nil {
		return nil, PayoutCost{}, err
	}
	size := SignedVBytes(tx)
	fee := p.FeeRate.Fee(size)
	value := in - fee
	if least := chain.Dust(p.To); value < least {
		return nil, PayoutCost{}, &ErrSatsShort{Missing: least - value}
	}
	tx.TxOut[0].Value = int64(value)
	return tx, PayoutCost{size, fee}, nil
}
