package signer

import (
	"context"
	"errors"
	"fmt"

	"moonfund/internal/signed/statement"
)

// CertifiedKey is a certificate of a receipt key with the signature of the statement key.
type CertifiedKey struct {
	Certificate statement.Certificate `json:"certificate"`
	Signature   statement.Signature   `json:"signature"`
}

// CertifyReceiptKey signs a certificate of a receipt key of the server, by the statement key of a community with an
// account. The signer chooses the certificate's validity by its own clock, so a server that requests certificates can't
// date its batches earlier.
func (s *Signer) CertifyReceiptKey(_ context.Context, account uint32, key statement.Key) (CertifiedKey, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkPause(); err != nil {
		return CertifiedKey{}, err
	}
	policy, known := s.config.Policies[account]
	if !known || s.config.Heads == nil {
		return CertifiedKey{}, refuse(BadRequest, "no receipt keys are certified for account %d", account)
	}
	if _, err := statement.ParseKey(key.String()); err != nil {
		return CertifiedKey{}, refuse(BadRequest, "%s is no public key", key)
	}
	now, err := s.config.Now()
	if err != nil {
		return CertifiedKey{}, fmt.Errorf("signer: clock: %w", err)
	}
	c := statement.Certificate{
		Format: statement.CertificateFormat, Network: s.config.Network.Name, Community: policy.Prefix, Key: key,
		From: now.Unix(), To: now.Add(statement.CertificateLifetime).Unix(),
	}
	private, err := s.keys.statementKey(account, s.config.Network)
	if err != nil {
		return CertifiedKey{}, err
	}
	defer private.Zero()
	signature, err := c.Sign(private)
	return CertifiedKey{c, signature}, err
}

// receiptKeyPath is the call of a signer process that certifies a receipt key.
const receiptKeyPath = "/statement/receipt-key"

// CertifyReceiptKey requests the certificate of a receipt key. It returns a *Refusal if a rule of the signer rejects
// it, and an error that wraps ErrUnreachable if the signer does not answer. The caller verifies the certificate.
func (c *Client) CertifyReceiptKey(ctx context.Context, account uint32, key statement.Key) (CertifiedKey, error) {
	answer, err := c.statement(ctx, receiptKeyPath, statementRequest{Account: account, ReceiptKey: &key})
	if err != nil {
		return CertifiedKey{}, err
	}
	if answer.Certified == nil {
		return CertifiedKey{}, errors.New("signer: no certificate in the answer")
	}
	return *answer.Certified, nil
}
