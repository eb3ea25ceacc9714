package payout

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
)

// InputDepth is the number of confirmations that a stake, treasury or quarantined output needs before a payout spends
// it. Payments need order.PaymentDepth.
const InputDepth = 3

// minRelay is the minimum fee rate that nodes relay, and by which a replacement must raise the fee for its own size.
var minRelay = amount.SatPerVB(1)

// Prepare stores and returns the payouts that are due: replacements of stuck payouts, payouts that operators requested,
// due refunds, and deliveries of PAID orders. rate is the estimated fee rate. The caller broadcasts the payouts after
// the commit.
//
// Prepare does not call the signer. If signatures are missing it returns ErrUnsigned. Then the caller must roll the
// transaction back, call Sign, and call Prepare in a new transaction. That call reads all data again, and stores a
// signed payout only if it builds the identical transaction. Only one goroutine at a time may do this.
func (s *Service) Prepare(ctx context.Context, tx Tx, watch ledger.WatchList, rate amount.FeeRate,
	m ledger.Moment) ([]Payout, error) {
	s.signatures.Begin()
	stored, err := s.prepareAll(ctx, tx, watch, rate, m)
	if err == nil {
		err = s.signatures.Missing()
	}
	if err != nil {
		return nil, err
	}
	s.refundsFrom = s.examined
	return stored, nil
}

func (s *Service) prepareAll(ctx context.Context, tx Tx, watch ledger.WatchList, rate amount.FeeRate,
	m ledger.Moment) (stored []Payout, err error) {
	waits, now := waits{}, m.Now
	s.ended = nil
	defer func() { s.waits.Store(&waits) }()
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
	if stored, err = s.bumpStuck(ctx, tx, watch, rate, m); err != nil {
		return nil, err
	}
	type build func(context.Context, Tx, ledger.WatchList, amount.FeeRate, time.Time) ([]Payout, error)
	for _, part := range []build{s.refunds, s.serveRequests, s.dueRefunds, s.oneTxs} {
		payouts, err := part(ctx, tx, watch, rate, now)
		if err != nil {
			return nil, err
		}
		stored = append(stored, payouts...)
	}
	for _, terms := range s.terms.All() {
		payouts, err := s.prepare(ctx, tx, round{watch, rate, now, waits}, terms, paid)
		if err != nil {
			return nil, err
		}
		stored = append(stored, payouts...)
	}
	return stored, nil
}

// round has the parameters of one call of Prepare.
type round struct {
	watch ledger.WatchList
	rate  amount.FeeRate
	now   time.Time
	waits waits // collects the reasons why orders are not sent
}

// prepare stores the deliveries of one community. A batch to which further orders could be added is stored only when
// one of its orders has waited MaxWait.
func (s *Service) prepare(
	ctx context.Context, tx Tx, r round, terms Terms, paid []order.Order,
) (stored []Payout, err error) {
	waiting, err := s.dueDeliveries(ctx, tx, r, terms, paid)
	if err != nil {
		return nil, err
	}
	for len(waiting) > 0 {
		f, err := s.fitBatch(ctx, tx, terms.Prefix, waiting, r.rate, r.waits)
		if err != nil {
			return nil, err
		}
		if len(f.batch) == 0 {
			break
		}
		waiting = f.rest
		if !f.full && !terms.overdue(f.batch, r.now) {
			for _, d := range f.batch {
				r.waits.add(d.Order.ID, "for other orders to share the payout with, "+terms.MaxWait.String()+" at most")
			}
			continue
		}
		payouts, err := s.deliver(ctx, tx, r, f.batch, f.built)
		if err != nil {
			return nil, err
		}
		stored = append(stored, payouts...)
	}
	return stored, nil
}

// overdue reports whether an order of a batch has been PAID for MaxWait.
func (t Terms) overdue(batch []dueDelivery, now time.Time) bool {
	for _, d := range batch {
		if !now.Before(d.Order.Updated.Add(t.MaxWait)) {
			return true
		}
	}
	return false
}

// deliver signs and stores a batch. If the signer refuses it, deliver tries both halves, so that only the refused
// orders wait.
func (s *Service) deliver(
	ctx context.Context, tx Tx, r round, batch []dueDelivery, b built,
) (stored []Payout, err error) {
	prefix := batch[0].Order.Community
	signed, err := s.sign(prefix, batch, b)
	if err == nil {
		p, err := s.store(ctx, tx, r.watch, batch, b, signed, r.now)
		return []Payout{p}, err
	}
	if ctx.Err() != nil {
		return nil, err
	}
	if len(batch) == 1 {
		s.logWait(r.waits, batch[0].Order.ID, err)
		return nil, nil
	}
	half := len(batch) / 2
	for _, part := range [][]dueDelivery{batch[:half], batch[half:]} {
		f, err := s.fitBatch(ctx, tx, prefix, part, r.rate, r.waits)
		if err != nil {
			return nil, err
		}
		if len(f.batch) == 0 {
			continue
		}
		payouts, err := s.deliver(ctx, tx, r, f.batch, f.built)
		if err != nil {
			return nil, err
		}
		stored = append(stored, payouts...)
	}
	return stored, nil
}

func (s *Service) sign(prefix string, batch []dueDelivery, b built) (*wire.MsgTx, error) {
	unsigned := Unsigned{Community: prefix, Tx: b.tx, Inputs: b.inputs}
	for _, d := range batch {
		unsigned.Orders = append(unsigned.Orders, d.Owed)
	}
	return s.signed(unsigned)
}

// dueDelivery is an order with the inputs of its delivery.
type dueDelivery struct {
	Owed
	inputs      []vault.Coin // the outputs of its units and its payments
	funds       amount.Sats  // sats of the order that pay the payout's fee
	overpayment amount.Sats  // by which the spent payments exceed the price
	unshared    bool         // its staker can soon recover a unit, which would invalidate a shared payout
	height      int64        // of the chain's tip
}

// dueDeliveries returns the orders of a community that can be delivered now, and adds the reasons of the others to the
// waits of the round, except of those that wait for their rate.
func (s *Service) dueDeliveries(ctx context.Context, tx Tx, r round, terms Terms,
	paid []order.Order) (waiting []dueDelivery, err error) {
	for _, o := range paid {
		if o.Community != terms.Prefix {
			continue
		}
		if waitsForRate(o, r.rate) { // on purpose, so it is not in waits; many may wait, so nothing of them is read
			continue
		}
		d, ready, err := s.collectInputs(ctx, tx, o)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil: // an error delays only this order
			s.logWait(r.waits, o.ID, err)
		case o.Ended(r.now, d.height): // it is PAID again since the orders were evaluated: its payout is dead
			r.waits.add(o.ID, "for its end: the last limits of its economy delivery are over")
		case ready && terms.cold(d.Delivery):
			r.waits.add(o.ID, "for the operator's own signature: moonfund payout export "+o.ID+
				` payout.psbt --why "above cold_above"`)
		case ready:
			waiting = append(waiting, d.keep(min(r.rate, terms.MaxRate)))
		default:
			r.waits.add(o.ID, "for confirmations of its units or payments")
		}
	}
	slices.SortStableFunc(waiting, normalFirst)
	return waiting, nil
}

// collectInputs returns an order's delivery with its inputs: the outputs of its units, and the confirmed payments that
// pay its price, the anchor first. ready is false if an output lacks confirmations or another transaction spends it.
// Every payout of an order spends the anchor, so that consensus forbids a second delivery.
func (s *Service) collectInputs(ctx context.Context, tx Tx, o order.Order) (d dueDelivery, ready bool, err error) {
	terms, err := s.terms.Of(o.Community)
	if err != nil {
		return d, false, err
	}
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return d, false, err
	}
	d.height = tip.Height
	if d.Units, err = tx.Orders.UnitsOfOrder(ctx, o); err != nil {
		return d, false, err
	}
	if err := checkRewardsFree(ctx, tx, o, d.Units); err != nil {
		return d, false, err
	}
	for _, unit := range d.Units {
		if unit.Virtual() {
			continue
		}
		if unit.Contested || unit.Vanished || ledger.Confirmations(unit.Height, tip.Height) < InputDepth {
			return d, false, nil
		}
		coin, err := s.unitCoin(ctx, tx, terms, unit, o.ID)
		if err != nil {
			return d, false, err
		}
		d.inputs = append(d.inputs, coin)
		d.unshared = d.unshared || nearRecovery(coin.Delay, unit.Height, tip.Height)
	}
	payments, err := tx.Payments.PaymentsOf(ctx, o.ID)
	if err != nil {
		return d, false, err
	}
	spent, o, ready, err := s.orders.PaymentsToSpend(o, payments, tip.Height)
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
	d.overpayment = gathered - o.Fees.Total()
	if d.Delivery, err = s.delivery(terms, o, d.Units); err != nil {
		return d, false, err
	}
	d.Proof, err = tx.Proofs.ProofOf(ctx, o.ActionID)
	return d, true, err
}

// checkRewardsFree returns an error while an unexplained spend to an order's owner may have delivered rewards of the
// order.
func checkRewardsFree(ctx context.Context, tx Tx, o order.Order, units []ledger.Unit) error {
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

// keep returns d with the part of the overpayment that the delivery pays to the order's own address, if that part is
// worth an output. It is refunded from there like any payment. The overpayment pays the fee of the output, at the rate
// of an economy order or else at the given one.
func (d dueDelivery) keep(rate amount.FeeRate) dueDelivery {
	if d.Order.IsEconomy() {
		rate = d.Order.FeeRate
	}
	kept := d.overpayment - rate.Fee(vault.KeptVBytes)
	if d.Order.WorthKeeping(kept) {
		d.Delivery.Overpayment, d.Delivery.KeptAt = kept, d.Order.Script
		d.funds += d.overpayment - kept
	}
	return d
}

// unitCoin returns the output of a unit with the data needed to spend it.
func (s *Service) unitCoin(ctx context.Context, tx Tx, terms Terms, unit ledger.Unit,
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

// nearRecovery reports whether a staker can recover an output so soon that its payout must not be shared: within 1,008
// blocks, or within a sixth of the delay if that is less.
func nearRecovery(delay uint32, height, tip int64) bool {
	return height+int64(delay)-tip <= order.RecoveryMargin(delay)
}

// built is an unsigned payout.
type built struct {
	tx     *wire.MsgTx
	cost   vault.PayoutCost
	inputs []vault.Coin
}

// fitted is a batch with its transaction, and the orders that remain for the next batch.
type fitted struct {
	batch, rest []dueDelivery
	built       built
	full        bool // no further order fits
}

// fitBatch builds a batch of the oldest order that can be delivered and later ones, until one does not fit. It skips an
// order that can't be delivered at all.
func (s *Service) fitBatch(ctx context.Context, tx Tx, prefix string, waiting []dueDelivery, rate amount.FeeRate,
	waits waits) (f fitted, err error) {
	for _, d := range waiting {
		if f.full || (d.unshared && len(f.batch) > 0) {
			f.rest = append(f.rest, d)
			continue
		}
		tried, err := s.build(ctx, tx, prefix, append(f.batch[:len(f.batch):len(f.batch)], d), rate)
		var tooMany *vault.ErrTooMany
		switch {
		case ctx.Err() != nil:
			return f, ctx.Err()
		case err == nil:
			f.batch, f.built, f.full = append(f.batch, d), tried, d.unshared
		case len(f.batch) > 0 && errors.As(err, &tooMany):
			f.full = true
			f.rest = append(f.rest, d)
		case len(f.batch) > 0:
			f.rest = append(f.rest, d) // it may fail only together with the others: the next batch starts with it
		default:
			s.logWait(waits, d.Order.ID, err)
		}
	}
	return f, nil
}

// build builds the payout of a batch at a fee rate, or at the highest rate that the orders' network fees and the fee
// account can pay. It builds a payout of economy orders at their own rate, which must be at least the given one.
func (s *Service) build(
	ctx context.Context, tx Tx, prefix string, batch []dueDelivery, rate amount.FeeRate,
) (built, error) {
	terms, err := s.terms.Of(prefix)
	if err != nil {
		return built{}, err
	}
	plan, collected, err := s.plan(ctx, tx, terms, batch)
	if err != nil {
		return built{}, err
	}
	economy, err := s.economyRate(batch)
	if err != nil {
		return built{}, err
	}
	if economy > 0 {
		if o := batch[0].Order; waitsForRate(o, rate) {
			return built{}, fmt.Errorf("it waits for the network's fee rate to fall to the %s sat/vB that its owner chose",
				o.FeeRate)
		}
		if err := s.spareTreasury(ctx, tx, batch); err != nil {
			return built{}, err
		}
		result, err := s.fundEconomy(plan, batch, collected, economy, rate)
		if err != nil {
			return built{}, err
		}
		return result, s.check(result, batch)
	}
	result, funds, err := s.fund(ctx, tx, prefix, "", plan, collected, rate)
	if err != nil {
		return built{}, err
	}
	result = s.split(ctx, tx, terms, plan, rate, funds, result)
	return result, s.check(result, batch)
}

// plan returns the plan of a batch without a fee rate, and the sats of its orders that pay the fee.
func (s *Service) plan(
	ctx context.Context, tx Tx, terms Terms, batch []dueDelivery,
) (vault.PayoutPlan, amount.Sats, error) {
	plan := vault.PayoutPlan{Rune: terms.Rune, RuneChangeOutputs: 1, MaxRunestone: terms.MaxRunestone,
		Version: s.version()}
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
	coins, err := s.treasury(ctx, tx, terms)
	if err != nil {
		return plan, 0, err
	}
	chosen, err := vault.SelectTreasury(coins, terms.Rune, fromTreasury)
	plan.Inputs = append(plan.Inputs, chosen...)
	return plan, funds, err
}

func (s *Service) treasury(ctx context.Context, tx Tx, terms Terms) ([]vault.Coin, error) {
	return s.treasuryCoins(ctx, tx, terms, ledger.RunesKind, vault.TreasuryRunes)
}

// treasuryCoins returns the treasury outputs of a kind that a payout may spend: those with InputDepth confirmations,
// and of coinbase outputs those with order.CoinbaseDepth.
func (s *Service) treasuryCoins(ctx context.Context, tx Tx, terms Terms, kind ledger.Kind,
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
		depth := ledger.Confirmations(output.Height, tip.Height)
		if depth < InputDepth || (output.Coinbase && depth < order.CoinbaseDepth) ||
			(kind == ledger.SatsKind && output.Runes > 0) {
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
