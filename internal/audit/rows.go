package audit

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"moonfund/internal/bitcoin/chain"
)

// The rows that an audit stores, because several checks use them. Tables with millions of rows (units, custody,
// journal, epoch inputs) are read by cursors in the files of their invariants.

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
	payment struct {
		txid         string
		vout, number int64
		orderID      string
		counted      bool
		late         bool
	}
	order struct {
		id, community, reason, owner, actionID string
		payment                                string // the address for refunds
		unitIDs                                names
		realUnits, amount                      int64
		networkFee, serviceFee, rutxosFee      int64
		listedFee                              int64
		address                                string
		script                                 []byte
		status                                 string
		seen, confirmed, late, refunded        int64
		returned, usable                       int64
		anchor                                 string
		refundDue                              int64
		refundReason                           string
		byRefund                               bool
		feeRate, limitAt                       int64
		created, rateAt, deadline              int64
		perRutxo, raisedRate, oneTx, selfUnits int64
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
	stored struct{ key, text string }
)

var (
	communityRows = table[community]{"SELECT prefix, rune_id, network FROM community", func(c *community) []any {
		return []any{&c.prefix, &c.runeID, &c.network}
	}}
	anchorRows = table[anchor]{"SELECT community, epoch, starts_at FROM epoch_anchor", func(a *anchor) []any {
		return []any{&a.community, &a.epoch, &a.startsAt}
	}}
	settingRows = table[stored]{"SELECT name, value FROM setting", pair}
	blockRows   = table[block]{"SELECT height, hash, prev, time FROM block", func(b *block) []any {
		return []any{&b.height, &b.hash, &b.prev, &b.time}
	}}
	boundaryRows = table[boundary]{"SELECT community, epoch, cut FROM boundary", func(b *boundary) []any {
		return []any{&b.community, &b.epoch, &b.cut}
	}}
	orderRows = table[order]{`SELECT id, community, reason, owner, payment, action_id, unit_ids, real_units, amount,
			network_fee, service_fee, rutxos_fee, address, script, status, seen, confirmed, late, refunded, returned,
			payout_id, payout_tx, usable, anchor, refund_due, refund_reason, by_refund, fee_rate,
			limit_at, created_at, rate_at, deadline, per_rutxo, raised_rate, one_tx, self_units, listed_fee
		FROM payment_order`, func(o *order) []any {
		return []any{&o.id, &o.community, &o.reason, &o.owner, &o.payment, &o.actionID, &o.unitIDs, &o.realUnits, &o.amount,
			&o.networkFee, &o.serviceFee, &o.rutxosFee, &o.address, &o.script, &o.status, &o.seen, &o.confirmed, &o.late,
			&o.refunded, &o.returned, &o.payoutID, &o.payoutTx, &o.usable, &o.anchor, &o.refundDue, &o.refundReason, &o.byRefund,
			&o.feeRate, &o.limitAt, &o.created, &o.rateAt, &o.deadline, &o.perRutxo, &o.raisedRate, &o.oneTx, &o.selfUnits,
			&o.listedFee}
	}}
	paymentRows = table[payment]{"SELECT txid, vout, number, order_id, counted, late FROM payment",
		func(p *payment) []any {
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

// entry returns a row's key and value in a map.
func (s stored) entry() (string, string)   { return s.key, s.text }
func (k epochKey) entry() (epochKey, bool) { return k, true }
func (o order) entry() (string, order)     { return o.id, o }
func (p payout) entry() (string, payout)   { return p.id, p }
func (v version) entry() (string, version) { return v.txid, v }

// names is a JSON array of strings.
type names []string

// Scan implements sql.Scanner.
func (n *names) Scan(value any) error {
	switch text := value.(type) {
	case string:
		if *n = nil; text == "[]" {
			return nil
		}
		return json.Unmarshal([]byte(text), n)
	case []byte:
		return json.Unmarshal(text, n)
	}
	return fmt.Errorf("a list of names is a %T", value)
}

// rows are the rows that are stored during an audit.
type rows struct {
	communities []community
	anchors     []anchor
	settings    map[string]string
	accepted    map[string]bool // ids of the violations that an operator accepted
	blocks      []block
	boundaries  []boundary
	watch       watching
	issuedRows  issuedRows
	issued      digests   // scripts, community, kind, ref and owner of the rows in watch
	keys        digests   // address, community and owner of the stake addresses
	payments    []payment // in order of arrival
	orders      map[string]order
	payouts     map[string]payout
	versions    map[string]version // by txid
	unexplained []unexplainedSpend
	withdrawals map[string]withdrawal // by payout

	needed  map[string]bool    // outpoints and unit ids that orders, payouts and unexplained spends contain
	units   map[unitKey]unit   // needed units
	custody map[string]custody // needed outputs, and all outputs except creditable stakes
	tracked map[string]tracked // transactions that are unconfirmed or unexplained
}

func newRows() rows {
	return rows{
		needed: map[string]bool{}, units: map[unitKey]unit{}, custody: map[string]custody{}, tracked: map[string]tracked{},
	}
}

func outpoint(txid string, vout int64) string { return txid + ":" + strconv.FormatInt(vout, 10) }

func (p payment) outpoint() string { return outpoint(p.txid, p.vout) }
func (o order) total() int64       { return dust + o.networkFee + o.serviceFee + o.rutxosFee }

// dust is the value of every delivery output in addition to the sats of its units.
const dust = 546

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// readSettings reads the few rows that every check needs, including the checks of a single payout.
func (b *rows) readSettings(r *reader) {
	b.communities = list(r, communityRows, "ORDER BY prefix")
	b.anchors = list(r, anchorRows, "ORDER BY community, epoch")
	b.settings = keyed(r, settingRows, stored.entry, "")
	b.accepted = keyed(r, acceptedRows, func(id string) (string, bool) { return id, true }, "")
	b.boundaries = list(r, boundaryRows, "ORDER BY community, epoch")
	b.unexplained = list(r, unexplainedRows, "ORDER BY txid, owner")
	b.readWithdrawals(r)
}

// readKept reads the stored rows and records the rows that they refer to.
func (b *rows) readKept(r *reader) {
	b.blocks = list(r, blockRows, "ORDER BY height")
	b.orders = keyed(r, orderRows, order.entry, "")
	b.payments = list(r, paymentRows, "ORDER BY number")
	b.payouts = keyed(r, payoutRows, payout.entry, "")
	b.versions = keyed(r, versionRows, version.entry, "")
	b.readWatching(r, "")
	need := func(ids []string) {
		for _, id := range ids {
			b.needed[id] = true
		}
	}
	for _, o := range b.orders {
		need(o.unitIDs)
	}
	for _, s := range b.unexplained {
		need(s.unitIDs)
	}
	for _, v := range b.versions {
		need(inputsOf(v.raw))
	}
}

// inputsOf returns the outpoints that a stored transaction spends, or none if it can't be decoded.
func inputsOf(raw []byte) (points []string) {
	tx, err := chain.DecodeTx(raw)
	if err != nil {
		return nil
	}
	for _, in := range tx.Msg.TxIn {
		points = append(points, in.PreviousOutPoint.String())
	}
	return points
}
