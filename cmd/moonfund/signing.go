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
			Proof: signer.Proof{Text: owed.Proof.Text, Signature: owed.Proof.Signature, Signer: owed.Proof.Signer},
		}
		if link := owed.Proof.Link; link != nil {
			o.Proof.Link = &signer.Link{
				Text: link.Text, OrdinalsSignature: link.OrdinalsSignature, PaymentSignature: link.PaymentSignature,
			}
		}
		for _, unit := range owed.Units {
			if !unit.Virtual() {
				o.Units = append(o.Units, unit.OutPoint)
			}
		}
		request.Orders = append(request.Orders, o)
	}
	return s.signer.Sign(ctx, request)
}
