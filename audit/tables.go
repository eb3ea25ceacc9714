package audit

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// table is how the rows of one kind are asked for, and where their columns go.
type table[T any] struct {
	query  string // without its condition
	fields func(*T) []any
}

var (
	communityRows = table[community]{"SELECT prefix, rune_id, network FROM community", func(c *community) []any {
		return []any{&c.prefix, &c.runeID, &c.network}
	}}
	anchorRows = table[anchor]{"SELECT community, epoch, starts_at FROM epoch_anchor", func(a *anchor) []any {
		return []any{&a.community, &a.epoch, &a.startsAt}
	}}
	entryRows   = table[stored]{"SELECT id, entry FROM rune_entry", pair}
	balanceRows = table[stored]{"SELECT outpoint, balances FROM rune_balance", pair}
	settingRows = table[stored]{"SELECT name, value FROM setting", pair}
	counterRows = table[stored]{"SELECT name, CAST(value AS TEXT) FROM counter", pair}
	blockRows   = table[block]{"SELECT height, hash, prev, time FROM block", func(b *block) []any {
		return []any{&b.height, &b.hash, &b.prev, &b.time}
	}}
	boundaryRows = table[boundary]{"SELECT community, epoch, cut FROM boundary", func(b *boundary) []any {
		return []any{&b.community, &b.epoch, &b.cut}
	}}
	watchRows = table[watched]{"SELECT script, community, kind, ref, owner FROM watch", func(w *watched) []any {
		return []any{&w.script, &w.community, &w.kind, &w.ref, &w.owner}
	}}
	addressRows = table[stakeAddress]{"SELECT address, community, owner FROM stake_address", func(s *stakeAddress) []any {
		return []any{&s.address, &s.community, &s.owner}
	}}
	custodyRows = table[custody]{`SELECT txid, vout, community, kind, ref, owner, script, value, runes, quarantine, booked, coinbase,
		height, vanished, spent_by, spent_ours, spent_height FROM custody`, func(c *custody) []any {
		return []any{&c.txid, &c.vout, &c.community, &c.kind, &c.ref, &c.owner, &c.script, &c.value, &c.runes, &c.quarantine,
			&c.booked, &c.coinbase, &c.height, &c.vanished, &c.spentBy, &c.spentOurs, &c.spentHeight}
	}}
	trackedRows = table[tracked]{"SELECT txid, raw, height, vanished FROM tracked", func(t *tracked) []any {
		return []any{&t.txid, &t.raw, &t.height, &t.vanished}
	}}
	unitRows = table[unit]{`SELECT unit.community, id, unit.owner, origin, amount, stage, not_before, eligible_epoch, staked_to, unlock_epoch,
		reward_epoch, order_id, stage_before, txid, vout, COALESCE(epoch_reward.unit_id, ''), COALESCE(epoch_reward.reward, 0)
		FROM unit LEFT JOIN epoch_reward ON epoch_reward.community = unit.community AND epoch_reward.epoch = unit.reward_epoch
			AND epoch_reward.owner = unit.owner`, func(u *unit) []any {
		return []any{&u.community, &u.id, &u.owner, &u.origin, &u.amount, &u.stage, &u.notBefore, &u.eligible, &u.stakedTo,
			&u.unlock, &u.rewardEpoch, &u.orderID, &u.before, &u.txid, &u.vout, &u.rewardUnit, &u.reward}
	}}
	stakedRows = table[stored]{"SELECT community, CAST(amount AS TEXT) FROM staked_total", pair}
	epochRows  = table[epochAccount]{"SELECT community, epoch, planned, reserved, settled, staked, rewarded, cut, cut_hash FROM epoch_account",
		func(e *epochAccount) []any {
			return []any{&e.community, &e.epoch, &e.planned, &e.reserved, &e.settled, &e.staked, &e.rewarded, &e.cut, &e.cutHash}
		}}
	inputRows = table[epochInput]{"SELECT community, epoch, unit_id, owner, amount FROM epoch_input", func(i *epochInput) []any {
		return []any{&i.community, &i.epoch, &i.unitID, &i.owner, &i.amount}
	}}
	paidRows   = table[epochKey]{"SELECT DISTINCT community, epoch FROM epoch_reward", func(k *epochKey) []any { return []any{&k.community, &k.epoch} }}
	rewardRows = table[epochReward]{"SELECT community, epoch, owner, stake, reward, unit_id FROM epoch_reward", func(w *epochReward) []any {
		return []any{&w.community, &w.epoch, &w.owner, &w.stake, &w.reward, &w.unitID}
	}}
	postingRows = table[posting]{`SELECT number, community, subject, owner, event, asset, amount, from_account, to_account, cause_kind, cause_id, at
		FROM journal`, func(p *posting) []any {
		return []any{&p.number, &p.community, &p.subject, &p.owner, &p.event, &p.asset, &p.amount, &p.from, &p.to, &p.causeKind, &p.causeID, &p.at}
	}}
	actionRows = table[action]{`SELECT id, community, type, payment, ordinals, unit_ids, order_id, message, created_at, expires_at, used_at,
		signature, signer FROM action`, func(a *action) []any {
		return []any{&a.id, &a.community, &a.kind, &a.payment, &a.ordinals, &a.unitIDs, &a.orderID, &a.message, &a.createdAt,
			&a.expiresAt, &a.usedAt, &a.signature, &a.signer}
	}}
	linkRows = table[link]{"SELECT community, ordinals, payment FROM wallet_link", func(l *link) []any {
		return []any{&l.community, &l.ordinals, &l.payment}
	}}
	orderRows = table[order]{`SELECT id, community, reason, owner, payment, action_id, unit_ids, real_units, amount, network_fee, service_fee,
		rutxos_fee, address, script, status, seen, confirmed, late, refunded, returned, payout_id, payout_tx,
		usable, anchor, refund_due, refund_reason, by_refund FROM payment_order`, func(o *order) []any {
		return []any{&o.id, &o.community, &o.reason, &o.owner, &o.payment, &o.actionID, &o.unitIDs, &o.realUnits, &o.amount, &o.networkFee,
			&o.serviceFee, &o.rutxosFee, &o.address, &o.script, &o.status, &o.seen, &o.confirmed, &o.late, &o.refunded, &o.returned, &o.payoutID, &o.payoutTx,
			&o.usable, &o.anchor, &o.refundDue, &o.refundReason, &o.byRefund}
	}}
	paymentRows = table[payment]{"SELECT txid, vout, number, order_id, counted, late FROM payment", func(p *payment) []any {
		return []any{&p.txid, &p.vout, &p.number, &p.orderID, &p.counted, &p.late}
	}}
	payoutRows = table[payout]{"SELECT id, community, kind, order_ids, status FROM payout", func(p *payout) []any {
		return []any{&p.id, &p.community, &p.kind, &p.orderIDs, &p.status}
	}}
	versionRows = table[version]{"SELECT txid, payout_id, raw, height FROM payout_version", func(v *version) []any {
		return []any{&v.txid, &v.payoutID, &v.raw, &v.height}
	}}
)

func pair(s *stored) []any { return []any{&s.key, &s.text} }

// What the rows are known by.
func (s stored) entry() (string, string)   { return s.key, s.text }
func (c custody) entry() (string, custody) { return c.outpoint(), c }
func (t tracked) entry() (string, tracked) { return t.txid, t }
func (u unit) entry() (unitKey, unit)      { return unitKey{u.community, u.id}, u }
func (l link) entry() (link, bool)         { return l, true }
func (k epochKey) entry() (epochKey, bool) { return k, true }
func (o order) entry() (string, order)     { return o.id, o }
func (p payout) entry() (string, payout)   { return p.id, p }
func (v version) entry() (string, version) { return v.txid, v }

// reader runs queries in one transaction until the first error.
type reader struct {
	ctx context.Context
	tx  *sql.Tx
	err error
}

// each visits the rows that meet a condition, "" for all, in the order that it asks for.
func each[T any](r *reader, t table[T], condition string, visit func(T), args ...any) {
	if r.err != nil {
		return
	}
	query := t.query + " " + condition
	result, err := r.tx.QueryContext(r.ctx, query, args...)
	if err != nil {
		r.err = fmt.Errorf("audit: %w (%s)", err, query)
		return
	}
	defer result.Close()
	var row T
	into := t.fields(&row)
	for result.Next() {
		var empty T
		row = empty
		if err := result.Scan(into...); err != nil {
			r.err = fmt.Errorf("audit: %w (%s)", err, query)
			return
		}
		visit(row)
	}
	if err := result.Err(); err != nil {
		r.err = fmt.Errorf("audit: %w (%s)", err, query)
	}
}

func list[T any](r *reader, t table[T], condition string, args ...any) (rows []T) {
	each(r, t, condition, func(row T) { rows = append(rows, row) }, args...)
	return rows
}

// among is the condition that a column is one of some values.
func among[V any](column string, values []V) (condition string, args []any) {
	if len(values) == 0 {
		return "WHERE 1 = 0", nil
	}
	places := make([]string, len(values))
	for i, value := range values {
		places[i] = fmt.Sprint("$", i+1)
		args = append(args, value)
	}
	return "WHERE " + column + " IN (" + strings.Join(places, ", ") + ")", args
}

// keyed is list as a map.
func keyed[T, V any, K comparable](r *reader, t table[T], entry func(T) (K, V), condition string, args ...any) map[K]V {
	m := map[K]V{}
	each(r, t, condition, func(row T) {
		key, value := entry(row)
		m[key] = value
	}, args...)
	return m
}

func byKey[T, V any, K comparable](all []T, entry func(T) (K, V)) map[K]V {
	m := make(map[K]V, len(all))
	for _, row := range all {
		key, value := entry(row)
		m[key] = value
	}
	return m
}
