package payout

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/ledger"
	"moonfund/order"
	"moonfund/runes"
	"moonfund/vault"
)

// InputDepth is how many confirmations an output needs before a payout spends it; payments need one.
const InputDepth = 3

// minRelay is the least that nodes relay.
var minRelay = amount.SatPerVB(1)

// Prepare builds, signs and stores payouts for the orders that are PAID and can
// be delivered now, each with the orders that fit beside it. What it stores is
// to be broadcast once the transaction is committed.
func (c *Cashier) Prepare(ctx context.Context, tx Tx, watch ledger.Watch, rate amount.FeeRate, now time.Time) (stored []Payout, err error) {
	if reason, err := tx.PausedPayouts(ctx); err != nil || reason != "" {
		return nil, err
	}
	paid, err := tx.OrdersInStatus(ctx, order.Paid)
	if err != nil {
		return nil, err
	}
	for prefix := range c.terms {
		waiting, err := c.owed(ctx, tx, prefix, paid)
		if err != nil {
			return nil, err
		}
		for len(waiting) > 0 {
			batch, rest, built, err := c.fit(ctx, tx, prefix, waiting, rate)
			if err != nil {
				return nil, err
			}
			if len(batch) == 0 {
				break
			}
			waiting = rest
			payouts, err := c.deliver(ctx, tx, watch, batch, built, rate, now)
			if err != nil {
				return nil, err
			}
			stored = append(stored, payouts...)
		}
	}
	return stored, nil
}

// deliver has a batch signed and stores it. What the signer refuses is tried
// again in halves, so that the order at fault waits alone.
func (c *Cashier) deliver(ctx context.Context, tx Tx, watch ledger.Watch, batch []due, b built, rate amount.FeeRate, now time.Time) (stored []Payout, err error) {
	prefix := batch[0].Order.Community
	signed, err := c.sign(ctx, prefix, batch, b)
	if err == nil {
		p, err := c.store(ctx, tx, watch, prefix, batch, b, signed, now)
		return []Payout{p}, err
	}
	if ctx.Err() != nil {
		return nil, err
	}
	if len(batch) == 1 {
		c.log.Warn("an order waits", "order", batch[0].Order.ID, "reason", err.Error())
		return nil, nil
	}
	half := len(batch) / 2
	for _, part := range [][]due{batch[:half], batch[half:]} {
		part, _, b, err := c.fit(ctx, tx, prefix, part, rate)
		if err != nil {
			return nil, err
		}
		if len(part) == 0 {
			continue
		}
		payouts, err := c.deliver(ctx, tx, watch, part, b, rate, now)
		if err != nil {
			return nil, err
		}
		stored = append(stored, payouts...)
	}
	return stored, nil
}

func (c *Cashier) sign(ctx context.Context, prefix string, batch []due, b built) (*wire.MsgTx, error) {
	unsigned := Unsigned{Community: prefix, Tx: b.tx, Inputs: b.inputs}
	for _, d := range batch {
		unsigned.Orders = append(unsigned.Orders, d.Owed)
	}
	return c.signer.Sign(ctx, unsigned)
}

// due is an order with everything that its delivery spends of its own.
type due struct {
	Owed
	inputs []vault.Coin // its units and payments
	funds  amount.Sats  // network money collected: what its share of the fee may cost
}

// owed collects the orders of a community that can be delivered now.
func (c *Cashier) owed(ctx context.Context, tx Tx, prefix string, paid []order.Order) (waiting []due, err error) {
	for _, o := range paid {
		if o.Community != prefix {
			continue
		}
		d, ready, err := c.gather(ctx, tx, o)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil: // whatever is wrong with it, the others don't wait for it
			c.log.Warn("an order waits", "order", o.ID, "reason", err.Error())
		case ready:
			waiting = append(waiting, d)
		}
	}
	return waiting, nil
}

// gather finds everything that an order's delivery spends: its units, all of
// them deep enough, and its payments, the anchor among them. Since every payout
// of an order spends the anchor, consensus forbids a second one.
func (c *Cashier) gather(ctx context.Context, tx Tx, o order.Order) (d due, ready bool, err error) {
	terms := c.terms[o.Community]
	tip, err := tx.Tip(ctx)
	if err != nil {
		return d, false, err
	}
	d.Order, d.funds = o, o.Fees.Network+o.Fees.Rutxos
	if d.Units, err = tx.UnitsOfOrder(ctx, o); err != nil {
		return d, false, err
	}
	value := amount.Sats(vault.DustSats)
	for _, unit := range d.Units {
		if unit.Virtual() {
			continue
		}
		if unit.Contested || unit.Vanished || ledger.Confirmations(unit.Height, tip.Height) < InputDepth {
			return d, false, nil
		}
		coin, err := c.unitCoin(ctx, tx, terms, unit, o.ID)
		if err != nil {
			return d, false, err
		}
		d.inputs = append(d.inputs, coin)
		value += unit.Value
	}
	payments, err := tx.PaymentsOf(ctx, o.ID)
	if err != nil {
		return d, false, err
	}
	anchored := false
	for _, p := range payments {
		if !p.Counted || p.Vanished {
			continue
		}
		if p.SpentBy != "" || !p.Deep(tip.Height) {
			if !anchored {
				return d, false, nil
			}
			continue
		}
		anchored = true
		coin, err := terms.Account.Coin(vault.Payment, p.OutPoint, p.Value, nil, o.ID)
		if err != nil {
			return d, false, err
		}
		d.inputs = append(d.inputs, coin)
	}
	to, err := chain.ParseAddress(o.Owner, c.network)
	if err != nil {
		return d, false, err
	}
	d.Delivery = vault.Delivery{OrderID: o.ID, Rune: terms.Rune, Amount: o.Amount, To: to.Script, Value: value}
	d.Proof, err = tx.ProofOf(ctx, o.ActionID)
	return d, anchored, err
}

func (c *Cashier) unitCoin(ctx context.Context, tx Tx, terms Terms, unit ledger.Unit, orderID string) (vault.Coin, error) {
	output, err := tx.Output(ctx, unit.OutPoint)
	if err != nil {
		return vault.Coin{}, err
	}
	keys, err := tx.StakeKeys(ctx, output.Ref)
	if err != nil {
		return vault.Coin{}, err
	}
	stake, err := terms.Account.StakeOutput(keys.Position, keys.Leaf, keys.Delay)
	if err != nil {
		return vault.Coin{}, err
	}
	return stake.Coin(unit.OutPoint, unit.Value, held(terms.Rune, unit.Amount), orderID), nil
}

func held(id runes.ID, n amount.Runes) []runes.Balance {
	return []runes.Balance{{ID: id, Amount: uint128.From64(uint64(n))}}
}

// built is a payout ready to be signed.
type built struct {
	tx     *wire.MsgTx
	cost   vault.PayoutCost
	inputs []vault.Coin
}

// fit takes the oldest order that can be delivered and every later one that fits
// beside it. An order that cannot be built is passed over and never holds up the rest.
func (c *Cashier) fit(ctx context.Context, tx Tx, prefix string, waiting []due, rate amount.FeeRate) (batch, rest []due, best built, err error) {
	full := false
	for _, d := range waiting {
		if full {
			rest = append(rest, d)
			continue
		}
		tried, err := c.build(ctx, tx, prefix, append(batch[:len(batch):len(batch)], d), rate)
		var tooMany *vault.ErrTooMany
		switch {
		case err == nil:
			batch, best = append(batch, d), tried
		case len(batch) > 0 && errors.As(err, &tooMany):
			full = true
			rest = append(rest, d)
		case len(batch) > 0:
			rest = append(rest, d) // it gets its turn alone
		default:
			c.log.Warn("an order waits", "order", d.Order.ID, "reason", err.Error())
		}
	}
	return batch, rest, best, nil
}

// build makes the transaction at the current rate, or at the highest rate that
// the network money of its orders pays for.
func (c *Cashier) build(ctx context.Context, tx Tx, prefix string, batch []due, rate amount.FeeRate) (built, error) {
	plan, funds, err := c.plan(ctx, tx, prefix, batch)
	if err != nil {
		return built{}, err
	}
	plan.FeeRate = min(rate, c.terms[prefix].MaxRate)
	msg, cost, err := vault.BuildPayout(plan)
	if short := new(vault.ErrSatsShort); errors.As(err, &short) || (err == nil && cost.Fee > funds) {
		if cost.VBytes == 0 {
			cost.VBytes = estimateVBytes(plan)
		}
		plan.FeeRate = min(plan.FeeRate, amount.FeeRate(int64(funds)*1000/cost.VBytes))
		if plan.FeeRate < minRelay {
			return built{}, fmt.Errorf("its network money pays for only %s sat/vB", plan.FeeRate)
		}
		msg, cost, err = vault.BuildPayout(plan)
	}
	if err != nil {
		return built{}, err
	}
	result := built{tx: msg, cost: cost, inputs: plan.Inputs}
	return result, c.check(result, batch)
}

func estimateVBytes(plan vault.PayoutPlan) int64 {
	plan.FeeRate = minRelay
	if _, cost, err := vault.BuildPayout(plan); err == nil {
		return cost.VBytes
	}
	return vault.MaxPayoutVBytes
}

func (c *Cashier) plan(ctx context.Context, tx Tx, prefix string, batch []due) (vault.PayoutPlan, amount.Sats, error) {
	terms := c.terms[prefix]
	plan := vault.PayoutPlan{Rune: terms.Rune, RuneChangeOutputs: 1}
	var funds amount.Sats
	var fromTreasury amount.Runes
	for _, d := range batch {
		plan.Inputs = append(plan.Inputs, d.inputs...)
		plan.Deliveries = append(plan.Deliveries, d.Delivery)
		funds += d.funds
		for _, unit := range d.Units {
			if unit.Virtual() {
				fromTreasury += unit.Amount
			}
		}
	}
	runeChange, _ := terms.Account.TreasuryRunes()
	satsChange, _ := terms.Account.TreasurySats()
	plan.RuneChange, plan.SatsChange = runeChange.Script, satsChange.Script
	if fromTreasury == 0 {
		return plan, funds, nil
	}
	coins, err := c.treasury(ctx, tx, terms)
	if err != nil {
		return plan, 0, err
	}
	chosen, err := vault.SelectTreasury(coins, terms.Rune, fromTreasury)
	plan.Inputs = append(plan.Inputs, chosen...)
	return plan, funds, err
}

func (c *Cashier) treasury(ctx context.Context, tx Tx, terms Terms) ([]vault.Coin, error) {
	tip, err := tx.Tip(ctx)
	if err != nil {
		return nil, err
	}
	outputs, err := tx.TreasuryOutputs(ctx, terms.Prefix, ledger.RunesKind)
	if err != nil {
		return nil, err
	}
	var coins []vault.Coin
	for _, output := range outputs {
		if ledger.Confirmations(output.Height, tip.Height) < InputDepth {
			continue
		}
		coin, err := terms.Account.Coin(vault.TreasuryRunes, output.OutPoint, output.Value, held(terms.Rune, output.Runes), "")
		if err != nil {
			return nil, err
		}
		coins = append(coins, coin)
	}
	return coins, nil
}

// check decodes the payout as the index would and holds it against what is owed and against policy.
func (c *Cashier) check(b built, batch []due) error {
	terms := c.terms[batch[0].Order.Community]
	deliveries := make([]vault.Delivery, len(batch))
	for i, d := range batch {
		deliveries[i] = d.Delivery
	}
	runeChange, _ := terms.Account.TreasuryRunes()
	satsChange, _ := terms.Account.TreasurySats()
	if err := vault.VerifyPayout(b.tx, b.inputs, deliveries, runeChange.Script, satsChange.Script, c.allocate); err != nil {
		return err
	}
	spent := map[wire.OutPoint]*wire.TxOut{}
	for i := range b.inputs {
		spent[b.inputs[i].OutPoint] = &b.inputs[i].Output
	}
	return chain.CheckPolicy(b.tx, func(out wire.OutPoint) (*wire.TxOut, bool) {
		output, ok := spent[out]
		return output, ok
	}, c.policy)
}

// store makes a signed payout durable, with its orders SENT. Only after the
// transaction that it runs in is committed may the network see it.
func (c *Cashier) store(ctx context.Context, tx Tx, watch ledger.Watch, prefix string, batch []due, b built, signed *wire.MsgTx, now time.Time) (p Payout, err error) {
	p = Payout{Community: prefix, Status: Live, Created: now}
	for _, d := range batch {
		p.OrderIDs = append(p.OrderIDs, d.Order.ID)
	}
	if p.ID, err = c.newID(); err != nil {
		return p, err
	}
	version := Version{Tx: chain.NewTx(signed), Fee: b.cost.Fee, VBytes: b.cost.VBytes, Created: now, Height: ledger.None}
	p.Versions = []Version{version}
	if err := tx.InsertPayout(ctx, p); err != nil {
		return p, err
	}
	if err := c.see(ctx, tx, watch, b.inputs, version, now); err != nil {
		return p, err
	}
	cause := ledger.Cause{Kind: "payout", ID: p.ID, At: now}
	for _, d := range batch {
		if _, err := c.orders.Apply(ctx, tx, d.Order, order.PayoutStored, cause, func(o *order.Order) {
			o.PayoutID, o.PayoutTx = p.ID, version.Tx.ID.String()
		}); err != nil {
			return p, err
		}
	}
	c.log.Info("payout stored", "payout", p.ID, "txid", version.Tx.ID.String(), "orders", len(batch), "fee_sats", int64(b.cost.Fee), "vbytes", b.cost.VBytes)
	return p, nil
}

// see books our own transaction at once: its inputs are spent and its change is ours.
func (c *Cashier) see(ctx context.Context, tx Tx, watch ledger.Watch, inputs []vault.Coin, v Version, now time.Time) error {
	balances := map[wire.OutPoint][]runes.Balance{}
	for _, coin := range inputs {
		balances[coin.OutPoint] = coin.Runes
	}
	outputs, _, _, err := c.allocate(v.Tx.Msg, func(out wire.OutPoint) []runes.Balance { return balances[out] })
	if err != nil {
		return err
	}
	_, err = c.book.See(ctx, tx, watch, ledger.Sighting{
		Tx: v.Tx, Height: ledger.None, At: now, Ours: true,
		Allocated: func(vout uint32) []runes.Balance {
			if int(vout) < len(outputs) {
				return outputs[vout]
			}
			return nil
		},
	})
	return err
}

// Hex returns the signed bytes as the node takes them.
func (v Version) Hex() string { return hex.EncodeToString(v.Tx.Bytes()) }
