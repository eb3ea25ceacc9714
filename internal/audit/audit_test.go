package audit_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/audit"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

// audited is a world that is audited at every step.
type audited struct{ *testkit.World }

func newAudited(t *testing.T) *audited {
	w := &audited{testkit.NewWorld(t)}
	w.audit()
	return w
}

func (w *audited) config() audit.Config {
	return audit.Config{
		Rules: runes.RulesFor(w.Network), MinimumStake: map[string]amount.Runes{testkit.Prefix: testkit.MinimumStake},
	}
}

// run audits the database at an address.
func (w *audited) run(address string, node audit.Node) (audit.Report, error) {
	w.Helper()
	db, err := audit.Open(address)
	testkit.Must(w, err)
	defer db.Close()
	return audit.Run(w.Context(), db, node, w.config())
}

// audit fails the test if the audit finds violations.
func (w *audited) audit() audit.Report {
	w.Helper()
	report, err := w.run(w.URL(), w.Node)
	testkit.Must(w, err)
	if !report.OK() || report.Behind != 0 {
		var text strings.Builder
		_, _ = report.WriteTo(&text)
		w.Fatal(text.String())
	}
	return report
}

func (w *audited) settle(blocks int) {
	w.Helper()
	for range blocks {
		w.Settle(1)
		w.audit()
	}
}

func (w *audited) epoch() {
	w.Helper()
	w.NextEpoch()
	w.audit()
}

func (w *audited) step() {
	w.Helper()
	w.Step()
	w.audit()
}

// live runs every kind of operation of a community: valid and invalid deposits, rewards, claims, withdrawals, a
// compound, a restake, a cancel, and a recovery.
func (w *audited) live() {
	w.Helper()
	first, _ := w.Deposit(w.Anna, 50_000)
	second, _ := w.Deposit(w.Bert, 70_000)
	third, _ := w.Deposit(w.Cleo, 30_000)
	w.step()
	_, script := w.StakeAddress(w.Cleo, 5000)
	w.Send(w.Transfer(w.Cleo, script, 999))
	w.step()
	w.settle(4)
	w.epoch()
	w.epoch()
	w.settle(ledger.SettleDepth)

	claim := w.Act(w.Anna, action.Claim).Order
	w.Act(w.Bert, action.Compound)
	w.audit()
	w.Pay(w.Anna, *claim, claim.Due()/2)
	w.step()
	w.settle(1)
	w.Pay(w.Anna, w.Order(claim.ID), w.Order(claim.ID).Due()+700)
	w.Send(w.Payment(w.Anna, w.Anna.Sats(), *claim, 300, 1000))
	w.settle(2)
	w.WantStatus(claim.ID, order.Sent)
	w.settle(6)
	w.WantStatus(claim.ID, order.Consolidated)

	w.Act(w.Anna, action.Unstake, first)
	w.Act(w.Bert, action.Unstake, second)
	w.audit()
	w.epoch()
	w.epoch()
	w.settle(ledger.SettleDepth)
	w.Act(w.Bert, action.Restake, second)
	w.Send(w.Recover(w.Cleo, third))
	w.step()
	w.settle(4)
	w.WantStage(third, ledger.Withdrawn)
	w.epoch()
	w.settle(ledger.SettleDepth)

	w.cancelOne()
	late := w.cancelOne()
	w.Pay(w.Bert, late, 3000)
	w.step()
	w.WantStatus(late.ID, order.Canceled)
	w.settle(1)
	w.refund(late)
	w.settle(3)
	w.WantStatus(late.ID, order.Canceled)
	w.Pay(w.Bert, late, 2000)
	w.settle(1)
	w.refund(late)
	w.WantStatus(late.ID, order.Canceled)
	w.Deposit(w.Cleo, 4000)
	w.settle(2)
	w.Deposit(w.Cleo, 6000)
	withdraw := w.Act(w.Anna, action.Withdraw, first).Order
	w.Pay(w.Anna, *withdraw, withdraw.Due())
	rewards := w.Units(w.Bert, ledger.Claimable)
	sent := w.Act(w.Bert, action.Claim, rewards[0]).Order
	w.Pay(w.Bert, *sent, sent.Due())
	w.settle(1)
	w.WantStatus(withdraw.ID, order.Sent)
	w.WantStatus(sent.ID, order.Sent)
	open := w.Act(w.Bert, action.Claim, rewards[1]).Order
	w.Pay(w.Bert, *open, open.Due()/2)
	w.Deposit(w.Cleo, 7000)
	w.step()
	w.WantStatus(open.ID, order.Confirmed)
}

// refund requests a refund and runs until the refund is stored.
func (w *audited) refund(o order.Order) {
	w.Helper()
	w.Update(func(tx *store.Tx) error {
		_, err := tx.InsertRequest(w.Context(), payout.Request{Kind: payout.RequestRefund, OrderID: o.ID,
			By: "olga", Why: "late",
			At: w.Clock.Now()}, "")
		return err
	})
	w.step()
}

func (w *audited) cancelOne() order.Order {
	w.Helper()
	pair := w.Bert.Pair()
	o := w.Act(w.Bert, action.Claim).Order
	asked, err := w.Actions.PostCancel(w.Context(), testkit.Prefix, pair, o.ID, "")
	testkit.Must(w, err)
	_, err = w.Actions.SignCancel(w.Context(), testkit.Prefix, action.SignRequest{
		Wallet: pair, ActionID: asked.ActionID, Signature: w.Bert.Sign(asked.Message),
	}, o.ID)
	testkit.Must(w, err)
	w.audit()
	return w.WantStatus(o.ID, order.Canceled)
}

// No operation violates an invariant, and each kind of damage to each table is detected as a violation of the right
// invariant.
func TestCorruption(t *testing.T) {
	w := newAudited(t)
	w.live()
	report := w.audit()
	if c := report.Checked; c.Blocks < 30 || c.Units < 6 || c.Orders != 6 || c.Payouts < 2 || c.Epochs < 5 ||
		c.Runes != 1 || c.RuneOutputs == 0 {
		t.Errorf("too few records for this test: %+v", c)
	}
	whole := w.Checkpoint()
	for i, c := range slices.Concat(corruptions, payoutCorruptions) {
		if !isTried(i) {
			continue
		}
		t.Run(fmt.Sprintf("%d %s", c.invariant, c.text), func(t *testing.T) {
			address := whole.Copy(t)
			g := w.guarded(address)
			damage(t, address, c.text)
			report, err := w.run(address, w.Node)
			testkit.Must(t, err)
			wantFound(t, report, c.invariant)
			g.wantFound(t, c, i >= len(corruptions), report.Checked.Epochs)
		})
	}
}

func damage(t *testing.T, address, text string) {
	t.Helper()
	if engine.Damage(t, address, text) == 0 {
		t.Fatal("the statement changed no row")
	}
}

func wantFound(t *testing.T, report audit.Report, invariant int) {
	t.Helper()
	for _, v := range report.Violations {
		if v.Invariant == invariant {
			return
		}
	}
	t.Errorf("invariant %d should be violated; found: %v", invariant, report.Violations)
}

// corruption is a damaging statement and the invariant that it violates.
type corruption struct {
	invariant int
	text      string
}

// oneUnit is one base unit of the community's rune.
var oneUnit = []runes.Balance{{ID: testkit.Rune, Amount: uint128.From64(1)}}

func bytesOf(data []byte) string { return fmt.Sprintf("x'%x'", data) }

// corruptions change only rows that no sent payout depends on.
var corruptions = []corruption{
	{audit.Stakes, `UPDATE unit SET amount = amount + 1 WHERE origin = 'STAKE' AND stage = 'PENDING_STAKE'`},
	{audit.Stakes, `UPDATE unit SET owner = 'bcrt1qother' WHERE origin = 'STAKE' AND stage = 'PENDING_STAKE'`},
	{audit.Stakes, `UPDATE unit SET stage = 'WITHDRAWN' WHERE origin = 'STAKE' AND stage = 'PENDING_STAKE'`},
	{audit.Stakes, `UPDATE unit SET stage_before = '' WHERE stage_before <> ''`},
	{audit.Stakes, `UPDATE custody SET quarantine = '' WHERE quarantine <> ''`},
	{audit.Stakes, `UPDATE custody SET quarantine = 'runes of another kind' WHERE kind = 'stake' AND spent_by = ''`},
	{audit.Stakes, `UPDATE custody SET spent_by = '', spent_height = -1 WHERE kind = 'stake' AND spent_height >= 0`},
	{audit.Stakes, `UPDATE custody SET spent_ours = 1 WHERE kind = 'stake' AND spent_by <> '' AND spent_ours = 0`},
	{audit.Stakes, `DELETE FROM custody WHERE kind = 'stake' AND quarantine <> ''`},
	{audit.Stakes, `UPDATE custody SET owner = 'bcrt1qother' WHERE kind = 'stake' AND spent_by = ''`},
	{audit.Stakes, `DELETE FROM unit WHERE origin = 'STAKE' AND stage = 'PENDING_STAKE'`},
	{audit.Backing, `UPDATE custody SET booked = 0 WHERE kind = 'runes'`},
	{audit.Backing, `UPDATE custody SET runes = runes + 1 WHERE kind = 'runes' AND height = -1`},
	{audit.Backing, `UPDATE epoch_account SET rewarded = rewarded - 1 WHERE staked > 0`},
	{audit.Backing, `UPDATE epoch_account SET reserved = reserved - 1 WHERE staked > 0`},
	{audit.Backing, `UPDATE epoch_account SET reserved = planned + 1 WHERE settled = 0`},
	{audit.Backing, `UPDATE epoch_account SET staked = staked + 1 WHERE settled = 1`},
	{audit.Backing, `UPDATE epoch_account SET cut = cut - 1 WHERE settled = 1`},
	{audit.Backing, `UPDATE epoch_account SET cut_hash = '00' WHERE settled = 1`},
	{audit.Backing, `UPDATE epoch_account SET settled = 0 WHERE staked > 0`},
	{audit.Backing, `DELETE FROM epoch_account WHERE settled = 0`},
	{audit.Backing, `UPDATE epoch_input SET amount = amount + 1 WHERE unit_id LIKE '%:0'`},
	{audit.Backing, `UPDATE epoch_input SET owner = 'bcrt1qother'`},
	{audit.Backing, `DELETE FROM epoch_input WHERE unit_id = (SELECT MIN(unit_id) FROM epoch_input)`},
	{audit.Backing, `INSERT INTO epoch_input SELECT community, 0, id, owner, amount FROM unit
		WHERE stage = 'PENDING_STAKE'`},
	{audit.Backing, `UPDATE epoch_reward SET reward = reward + 1 WHERE unit_id = (SELECT MIN(unit_id) FROM epoch_reward)`},
	{audit.Backing, `UPDATE epoch_reward SET stake = stake + 1 WHERE unit_id = (SELECT MIN(unit_id) FROM epoch_reward)`},
	{audit.Backing, `UPDATE epoch_reward SET unit_id = (SELECT MIN(unit_id) FROM epoch_reward WHERE unit_id <> '')
		WHERE unit_id = (SELECT MAX(unit_id) FROM epoch_reward)`},
	{audit.Backing, `DELETE FROM epoch_reward WHERE unit_id = (SELECT MIN(unit_id) FROM epoch_reward)`},
	{audit.Backing, `DELETE FROM unit WHERE origin = 'REWARD' AND stage = 'CLAIMABLE'`},
	{audit.Backing, `UPDATE boundary SET cut = cut - 1 WHERE epoch = 2`},
	{audit.Backing, `UPDATE boundary SET cut = cut + 1 WHERE epoch = 2`},
	{audit.Backing, `DELETE FROM boundary WHERE epoch = (SELECT MAX(epoch) FROM boundary)`},
	{audit.Backing, `UPDATE epoch_anchor SET starts_at = starts_at + 86400`},
	{audit.Journal, `UPDATE staked_total SET amount = amount + 1`},
	{audit.Journal, `DELETE FROM staked_total`},
	{audit.Journal, `DELETE FROM journal WHERE number = 5`},
	{audit.Journal, `DELETE FROM journal WHERE number = (SELECT MAX(number) FROM journal)`},
	{audit.Journal, `UPDATE unit SET stage = 'STAKED', eligible_epoch = 1 WHERE stage = 'PENDING_STAKE'`},
	{audit.Journal, `UPDATE payment_order SET status = 'EXPIRED' WHERE status = 'CANCELED'`},
	{audit.Journal, `DELETE FROM unit WHERE stage = 'WITHDRAWN' AND origin = 'REWARD'`},
	{audit.Journal, `DELETE FROM payment_order WHERE status = 'CANCELED'`},
	{audit.Locks, `UPDATE unit SET stage = 'NOWHERE' WHERE stage = 'CLAIMABLE'`},
	{audit.Locks, `UPDATE unit SET order_id = '' WHERE stage = 'PO_CLAIMED'`},
	{audit.Locks, `UPDATE unit SET order_id = (SELECT MIN(id) FROM payment_order WHERE status = 'CANCELED')
		WHERE stage = 'CLAIMABLE'`},
	{audit.Locks, `UPDATE unit SET eligible_epoch = -1 WHERE stage = 'STAKED'`},
	{audit.Locks, `UPDATE payment_order SET unit_ids = '[]' WHERE status = 'CONFIRMED'`},
	{audit.Locks, `UPDATE payment_order SET owner = 'bcrt1qother' WHERE status = 'CONFIRMED'`},
	{audit.Payments, `UPDATE payment SET counted = 1 WHERE counted = 0`},
	{audit.Payments, `UPDATE custody SET spent_by = 'ff' WHERE kind = 'payment' AND spent_by = ''`},
	{audit.Payments, `UPDATE payment_order SET seen = seen + 1 WHERE status = 'CONFIRMED'`},
	{audit.Payments, `UPDATE payment_order SET late = 1 WHERE status = 'CANCELED'`},
	{audit.Payments, `UPDATE payment_order SET confirmed = 0 WHERE status = 'CONSOLIDATED'`},
	{audit.Payments, `UPDATE payment_order SET refunded = 0 WHERE refunded > 0`},
	{audit.Payments, `UPDATE payout SET kind = 'delivery' WHERE kind = 'refund'`},
	{audit.Payouts, `UPDATE payment_order SET payment = owner WHERE refunded > 0`},
	{audit.Payouts, `UPDATE payment_order SET by_refund = 1 WHERE status = 'CONSOLIDATED'`},
	{audit.Payouts, `UPDATE payment_order SET by_refund = 1 WHERE status = 'CANCELED' AND refunded = 0`},
	{audit.Payments,
		`UPDATE payment_order SET refund_due = 1000000, refund_reason = 'canceled' WHERE status = 'CANCELED'`},
	{audit.Payments, `UPDATE payment_order SET refund_due = 600 WHERE status = 'CONSOLIDATED'`},
	{audit.Payments, `UPDATE payment_order SET script = substr(script, 2) WHERE status = 'CANCELED'`},
	{audit.Payouts, `UPDATE payment_order SET payout_id = 'x' WHERE status = 'CONFIRMED'`},
	{audit.Proofs, `UPDATE action SET message = replace(message, 'RESTAKE', 'WITHDRAW') WHERE type = 'RESTAKE'`},
	{audit.Proofs, `UPDATE journal SET owner = 'bcrt1qother' WHERE event = 'compound'`},
	{audit.Proofs, `UPDATE journal SET cause_id = (SELECT MIN(id) FROM action WHERE type = 'UNSTAKE')
		WHERE event = 'restake'`},
	{audit.Proofs, `UPDATE journal SET at = at + 1 WHERE event = 'restake'`},
	{audit.Chain, `UPDATE block SET hash = 'ff' WHERE height = 20`},
	{audit.Chain, `UPDATE block SET prev = 'ff' WHERE height = 20`},
	{audit.Chain, `UPDATE block SET time = time + 1 WHERE height = 20`},
	{audit.Chain, `DELETE FROM block WHERE height = 20`},
	{audit.Chain, `UPDATE rune_entry SET entry = ` + bytesOf(runes.EncodeEntry(runes.Entry{ID: testkit.Rune}))},
	{audit.Chain, `UPDATE rune_entry SET entry = x'0101'`},
	{audit.Chain, `DELETE FROM rune_entry`},
	{audit.Chain, `DELETE FROM rune_balance WHERE outpoint = (SELECT outpoint FROM rune_balance ORDER BY 1 LIMIT 1)`},
	{audit.Chain, `UPDATE rune_balance SET balances = ` + bytesOf(runes.EncodeBalances(oneUnit))},
	{audit.Chain, `UPDATE rune_balance SET balances = x'02'`},
	{audit.Chain, `UPDATE rune_balance SET outpoint = x'00' WHERE outpoint = (SELECT outpoint FROM rune_balance
		ORDER BY 1 LIMIT 1)`},
	{audit.Chain, `INSERT INTO rune_balance (outpoint, balances) VALUES (` +
		bytesOf(runes.EncodeOutPoint(wire.OutPoint{})) + `, ` + bytesOf(runes.EncodeBalances(oneUnit)) + `)`},
	{audit.Chain, `UPDATE setting SET value = '{"Runes":2,"Reserved":1}' WHERE name = 'rune_counters'`},
}

// otherNode is a node with other hashes from a height on: a reorg that the server has not followed.
type otherNode struct {
	*testkit.Node
	from int64 // first height with another hash
}

func (n otherNode) BlockHash(ctx context.Context, height int64) (chainhash.Hash, error) {
	hash, err := n.Node.BlockHash(ctx, height)
	if err == nil && height >= n.from {
		hash[0] ^= 1
	}
	return hash, err
}

var _ audit.Node = (*chain.Client)(nil)

// A server that lags behind the node, or behind a reorg of a few blocks, violates nothing. A server on another branch
// for many blocks violates an invariant.
func TestBehind(t *testing.T) {
	w := newAudited(t)
	w.Staked(w.Anna, 5000)
	w.Settle(8)
	w.Mine(2)
	report, err := w.run(w.URL(), w.Node)
	testkit.Must(t, err)
	if !report.OK() || report.Behind != 2 {
		t.Errorf("two new blocks: behind %d, %v", report.Behind, report.Violations)
	}
	report, err = w.run(w.URL(), otherNode{w.Node, report.Height - 2})
	testkit.Must(t, err)
	if !report.OK() || report.Behind != 5 {
		t.Errorf("three blocks replaced: behind %d, %v", report.Behind, report.Violations)
	}
	report, err = w.run(w.URL(), otherNode{w.Node, report.Height - 7})
	testkit.Must(t, err)
	wantFound(t, report, audit.Chain)
}

// A reorg removes deposits, payments and payouts from blocks and confirms them again.
func TestReorg(t *testing.T) {
	w := newAudited(t)
	_, reward := w.Rewarded(w.Anna, 5000)
	claim := w.Act(w.Anna, action.Claim).Order
	w.Pay(w.Anna, *claim, claim.Due())
	w.settle(4)
	w.WantStatus(claim.ID, order.Delivered)
	w.Node.Rewind(3)
	w.Node.Mine()
	w.Mine(3)
	w.step()
	w.settle(4)
	w.WantStage(reward, ledger.Withdrawn)
}

// The community's key may spend a stake only for the payout of the stake's own order.
func TestForeignKeySpend(t *testing.T) {
	w := newAudited(t)
	unitID := w.Unlocked(w.Anna, 5000)
	o := w.Act(w.Anna, action.Withdraw, unitID).Order
	w.Pay(w.Anna, *o, o.Due())
	w.settle(5)
	damage(t, w.URL(), `DELETE FROM payout`)
	damage(t, w.URL(), `DELETE FROM payout_version`)
	damage(t, w.URL(), `UPDATE unit SET stage = 'UNLOCKED', order_id = '' WHERE origin = 'STAKE'`)
	damage(t, w.URL(), `UPDATE custody SET spent_ours = 0`)
	report, err := w.run(w.URL(), w.Node)
	testkit.Must(t, err)
	for _, v := range report.Violations {
		if v.Invariant == audit.Stakes && strings.Contains(v.Detail, "community's key") {
			return
		}
	}
	t.Errorf("the theft was not found: %v", report.Violations)
}

func TestOpen(t *testing.T) {
	if _, err := audit.Open("mysql://somewhere"); err == nil {
		t.Error("no error for an unknown kind of database")
	}
	w := newAudited(t)
	db, err := audit.Open(w.URL())
	testkit.Must(t, err)
	defer db.Close()
	if _, err := db.Exec("DELETE FROM unit"); err == nil {
		t.Error("an audit can write to the database")
	}
	config := w.config()
	config.Rules.Network.Name = "mainnet"
	if _, err := audit.Run(t.Context(), db, w.Node, config); err == nil {
		t.Error("no error for a database of another network")
	}
}
