package audit_test

import (
	"database/sql"
	"errors"
	"slices"
	"strings"
	"testing"

	"moonfund/internal/amount"
	"moonfund/internal/audit"
	"moonfund/internal/testkit"
)

// guarded is a ledger with a Checker whose first audit found no violation, and a sent payout.
type guarded struct {
	*audit.Checker
	db     *sql.DB
	payout string // transaction id
}

func (w *audited) guarded(address string) guarded {
	w.Helper()
	db, err := audit.Open(address)
	testkit.Must(w, err)
	g := guarded{Checker: newChecker(w, db, w.Node, w.config()), db: db}
	report, err := g.Check(w.Context())
	testkit.Must(w, err)
	row := db.QueryRow("SELECT txid FROM payout_version JOIN payout ON payout.id = payout_id WHERE payout.status = " +
		"'live' AND kind = 'delivery'")
	testkit.Must(w, row.Scan(&g.payout))
	found, err := g.Sending(w.Context(), g.payout)
	testkit.Must(w, err)
	if !report.OK() || len(found) > 0 {
		w.Fatalf("before the damage: %v, in the payout: %v", report.Violations, found)
	}
	return g
}

// wantFound checks that the Checker finds damage that occurred after its first audit: before the payout is sent if the
// payout depends on the damaged row, otherwise in the next audit, or, for an epoch that settled long ago, in the audit
// that recomputes the epoch.
func (g guarded) wantFound(t *testing.T, c corruption, atPayout bool, epochs int) {
	t.Helper()
	defer g.db.Close()
	found, err := g.Sending(t.Context(), g.payout)
	testkit.Must(t, err)
	if (len(found) > 0) != atPayout {
		t.Errorf("before the payout is sent: %v", found)
	}
	var report audit.Report
	for range epochs {
		report, err = g.Check(t.Context())
		testkit.Must(t, err)
		if slices.ContainsFunc(report.Violations, func(v audit.Violation) bool { return v.Invariant == c.invariant }) {
			break
		}
	}
	wantFound(t, report, c.invariant)
}

// A ledger at a new block must be audited before a payout is sent.
func TestSendingNeedsAnAuditOfTheTip(t *testing.T) {
	w := newAudited(t)
	w.live()
	g := w.guarded(w.URL())
	defer g.db.Close()
	damage(t, w.URL(), `DELETE FROM block WHERE height = (SELECT MAX(height) FROM block)`)
	if _, err := g.Sending(t.Context(), g.payout); !errors.Is(err, audit.ErrOtherTip) {
		t.Errorf("at another tip: %v, want ErrOtherTip", err)
	}
	if found, err := g.Sending(t.Context(), "of nobody"); err == nil && len(found) == 0 {
		t.Error("no error for a transaction that is no payout")
	}
}

// An audit also shows what a server finds before it broadcasts: a transaction of ours that is of no payout.
func TestRunChecksWhatIsSent(t *testing.T) {
	w := newAudited(t)
	w.live()
	damage(t, w.URL(), `UPDATE tracked SET ours = 1, height = -1, vanished = 0 WHERE txid =
		(SELECT MIN(txid) FROM tracked WHERE ours = 0)`)
	report, err := w.run(w.URL(), w.Node)
	testkit.Must(t, err)
	wantFound(t, report, audit.Payouts)
}

// An order can have two refunds at a time, but not of the same payment.
func TestTwoRefundsAtATime(t *testing.T) {
	w := newAudited(t)
	w.Rewarded(w.Bert, 50_000)
	o := w.cancelOne()
	for _, sats := range []amount.Sats{1500, 1600} {
		w.Pay(w.Cleo, o, sats)
		w.settle(1)
	}
	if live := w.Rows(`SELECT id FROM payout WHERE kind = 'refund' AND status = 'live'`); strings.Count(live, "id=") != 2 {
		t.Fatalf("live refunds: %s", live)
	}
	damage(t, w.URL(), `INSERT INTO payout SELECT 'twin', community, kind, order_ids, status, created_at FROM payout
		WHERE status = 'live' ORDER BY id LIMIT 1`)
	damage(t, w.URL(), `INSERT INTO payout_version (txid, payout_id, number, raw, fee, vbytes, created_at, height)
		SELECT 'ff', 'twin', number, raw, fee, vbytes, created_at, height FROM payout_version WHERE payout_id =
			(SELECT id FROM payout WHERE status = 'live' AND id <> 'twin' ORDER BY id LIMIT 1)`)
	db, err := audit.Open(w.URL())
	testkit.Must(t, err)
	defer db.Close()
	checker := newChecker(t, db, w.Node, w.config())
	report, err := checker.Check(t.Context())
	testkit.Must(t, err)
	var txid string
	testkit.Must(t, db.QueryRow(`SELECT txid FROM payout_version WHERE payout_id =
		(SELECT id FROM payout WHERE status = 'live' AND id <> 'twin' ORDER BY id LIMIT 1)`).Scan(&txid))
	found, err := checker.Sending(t.Context(), txid)
	testkit.Must(t, err)
	for what, violations := range map[string][]audit.Violation{"an audit": report.Violations, "Sending": found} {
		if !slices.ContainsFunc(violations, func(v audit.Violation) bool {
			return strings.Contains(v.Detail, "two payouts")
		}) {
			t.Errorf("%s found %v", what, violations)
		}
	}
}

// A refund that was confirmed is checked like any other before it is broadcast again, after a reorg.
func TestSendingAConfirmedRefund(t *testing.T) {
	w := newAudited(t)
	w.Rewarded(w.Bert, 50_000)
	o := w.cancelOne()
	w.Pay(w.Cleo, o, 1500)
	w.settle(9)
	db, err := audit.Open(w.URL())
	testkit.Must(t, err)
	defer db.Close()
	checker := newChecker(t, db, w.Node, w.config())
	report, err := checker.Check(t.Context())
	testkit.Must(t, err)
	var txid string
	testkit.Must(t, db.QueryRow(`SELECT txid FROM payout_version WHERE payout_id =
		(SELECT id FROM payout WHERE kind = 'refund' AND status <> 'live')`).Scan(&txid))
	found, err := checker.Sending(t.Context(), txid)
	testkit.Must(t, err)
	if len(report.Violations)+len(found) > 0 {
		t.Errorf("an audit found %v, Sending %v", report.Violations, found)
	}
}

// Repeated values are one argument of a query.
func TestArguments(t *testing.T) {
	condition, args := audit.Among("txid", []string{"a", "b", "a", "a"})
	if condition != "WHERE txid IN ($1, $2)" || len(args) != 2 {
		t.Errorf("got %s with %v", condition, args)
	}
}

// An order is paid by more transactions than a query of a database has arguments.
func TestSendingReadsAnyNumberOfPayments(t *testing.T) {
	w := newAudited(t)
	w.live()
	g := w.guarded(w.URL())
	defer g.db.Close()
	damage(t, w.URL(), `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 70000)
		INSERT INTO payment (txid, vout, number, order_id, counted, late)
		SELECT 'many' || i, 0, 1000000 + i, (SELECT MIN(order_id) FROM payment WHERE order_id IN
			(SELECT id FROM payment_order WHERE payout_tx = '`+g.payout+`')), 0, 0 FROM n`)
	found, err := g.Sending(t.Context(), g.payout)
	if err != nil || len(found) == 0 {
		t.Errorf("%d violations, and %.200v", len(found), err)
	}
}

// payoutCorruptions change rows that the sent payout also depends on.
var payoutCorruptions = []corruption{
	{audit.Proofs, `UPDATE action SET message = message || ' ' WHERE type = 'WITHDRAW'`},
	{audit.Stakes, `DELETE FROM unit WHERE origin = 'STAKE' AND stage = 'BATCH_LOCKED'`},
	{audit.Stakes, `UPDATE unit SET stage = 'UNLOCKED' WHERE origin = 'STAKE' AND stage = 'BATCH_LOCKED'`},
	{audit.Stakes, `UPDATE custody SET runes = runes * 2 WHERE kind = 'stake' AND quarantine = ''`},
	{audit.Stakes, `UPDATE custody SET height = height + 1 WHERE kind = 'stake'`},
	{audit.Stakes, `UPDATE custody SET height = -1 WHERE kind = 'stake'`},
	{audit.Stakes, `UPDATE custody SET value = value + 1 WHERE kind = 'stake'`},
	{audit.Stakes, `UPDATE custody SET owner = 'bcrt1qother' WHERE kind = 'stake'`},
	{audit.Stakes, `DELETE FROM stake_address`},
	{audit.Stakes, `UPDATE stake_address SET owner = 'bcrt1qother'`},
	{audit.Stakes, `UPDATE watch SET owner = 'bcrt1qother' WHERE kind = 'stake'`},
	{audit.Backing, `UPDATE unit SET amount = 1000000000000 WHERE origin = 'REWARD' AND stage <> 'WITHDRAWN'`},
	{audit.Backing, `UPDATE custody SET runes = runes + 1 WHERE kind = 'runes'`},
	{audit.Backing, `UPDATE unit SET reward_epoch = reward_epoch + 1 WHERE origin = 'REWARD'`},
	{audit.Backing, `UPDATE unit SET eligible_epoch = 0 WHERE eligible_epoch > 0`},
	{audit.Backing, `UPDATE setting SET value = '48h0m0s' WHERE name = 'epoch_length:lobo'`},
	{audit.Backing, `UPDATE unit SET staked_to = 1 WHERE staked_to > 1`},
	{audit.Journal, `UPDATE journal SET amount = -1 WHERE asset = 'rune'`},
	{audit.Journal, `UPDATE journal SET amount = amount + 1 WHERE asset = 'rune' AND to_account = 'STAKED'`},
	{audit.Journal, `UPDATE journal SET to_account = 'CLAIMABLE' WHERE to_account = 'UNLOCKED'`},
	{audit.Journal, `UPDATE journal SET to_account = 'order:PAID' WHERE to_account = 'order:CONFIRMED'`},
	{audit.Journal, `UPDATE journal SET asset = 'gold' WHERE asset = 'sats'`},
	{audit.Locks, `UPDATE unit SET stage = 'PO_LOCKED' WHERE stage = 'BATCH_LOCKED'`},
	{audit.Locks, `UPDATE payment_order SET status = 'PENDING' WHERE status = 'CONFIRMED'
		AND reason = 'CLAIM' OR status = 'SENT'`},
	{audit.Locks, `UPDATE payment_order SET amount = amount + 1 WHERE status = 'SENT'`},
	{audit.Locks, `UPDATE payment_order SET real_units = 0 WHERE status = 'SENT'`},
	{audit.Payments, `DELETE FROM payment WHERE counted = 1`},
	{audit.Payments, `UPDATE payment SET late = 1 WHERE counted = 1`},
	{audit.Payments, `UPDATE payment SET order_id = (SELECT MIN(id) FROM payment_order WHERE status = 'CANCELED')`},
	{audit.Payments, `UPDATE custody SET value = value + 1 WHERE kind = 'payment' AND height >= 0`},
	{audit.Payments, `UPDATE custody SET vanished = 1 WHERE kind = 'payment' AND height >= 0`},
	{audit.Payments, `DELETE FROM custody WHERE kind = 'payment'`},
	{audit.Payments, `UPDATE journal SET amount = amount + 1 WHERE event = 'payment seen'`},
	{audit.Payouts, `UPDATE payout SET status = 'dead' WHERE status = 'live'`},
	{audit.Payouts, `DELETE FROM payout WHERE status = 'live'`},
	{audit.Payouts, `INSERT INTO payout SELECT 'twin', community, kind, order_ids, status, created_at FROM payout
		WHERE status = 'live'`},
	{audit.Payouts, `UPDATE payout SET order_ids = '[]' WHERE status = 'live'`},
	{audit.Payouts, `UPDATE payout SET status = 'final' WHERE status = 'live'`},
	{audit.Payouts, `UPDATE payout_version SET raw = substr(raw, 2)`},
	{audit.Payouts, `UPDATE payout_version SET raw = (SELECT raw FROM tracked WHERE ours = 0 LIMIT 1)`},
	{audit.Payouts, `UPDATE payout_version SET height = 1`},
	{audit.Payouts, `DELETE FROM payout_version WHERE height = -1`},
	{audit.Payouts, `UPDATE payment_order SET payout_id = '' WHERE status = 'SENT'`},
	{audit.Payouts, `UPDATE payment_order SET payout_tx = 'ff' WHERE status = 'SENT'`},
	{audit.Payouts, `UPDATE unit SET amount = amount - 1 WHERE stage = 'BATCH_LOCKED'`},
	{audit.Payouts, `UPDATE payment SET counted = 0`},
	{audit.Payouts, `UPDATE custody SET kind = 'sats' WHERE kind = 'runes'`},
	{audit.Proofs, `UPDATE action SET used_at = 0 WHERE type = 'WITHDRAW'`},
	{audit.Proofs, `UPDATE action SET signature = '' WHERE type = 'UNSTAKE'`},
	{audit.Proofs, `UPDATE action SET signer = payment WHERE type = 'UNSTAKE'`},
	{audit.Proofs, `UPDATE action SET statement = 'x' WHERE type = 'UNSTAKE'`},
	{audit.Proofs, `UPDATE action SET unit_ids = '["x"]' WHERE type = 'UNSTAKE'`},
	{audit.Proofs, `UPDATE action SET order_id = '' WHERE type = 'CLAIM'`},
	{audit.Proofs, `UPDATE action SET expires_at = used_at - 1 WHERE used_at > 0`},
	{audit.Proofs, `DELETE FROM action WHERE type = 'CANCEL'`},
	{audit.Proofs, `UPDATE journal SET cause_kind = 'clock' WHERE event = 'unstake'`},
	{audit.Chain, `UPDATE community SET rune_id = 'none'`},
}
