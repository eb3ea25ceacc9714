package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/community"
	"moonfund/ledger"
	"moonfund/payout"
	"moonfund/runes"
	"moonfund/signer"
	"moonfund/vault"
)

// signing is where a server's signatures and public keys come from: a signer in
// this process that holds the keys, or one that is a process of its own.
type signing struct {
	accounts signer.Accounts
	keys     *signer.Keys   // nil: the keys are elsewhere
	process  *signer.Client // nil: the signer is in this process
	keyFile  string         // path of the keys' file; "": they are in none
}

// ownKeys signs in this process.
func ownKeys(keys *signer.Keys, network chain.Network, manifests []community.Manifest) (signing, error) {
	accounts := signer.Accounts{Fingerprint: keys.Fingerprint(), Network: network.Name, Xpubs: map[uint32]string{}}
	all := []uint32{vault.OrdersAccount}
	for _, m := range manifests {
		all = append(all, m.Account)
	}
	for _, account := range all {
		xpub, err := keys.AccountXpub(account, network)
		if err != nil {
			return signing{}, err
		}
		accounts.Xpubs[account] = xpub
	}
	return signing{accounts: accounts, keys: keys}, nil
}

func (s signing) xpub(account uint32) (string, error) {
	xpub, ok := s.accounts.Xpubs[account]
	if !ok {
		return "", fmt.Errorf("the signer does not sign for account %d: start it with the same manifests as the server", account)
	}
	return xpub, nil
}

// asking gives payouts and rune orders a signer that checks everything for itself.
func (h *house) asking() (requests, error) {
	accounts := map[string]uint32{}
	for _, m := range h.manifests {
		accounts[m.Prefix] = m.Account
	}
	if h.signing.process != nil {
		return requests{h.signing.process, accounts}, nil
	}
	var own signer.Outflows = signer.OutflowFile(filepath.Join(h.data, outflowFile))
	if h.signing.keyFile != "" {
		var err error
		if own, err = startOutflows(h.data, h.signing.keyFile, h.network, h.log); err != nil {
			return requests{}, err
		}
	}
	config := signer.Config{
		Now: h.clock.read, Balances: h.balances, Outflows: outflows(own, h.store), RuneOrders: &signer.RuneOrderPolicy{FeeTo: h.minting.feeTo},
	}
	if h.rules.Follow != nil {
		config.Stray = h.stray
	}
	keeper, err := newSigner(h.signing.keys, h.network, h.manifests, h.data, config)
	return requests{keeper, accounts}, err
}

// dailySats bounds what fees, deliveries' dust and refunds may cost a community in 24 hours.
const dailySats amount.Sats = 100_000_000

// newSigner returns a signer with the limits of the manifests, which keeps what
// it let out in the data folder. The settings bring its clock, its rune index and
// its pause switch.
func newSigner(keys *signer.Keys, network chain.Network, manifests []community.Manifest, data string, c signer.Config) (*signer.Signer, error) {
	c.Policies = map[uint32]signer.Policy{}
	for _, m := range manifests {
		id, err := runes.ParseID(m.Rune.ID)
		if err != nil {
			return nil, fmt.Errorf("community %s: rune_id: %w", m.Prefix, err)
		}
		c.Policies[m.Account] = signer.Policy{
			Community: m.Name, Rune: id, RunesPerDay: m.Limits.DailyOutflow, SatsPerDay: dailySats,
			ColdAbove: m.Limits.ColdAbove,
		}
	}
	policy := chain.DefaultPolicy()
	c.Network, c.MaxFee, c.MaxFeeRate = network, policy.MaxFee, policy.MaxFeeRate
	if c.Outflows == nil {
		c.Outflows = signer.OutflowFile(filepath.Join(data, outflowFile))
	}
	return signer.New(keys, c)
}

// requests hands payouts to a signer.
type requests struct {
	signer interface {
		Sign(context.Context, signer.Request) (*wire.MsgTx, error)
	}
	accounts map[string]uint32
}

// Sign implements payout.Signer.
func (s requests) Sign(ctx context.Context, u payout.Unsigned) (*wire.MsgTx, error) {
	return s.signer.Sign(ctx, s.request(u))
}

// request is what a signer needs to check a payout by itself.
func (s requests) request(u payout.Unsigned) signer.Request {
	request := signer.Request{Account: s.accounts[u.Community], Tx: u.Tx, Inputs: u.Inputs}
	for _, owed := range u.Orders {
		o := signer.Order{
			Delivery: owed.Delivery, UnitIDs: owed.Order.UnitIDs, Withdraw: owed.Order.Reason == ledger.ForWithdraw,
			Proof: proofOf(owed.Proof),
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
	return request
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
