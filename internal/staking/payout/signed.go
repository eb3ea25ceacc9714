package payout

import (
	"context"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
)

// ErrUnsigned is returned by Prepare if Sign must be called first.
var ErrUnsigned = vault.ErrUnsigned

// Sign calls the signer for the payouts of the last Prepare. It must not be called within a database transaction, since
// signing can take long. It does not return a refusal of the signer, which the next Prepare handles.
func (s *Service) Sign(ctx context.Context) error { return s.signatures.Sign(ctx) }

// ForgetSignatures discards signatures that were not stored and refusals of the signer, so that the signer is called
// again.
func (s *Service) ForgetSignatures() { s.signatures.Forget() }

// signed returns a transaction with its signatures, or the signer's refusal. If the signer was not called yet, it
// returns the transaction unsigned, and Prepare then returns ErrUnsigned, so it is never stored.
func (s *Service) signed(u Unsigned) (*wire.MsgTx, error) {
	return s.signatures.Of(u.Tx, func(ctx context.Context) (*wire.MsgTx, error) {
		if err := s.checkOwn(ctx, u); err != nil {
			return nil, err
		}
		return s.signer.Sign(ctx, u)
	})
}

// info logs a message, except in a Prepare that will be rolled back because signatures are missing.
func (s *Service) info(text string, args ...any) {
	if s.signatures.Missing() == nil {
		s.log.Info(text, args...)
	}
}

// check decodes the payout as the rune index does. It returns an error if the payout does not deliver exactly the
// amounts that the orders are owed, or if nodes would not relay it.
func (s *Service) check(b built, batch []dueDelivery) error {
	terms, err := s.terms.Of(batch[0].Order.Community)
	if err != nil {
		return err
	}
	deliveries := make([]vault.Delivery, len(batch))
	for i, d := range batch {
		deliveries[i] = d.Delivery
	}
	runeChange, _ := terms.Account.TreasuryRunes()
	satsChange, _ := terms.Account.TreasurySats()
	if err := vault.VerifyPayout(b.tx, b.inputs, deliveries, runeChange.Script, satsChange.Script,
		s.allocate); err != nil {
		return err
	}
	policy := s.policy
	policy.DataCarrier = max(policy.DataCarrier, terms.MaxRunestone)
	return chain.CheckPolicy(b.tx, vault.Outputs(b.inputs), policy)
}
