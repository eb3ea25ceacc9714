package follower

import (
	"context"
	"errors"
	"time"

	"moonfund/chain"
	"moonfund/state"
)

const (
	stakesAtOnce  = 100            // stake addresses that expire in one Step
	searchedAgain = 24 * time.Hour // an address whose deposits are yet to be searched for stays so long
)

// ExpiringStake is a stake address that nobody asked for during the time that it is kept.
type ExpiringStake struct {
	Address    string
	Position   int64
	ActionID   string
	Used       bool // something was seen there, or its owner is known by a unit or a proof
	Unsearched bool // its deposits in blocks that were followed before are not searched for yet
}

// expireStakes deletes stake addresses that expired and returns their scripts. An address that was used stays for good.
// Everything in the chain and the mempool was followed before, with the script watched.
func (f *Follower) expireStakes(ctx context.Context, tx Tx, now time.Time) (scripts [][]byte, err error) {
	found, err := tx.Adopted.AdoptedOutputs(ctx, 1)
	if err != nil || len(found) > 0 { // a deposit that is yet to be credited may be at one of them
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
