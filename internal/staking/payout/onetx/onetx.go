package onetx

import (
	"context"
	"errors"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/fault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
)

// Finder finds the coins of an address.
type Finder interface {
	// Find returns the coins that can pay, the largest first, of the payment address of an order. It returns
	// vault.ErrCoinsUnavailable if it can't find out.
	Find(ctx context.Context, address string, script []byte) ([]vault.Coin, error)
	// FindFor is Find for a payment address that a request from source names. Lookups of one source do not run at the
	// same time.
	FindFor(ctx context.Context, source, address string, script []byte) ([]vault.Coin, error)
	payout.OwnCoins
}

// Service issues and accepts the transactions. Errors for the caller are of type *fault.Error. It is safe for
// concurrent use.
type Service struct {
	Network  chain.Network
	Payouts  *Payouts
	Orders   *order.Service
	Coins    Finder // nil: this server has no coin finder, or no full index of runes
	Transact func(ctx context.Context, fn func(payout.Tx) error) error
	View     func(ctx context.Context, fn func(payout.Tx) error) error // read-only transaction
	Moment   func() (ledger.Moment, error)                             // error while the clock is uncertain
	Ready    func() error                                              // fault while the server catches up
	Rate     func(ctx context.Context) amount.FeeRate                  // fee rate of new orders
	Changed  func(community, owner string)                             // after a commit that changed an owner's data
}

// payer is the address whose coins pay.
type payer struct {
	address string
	script  []byte
	key     []byte // its public key, or nil
	unfit   error  // why its coins can't pay, which matters only if payments of the order don't suffice; or nil
}

// payer returns the payer of a wallet. It returns a fault if its payment address can't pay.
func (s *Service) payer(payment, ordinals string, key []byte) (payer, error) {
	if s.Coins == nil {
		return payer{}, fault.Refuse(fault.OneTxOff)
	}
	if payment == ordinals {
		return payer{}, fault.Refuse(fault.OneTxSameAddress)
	}
	address, err := action.ParseAddress(payment, s.Network)
	if err != nil {
		return payer{}, err
	}
	err = vault.OwnScriptAllowed(address.Script, key)
	switch {
	case errors.Is(err, vault.ErrOwnScript):
		return payer{}, fault.Refuse(fault.OneTxScript)
	case err != nil:
		return payer{}, fault.Refuse(fault.OneTxKey).Because(err)
	}
	return payer{address: payment, script: address.Script, key: key}, nil
}

// available returns the answer of the coin finder, with a fault if it could not find out.
func available(found []vault.Coin, err error) ([]vault.Coin, error) {
	if errors.Is(err, vault.ErrCoinsUnavailable) {
		return nil, fault.Refuse(fault.OneTxUnavailable).Because(err)
	}
	return found, err
}

// EstimateOneTx returns the price of a withdrawal of units in one transaction. It returns a fault if one transaction
// can't withdraw the units.
func (s *Service) EstimateOneTx(ctx context.Context, r action.OneTxEstimate) (quote action.OneTxQuote, err error) {
	w := r.Wallet
	from, err := s.payer(w.Payment, w.Ordinals, r.Key)
	if err != nil {
		return quote, err
	}
	rate := s.Rate(ctx)
	var draft payout.Session
	estimate := func(coins []vault.Coin) error {
		return s.View(ctx, func(tx payout.Tx) error {
			units, err := tx.Units.UnitsByID(ctx, r.Community, r.UnitIDs)
			if err != nil {
				return err
			}
			draft, err = s.Payouts.Estimate(ctx, tx, EstimateRequest{Community: r.Community,
				Owner: w.Ordinals, Payment: w.Payment, UnitIDs: r.UnitIDs, Units: units, Coins: coins, Rate: rate})
			return err
		})
	}
	// Without coins, the error for units that one transaction can withdraw is that sats are missing. Coins are looked
	// up only then.
	short := new(vault.ErrSatsShort)
	if err := estimate(nil); err != nil && !errors.As(err, &short) {
		return quote, buildFault(err)
	}
	coins, err := available(s.Coins.FindFor(ctx, r.Source, from.address, from.script))
	if err != nil {
		return quote, err
	}
	if err := estimate(coins); err != nil {
		return quote, buildFault(err)
	}
	return quoteOf(draft, from.script), nil
}

func quoteOf(d payout.Session, change []byte) action.OneTxQuote {
	quote := action.OneTxQuote{Fee: d.Fee, VBytes: d.VBytes, Rate: d.Rate, Coins: len(d.Coins)}
	if d.Tx != nil && len(d.Tx.TxOut) > 0 {
		if last := d.Tx.TxOut[len(d.Tx.TxOut)-1]; string(last.PkScript) == string(change) {
			quote.Change = amount.Sats(last.Value)
		}
	}
	return quote
}

func (s *Service) moment() (ledger.Moment, error) {
	if err := s.Ready(); err != nil {
		return ledger.Moment{}, err
	}
	m, err := s.Moment()
	if err != nil {
		return m, fault.Refuse(fault.ClockUncertain).Because(err)
	}
	return m, nil
}

// change runs a transaction that may write. It returns a fault while changes are paused.
func (s *Service) change(ctx context.Context, fn func(tx payout.Tx) error) error {
	return s.Transact(ctx, func(tx payout.Tx) error {
		paused, err := tx.Pauses.PausedAll(ctx)
		if err == nil && paused != "" {
			err = fault.Refuse(fault.Paused)
		}
		if err != nil {
			return err
		}
		return fn(tx)
	})
}
