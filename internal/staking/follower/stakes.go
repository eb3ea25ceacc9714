package follower

import (
	"context"
	"errors"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/state"
)

const (
	stakesAtOnce  = 100            // maximum number of stake addresses that expire in one Step
	searchedAgain = 24 * time.Hour // extension for an address whose deposits are not searched yet
)

// ExpiringStake is a stake address that has expired: it was last requested action.StakeKept ago.
type ExpiringStake struct {
	Address    string
	Position   int64 // derivation index
	ActionID   string
	Used       bool // it received an output, or a unit or a proof of its owner exists
	Unsearched bool // earlier blocks were not searched for its deposits
}

// expireStakes deletes expired stake addresses and returns their scripts. It keeps an address that was used, and
// postpones the expiry of one whose deposits are not searched yet. The chain and the mempool must have been followed to
// their ends with the scripts watched.
func (f *Follower) expireStakes(ctx context.Context, tx Tx, now time.Time) (scripts [][]byte, err error) {
	found, err := tx.Adopted.AdoptedOutputs(ctx, 1)
	if err != nil || len(found) > 0 { // an output that is not credited yet may be at one of these addresses
		return nil, err
	}
	due, err := tx.Stakes.ExpiringStakes(ctx, now, stakesAtOnce)
	if err != nil {
		return nil, err
	}
	for _, s := range due {
		switch {
		case s.Used:
			err = tx.Stakes.ExtendStake(ctx, s.Address, time.Time{})
		case s.Unsearched:
			err = tx.Stakes.ExtendStake(ctx, s.Address, now.Add(searchedAgain))
		default:
			var address chain.Address
			if address, err = chain.ParseAddress(s.Address, f.Rules.Network); err != nil {
				return nil, err
			}
			if err = tx.Stakes.ExpireStake(ctx, s, address.Script, now); err == nil {
				scripts = append(scripts, address.Script)
			}
		}
		if err != nil && !errors.Is(err, state.ErrConflict) {
			return nil, err
		}
	}
	return scripts, nil
}
