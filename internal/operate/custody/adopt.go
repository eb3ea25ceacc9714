package custody

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/operate/decisions"
	"moonfund/internal/operate/recovery"
	"moonfund/internal/staking/action"
	"moonfund/internal/state"
	"moonfund/internal/store"
)

// MaxGap is the maximum number of address indexes after the last known one that a search tries, each for every staker
// and every delay.
const MaxGap = 10_000

// StakeAddress is a stake address that another ledger with the same key issued.
type StakeAddress struct {
	action.StakeRecord
	Script []byte
}

// FromKit returns the addresses of a recovery kit. It finds the index of each address by the community's key in the
// kit.
func (a Accounts) FromKit(ctx context.Context, db *store.Store, path string) (all []StakeAddress, err error) {
	kit, err := recovery.ReadKit(path)
	if err != nil {
		return nil, err
	}
	if kit.Network != a.Network.Name {
		return nil, fmt.Errorf("the kit is for %s, but the ledger is on %s", kit.Network, a.Network.Name)
	}
	outputs, err := recovery.OpenAll(kit, a.Network)
	if err != nil {
		return nil, err
	}
	last, err := a.lastIndexes(ctx, db)
	if err != nil {
		return nil, err
	}
	for _, o := range outputs {
		record, err := a.locate(o.Stake, o.To.Text, last)
		if err != nil {
			return nil, fmt.Errorf("the kit's output %s: %w", o.Point, err)
		}
		all = append(all, record)
	}
	return all, nil
}

// locate finds the community and the index of a stake output by deriving its address. The index belongs to the owner's
// first address or was assigned by the counter. last contains the last assigned index of each community.
func (a Accounts) locate(stake vault.StakeOutput, owner string, last map[string]int64) (found StakeAddress, err error) {
	for prefix, account := range a.ByPrefix.All() {
		for index := int64(-1); index <= last[prefix]+MaxGap; index++ {
			position := index
			if index < 0 {
				position = int64(vault.FirstStake(prefix, owner))
			}
			output, err := account.StakeOutput(vault.StakeKeys{Position: uint32(position),
				Leaf: stake.Leaf, Delay: stake.Delay, Self: stake.Self})
			if err != nil {
				return found, err
			}
			if output.Address == stake.Address {
				return StakeAddress{action.StakeRecord{
					Address: output.Address, Community: prefix, Position: position, LeafKey: hex.EncodeToString(stake.Leaf),
					Delay: stake.Delay, Self: stake.Self, Wallet: action.Wallet{Ordinals: owner}, Created: time.Now().UTC(),
				}, output.Script}, nil
			}
		}
	}
	return found, fmt.Errorf("%s is not derived from this key, up to the index %d after the last known one",
		stake.Address, MaxGap)
}

// lastIndexes returns the last address index of each community: from the ledger, or a higher index from the mark that
// the ledger is behind.
func (a Accounts) lastIndexes(ctx context.Context, db *store.Store) (last map[string]int64, err error) {
	last = map[string]int64{}
	err = db.View(ctx, func(tx *store.Tx) error {
		mark, err := tx.Mark(ctx)
		if err != nil {
			return err
		}
		behind, _, err := tx.Behind(ctx)
		for prefix := range a.ByPrefix.All() {
			last[prefix] = max(mark.Counts["stake:"+prefix], behind.Counts["stake:"+prefix])
		}
		return err
	})
	return last, err
}

// FromLedger returns the addresses of another ledger, which must be derived from the same key. name is the ledger's
// folder, file or address.
func (a Accounts) FromLedger(ctx context.Context, name string) (all []StakeAddress, err error) {
	records, err := store.ReadStakes(ctx, ledgerAddress(name))
	if err != nil {
		return nil, fmt.Errorf("the other ledger %s can't be read: %w", name, err)
	}
	for _, r := range records {
		account, err := a.ByPrefix.Of(r.Community)
		if err != nil {
			return nil, fmt.Errorf("the other ledger has the community %s, which has no manifest here", r.Community)
		}
		leaf, err := hex.DecodeString(r.LeafKey)
		if err != nil {
			return nil, err
		}
		output, err := account.StakeOutput(vault.StakeKeys{Position: uint32(r.Position), Leaf: leaf,
			Delay: r.Delay, Self: r.Self})
		if err != nil {
			return nil, err
		}
		if output.Address != r.Address {
			return nil, fmt.Errorf("the other ledger has another key: %s is not derived from this one", r.Address)
		}
		all = append(all, StakeAddress{r, output.Script})
	}
	return all, nil
}

func ledgerAddress(name string) string {
	if strings.HasPrefix(name, "sqlite:") || strings.Contains(name, "://") {
		return name
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		name = filepath.Join(name, "ledger.db")
	}
	return "sqlite:" + name
}

// FromChain searches for deposits at addresses that another ledger may have issued to stakers of this ledger: up to gap
// indexes after the last one. If there is any address to search for, FromChain calls ready before it calls the node,
// and returns the error of ready.
func (a Accounts) FromChain(
	ctx context.Context, db *store.Store, s Search, gap uint32, ready func() error,
) (all []StakeAddress, err error) {
	candidates, err := a.candidates(ctx, db, span{gap: int64(gap)})
	if err != nil || len(candidates.byScript) == 0 {
		return nil, err
	}
	if err := ready(); err != nil {
		return nil, err
	}
	from, err := a.start()
	if err != nil {
		return nil, err
	}
	paid, err := s.find(ctx, candidates.scripts(), from)
	if err != nil {
		return nil, err
	}
	return candidates.paid(paid), nil
}

// Unknown returns the found addresses that the ledger does not have.
func Unknown(ctx context.Context, db *store.Store, found []StakeAddress) (fresh []StakeAddress, err error) {
	err = db.View(ctx, func(tx *store.Tx) error {
		for _, f := range found {
			if _, err := tx.StakeKeys(ctx, f.Address); errors.Is(err, state.ErrNotFound) {
				fresh = append(fresh, f)
			} else if err != nil {
				return err
			}
		}
		return nil
	})
	return fresh, err
}

// Adopt returns the change that adopts addresses. Its result is the addresses that were new.
func Adopt(a decisions.Author, fresh []StakeAddress) decisions.Change[[]string] {
	return decisions.Change[[]string]{
		Preview: func(context.Context, *store.Tx) (string, error) {
			var b strings.Builder
			fmt.Fprintf(&b, "%d stake addresses that this ledger does not have will be watched, "+
				"and deposits there belong to their stakers:\n", len(fresh))
			for _, f := range fresh {
				fmt.Fprintf(&b, "  %s  %s, index %d, of %s\n", f.Address, f.Community, f.Position, f.Wallet.Ordinals)
			}
			return b.String(), nil
		},
		Apply: func(ctx context.Context, tx *store.Tx, at time.Time, preview string) ([]string, error) {
			all := []string{}
			for _, f := range fresh {
				added, err := tx.AdoptStake(ctx, f.StakeRecord, f.Script)
				if err != nil {
					return nil, err
				}
				if added {
					all = append(all, f.Address)
				}
			}
			_, err := tx.Log(ctx, a.Line(at, "ledger adopt", fmt.Sprintf("%d addresses", len(all)), preview))
			return all, err
		},
	}
}
