package store

import (
	"context"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/runes"
)

// Damaged rows are errors, not other values.
func TestUnreadableRuneRow(t *testing.T) {
	s := open(t)
	point := wire.OutPoint{Index: 3}
	for _, data := range [][]byte{{}, {1}, {1, 1, 1, 0}, {1, 0, 1, 5}, {1, 1, 1, 5, 0}, {2, 1, 1, 5, 1, 1, 5}} {
		must(t, s.Update(t.Context(), func(tx *Tx) error {
			_, err := tx.db.ExecContext(context.Background(), `INSERT INTO rune_balance (outpoint, balances) VALUES ($1, $2)
				ON CONFLICT (outpoint) DO UPDATE SET balances = excluded.balances`, runes.EncodeOutPoint(point), data)
			return err
		}))
		must(t, s.View(t.Context(), func(tx *Tx) error {
			got, err := runes.BalancesOf(tx.Runes(t.Context()), point)
			if err == nil || !strings.Contains(err.Error(), point.String()) {
				t.Errorf("%x: got %v, %v, want an error that names the output", data, got, err)
			}
			return nil
		}))
	}
}
