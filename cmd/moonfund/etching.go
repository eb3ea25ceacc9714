package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/amount"
	"moonfund/api"
	"moonfund/chain"
	"moonfund/etching"
	"moonfund/signer"
	"moonfund/store"
	"moonfund/vault"
)

// orderFlags switch the mint and etch service on.
type orderFlags struct {
	Orders           bool   `help:"Mint and etch runes for wallets that can't, under /orders/{network}/v1."`
	OrdersFee        int64  `help:"Sats that a mint or etch order pays to the operator." placeholder:"SATS"`
	OrdersFeeAddress string `help:"Where that goes; the signer must be told the same." placeholder:"ADDRESS"`
}

// service checks the flags.
func (f orderFlags) service(network chain.Network) (runeService, error) {
	s := runeService{on: f.Orders, fee: amount.Sats(f.OrdersFee), feeTo: f.OrdersFeeAddress}
	if s.fee < 0 || s.fee > 0 && s.feeTo == "" {
		return s, errors.New("--orders-fee must be 0, or sats with an --orders-fee-address that they go to")
	}
	if s.feeTo == "" {
		return s, nil
	}
	to, err := chain.ParseAddress(s.feeTo, network)
	if err != nil {
		return s, fmt.Errorf("--orders-fee-address is %q: %w", s.feeTo, err)
	}
	if dust := chain.Dust(to.Script); s.fee > 0 && s.fee < dust {
		return s, fmt.Errorf("--orders-fee is %d sats; nodes relay no less than %d", s.fee, dust)
	}
	s.feeTo = to.Text
	return s, nil
}

// runeService is what a server needs to know of its mint and etch service.
type runeService struct {
	on    bool
	fee   amount.Sats
	feeTo string // address
}

// newEtching wires the mint and etch service. It is wired also where it is off: it
// takes no new orders then, and carries the old ones to their end.
func (h *house) newEtching(signer etching.Signer) (*etching.Desk, error) {
	xpub, err := h.signing.xpub(vault.OrdersAccount)
	if err != nil {
		return nil, err
	}
	account, err := vault.NewAccount(xpub, h.network)
	if err != nil {
		return nil, err
	}
	off := ""
	if !h.minting.on && h.rules.Follow == nil { // else the desk has a reason of its own
		off = "the operator did not switch it on"
	}
	return etching.NewDesk(etching.Config{
		Network: h.network, Rules: h.rules, Account: account,
		ServiceFee: h.minting.fee, ServiceFeeTo: h.minting.feeTo, Policy: chain.DefaultPolicy(), Signer: signer,
		Transact: func(ctx context.Context, fn func(etching.Database) error) error {
			return h.store.Update(ctx, func(tx *store.Tx) error { return fn(tx) })
		},
		View: func(ctx context.Context, fn func(etching.Database) error) error {
			return h.store.View(ctx, func(tx *store.Tx) error { return fn(tx) })
		},
		NewID: newID, Now: h.now, Ready: standing{h}.MayChange, Hint: func(ctx context.Context) { h.hint(ctx, "") },
		Known: h.known, Off: off, Unrelayed: h.unrelayed, Log: h.log,
	}), nil
}

// unrelayed returns why the leader's node would not relay the transactions of an order, or "".
func (h *house) unrelayed(kind etching.Kind) string {
	if state := h.state(); kind == etching.Etch && state.NoReveals != "" {
		return state.NoReveals
	}
	return h.state().NoRunes
}

// known asks the node for a transaction.
func (h *house) known(ctx context.Context, txid chainhash.Hash) (bool, error) {
	_, _, err := h.node.Tx(ctx, txid)
	if errors.Is(err, chain.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// SignRuneOrder implements etching.Signer.
func (s requests) SignRuneOrder(ctx context.Context, o vault.RuneOrder, tx vault.OrderTx) (*wire.MsgTx, error) {
	return s.signer.Sign(ctx, signer.Request{Account: vault.OrdersAccount, Tx: tx.Tx, Inputs: tx.Inputs, RuneOrder: &o})
}

var _ api.RuneOrders = (*etching.Desk)(nil)
