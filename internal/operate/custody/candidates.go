package custody

import (
	"context"
	"encoding/hex"
	"slices"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/community"
	"moonfund/internal/store"
)

// span selects the addresses to try.
type span struct {
	from map[string]int64 // the first index, by community; 0: unknown
	gap  int64            // number of indexes after the last known one
	most int              // maximum number of addresses; 0: no maximum
}

// candidates are addresses of known stakers that the ledger does not have.
type candidates struct {
	byScript map[string]StakeAddress
	leftOut  int // number of addresses above the maximum
}

// scripts returns the scripts of the candidates.
func (c candidates) scripts() (all [][]byte) {
	for script := range c.byScript {
		all = append(all, []byte(script))
	}
	return all
}

// paid returns the distinct candidates that outputs pay.
func (c candidates) paid(outputs []chain.Paid) (all []StakeAddress) {
	seen := map[string]bool{}
	for _, out := range outputs {
		if address, ok := c.byScript[string(out.Script)]; ok && !seen[address.Address] {
			seen[address.Address] = true
			all = append(all, address)
		}
	}
	return all
}

// candidates derives the addresses that another copy of the ledger may have issued to the stakers of this one, with the
// manifest's delay and every other delay in the ledger. If there are more than the maximum, the highest indexes of a
// community and all indexes of later communities are omitted.
func (a Accounts) candidates(ctx context.Context, db *store.Store, r span) (c candidates, err error) {
	last, err := a.lastIndexes(ctx, db)
	if err != nil {
		return c, err
	}
	c.byScript = map[string]StakeAddress{}
	for _, m := range a.Manifests {
		known, err := stakersOf(ctx, db, m)
		if err != nil {
			return c, err
		}
		each := len(known.records) * len(known.delays) * 2 // both kinds of custody
		if r.most > 0 && len(c.byScript)+each > r.most {
			c.leftOut += each
		} else if err := a.addFirst(m.Prefix, known, c.byScript); err != nil {
			return c, err
		}
		for index := r.from[m.Prefix]; index <= last[m.Prefix]+r.gap; index++ {
			if r.most > 0 && len(c.byScript)+each > r.most {
				c.leftOut += each * int(last[m.Prefix]+r.gap-index+1)
				break
			}
			if err := a.addIndex(m.Prefix, index, known, c.byScript); err != nil {
				return c, err
			}
		}
	}
	return c, nil
}

// stakers are the stakers of one community, with the data for deriving their addresses.
type stakers struct {
	records   []action.StakeRecord // one for each key
	delays    []uint32
	addresses map[string]bool
}

func stakersOf(ctx context.Context, db *store.Store, m community.Manifest) (s stakers, err error) {
	s = stakers{delays: []uint32{m.RecoveryDelay}, addresses: map[string]bool{}}
	err = db.View(ctx, func(tx *store.Tx) (err error) {
		if s.records, err = tx.StakeOwnerKeys(ctx, m.Prefix); err != nil {
			return err
		}
		handedOut, err := tx.StakeDerivations(ctx, m.Prefix)
		for _, h := range handedOut {
			s.addresses[h.Address] = true
			if !slices.Contains(s.delays, h.Keys.Delay) {
				s.delays = append(s.delays, h.Keys.Delay)
			}
		}
		return err
	})
	return s, err
}

// addFirst adds the first address of every staker of a community.
func (a Accounts) addFirst(prefix string, known stakers, all map[string]StakeAddress) error {
	for _, record := range known.records {
		record.Position = int64(vault.FirstStake(prefix, record.Wallet.Ordinals))
		if err := a.add(prefix, record, known, all); err != nil {
			return err
		}
	}
	return nil
}

// addIndex adds the addresses of all stakers of a community at an index.
func (a Accounts) addIndex(prefix string, index int64, known stakers, all map[string]StakeAddress) error {
	for _, record := range known.records {
		record.Position = index
		if err := a.add(prefix, record, known, all); err != nil {
			return err
		}
	}
	return nil
}

// add adds the addresses of one staker at the record's index that the ledger does not have.
func (a Accounts) add(prefix string, record action.StakeRecord, known stakers, all map[string]StakeAddress) error {
	account, err := a.ByPrefix.Of(prefix)
	if err != nil {
		return err
	}
	leaf, err := hex.DecodeString(record.LeafKey)
	if err != nil {
		return err
	}
	keys := vault.StakeKeys{Position: uint32(record.Position), Leaf: leaf}
	for _, keys.Delay = range known.delays {
		for _, keys.Self = range []bool{false, true} {
			output, err := account.StakeOutput(keys)
			if err != nil {
				return err
			}
			if known.addresses[output.Address] {
				continue
			}
			record.Address, record.Delay, record.Self = output.Address, keys.Delay, keys.Self
			record.Created = time.Now().UTC()
			all[string(output.Script)] = StakeAddress{record, output.Script}
		}
	}
	return nil
}
