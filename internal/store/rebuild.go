package store

import (
	"context"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store/sqlc"
)

// ForgetChain deletes all data that can be read from the chain: blocks, the rune index, confirmations, and confirmed
// spends. It keeps signatures, orders, rewards, issued addresses and the boundaries of epochs.
func (t *Tx) ForgetChain(ctx context.Context) error {
	for _, forget := range []func(context.Context) error{
		t.q.ForgetBlocks, t.q.ForgetRuneEntries, t.q.ForgetRuneBalances, t.q.ForgetRuneLists, t.q.ForgetRuneUndo,
		t.q.ForgetCustodyHeights, t.q.ForgetSpends, t.q.ForgetTrackedHeights, t.q.ForgetVersionHeights,
		t.q.DeleteAdoptedOutputs, t.q.ForgetRuneOrderTxs, t.q.ForgetRuneOrderOutputs, t.q.UnsettleRuneOrders,
	} {
		if err := forget(ctx); err != nil {
			return wrap(err)
		}
	}
	return t.Runes(ctx).PutRuneCounters(runes.Counters{})
}

// CustodyFacts returns the confirmations and spends of all our outputs.
func (t *Tx) CustodyFacts(ctx context.Context) (map[wire.OutPoint]ledger.Fact, error) {
	rows, err := t.q.CustodyFacts(ctx)
	if err != nil {
		return nil, wrap(err)
	}
	facts := make(map[wire.OutPoint]ledger.Fact, len(rows))
	for _, row := range rows {
		hash, err := chainhash.NewHashFromStr(row.Txid)
		if err != nil {
			return nil, err
		}
		facts[wire.OutPoint{Hash: *hash, Index: uint32(row.Vout)}] = ledger.Fact{
			Height: row.Height, SpentBy: row.SpentBy, SpentHeight: row.SpentHeight,
		}
	}
	return facts, nil
}

// StakeDerivation is a stake address with the inputs of its derivation.
type StakeDerivation struct {
	Address string
	Owner   string // ordinals address
	Keys    vault.StakeKeys
}

// StakeDerivations returns every stake address of a community, oldest first.
func (t *Tx) StakeDerivations(ctx context.Context, community string) ([]StakeDerivation, error) {
	rows, err := t.q.StakeAddresses(ctx, community)
	return mapAll(rows, err, func(row sqlc.StakeAddress) (StakeDerivation, error) {
		keys, err := toStakeKeys(row)
		return StakeDerivation{row.Address, row.Owner, keys}, err
	})
}
