package vault

import (
	"context"
	"errors"
	"fmt"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

// ErrUnsigned says that a database transaction needs signatures that nobody has
// asked for yet. It must be rolled back; after Signatures.Sign it is run again.
var ErrUnsigned = errors.New("it is not signed yet")

// Signatures separates signing from writing: no signer is called while a database
// transaction holds the writer. Within the transaction, Of returns the signed form
// of a transaction, or the unsigned one, which it remembers. If Missing then returns
// ErrUnsigned, the database transaction is rolled back, Sign asks the signer, and the
// same code runs again in a new database transaction. A signature is found by the id
// of the transaction that it is for. So it is used only if the second run comes to the
// same inputs and outputs as the first; whatever changed in between makes another
// transaction, and the signature is dropped.
//
// A signature does not change a transaction's id, since we spend only segwit outputs.
// It is not safe for concurrent use.
type Signatures struct {
	known  map[chainhash.Hash]signature
	wanted map[chainhash.Hash]signs
	order  []chainhash.Hash // of wanted
}

type signature struct {
	tx  *wire.MsgTx
	err error
}

type signs func(context.Context) (*wire.MsgTx, error)

// Begin starts a run: what the run before it wanted is forgotten.
func (s *Signatures) Begin() { s.wanted, s.order = map[chainhash.Hash]signs{}, nil }

// Forget drops every signature and refusal.
func (s *Signatures) Forget() {
	s.Begin()
	s.known = map[chainhash.Hash]signature{}
}

// Of returns tx as sign signed it, or the error of sign. Before Sign it returns a
// copy of tx, with which the run goes on until it is rolled back.
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

// Missing returns ErrUnsigned if this run used a transaction that is not signed.
func (s *Signatures) Missing() error {
	if len(s.order) > 0 {
		return ErrUnsigned
	}
	return nil
}

// Sign asks for every signature that the last run wanted. Call it outside of any
// database transaction. A refusal is kept for the next run; only the end of ctx is an error.
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
