package server

import (
	"context"
	"fmt"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/coins"
	"moonfund/internal/store"
)

// findCoins sets Coins if an Esplora server is configured. With an index of some runes it logs why withdrawals in one
// transaction are off: such an index can't show whether an output of a staker holds a rune that would be lost in the
// fee.
func (s *Server) findCoins() (err error) {
	if s.Esplora == "" {
		return nil
	}
	if s.Rules.Follow != nil {
		s.Log.Warn("withdrawals in one transaction are off: they need --index full, because an index of some runes can't " +
			"show that an output holds none")
		return nil
	}
	s.Coins, err = coins.New(s.Esplora, s.Node, s.holding)
	return err
}

// holding implements coins.Index with the server's rune index.
func (s *Server) holding(
	ctx context.Context, outs []wire.OutPoint,
) (tip chainhash.Hash, held map[wire.OutPoint]bool, err error) {
	held = map[wire.OutPoint]bool{}
	err = s.Store.View(ctx, func(tx *store.Tx) error {
		header, err := tx.Tip(ctx)
		if err != nil || header.Height == chain.None {
			return err
		}
		if err := chainhash.Decode(&tip, header.Hash); err != nil {
			return fmt.Errorf("the hash of block %d: %w", header.Height, err)
		}
		index := tx.Runes(ctx)
		for _, out := range outs {
			balances, err := index.RuneBalances(out)
			if err != nil {
				return err
			}
			held[out] = len(balances) > 0
		}
		return nil
	})
	return tip, held, err
}
