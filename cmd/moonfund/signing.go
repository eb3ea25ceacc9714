package main

import (
	"context"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/ledger"
	"moonfund/payout"
	"moonfund/signer"
)

// inProcess hands payouts to a signer that lives in this process.
type inProcess struct {
	signer   *signer.Signer
	accounts map[string]uint32
}

// Sign implements payout.Signer.
func (s inProcess) Sign(ctx context.Context, u payout.Unsigned) (*wire.MsgTx, error) {
	request := signer.Request{Account: s.accounts[u.Community], Tx: u.Tx, Inputs: u.Inputs}
	for _, owed := range u.Orders {
		o := signer.Order{
			Delivery: owed.Delivery, UnitIDs: owed.Order.UnitIDs, Withdraw: owed.Order.Reason == ledger.ForWithdraw,
			Proof: proofOf(owed.Proof),
		}
		for _, unit := range owed.Units {
			if !unit.Virtual() {
				o.Units = append(o.Units, unit.OutPoint)
			}
		}
		request.Orders = append(request.Orders, o)
	}
	if u.Refund != nil {
		request.Refund = &signer.Refund{OrderID: u.Refund.Order.ID, Proof: proofOf(u.Refund.Proof)}
	}
	if u.Return != nil {
		request.Return = &signer.Return{Owner: u.Return.Owner}
	}
	return s.signer.Sign(ctx, request)
}

func proofOf(p payout.Proof) signer.Proof {
	proof := signer.Proof{Text: p.Text, Signature: p.Signature, Signer: p.Signer}
	if p.Link != nil {
		proof.Link = &signer.Link{
			Text: p.Link.Text, OrdinalsSignature: p.Link.OrdinalsSignature, PaymentSignature: p.Link.PaymentSignature,
		}
	}
	return proof
}
