package audit

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// The rows of the database, as plain as they are. none stands for no height and no epoch.
const none = -1

type (
	community struct{ prefix, runeID, network string }
	anchor    struct {
		community string
		epoch     int64
		startsAt  int64
	}
	block struct {
		height     int64
		hash, prev string
		time       int64
	}
	boundary struct {
		community  string
		epoch, cut int64
	}
	watched struct {
		script                      []byte
		community, kind, ref, owner string
	}
	custody struct {
		txid                        string
		vout                        int64
		community, kind, ref, owner string
		script                      []byte
		value, runes                int64
		quarantine                  string
		booked, coinbase            bool
		seenAt, height              int64
		vanished                    bool
		spentBy                     string
		spentOurs                   bool
		spentHeight                 int64
	}
	payment struct {
		txid         string
		vout, number int64
		orderID      string
		counted      bool
		late         bool
	}
	tracked struct {
		txid     string
		raw      []byte
		height   int64
		vanished bool
	}
	unit struct {
		community, id, owner, origin string
		amount                       int64
		stage                        string
		notBefore, eligible          int64
		stakedTo, unlock             int64
		rewardEpoch                  int64
		orderID, before, txid        string
		vout                         int64
	}
	action struct {
		id, community, kind, payment, ordinals string
		unitIDs                                names
		orderID, message                       string
		createdAt, expiresAt, usedAt           int64
		signature, signer                      string
	}
	link  struct{ community, ordinals, payment string }
	order struct {
		id, community, reason, owner, actionID string
		payment                                string // the address that refunds go to
		unitIDs                                names
		realUnits, amount                      int64
		networkFee, serviceFee, rutxosFee      int64
		address                                string
		script                                 []byte
		status                                 string
		seen, confirmed, late, refunded        int64
		returned                               int64
		payoutID, payoutTx                     string
	}
	payout struct {
		id, community, kind string
		orderIDs            names
		status              string
	}
	version struct {
		txid, payoutID string
		raw            []byte
		height         int64
	}
	epochAccount struct {
		community                string
		epoch, planned, reserved int64
		settled                  bool
		staked, rewarded, cut    int64
		cutHash                  string
	}
	epochInput struct {
		community string
		epoch     int64
		unitID    string
		owner     string
		amount    int64
	}
	epochReward struct {
		community     string
		epoch         int64
		owner         string
		stake, reward int64
		unitID        string
	}
	posting struct {
		number                           int64
		community, subject, owner, event string
		asset                            string
		amount                           int64
		from, to, causeKind, causeID     string
		at                               int64
	}
	stakeAddress struct{ address, community, owner string }
	stored       struct{ key, text string }
)

// names is a JSON array of strings.
type names []string

// Scan implements sql.Scanner.
func (n *names) Scan(value any) error {
	switch text := value.(type) {
	case string:
		return json.Unmarshal([]byte(text), n)
	case []byte:
		return json.Unmarshal(text, n)
	}
	return fmt.Errorf("a list of names is a %T", value)
}

// books is the whole ledger at one moment.
type books struct {
	communities []community
	anchors     []anchor
	settings    map[string]string
	counters    map[string]string
	blocks      []block
	boundaries  []boundary
	watch       map[string]watched // by script
	addresses   map[string]stakeAddress
	custody     map[string]custody // by outpoint
	payments    []payment          // in order of arrival
	tracked     map[string]tracked
	units       map[unitKey]unit
	actions     map[string]action
	links       map[link]bool
	orders      map[string]order
	payouts     map[string]payout
	versions    map[string]version // by txid
	epochs      []epochAccount
	staked      map[string]string // the kept sums of STAKED units, by community
	inputs      []epochInput
	rewards     []epochReward
	journal     []posting
	entries     []stored
	balances    []stored
}

type unitKey struct{ community, id string }

func outpoint(txid string, vout int64) string { return fmt.Sprintf("%s:%d", txid, vout) }

func (c custody) outpoint() string { return outpoint(c.txid, c.vout) }
func (p payment) outpoint() string { return outpoint(p.txid, p.vout) }
func (o order) total() int64       { return dust + o.networkFee + o.serviceFee + o.rutxosFee }

// dust is what every delivery output carries beyond the sats of its units.
const dust = 546

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// read takes every row in one read-only transaction.
func read(ctx context.Context, db *sql.DB) (b books, err error) {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true, Isolation: sql.LevelRepeatableRead})
	if err != nil {
		return b, fmt.Errorf("audit: %w", err)
	}
	defer tx.Rollback()
	r := reader{ctx: ctx, tx: tx}
	b.readChain(&r)
	b.readCustody(&r)
	b.readLedger(&r)
	b.readOrders(&r)
	return b, r.err
}

func (b *books) readChain(r *reader) {
	b.communities = rows(r, "SELECT prefix, rune_id, network FROM community ORDER BY prefix", func(c *community) []any {
		return []any{&c.prefix, &c.runeID, &c.network}
	})
	b.anchors = rows(r, "SELECT community, epoch, starts_at FROM epoch_anchor ORDER BY community, epoch", func(a *anchor) []any {
		return []any{&a.community, &a.epoch, &a.startsAt}
	})
	pair := func(s *stored) []any { return []any{&s.key, &s.text} }
	b.settings = byKey(rows(r, "SELECT name, value FROM setting", pair), func(s stored) (string, string) { return s.key, s.text })
	b.counters = byKey(rows(r, "SELECT name, CAST(value AS TEXT) FROM counter", pair), func(s stored) (string, string) { return s.key, s.text })
	b.blocks = rows(r, "SELECT height, hash, prev, time FROM block ORDER BY height", func(b *block) []any {
		return []any{&b.height, &b.hash, &b.prev, &b.time}
	})
	b.boundaries = rows(r, "SELECT community, epoch, cut FROM boundary ORDER BY community, epoch", func(b *boundary) []any {
		return []any{&b.community, &b.epoch, &b.cut}
	})
	b.entries = rows(r, "SELECT id, entry FROM rune_entry ORDER BY id", pair)
	b.balances = rows(r, "SELECT outpoint, balances FROM rune_balance ORDER BY outpoint", pair)
}

func (b *books) readCustody(r *reader) {
	b.watch = byKey(rows(r, "SELECT script, community, kind, ref, owner FROM watch", func(w *watched) []any {
		return []any{&w.script, &w.community, &w.kind, &w.ref, &w.owner}
	}), func(w watched) (string, watched) { return string(w.script), w })
	b.addresses = byKey(rows(r, "SELECT address, community, owner FROM stake_address", func(s *stakeAddress) []any {
		return []any{&s.address, &s.community, &s.owner}
	}), func(s stakeAddress) (string, stakeAddress) { return s.address, s })
	b.custody = byKey(rows(r, `SELECT txid, vout, community, kind, ref, owner, script, value, runes, quarantine, booked, coinbase,
		seen_at, height, vanished, spent_by, spent_ours, spent_height FROM custody`, func(c *custody) []any {
		return []any{&c.txid, &c.vout, &c.community, &c.kind, &c.ref, &c.owner, &c.script, &c.value, &c.runes, &c.quarantine,
			&c.booked, &c.coinbase, &c.seenAt, &c.height, &c.vanished, &c.spentBy, &c.spentOurs, &c.spentHeight}
	}), func(c custody) (string, custody) { return c.outpoint(), c })
	b.tracked = byKey(rows(r, "SELECT txid, raw, height, vanished FROM tracked", func(t *tracked) []any {
		return []any{&t.txid, &t.raw, &t.height, &t.vanished}
	}), func(t tracked) (string, tracked) { return t.txid, t })
}

func (b *books) readLedger(r *reader) {
	b.units = byKey(rows(r, `SELECT community, id, owner, origin, amount, stage, not_before, eligible_epoch, staked_to, unlock_epoch,
		reward_epoch, order_id, stage_before, txid, vout FROM unit`, func(u *unit) []any {
		return []any{&u.community, &u.id, &u.owner, &u.origin, &u.amount, &u.stage, &u.notBefore, &u.eligible, &u.stakedTo,
			&u.unlock, &u.rewardEpoch, &u.orderID, &u.before, &u.txid, &u.vout}
	}), func(u unit) (unitKey, unit) { return unitKey{u.community, u.id}, u })
	b.staked = byKey(rows(r, "SELECT community, CAST(amount AS TEXT) FROM staked_total", func(s *stored) []any {
		return []any{&s.key, &s.text}
	}), func(s stored) (string, string) { return s.key, s.text })
	b.epochs = rows(r, `SELECT community, epoch, planned, reserved, settled, staked, rewarded, cut, cut_hash FROM epoch_account
		ORDER BY community, epoch`, func(e *epochAccount) []any {
		return []any{&e.community, &e.epoch, &e.planned, &e.reserved, &e.settled, &e.staked, &e.rewarded, &e.cut, &e.cutHash}
	})
	b.inputs = rows(r, "SELECT community, epoch, unit_id, owner, amount FROM epoch_input ORDER BY community, epoch, unit_id", func(i *epochInput) []any {
		return []any{&i.community, &i.epoch, &i.unitID, &i.owner, &i.amount}
	})
	b.rewards = rows(r, "SELECT community, epoch, owner, stake, reward, unit_id FROM epoch_reward ORDER BY community, epoch, owner", func(w *epochReward) []any {
		return []any{&w.community, &w.epoch, &w.owner, &w.stake, &w.reward, &w.unitID}
	})
	b.journal = rows(r, `SELECT number, community, subject, owner, event, asset, amount, from_account, to_account, cause_kind, cause_id, at
		FROM journal ORDER BY number`, func(p *posting) []any {
		return []any{&p.number, &p.community, &p.subject, &p.owner, &p.event, &p.asset, &p.amount, &p.from, &p.to, &p.causeKind, &p.causeID, &p.at}
	})
	b.actions = byKey(rows(r, `SELECT id, community, type, payment, ordinals, unit_ids, order_id, message, created_at, expires_at, used_at,
		signature, signer FROM action`, func(a *action) []any {
		return []any{&a.id, &a.community, &a.kind, &a.payment, &a.ordinals, &a.unitIDs, &a.orderID, &a.message, &a.createdAt,
			&a.expiresAt, &a.usedAt, &a.signature, &a.signer}
	}), func(a action) (string, action) { return a.id, a })
	b.links = byKey(rows(r, "SELECT community, ordinals, payment FROM wallet_link", func(l *link) []any {
		return []any{&l.community, &l.ordinals, &l.payment}
	}), func(l link) (link, bool) { return l, true })
}

func (b *books) readOrders(r *reader) {
	b.orders = byKey(rows(r, `SELECT id, community, reason, owner, payment, action_id, unit_ids, real_units, amount, network_fee, service_fee,
		rutxos_fee, address, script, status, seen, confirmed, late, refunded, returned, payout_id, payout_tx FROM payment_order`, func(o *order) []any {
		return []any{&o.id, &o.community, &o.reason, &o.owner, &o.payment, &o.actionID, &o.unitIDs, &o.realUnits, &o.amount, &o.networkFee,
			&o.serviceFee, &o.rutxosFee, &o.address, &o.script, &o.status, &o.seen, &o.confirmed, &o.late, &o.refunded, &o.returned, &o.payoutID, &o.payoutTx}
	}), func(o order) (string, order) { return o.id, o })
	b.payments = rows(r, "SELECT txid, vout, number, order_id, counted, late FROM payment ORDER BY number", func(p *payment) []any {
		return []any{&p.txid, &p.vout, &p.number, &p.orderID, &p.counted, &p.late}
	})
	b.payouts = byKey(rows(r, "SELECT id, community, kind, order_ids, status FROM payout", func(p *payout) []any {
		return []any{&p.id, &p.community, &p.kind, &p.orderIDs, &p.status}
	}), func(p payout) (string, payout) { return p.id, p })
	b.versions = byKey(rows(r, "SELECT txid, payout_id, raw, height FROM payout_version ORDER BY number", func(v *version) []any {
		return []any{&v.txid, &v.payoutID, &v.raw, &v.height}
	}), func(v version) (string, version) { return v.txid, v })
}

// reader runs queries until the first error.
type reader struct {
	ctx context.Context
	tx  *sql.Tx
	err error
}

func rows[T any](r *reader, query string, fields func(*T) []any) (all []T) {
	if r.err != nil {
		return nil
	}
	fail := func(err error) []T {
		r.err = fmt.Errorf("audit: %w (%s)", err, query)
		return nil
	}
	result, err := r.tx.QueryContext(r.ctx, query)
	if err != nil {
		return fail(err)
	}
	defer result.Close()
	for result.Next() {
		var row T
		if err := result.Scan(fields(&row)...); err != nil {
			return fail(err)
		}
		all = append(all, row)
	}
	if err := result.Err(); err != nil {
		return fail(err)
	}
	return all
}

func byKey[T, V any, K comparable](all []T, entry func(T) (K, V)) map[K]V {
	m := make(map[K]V, len(all))
	for _, row := range all {
		key, value := entry(row)
		m[key] = value
	}
	return m
}
