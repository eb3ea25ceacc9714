package action

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/fault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
)

// Terms are the parameters of a community.
type Terms struct {
	Prefix       string
	Name         string // for texts, for example LOBO
	Token        string // unit of amounts in texts, for example LOBO
	Domain       string // host of the page, with its port if not the default
	Divisibility int    // of the community's rune
	MinimumStake amount.Runes
	Delay        uint32 // blocks until the staker alone can spend a staked output
	// OperatorCustody allows stakes that the community's key alone can move.
	OperatorCustody bool
	Limits          order.Limits
	Account         vault.Account
}

// StakeRecord is an issued stake address, with everything needed to spend from it.
type StakeRecord struct {
	Address   string
	Community string
	Position  int64  // derivation index
	LeafKey   string // x-only public key, hex
	Delay     uint32 // blocks
	Self      bool   // self-custody
	Wallet    Wallet
	ActionID  string
	Created   time.Time
	Expires   time.Time // zero if never
}

// Link is a message that both addresses of a wallet signed. From then on the payment address's key may sign for the
// pair.
type Link struct {
	Message           string
	OrdinalsSignature string
	PaymentSignature  string
}

// Service issues actions and applies their proofs. Errors for the caller are of type *fault.Error.
type Service struct {
	Network  chain.Network
	Terms    ledger.Communities[Terms]
	Orders   *order.Service
	Transact func(ctx context.Context, fn func(Tx) error) error
	View     func(ctx context.Context, fn func(Tx) error) error                // read-only transaction
	Moment   func() (ledger.Moment, error)                                     // error while the clock is uncertain
	Ready    func() error                                                      // fault while the server catches up
	Rate     func(ctx context.Context) amount.FeeRate                          // fee rate for new orders
	MinRate  amount.FeeRate                                                    // lowest rate of economy orders
	Supply   func(ctx context.Context, community string) (amount.Runes, error) // supply issued so far
	// Hint makes the follower read a transaction from the node now.
	Hint    func(ctx context.Context, txid string)
	Changed func(community, owner string) // called after a commit that changed data of an owner
	Random  io.Reader                     // nil: crypto/rand

	recent recent
}

// newID returns 128 random bits in hex.
func (s *Service) newID() (string, error) {
	source := s.Random
	if source == nil {
		source = rand.Reader
	}
	id := make([]byte, 16)
	if _, err := io.ReadFull(source, id); err != nil {
		return "", err
	}
	return hex.EncodeToString(id), nil
}

// change runs a transaction that may write. It returns a fault while the server is paused or catches up.
func (s *Service) change(ctx context.Context, fn func(tx Tx, terms Terms, m ledger.Moment) error,
	community string) error {
	return s.changeFor(ctx, "", fn, community)
}

// changeFor is like change for a type of action, which may be allowed while everything is paused.
func (s *Service) changeFor(ctx context.Context, kind Type, fn func(tx Tx, terms Terms, m ledger.Moment) error,
	community string) error {
	if err := s.Ready(); err != nil {
		return err
	}
	m, err := s.Moment()
	if err != nil {
		return fault.Refuse(fault.ClockUncertain).Because(err)
	}
	terms, err := s.termsOf(community)
	if err != nil {
		return err
	}
	return s.Transact(ctx, func(tx Tx) error {
		paused, err := tx.Pauses.PausedAll(ctx)
		if err != nil {
			return err
		}
		if paused != "" && !kind.allowedInPause() {
			return fault.Refuse(fault.Paused)
		}
		return fn(tx, terms, m)
	})
}

// refuseClosed returns a fault if the community is retired and an action of the kind would stake something.
func refuseClosed(ctx context.Context, tx Tx, community string, kind Type) error {
	if kind != Stake && kind != Restake && kind != Compound && kind != AutoCompound {
		return nil
	}
	retired, err := tx.Pauses.Retired(ctx, community)
	if err == nil && !retired.IsZero() {
		err = fault.Refuse(fault.CommunityClosed)
	}
	return err
}

// termsOf returns the terms of a community, or a fault if this server does not serve it.
func (s *Service) termsOf(community string) (Terms, error) {
	terms, err := s.Terms.Of(community)
	if err != nil {
		return terms, fault.New(fault.NotFound, fault.NoSuchCommunity).Because(err)
	}
	return terms, nil
}

// wallet parses both addresses of a caller.
func (s *Service) wallet(w Wallet) (payment, ordinals chain.Address, err error) {
	if payment, err = ParseAddress(w.Payment, s.Network); err != nil {
		return
	}
	ordinals, err = ParseAddress(w.Ordinals, s.Network)
	return
}

// ParseAddress parses an address of the network. It returns a fault with the reason if the address is invalid.
func ParseAddress(text string, network chain.Network) (chain.Address, error) {
	address, err := chain.ParseAddress(text, network)
	switch {
	case errors.Is(err, chain.ErrWrongNetwork):
		return address, fault.Refuse(fault.WrongNetwork, text, network.Name)
	case err != nil:
		return address, fault.Refuse(fault.InvalidAddress)
	}
	return address, nil
}

func runesText(a amount.Runes, terms Terms) string {
	return a.Decimal(terms.Divisibility) + " " + terms.Token
}
