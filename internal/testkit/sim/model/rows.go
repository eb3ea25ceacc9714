package model

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/btcsuite/btcd/wire/v2"
)

// Unit is a row of the server's units.
type Unit struct {
	ID, Owner, Origin, Stage, OrderID string
	Amount                            int64
}

// Order is a row of the server's orders.
type Order struct {
	ID, Owner, Payment, Reason, Status                   string
	Amount, Rate, Price, Seen, Confirmed, Late, Refunded int64
	RefundDue, Limit, EndHeight                          int64
	unitIDs                                              string
	script                                               []byte
}

// Tables contains the rows that the model checks.
type Tables struct {
	Units  []Unit
	Orders []Order
	Epochs []Epoch

	instructions []instructionRow
	spending     map[wire.OutPoint]bool // outputs that stored live payouts spend
	replacements map[string]bool        // ids of the transactions that replace another version
	oneTxs       map[string][]oneTxVersion
	paidAt       map[string]time.Time // times at which orders last became PAID
	undoneAt     map[string]time.Time // times at which a reorg last undid a payment of PAID ones
	Paused       string               // reason for the pause of all changes, or ""
}

// Read reads the tables.
func Read(ctx context.Context, db *sql.DB) (b Tables, err error) {
	rows, err := db.QueryContext(ctx, `SELECT id, owner, origin, stage, order_id, amount FROM unit ORDER BY number`)
	if err != nil {
		return b, err
	}
	for rows.Next() {
		var u Unit
		if err := rows.Scan(&u.ID, &u.Owner, &u.Origin, &u.Stage, &u.OrderID, &u.Amount); err != nil {
			return b, err
		}
		b.Units = append(b.Units, u)
	}
	if err := rows.Err(); err != nil {
		return b, err
	}
	rows, err = db.QueryContext(ctx, `SELECT id, owner, payment, reason, status, amount, fee_rate, 546 + network_fee +
		service_fee + rutxos_fee,
		seen, confirmed, late, refunded, refund_due, limit_at, end_height,
		unit_ids, script FROM payment_order ORDER BY number`)
	if err != nil {
		return b, err
	}
	for rows.Next() {
		var o Order
		if err := rows.Scan(&o.ID, &o.Owner, &o.Payment, &o.Reason, &o.Status, &o.Amount, &o.Rate, &o.Price,
			&o.Seen, &o.Confirmed, &o.Late, &o.Refunded, &o.RefundDue, &o.Limit, &o.EndHeight, &o.unitIDs,
			&o.script); err != nil {
			return b, err
		}
		b.Orders = append(b.Orders, o)
	}
	if err := rows.Err(); err != nil {
		return b, err
	}
	if b.Epochs, err = readEpochs(ctx, db); err != nil {
		return b, err
	}
	if b.instructions, err = readInstructions(ctx, db); err != nil {
		return b, err
	}
	if b.spending, err = readSpending(ctx, db); err != nil {
		return b, err
	}
	if b.replacements, err = readReplacements(ctx, db); err != nil {
		return b, err
	}
	if b.oneTxs, err = readOneTxs(ctx, db); err != nil {
		return b, err
	}
	if b.paidAt, b.undoneAt, err = readPaid(ctx, db); err != nil {
		return b, err
	}
	err = db.QueryRowContext(ctx, `SELECT COALESCE(MAX(value), '') FROM setting WHERE name = 'pause_all'`).Scan(&b.Paused)
	return b, err
}

func readEpochs(ctx context.Context, db *sql.DB) (all []Epoch, err error) {
	rows, err := db.QueryContext(ctx, `SELECT epoch, reserved, rewarded, settled FROM epoch_account ORDER BY epoch`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var e Epoch
		var settled int64
		if err := rows.Scan(&e.Number, &e.Reserved, &e.Rewarded, &settled); err != nil {
			return nil, err
		}
		e.Settled = settled != 0
		all = append(all, e)
	}
	return all, rows.Err()
}

// rewardEpoch returns the epoch of a reward, or false if the unit is not a reward.
func rewardEpoch(unitID string) (epoch int64, is bool) {
	if !isReward(unitID) {
		return 0, false
	}
	epoch, err := strconv.ParseInt(strings.Split(unitID, ":")[1], 10, 64)
	return epoch, err == nil
}

func isReward(unitID string) bool { return strings.HasPrefix(unitID, "reward:") }

// stages maps the reason and status of an order to the stage of its units.
var stages = map[string]string{
	"WITHDRAW PENDING": "PO_LOCKED", "WITHDRAW CONFIRMED": "PENDING_WITHDRAW",
	"WITHDRAW PENDING_RERATE": "PENDING_WITHDRAW",
	"CLAIM PENDING":           "PO_CLAIMED", "CLAIM CONFIRMED": "PO_CLAIMED", "CLAIM PENDING_RERATE": "PO_CLAIMED",
	"CLAIM PAID": "BATCH_LOCKED", "WITHDRAW PAID": "BATCH_LOCKED", "CLAIM SENT": "BATCH_LOCKED",
	"WITHDRAW SENT":   "BATCH_LOCKED",
	"CLAIM DELIVERED": "WITHDRAWN", "WITHDRAW DELIVERED": "WITHDRAWN", "CLAIM CONSOLIDATED": "WITHDRAWN",
	"WITHDRAW CONSOLIDATED": "WITHDRAWN",
}

var locked = []string{"PO_LOCKED", "PO_CLAIMED", "PENDING_WITHDRAW", "BATCH_LOCKED"}

// impossible maps the last acknowledged action on a unit to the stages that the unit cannot have.
var impossible = map[Intent][]string{
	"UNSTAKE": {"PENDING_STAKE", "STAKED", "CLAIMABLE", "PO_CLAIMED"},
	"RESTAKE": {"PENDING_UNLOCK", "UNLOCKED", "PO_LOCKED", "PENDING_WITHDRAW", "BATCH_LOCKED", "CLAIMABLE"},
	"COMPOUND": {"PENDING_UNLOCK", "UNLOCKED", "PO_LOCKED", "PENDING_WITHDRAW", "BATCH_LOCKED", "CLAIMABLE", "PO_CLAIMED",
		"WITHDRAWN"},
	"WITHDRAW": {"PENDING_STAKE", "STAKED", "PENDING_UNLOCK", "CLAIMABLE", "PO_CLAIMED"},
	"CLAIM":    {"PENDING_STAKE", "STAKED", "PENDING_UNLOCK", "UNLOCKED", "PO_LOCKED", "PENDING_WITHDRAW"},
}

// Always checks the rules that hold after every database transaction of the server. It returns a *Violation if one is
// broken.
func (m *Model) Always(b Tables) error {
	orders := map[string]Order{}
	for _, row := range b.Orders {
		orders[row.ID] = row
		if m.orders[row.ID] == nil {
			if err := m.open(row); err != nil {
				return err
			}
		}
		if o := m.orders[row.ID]; o.amount != row.Amount {
			return broken("the amount of an order is fixed", "%s was %d and is %d", row.ID, o.amount, row.Amount)
		}
	}
	for id := range m.orders {
		if _, kept := orders[id]; !kept {
			return broken("no order is deleted", "%s", id)
		}
	}
	paid := map[string]int64{}
	for _, u := range b.Units {
		if err := m.unit(u, orders); err != nil {
			return err
		}
		if isReward(u.ID) {
			paid[strings.Split(u.ID, ":")[1]] += u.Amount
		}
	}
	for epoch, sum := range paid {
		if sum > m.Budget {
			return broken("an epoch pays its budget once", "epoch %s paid %d of %d", epoch, sum, m.Budget)
		}
	}
	if err := errors.Join(m.epochs(b), m.waited(b.replacements), m.instructed(b), m.oneTxs(b)); err != nil {
		return err
	}
	return m.held(b, orders)
}

func (m *Model) unit(u Unit, orders map[string]Order) error {
	if u.Amount <= 0 {
		return broken("a unit has an amount", "%s has %d", u.ID, u.Amount)
	}
	o, onOrder := orders[u.OrderID]
	if slices.Contains(locked, u.Stage) || onOrder {
		if want := stages[o.Reason+" "+o.Status]; want != u.Stage {
			return broken("a unit's stage is what its order implies", "%s is %s, its order %q is a %s %s", u.ID, u.Stage,
				u.OrderID, o.Reason, o.Status)
		}
	}
	if slices.Contains(impossible[m.intents[u.ID]], u.Stage) {
		return broken("an acknowledged action is not undone", "%s is %s after an acknowledged %s", u.ID, u.Stage,
			m.intents[u.ID])
	}
	if isReward(u.ID) {
		return nil
	}
	point, err := wire.NewOutPointFromString(u.ID)
	if err != nil {
		return err
	}
	out := m.outputs[*point]
	if out == nil || out.runes != u.Amount || out.foreign > 0 {
		return broken("a unit equals the runes of its output", "%s of %d", u.ID, u.Amount)
	}
	if owner, err := m.script(u.Owner); err != nil || m.stakes[string(out.PkScript)] != owner {
		return broken("a unit belongs to the owner of its address", "%s", u.ID)
	}
	return nil
}

// held checks that every order holds all of its units or, after it has released them, none.
func (m *Model) held(b Tables, orders map[string]Order) error {
	holds := map[string]int{}
	for _, u := range b.Units {
		if u.OrderID != "" {
			holds[u.OrderID]++
		}
	}
	for id, row := range orders {
		want := 0
		if stages[row.Reason+" "+row.Status] != "" {
			want = len(m.orders[id].units)
		}
		if holds[id] != want {
			return broken("an order holds its units",
				"the %s order %s holds %d units, not %d", row.Status, id, holds[id], want)
		}
	}
	return nil
}

// Durable checks that every acknowledged action is in the database.
func (m *Model) Durable(ctx context.Context, db *sql.DB) error {
	used := map[string]bool{}
	rows, err := db.QueryContext(ctx, `SELECT id FROM action WHERE used_at <> 0`)
	if err != nil {
		return err
	}
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return err
		}
		used[id] = true
	}
	for _, id := range m.acked {
		if !used[id] {
			return broken("acknowledged actions are durable", "action %s, the %s of %s", id, "effect",
				strconv.Itoa(len(m.acked)))
		}
	}
	return rows.Err()
}
