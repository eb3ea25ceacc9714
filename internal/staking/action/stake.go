package action

import (
	"context"
	"encoding/hex"
	"errors"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/fault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
)

// NewStake issues a stake address. In self-custody, the community and the staker can spend from it together (ADR 68);
// in operator custody, the community's key alone can. The staker's own key can after the recovery delay. NewStake
// returns the owner's last address of that custody until something is sent to it.
//
// The first address of an owner is derived from the owner. Any caller can request it without a proof, so it expires if
// nothing is sent to it. A later request issues the same address again. Further addresses of an owner never expire.
func (s *Service) NewStake(ctx context.Context, community string, r StakeRequest) (StakeAddress, error) {
	payment, ordinals, err := s.wallet(r.Wallet)
	if err != nil {
		return StakeAddress{}, err
	}
	if !payment.DerivesFrom(r.PaymentKey) {
		return StakeAddress{}, fault.Refuse(fault.KeyNotOfAddress, r.Wallet.Payment)
	}
	leaf, err := vault.StakerKey(ordinals, r.OrdinalsKey)
	if err != nil {
		return StakeAddress{}, fault.Refuse(fault.KeyNotOfAddress, r.Wallet.Ordinals).Because(err)
	}
	supply, err := s.Supply(ctx, community)
	if err != nil {
		return StakeAddress{}, err
	}
	var given StakeAddress
	err = s.change(ctx, func(tx Tx, terms Terms, m ledger.Moment) error {
		if err := refuseClosed(ctx, tx, community, Stake); err != nil {
			return err
		}
		if r.Amount < terms.MinimumStake {
			return fault.Refuse(fault.StakeBelowMinimum, runesText(terms.MinimumStake, terms))
		}
		if r.Amount > supply {
			return fault.Refuse(fault.StakeAboveSupply)
		}
		if !r.Self && !terms.OperatorCustody {
			return fault.Refuse(fault.SelfCustodyOnly)
		}
		record, err := tx.Stakes.OpenStake(ctx, StakeRecord{
			Community: community, LeafKey: hex.EncodeToString(leaf), Delay: terms.Delay, Self: r.Self,
			Wallet: Wallet{payment.Text, ordinals.Text},
		})
		switch {
		case errors.Is(err, state.ErrNotFound):
			record, err = s.issueAddress(ctx, tx, terms, record, leaf, r.Amount, m)
		case err == nil:
			err = extend(ctx, tx, record, m)
		}
		if err != nil {
			return err
		}
		keys := vault.StakeKeys{Position: uint32(record.Position), Leaf: leaf, Delay: record.Delay, Self: record.Self}
		output, err := terms.Account.StakeOutput(keys)
		given = StakeAddress{Address: record.Address, ActionID: record.ActionID, Self: record.Self,
			CommunityKey: hex.EncodeToString(output.CommunityKey), Delay: record.Delay}
		return err
	}, community)
	return given, err
}

// StakeKept is the time from the last request for an owner's first stake address until the unfunded address expires.
const StakeKept = 30 * 24 * time.Hour

// extend postpones the expiry of an address that is requested again. It writes at most once a day.
func extend(ctx context.Context, tx Tx, record StakeRecord, m ledger.Moment) error {
	expires := m.Now.Add(StakeKept)
	if record.Expires.IsZero() || expires.Sub(record.Expires) < 24*time.Hour {
		return nil
	}
	return tx.Stakes.ExtendStake(ctx, record.Address, expires)
}

// issueAddress stores a new stake address: the owner's first one, or the next index if the ledger has the first one.
func (s *Service) issueAddress(
	ctx context.Context, tx Tx, terms Terms, record StakeRecord, leaf []byte, wanted amount.Runes, m ledger.Moment,
) (StakeRecord, error) {
	id, err := s.newID()
	if err != nil {
		return record, err
	}
	w := record.Wallet
	insert := tx.Stakes.InsertFirstStake
	keys := vault.StakeKeys{Position: vault.FirstStake(terms.Prefix, w.Ordinals), Leaf: leaf, Delay: terms.Delay,
		Self: record.Self}
	output, err := terms.Account.StakeOutput(keys)
	if err != nil {
		return record, err
	}
	record.Expires = m.Now.Add(StakeKept)
	known, err := tx.Stakes.StakeKnown(ctx, output.Address)
	if err != nil {
		return record, err
	}
	if known {
		next, err := tx.Stakes.NextStakePosition(ctx, terms.Prefix)
		if err != nil {
			return record, err
		}
		insert, keys.Position, record.Expires = tx.Stakes.InsertStake, uint32(next), time.Time{}
		if output, err = terms.Account.StakeOutput(keys); err != nil {
			return record, err
		}
	}
	record.Address, record.Position, record.ActionID, record.Created = output.Address, int64(keys.Position), id, m.Now
	if err := insert(ctx, record); err != nil {
		return record, err
	}
	watched := ledger.Watched{
		Script: output.Script, Community: terms.Prefix, Kind: ledger.StakeKind, Ref: output.Address, Owner: w.Ordinals,
	}
	if err := tx.Outputs.WatchScript(ctx, watched); err != nil {
		return record, err
	}
	return record, tx.Actions.InsertAction(ctx, Action{
		ID: id, Community: terms.Prefix, Type: Stake, Wallet: w, Amount: wanted, Created: m.Now,
		Expires: m.Now.AddDate(100, 0, 0),
	})
}
