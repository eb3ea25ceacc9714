package wiring

import (
	"context"
	"encoding/json"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/signer"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/payout"
)

// Signing requests signatures of payouts and of the transactions of mint and etch orders from a signer, in this process
// or in another one. Each request contains the data with which the signer checks the transaction independently.
type Signing struct {
	Signer interface {
		Sign(ctx context.Context, r signer.Request) (*wire.MsgTx, error)
	}
	Accounts ledger.Communities[uint32] // their BIP-32 accounts
}

// Sign implements payout.Signer.
func (s Signing) Sign(ctx context.Context, u payout.Unsigned) (*wire.MsgTx, error) {
	request, err := s.Request(u)
	if err != nil {
		return nil, err
	}
	return s.Signer.Sign(ctx, request)
}

// SignRuneOrder implements etching.Signer.
func (s Signing) SignRuneOrder(ctx context.Context, o vault.RuneOrder, tx vault.OrderTx) (*wire.MsgTx, error) {
	request := signer.Request{Account: vault.OrdersAccount, Tx: tx.Tx, Inputs: tx.Inputs, RuneOrder: &o}
	return s.Signer.Sign(ctx, request)
}

// Request returns the request to the signer for a payout.
func (s Signing) Request(u payout.Unsigned) (request signer.Request, err error) {
	account, err := s.Accounts.Of(u.Community)
	if err != nil {
		return request, err
	}
	request = signer.Request{Account: account, Tx: u.Tx, Inputs: u.Inputs}
	for _, owed := range u.Orders {
		o := signer.Order{
			Delivery: owed.Delivery, UnitIDs: owed.Order.UnitIDs, Withdraw: owed.Order.Reason == ledger.ForWithdraw,
			Proof: proofOf(owed.Proof), Raised: owed.Raised(),
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
		request.Return = &signer.Return{Owner: u.Return.Owner, Proof: proofOf(u.Return.Proof)}
	}
	if w := u.Withdrawal; w != nil {
		request.Withdrawal = &signer.Withdrawal{Community: u.Community, To: w.To, Sats: w.Sats, Runes: w.Runes}
	}
	return request, nil
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

// Exporter returns a function that creates the PSBT of a payout that is signed elsewhere. It contains the origins of
// the keys, for a wallet, and the whole request, for `moonfund signer sign`. fingerprint is the signing key's.
func (s Signing) Exporter(
	fingerprint uint32, accounts ledger.Communities[vault.Account],
) func(payout.Unsigned) (string, error) {
	return func(u payout.Unsigned) (string, error) {
		request, err := s.Request(u)
		if err != nil {
			return "", err
		}
		account, err := accounts.Of(u.Community)
		if err != nil {
			return "", err
		}
		reasons, err := json.Marshal(request)
		if err != nil {
			return "", err
		}
		origin := vault.Origin{Fingerprint: fingerprint, Account: request.Account}
		return account.PayoutPSBT(u.Tx, u.Inputs, origin, reasons)
	}
}
