package server

import (
	"cmp"
	"context"
	"errors"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/amount"
	"moonfund/internal/api"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/etching"
)

// RuneOrders configures the mint and etch service.
type RuneOrders struct {
	On    bool        // accept new orders
	Fee   amount.Sats // service fee of each order
	FeeTo string      // address that receives the service fees
}

// etchingConfig configures the mint and etch service. The service also exists when it is off: it then accepts no new
// orders and completes the existing ones.
func (s *Server) etchingConfig(account vault.Account, sign etching.Signer) *etching.Config {
	off := ""
	if !s.RuneOrders.On && s.Rules.Follow == nil { // with an index of followed runes, the service has its own reason
		off = "the operator has not enabled it"
	}
	return &etching.Config{
		Account: account, ServiceFee: s.RuneOrders.Fee, ServiceFeeTo: s.RuneOrders.FeeTo, Signer: sign,
		Now: s.now, Ready: status{s}.MayChange, Hint: s.Refresh,
		HasTx: s.knownToNode, DisabledReason: off, Unrelayed: s.unrelayed, Log: s.Log,
		DescendantFees: s.Node.DescendantFees, MempoolMin: s.Rates.MempoolMin,
	}
}

// unrelayed returns the reason why the leader's node does not relay the transactions of an order, or "".
func (s *Server) unrelayed(kind etching.Kind, inscribes bool) string {
	switch state := s.state(); {
	case kind != etching.Etch:
		return state.NoRunes
	case inscribes:
		return cmp.Or(state.NoInscriptions, state.NoReveals, state.NoRunes)
	default:
		return cmp.Or(state.NoReveals, state.NoRunes)
	}
}

// knownToNode reports whether the node has a transaction.
func (s *Server) knownToNode(ctx context.Context, txid chainhash.Hash) (bool, error) {
	_, _, err := s.Node.Tx(ctx, txid)
	if errors.Is(err, chain.ErrUnknown) {
		return false, nil
	}
	return err == nil, err
}

var _ api.RuneOrders = (*etching.Service)(nil)
