package server

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/api"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/epoch"
	"moonfund/internal/fault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/state"
	"moonfund/internal/store"
)

// views implements api.Ledger and api.Orders. Each response is read from one consistent state of the store.
type views struct{ *Server }

func (v views) read(ctx context.Context, fn func(tx *store.Tx, m ledger.Moment) error) error {
	m := v.Clock.Shown()
	return v.Store.View(ctx, func(tx *store.Tx) error { return fn(tx, m) })
}

// readShort is like read for views that usually execute a single statement. fn runs again if it executes a second
// statement.
func (v views) readShort(ctx context.Context, fn func(tx *store.Tx, m ledger.Moment) error) error {
	m := v.Clock.Shown()
	return v.Store.Read(ctx, func(tx *store.Tx) error { return fn(tx, m) })
}

// totalIssued is the specified supply in base units, which is shown until the rune's entry is indexed.
const totalIssued = "2100000000000000"

// Globals implements api.Ledger.
func (v views) Globals(ctx context.Context, prefix string) (g api.Globals, err error) {
	err = v.read(ctx, func(tx *store.Tx, m ledger.Moment) error {
		calendar, err := tx.Calendar(ctx, prefix)
		if err != nil {
			return err
		}
		g.Epoch, g.NextEpoch = calendar.At(m.Chain), m.Shown(calendar.Next(m.Chain))
		if g.TotalStaked, err = tx.TotalStaked(ctx, prefix); err != nil {
			return err
		}
		g.TotalIssued = totalIssued
		id, err := v.runeIDs.Of(prefix)
		if err != nil {
			return err
		}
		entry, known, err := tx.Runes(ctx).RuneEntry(id)
		if err != nil {
			return err
		}
		if known {
			g.TotalIssued = entry.Supply().String()
		}
		site, err := v.manifest(prefix)
		g.Notice = site.Texts.FrontNotice
		return err
	})
	return g, err
}

// supply returns the supply of a community's rune that is issued so far, or math.MaxInt64 if it is larger.
func (v views) supply(ctx context.Context, prefix string) (amount.Runes, error) {
	g, err := v.Globals(ctx, prefix)
	if err != nil {
		return 0, err
	}
	supply, err := amount.ParseRunes(g.TotalIssued)
	if errors.Is(err, amount.ErrOverflow) {
		return math.MaxInt64, nil
	}
	return supply, err
}

// manifest returns a community's manifest as of the last reload. A reload changes no value that computations use.
func (s *Server) manifest(prefix string) (api.Site, error) {
	for _, m := range s.presented().manifests {
		if m.Prefix == prefix {
			return m, nil
		}
	}
	return api.Site{}, fmt.Errorf("%w %q", ledger.ErrUnknownCommunity, prefix)
}

// Totals implements api.Ledger.
func (v views) Totals(ctx context.Context, prefix string, w action.Wallet) (t api.Totals, err error) {
	err = v.readShort(ctx, func(tx *store.Tx, _ ledger.Moment) error {
		sums, err := tx.SumsOf(ctx, prefix, w.Ordinals)
		if err != nil {
			return err
		}
		if sums.Units == 0 { // without units, the wallet is known only by a stake address
			known, err := tx.WalletKnown(ctx, prefix, w.Ordinals)
			if err != nil {
				return err
			}
			if !known {
				return fault.Refuse(fault.WalletDoesNotExist)
			}
		}
		t = api.Totals{
			PendingStake: sums.PendingStake, Staked: sums.Staked, Claimable: sums.Claimable,
			PendingUnlock: sums.PendingUnlock, Unlocked: sums.Unlocked, AllStaked: sums.AllStaked,
		}
		return nil
	})
	return t, err
}

// Units implements api.Ledger.
func (v views) Units(ctx context.Context, prefix string, w action.Wallet, spent bool) (all []api.UnitView, err error) {
	err = v.readShort(ctx, func(tx *store.Tx, m ledger.Moment) error {
		all = nil
		units, err := tx.UnitsOf(ctx, prefix, w.Ordinals)
		if err != nil {
			return err
		}
		deadlines := map[string]time.Time{}
		for _, unit := range units {
			if unit.Stage == ledger.Withdrawn && !spent {
				continue
			}
			timeout, err := unitTimeout(ctx, tx, unit, deadlines, m)
			if err != nil {
				return err
			}
			all = append(all, api.UnitView{Unit: unit, Timeout: timeout})
		}
		return nil
	})
	return all, err
}

// unitTimeout returns when a unit's lock ends: the end of its cooldown, or its order's deadline. It returns the zero
// time if there is no lock. deadlines caches the deadlines of orders.
func unitTimeout(
	ctx context.Context, tx *store.Tx, u ledger.Unit, deadlines map[string]time.Time, m ledger.Moment,
) (time.Time, error) {
	switch u.Stage {
	case ledger.PendingUnlock:
		calendar, err := tx.Calendar(ctx, u.Community)
		if err != nil {
			return time.Time{}, err
		}
		return m.Shown(calendar.Start(u.UnlockEpoch)), nil
	case ledger.POLocked, ledger.POClaimed, ledger.PendingWithdraw:
		if deadline, known := deadlines[u.OrderID]; known {
			return deadline, nil
		}
		o, err := tx.Order(ctx, u.OrderID)
		if err != nil {
			return time.Time{}, err
		}
		deadlines[u.OrderID] = o.Deadline
		return o.Deadline, nil
	}
	return time.Time{}, nil
}

// Journal implements api.Ledger.
func (v views) Journal(ctx context.Context, prefix string, w action.Wallet, before int64,
	limit int) (lines []api.JournalLine, err error) {
	err = v.read(ctx, func(tx *store.Tx, _ ledger.Moment) error {
		rows, err := tx.Journal(ctx, prefix, w.Ordinals, before, limit)
		if err != nil {
			return err
		}
		txids := map[string]string{} // by payout
		for _, row := range rows {
			line := api.JournalLine{Number: row.Number, Posting: row.Posting}
			if id := row.Cause.ID; row.Cause.Kind == "payout" {
				if _, known := txids[id]; !known {
					if txids[id], err = tx.PayoutTxid(ctx, id); err != nil {
						return err
					}
				}
				line.PayoutTxid = txids[id]
			}
			lines = append(lines, line)
		}
		return nil
	})
	return lines, err
}

// Epochs implements api.Ledger.
func (v views) Epochs(ctx context.Context, prefix string, before int64, limit int) (all []api.EpochView, err error) {
	err = v.read(ctx, func(tx *store.Tx, m ledger.Moment) error {
		calendar, err := tx.Calendar(ctx, prefix)
		if err != nil {
			return err
		}
		if before == chain.None {
			before = calendar.At(m.Chain) + 1
		}
		accounts, owners, err := tx.EpochsBelow(ctx, prefix, before, limit)
		if err != nil {
			return err
		}
		for i, account := range accounts {
			all = append(all, epochView(account, owners[i], calendar, m))
		}
		return nil
	})
	return all, err
}

// Compounding implements api.Ledger.
func (v views) Compounding(ctx context.Context, prefix string, w action.Wallet) (c api.CompoundingView, err error) {
	err = v.read(ctx, func(tx *store.Tx, _ ledger.Moment) (err error) {
		if c.Next, _, err = ledger.NextCompounded(ctx, tx.LedgerTx(), prefix, w.Ordinals); err != nil {
			return err
		}
		c.Last, err = tx.LastInstruction(ctx, prefix, w.Ordinals)
		if errors.Is(err, state.ErrNotFound) {
			err = nil
		}
		return err
	})
	return c, err
}

// Earnings implements api.Ledger.
func (v views) Earnings(ctx context.Context, prefix string, w action.Wallet, before int64,
	limit int) (all []api.EarningView, err error) {
	err = v.read(ctx, func(tx *store.Tx, m ledger.Moment) error {
		calendar, err := tx.Calendar(ctx, prefix)
		if err != nil {
			return err
		}
		if before == chain.None {
			before = calendar.At(m.Chain) + 1
		}
		earnings, err := tx.EarningsBelow(ctx, prefix, w.Ordinals, before, limit)
		if err != nil {
			return err
		}
		for _, e := range earnings {
			all = append(all, api.EarningView{
				EpochView: epochView(e.Account, 0, calendar, m), Stake: e.Reward.Stake, Reward: e.Reward.Reward, Use: e.Use,
			})
		}
		return nil
	})
	return all, err
}

func epochView(a ledger.Account, owners int64, calendar epoch.Calendar, m ledger.Moment) api.EpochView {
	return api.EpochView{
		Account: a, Owners: owners, Start: m.Shown(calendar.Start(a.Epoch)), End: m.Shown(calendar.End(a.Epoch)),
	}
}

// EpochRecord implements api.Ledger.
func (v views) EpochRecord(ctx context.Context, prefix string, n int64) (r api.EpochRecord, err error) {
	err = v.read(ctx, func(tx *store.Tx, m ledger.Moment) error {
		account, err := tx.AccountOf(ctx, prefix, n)
		if errors.Is(err, state.ErrNotFound) {
			return fault.Refuse(fault.EpochUnknown)
		}
		if err != nil {
			return err
		}
		calendar, err := tx.Calendar(ctx, prefix)
		if err != nil {
			return err
		}
		if r.Rewards, err = tx.Rewards(ctx, prefix, n); err != nil {
			return err
		}
		inputs, err := tx.Inputs(ctx, prefix, n)
		for _, input := range inputs {
			r.Inputs = append(r.Inputs, api.EpochInput{
				UnitId: input.UnitID, Owner: input.Owner, Amount: api.RuneAmount(amount.Runes(input.Amount).String()),
			})
		}
		r.EpochView = epochView(account, int64(len(r.Rewards)), calendar, m)
		return err
	})
	return r, err
}

// Payments implements api.Orders.
func (v views) Payments(ctx context.Context, prefix string, w action.Wallet,
	orderID string) (payments []order.Payment, err error) {
	err = v.read(ctx, func(tx *store.Tx, _ ledger.Moment) error {
		if _, err := v.Server.Orders.Find(ctx, tx.OrderTx(), prefix, w.Ordinals, orderID); err != nil {
			return err
		}
		all, err := tx.PaymentsOf(ctx, orderID)
		payments = slices.DeleteFunc(all, func(p order.Payment) bool { return !p.Seen() })
		slices.Reverse(payments)
		return err
	})
	return payments, err
}

// Rerate implements api.Orders.
func (v views) Rerate(ctx context.Context, prefix string, w action.Wallet, orderID string) (order.Order, error) {
	rate := v.Rates.Rate(ctx) // before the transaction: the node may be slow
	return v.changeOrder(ctx, prefix, w, orderID, func(tx order.Tx, now time.Time) (order.Order, error) {
		return v.Server.Orders.Rerate(ctx, tx, prefix, w.Ordinals, orderID, rate, now)
	})
}

// Wait implements api.Orders.
func (v views) Wait(ctx context.Context, prefix string, w action.Wallet, orderID string) (order.Order, error) {
	return v.changeOrder(ctx, prefix, w, orderID, func(tx order.Tx, now time.Time) (order.Order, error) {
		return v.Server.Orders.Wait(ctx, tx, prefix, w.Ordinals, orderID, now)
	})
}

// Raise implements api.Orders.
func (v views) Raise(ctx context.Context, prefix string, w action.Wallet, orderID string) (order.Order, error) {
	rate := v.Rates.Rate(ctx)
	return v.changeOrder(ctx, prefix, w, orderID, func(tx order.Tx, now time.Time) (order.Order, error) {
		return v.Server.Orders.Raise(ctx, tx, prefix, w.Ordinals, orderID, rate, now)
	})
}

// changeOrder changes an order of a wallet in a transaction, unless the server can't change anything now. If the change
// needs the payments of an order with many, they are read before the transaction.
func (v views) changeOrder(ctx context.Context, prefix string, w action.Wallet, orderID string,
	change func(tx order.Tx, now time.Time) (order.Order, error)) (o order.Order, err error) {
	if err := v.ready(); err != nil {
		return o, err
	}
	m, err := v.Clock.Moment()
	if err != nil {
		return o, fault.Refuse(fault.ClockUncertain).Because(err)
	}
	err = order.ReadAhead(ctx, orderID, func(ctx context.Context, fn func(order.Tx) error) error {
		return v.Store.View(ctx, func(tx *store.Tx) error { return fn(tx.OrderTx()) })
	}, func(ahead order.Ahead) error {
		return v.Store.Update(ctx, func(tx *store.Tx) (err error) {
			o, err = change(ahead.Use(tx.OrderTx()), m.Now)
			return err
		})
	})
	if err == nil {
		v.changed(prefix, w.Ordinals)
	}
	return o, err
}
