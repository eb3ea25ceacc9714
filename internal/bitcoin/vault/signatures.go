package vault

import (
	"context"
	"errors"
	"fmt"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

// ErrUnsigned is returned if a database transaction needs signatures that have not been requested yet. The caller rolls
// it back, calls Signatures.Sign and runs it again.
var ErrUnsigned = errors.New("it is not signed yet")

// Signatures separates signing from writing, so that no signer is called while a database transaction holds the write
// lock. Within the transaction, Of returns the signed form of a transaction, or records the request and returns the
// unsigned one. If Missing then returns ErrUnsigned, the caller rolls the database transaction back, calls Sign, and
// runs the same code in a new database transaction. Signatures are looked up by transaction id. A signature is
// therefore used only if the second run builds the same inputs and outputs as the first; otherwise it is dropped.
//
// Signing does not change a transaction's id, because all inputs are segwit. Signatures is not safe for concurrent use.
type Signatures struct {
	known  map[chainhash.Hash]signature
	wanted map[chainhash.Hash]signs
	order  []chainhash.Hash // keys of wanted, in the order of the requests
}

type signature struct {
	tx  *wire.MsgTx
	err error
}

type signs func(context.Context) (*wire.MsgTx, error)

// Begin starts a run and discards the requests of the previous run.
func (s *Signatures) Begin() { s.wanted, s.order = map[chainhash.Hash]signs{}, nil }

// Forget discards all signatures and signing errors.
func (s *Signatures) Forget() {
	s.Begin()
	s.known = map[chainhash.Hash]signature{}
}

// Of returns tx as signed by sign, or the error of sign. Before Sign it returns a copy of tx, so that the run can
// continue until it is rolled back.
func (s *Signatures) Of(tx *wire.MsgTx, sign func(context.Context) (*wire.MsgTx, error)) (*wire.MsgTx, error) {
	id := tx.TxHash()
	if found, ok := s.known[id]; ok {
		return found.tx, found.err
	}
	if s.wanted == nil {
		s.Begin()
	}
	if _, ok := s.wanted[id]; !ok {
		s.wanted[id], s.order = sign, append(s.order, id)
	}
	return tx.Copy(), nil
}

// Missing returns ErrUnsigned if this run used an unsigned transaction.
func (s *Signatures) Missing() error {
	if len(s.order) > 0 {
		return ErrUnsigned
	}
	return nil
}

// Sign requests every signature that the last run needs. It must not be called within a database transaction. It stores
// signing errors for the next run and returns an error only if ctx is done.
func (s *Signatures) Sign(ctx context.Context) error {
	if s.known == nil {
		s.known = map[chainhash.Hash]signature{}
	}
	for _, id := range s.order {
		tx, err := s.wanted[id](ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil && tx.TxHash() != id {
			tx, err = nil, fmt.Errorf("the signer returned transaction %s instead of %s", tx.TxHash(), id)
		}
		s.known[id] = signature{tx, err}
	}
	s.Begin()
	return nil
}
