package payout

import (
	"context"
	"errors"
	"fmt"
	"slices"
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

// Prepare carries out what is due: replacements of payouts that are stuck, what
// the operator asked for, and payouts for the orders that are PAID and can be
// delivered now, each with the orders that fit beside it. What it stores is to be
// broadcast once the transaction is committed.
//
// It calls no signer. When something needs a signature it returns
// ErrUnsigned: the caller rolls the transaction back, calls Sign, and then
// Prepare again, in a new transaction. That run looks at everything anew: status,
// units, inputs, anchors, pauses and the tip. It stores a signed payout only if it
// comes to the very same transaction. Only one goroutine at a time may do this.
func (c *Service) Prepare(ctx context.Context, tx Tx, watch ledger.Watch, rate amount.FeeRate,
	m ledger.Moment) ([]Payout, error) {
	c.signatures.Begin()
	stored, err := c.prepareAll(ctx, tx, watch, rate, m)
	if err == nil {
		err = c.signatures.Missing()
	}
	if err != nil {
		return nil, err
	}
	return stored, nil
}

func (c *Service) prepareAll(ctx context.Context, tx Tx, watch ledger.Watch, rate amount.FeeRate,
	m ledger.Moment) (stored []Payout, err error) {
	waits, now := waits{}, m.Now
	defer func() { c.waits.Store(&waits) }()
	paid, err := tx.Orders.OrdersInStatus(ctx, order.Paid)
	if err != nil {
		return nil, err
	}
	if reason, err := tx.Pauses.PausedPayouts(ctx); err != nil || reason != "" {
		for _, o := range paid {
			waits.add(o.ID, "payouts are paused: "+reason)
		}
		return nil, err
	}
	if stored, err = c.bumpStuck(ctx, tx, watch, rate, m); err != nil {
		return nil, err
	}
	type build func(context.Context, Tx, ledger.Watch, amount.FeeRate, time.Time) ([]Payout, error)
	for _, part := range []build{c.refunds, c.asked, c.dueRefunds} {
		payouts, err := part(ctx, tx, watch, rate, now)
		if err != nil {
			return nil, err
		}
		stored = append(stored, payouts...)
	}
	for prefix := range c.terms {
		payouts, err := c.prepare(ctx, tx, round{watch, rate, now, waits}, prefix, paid)
		if err != nil {
			return nil, err
		}
		stored = append(stored, payouts...)
	}
	return stored, nil
}

// round is one call of Prepare.
type round struct {
	watch ledger.Watch
	rate  amount.FeeRate
	now   time.Time
	waits waits // collects why orders are not sent
}

// prepare makes the payouts of one community. A batch that has room goes when
// somebody in it has waited long enough for company.
func (c *Service) prepare(
	ctx context.Context, tx Tx, r round, prefix string, paid []order.Order,
) (stored []Payout, err error) {
	waiting, err := c.owed(ctx, tx, prefix, paid, r.rate, r.waits)
	if err != nil {
		return nil, err
	}
	for len(waiting) > 0 {
		f, err := c.fit(ctx, tx, prefix, waiting, r.rate, r.waits)
		if err != nil {
			return nil, err
		}
		if len(f.batch) == 0 {
			break
		}
		waiting = f.rest
		if !f.full && !c.overdue(f.batch, r.now) {
			for _, d := range f.batch {
				r.waits.add(d.Order.ID, "for others to share the payout with, "+c.terms[prefix].MaxWait.String()+" at most")
			}
			continue
		}
		payouts, err := c.deliver(ctx, tx, r, f.batch, f.built)
		if err != nil {
			return nil, err
		}
		stored = append(stored, payouts...)
	}
	return stored, nil
}

// overdue reports whether anybody in a batch has waited for company as long as
// anybody may. An order's last change is when it was PAID.
func (c *Service) overdue(batch []due, now time.Time) bool {
	for _, d := range batch {
		if !now.Before(d.Order.Updated.Add(c.terms[d.Order.Community].MaxWait)) {
			return true
		}
	}
	return false
}

// deliver has a batch signed and stores it. What the signer refuses is tried
// again in halves, so that the order at fault waits alone.
func (c *Service) deliver(ctx context.Context, tx Tx, r round, batch []due, b built) (stored []Payout, err error) {
	prefix := batch[0].Order.Community
	signed, err := c.sign(prefix, batch, b)
	if err == nil {
		p, err := c.store(ctx, tx, r.watch, batch, b, signed, r.now)
		return []Payout{p}, err
	}
	if ctx.Err() != nil {
		return nil, err
	}
	if len(batch) == 1 {
		c.hold(r.waits, batch[0].Order.ID, err)
		return nil, nil
	}
	half := len(batch) / 2
	for _, part := range [][]due{batch[:half], batch[half:]} {
		f, err := c.fit(ctx, tx, prefix, part, r.rate, r.waits)
		if err != nil {
			return nil, err
		}
		if len(f.batch) == 0 {
			continue
		}
		payouts, err := c.deliver(ctx, tx, r, f.batch, f.built)
		if err != nil {
			return nil, err
		}
		stored = append(stored, payouts...)
	}
	return stored, nil
}

func (c *Service) sign(prefix string, batch []due, b built) (*wire.MsgTx, error) {
	unsigned := Unsigned{Community: prefix, Tx: b.tx, Inputs: b.inputs}
	for _, d := range batch {
		unsigned.Orders = append(unsigned.Orders, d.Owed)
	}
	return c.signed(unsigned)
}

// due is an order with everything that its delivery spends of its own.
type due struct {
	Owed
	inputs []vault.Coin // its units and payments
	funds  amount.Sats  // network money collected: what its share of the fee may cost
	beyond amount.Sats  // its price: surplus in the payments that it has to spend
	alone  bool         // its staker can soon recover a unit alone, which would break the payout for the others
}

// owed collects the orders of a community that can be delivered now.
func (c *Service) owed(ctx context.Context, tx Tx, prefix string, paid []order.Order, rate amount.FeeRate,
	waits waits) (waiting []due, err error) {
	for _, o := range paid {
		if o.Community != prefix {
			continue
		}
		d, ready, err := c.gather(ctx, tx, o)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil: // whatever is wrong with it, the others don't wait for it
			c.hold(waits, o.ID, err)
		case ready && c.terms[prefix].cold(d.Delivery):
			waits.add(o.ID, "for the operator's own signature: moonfund payout export "+o.ID+
				` payout.psbt --why "above cold_above"`)
		case ready && d.olderOrder():
			waits.add(o.ID, "for the operator's own signature, since the order is from before ids were derived from messages: "+
				"moonfund payout export "+o.ID+` payout.psbt --why "older order"`)
		case ready:
			waiting = append(waiting, d.keep(min(rate, c.terms[prefix].MaxRate)))
		default:
			waits.add(o.ID, "for confirmations of its units or payments")
		}
	}
	return waiting, nil
}

// gather finds everything that an order's delivery spends: its units, all of
// them deep enough, and the confirmed payments that pay its price, the anchor among
// them. Since every payout of an order spends the anchor, consensus forbids a second one.
func (c *Service) gather(ctx context.Context, tx Tx, o order.Order) (d due, ready bool, err error) {
	terms := c.terms[o.Community]
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return d, false, err
	}
	if d.Units, err = tx.Orders.UnitsOfOrder(ctx, o); err != nil {
		return d, false, err
	}
	if err := unheld(ctx, tx, o, d.Units); err != nil {
		return d, false, err
	}
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
		d.alone = d.alone || nearRecovery(coin.Delay, unit.Height, tip.Height)
	}
	payments, err := tx.Payments.PaymentsOf(ctx, o.ID)
	if err != nil {
		return d, false, err
	}
	spent, o, ready, err := c.orders.Spending(o, payments, tip.Height)
	if err != nil || !ready {
		return d, false, err
	}
	d.Order, d.funds = o, o.Fees.Network+o.Fees.Rutxos
	var gathered amount.Sats
	for _, p := range spent {
		coin, err := terms.Account.Coin(vault.Payment, p.OutPoint, p.Value, nil, o.ID)
		if err != nil {
			return d, false, err
		}
		d.inputs = append(d.inputs, coin)
		gathered += p.Value
	}
	d.beyond = gathered - o.Fees.Total()
	if d.Delivery, err = c.delivery(terms, o, d.Units); err != nil {
		return d, false, err
	}
	d.Proof, err = tx.Proofs.ProofOf(ctx, o.ActionID)
	return d, true, err
}

// unheld wants nothing to be open of what left the treasury for an order's owner:
// it may have been these very rewards.
func unheld(ctx context.Context, tx Tx, o order.Order, units []ledger.Unit) error {
	if !slices.ContainsFunc(units, ledger.Unit.Virtual) {
		return nil
	}
	open, err := tx.Unexplained.UnexplainedSpendsTo(ctx, o.Community, o.Owner)
	if err == nil && len(open) > 0 {
		err = fmt.Errorf("its owner's rewards are held until it is clear which of them transaction %s delivered (moonfund "+
			"treasury explain)", open[0].TxID)
	}
	return err
}

// keep has the delivery put the surplus among its payments back at the order's own
// address, where that is worth its output: from there it is refunded, and never
// twice, by the rules of every other refund. The surplus pays for the output itself.
func (d due) keep(rate amount.FeeRate) due {
	kept := d.beyond - rate.Fee(vault.KeptVBytes)
	if d.Order.WorthKeeping(kept) {
		d.Delivery.Surplus, d.Delivery.KeptAt = kept, d.Order.Script
		d.funds += d.beyond - kept
	}
	return d
}

func (c *Service) unitCoin(ctx context.Context, tx Tx, terms Terms, unit ledger.Unit,
	orderID string) (vault.Coin, error) {
	output, err := tx.Outputs.Output(ctx, unit.OutPoint)
	if err != nil {
		return vault.Coin{}, err
	}
	keys, err := tx.Proofs.StakeKeys(ctx, output.Ref)
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
	if n == 0 {
		return nil
	}
	return []runes.Balance{{ID: id, Amount: uint128.From64(uint64(n))}}
}

// nearRecovery reports whether a staker alone can spend an output so soon that
// its payout should not be shared: within 1,008 blocks, or a sixth of a delay
// that is shorter than any real network allows.
func nearRecovery(delay uint32, height, tip int64) bool {
	return height+int64(delay)-tip <= min(1008, int64(delay)/6)
}

// built is a payout ready to be signed.
type built struct {
	tx     *wire.MsgTx
	cost   vault.PayoutCost
	inputs []vault.Coin
}

// fitted is a batch with its transaction, and those who must wait for the next one.
type fitted struct {
	batch, rest []due
	built       built
	full        bool // nobody else fits
}

// fit takes the oldest order that can be delivered and every later one that fits
// beside it. An order that cannot be built is passed over and never holds up the rest.
func (c *Service) fit(ctx context.Context, tx Tx, prefix string, waiting []due, rate amount.FeeRate,
	waits waits) (f fitted, err error) {
	for _, d := range waiting {
		if f.full || (d.alone && len(f.batch) > 0) {
			f.rest = append(f.rest, d)
			continue
		}
		tried, err := c.build(ctx, tx, prefix, append(f.batch[:len(f.batch):len(f.batch)], d), rate)
		var tooMany *vault.ErrTooMany
		switch {
		case ctx.Err() != nil:
			return f, ctx.Err()
		case err == nil:
			f.batch, f.built, f.full = append(f.batch, d), tried, d.alone
		case len(f.batch) > 0 && errors.As(err, &tooMany):
			f.full = true
			f.rest = append(f.rest, d)
		case len(f.batch) > 0:
			f.rest = append(f.rest, d) // it gets its turn alone
		default:
			c.hold(waits, d.Order.ID, err)
		}
	}
	return f, nil
}

// build makes the transaction at the current rate, or as near to it as the
// network money of its orders and the fee account pay for.
func (c *Service) build(ctx context.Context, tx Tx, prefix string, batch []due, rate amount.FeeRate) (built, error) {
	plan, collected, err := c.plan(ctx, tx, prefix, batch)
	if err != nil {
		return built{}, err
	}
	result, funds, err := c.fund(ctx, tx, prefix, "", plan, collected, rate)
	if err != nil {
		return built{}, err
	}
	result = c.split(ctx, tx, c.terms[prefix], plan, rate, funds, result)
	return result, c.check(result, batch)
}

func (c *Service) plan(ctx context.Context, tx Tx, prefix string, batch []due) (vault.PayoutPlan, amount.Sats, error) {
	terms := c.terms[prefix]
	plan := vault.PayoutPlan{Rune: terms.Rune, RuneChangeOutputs: 1, MaxRunestone: terms.MaxRunestone,
		Version: c.version()}
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

func (c *Service) treasury(ctx context.Context, tx Tx, terms Terms) ([]vault.Coin, error) {
	return c.confirmed(ctx, tx, terms, ledger.RunesKind, vault.TreasuryRunes)
}

// confirmed returns the treasury's outputs of a kind that a payout may spend: no
// payout ever waits for another one to confirm.
func (c *Service) confirmed(ctx context.Context, tx Tx, terms Terms, kind ledger.Kind,
	as vault.CoinKind) (coins []vault.Coin, err error) {
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return nil, err
	}
	outputs, err := tx.Treasury.TreasuryOutputs(ctx, terms.Prefix, kind)
	if err != nil {
		return nil, err
	}
	for _, output := range outputs {
		if ledger.Confirmations(output.Height, tip.Height) < InputDepth || (kind == ledger.SatsKind && output.Runes > 0) {
			continue
		}
		coin, err := terms.Account.Coin(as, output.OutPoint, output.Value, held(terms.Rune, output.Runes), "")
		if err != nil {
			return nil, err
		}
		coins = append(coins, coin)
	}
	return coins, nil
}

// check decodes the payout as the index would and holds it against what is owed and against policy.
func (c *Service) check(b built, batch []due) error {
	terms := c.terms[batch[0].Order.Community]
	deliveries := make([]vault.Delivery, len(batch))
	for i, d := range batch {
		deliveries[i] = d.Delivery
	}
	runeChange, _ := terms.Account.TreasuryRunes()
	satsChange, _ := terms.Account.TreasurySats()
	if err := vault.VerifyPayout(b.tx, b.inputs, deliveries, runeChange.Script, satsChange.Script,
		c.allocate); err != nil {
		return err
	}
	policy := c.policy
	policy.DataCarrier = max(policy.DataCarrier, terms.MaxRunestone)
	return chain.CheckPolicy(b.tx, vault.Outputs(b.inputs), policy)
}
