package payout

import (
	"context"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/vault"
)

// ErrUnsigned is what Prepare returns when payouts must be signed first.
var ErrUnsigned = vault.ErrUnsigned

// Sign has the payouts signed that the last Prepare wanted. It must not be called
// within a database transaction. A refusal of the signer is no error here: the next
// Prepare finds it.
func (c *Service) Sign(ctx context.Context) error { return c.signatures.Sign(ctx) }

// ForgetSignatures drops what was signed and not stored, and every refusal of the signer.
func (c *Service) ForgetSignatures() { c.signatures.Forget() }

// signed returns a transaction with its signatures, or why there are none. Until
// they were asked for it returns the transaction without them; Prepare then ends
// with ErrUnsigned, so that it is never stored.
func (c *Service) signed(u Unsigned) (*wire.MsgTx, error) {
	return c.signatures.Of(u.Tx, func(ctx context.Context) (*wire.MsgTx, error) { return c.signer.Sign(ctx, u) })
}

// info logs what is stored, once: not in a run that will be rolled back.
func (c *Service) info(text string, args ...any) {
	if c.signatures.Missing() == nil {
		c.log.Info(text, args...)
	}
}
