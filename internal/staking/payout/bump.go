package payout

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/state"
)

const (
	// BumpAfter is the number of blocks after which an unconfirmed payout may be replaced automatically.
	BumpAfter = 6
	// minBumpPercent is the minimum estimate of the fee rate for an automatic replacement, in percent of the payout's
	// fee rate.
	minBumpPercent = 150
)

// notReplaceable returns a *order.Refusal with the reason why a payout is not replaced.
func notReplaceable(format string, args ...any) error {
	return &order.Refusal{Reason: "it is not replaced: " + fmt.Sprintf(format, args...)}
}

// bumpStuck replaces the deliveries and refunds that are unconfirmed for BumpAfter blocks if the estimated fee rate is
// at least minBumpPercent of theirs. It skips payouts whose sats do not pay for a replacement. Returns and withdrawals
// are replaced only at an operator's request, and transactions that an owner's coins pay only by their owner.
func (s *Service) bumpStuck(ctx context.Context, tx Tx, watch ledger.WatchList, rate amount.FeeRate,
	m ledger.Moment) (bumped []Payout, err error) {
	live, err := tx.Payouts.PayoutsIn(ctx, Live)
	if err != nil {
		return nil, err
	}
	for _, p := range live {
		last, rate := p.Versions[len(p.Versions)-1], rate
		if p.Kind == Refund {
			rate = min(rate, last.worthwhile())
		}
		notOurs := p.Kind == Return || p.Kind == Withdraw || p.Kind == OneTx
		if notOurs || rate.Fee(last.VBytes)*100 < last.Fee*minBumpPercent {
			continue
		}
		if passed, err := blocksSince(ctx, tx, m, last.Created); err != nil || !passed {
			if err != nil {
				return nil, err
			}
			continue
		}
		p, err := s.Bump(ctx, tx, watch, p, rate, ledger.Cause{Kind: "clock", ID: p.ID, At: m.Now})
		if refused := new(order.Refusal); errors.As(err, &refused) {
			s.log.Debug("a payout stays as it is", "payout", p.ID, "reason", refused.Reason)
			continue
		}
		if err != nil {
			return nil, err
		}
		bumped = append(bumped, p)
	}
	return bumped, nil
}

// worthwhile returns the highest fee rate at which a replacement of a refund returns at least its cost.
func (v Version) worthwhile() amount.FeeRate {
	in := v.Fee
	for _, out := range v.Tx.Msg.TxOut {
		in += amount.Sats(out.Value)
	}
	return amount.FeeRate(int64(in/2) * 1000 / max(1, v.VBytes))
}

// blocksSince reports whether the header times of the last BumpAfter blocks are after an instant of the server's clock.
func blocksSince(ctx context.Context, tx Tx, m ledger.Moment, at time.Time) (bool, error) {
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return false, err
	}
	header, err := tx.Headers.HeaderAt(ctx, tip.Height-BumpAfter+1)
	if errors.Is(err, state.ErrNotFound) {
		return false, nil
	}
	return err == nil && m.Shown(header.Time).After(at), err
}

// Bump stores a version with a higher fee rate (BIP-125) of a live, unconfirmed payout, and returns the payout with it.
// The new version has the same inputs and destinations, and further inputs of treasury sats if needed. The checks and
// limits of new payouts apply. All versions remain stored, because any of them may confirm. Bump returns a
// *order.Refusal and changes nothing if a rule forbids the replacement or the signer refuses it.
func (s *Service) Bump(ctx context.Context, tx Tx, watch ledger.WatchList, p Payout, rate amount.FeeRate,
	cause ledger.Cause) (Payout, error) {
	switch p.Kind {
	case Refund:
		return s.bumpRefund(ctx, tx, watch, p, rate, cause)
	case Return:
		return s.bumpReturn(ctx, tx, watch, p, rate, cause)
	case Withdraw:
		return s.bumpWithdrawal(ctx, tx, watch, p, rate, cause)
	}
	batch, err := s.replaceable(ctx, tx, p)
	if err != nil {
		return p, err
	}
	b, err := s.rebuild(ctx, tx, p, batch, rate)
	if err != nil {
		return p, err
	}
	signed, err := s.sign(p.Community, batch, b)
	if err != nil {
		return p, notReplaceable("the signer refuses it: %v", err)
	}
	last := p.Versions[len(p.Versions)-1]
	next := Version{Tx: chain.NewTx(signed), Fee: b.cost.Fee, VBytes: b.cost.VBytes, Created: cause.At, Height: chain.None}
	if err := tx.Payouts.InsertVersion(ctx, p.ID, next); err != nil {
		return p, err
	}
	p.Versions = append(p.Versions, next)
	if err := s.recordCurrent(ctx, tx, watch, p, cause.At); err != nil {
		return p, err
	}
	s.info("payout replaced", "payout", p.ID, "txid", next.Tx.ID.String(), "fee_sats", int64(next.Fee), "was_sats",
		int64(last.Fee))
	return p, nil
}

// replaceable returns the orders of a live, unconfirmed delivery as the delivery pays them, or a *order.Refusal if the
// payout can't be replaced.
func (s *Service) replaceable(ctx context.Context, tx Tx, p Payout) (batch []dueDelivery, err error) {
	switch {
	case p.Kind == OneTx:
		return nil, notReplaceable("its owner's coins pay it, so its owner must sign the replacement")
	case p.Status != Live || p.Kind != Delivery:
		return nil, notReplaceable("it is a %s that is %s", p.Kind, p.Status)
	}
	for _, v := range p.Versions {
		if v.Height != chain.None {
			return nil, notReplaceable("it is in block %d", v.Height)
		}
	}
	terms, err := s.terms.Of(p.Community)
	if err != nil {
		return nil, notReplaceable("its community %s is not served here", p.Community)
	}
	for _, id := range p.OrderIDs {
		o, err := tx.Orders.Order(ctx, id)
		if err != nil {
			return nil, err
		}
		if o.Status != order.Sent || o.PayoutID != p.ID {
			return nil, notReplaceable("its order %s is %s", id, o.Status)
		}
		d := dueDelivery{Owed: Owed{Order: o}, funds: o.Fees.Network + o.Fees.Rutxos}
		if d.Units, err = tx.Orders.UnitsOfOrder(ctx, o); err != nil {
			return nil, err
		}
		if d.Delivery, err = s.delivery(terms, o, d.Units); err != nil {
			return nil, err
		}
		if d.Proof, err = tx.Proofs.ProofOf(ctx, o.ActionID); err != nil {
			return nil, err
		}
		if d.Delivery.Overpayment, err = keptOverpayment(ctx, tx, p, o); err != nil {
			return nil, err
		}
		if d.Delivery.Overpayment > 0 { // a replacement keeps the same overpayment
			d.Delivery.KeptAt = o.Script
			paidFor, err := overpaymentOutputCost(ctx, tx, p, o)
			if err != nil {
				return nil, err
			}
			d.funds += paidFor
		}
		batch = append(batch, d)
	}
	return batch, nil
}

// rebuild builds a delivery with the inputs of its last version at a higher fee rate. It returns a *order.Refusal if a
// foreign transaction spends an input, if the sats do not suffice, or if nodes would not accept the fee.
func (s *Service) rebuild(
	ctx context.Context, tx Tx, p Payout, batch []dueDelivery, rate amount.FeeRate,
) (built, error) {
	terms, err := s.terms.Of(p.Community)
	if err != nil {
		return built{}, err
	}
	last := p.last()
	inputs, err := s.coins(ctx, tx, terms, last.Tx.Msg)
	if err != nil {
		return built{}, err
	}
	if err := checkUnspent(ctx, tx, inputs); err != nil {
		return built{}, err
	}
	runeChange, _ := terms.Account.TreasuryRunes()
	satsChange, _ := terms.Account.TreasurySats()
	plan := vault.PayoutPlan{
		Inputs: inputs, Rune: terms.Rune, RuneChange: runeChange.Script, SatsChange: satsChange.Script,
		MaxRunestone: terms.MaxRunestone, Version: last.Tx.Msg.Version,
	}
	economy, err := s.economyRate(batch)
	if err != nil {
		return built{}, notReplaceable("%v", err)
	}
	var collected amount.Sats
	for _, d := range batch {
		plan.Deliveries = append(plan.Deliveries, d.Delivery)
		collected += d.funds
	}
	for _, out := range last.Tx.Msg.TxOut {
		if string(out.PkScript) == string(runeChange.Script) {
			plan.RuneChangeOutputs++
		}
	}
	var b built
	if economy > 0 {
		b, err = s.fundEconomy(plan, batch, collected, min(economy, rate), minRelay)
	} else {
		b, _, err = s.fund(ctx, tx, p.Community, p.ID, plan, collected, rate)
	}
	expensive, short, large := new(errTooExpensive), new(vault.ErrSatsShort), new(vault.ErrTooMany)
	if errors.As(err, &expensive) || errors.As(err, &short) || errors.As(err, &large) {
		// ErrSatsShort: the sats of the fee account may be on unconfirmed outputs. ErrTooMany: inputs for the higher fee
		// make the transaction too large.
		return b, notReplaceable("%v", err)
	}
	if err != nil {
		return b, err
	}
	// BIP-125: a replacement must pay the replaced fee plus the relay fee of its own size.
	if least := last.Fee + minRelay.Fee(b.cost.VBytes); b.cost.Fee < least ||
		b.cost.Fee*amount.Sats(last.VBytes) <= last.Fee*amount.Sats(b.cost.VBytes) {
		return b, notReplaceable("it can pay a fee of %d sats, nodes require at least %d", b.cost.Fee, least)
	}
	return b, s.check(b, batch)
}

// checkUnspent returns a *order.Refusal if a transaction that is no payout spends one of the inputs.
func checkUnspent(ctx context.Context, tx Tx, inputs []vault.Coin) error {
	for _, coin := range inputs {
		output, err := tx.Outputs.Output(ctx, coin.OutPoint)
		if err != nil {
			return err
		}
		if output.SpentBy != "" && !output.SpentOurs {
			return notReplaceable("another transaction spends its input %s", coin.OutPoint)
		}
	}
	return nil
}

// delivery returns the output that delivers an order: the runes, and 546 sats plus the sats of the unit outputs.
func (s *Service) delivery(terms Terms, o order.Order, units []ledger.Unit) (vault.Delivery, error) {
	value := amount.Sats(vault.DustSats)
	for _, unit := range units {
		if !unit.Virtual() {
			value += unit.Value
		}
	}
	to, err := chain.ParseAddress(o.Owner, s.network)
	return vault.Delivery{OrderID: o.ID, Rune: terms.Rune, Amount: o.Amount, To: to.Script, Value: value}, err
}

// coins returns the inputs of a transaction with the data needed to spend them. All inputs must be outputs of ours.
func (s *Service) coins(ctx context.Context, tx Tx, terms Terms, msg *wire.MsgTx) (coins []vault.Coin, err error) {
	for _, in := range msg.TxIn {
		coin, err := s.coin(ctx, tx, terms, in.PreviousOutPoint)
		if err != nil {
			return nil, err
		}
		coins = append(coins, coin)
	}
	return coins, nil
}

// inputsOf returns the inputs of a version, with those that the owner of its order signed.
func (s *Service) inputsOf(ctx context.Context, tx Tx, community string, v Version) (inputs []vault.Coin, err error) {
	terms, err := s.terms.Of(community)
	if err != nil {
		return nil, err
	}
	for _, in := range v.Tx.Msg.TxIn {
		if v.isOwn(in.PreviousOutPoint) {
			continue // it holds no runes, which is all that matters of it
		}
		coin, err := s.coin(ctx, tx, terms, in.PreviousOutPoint)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, coin)
	}
	return inputs, nil
}

func (s *Service) coin(ctx context.Context, tx Tx, terms Terms, point wire.OutPoint) (vault.Coin, error) {
	output, err := tx.Outputs.Output(ctx, point)
	if err != nil {
		return vault.Coin{}, err
	}
	if output.Quarantine != "" {
		return s.quarantined(ctx, tx, terms, output)
	}
	switch output.Kind {
	case ledger.StakeKind:
		unit, err := tx.Units.Unit(ctx, terms.Prefix, point.String())
		if err != nil {
			return vault.Coin{}, err
		}
		return s.unitCoin(ctx, tx, terms, unit, unit.OrderID)
	case ledger.PaymentKind:
		return terms.Account.Coin(vault.Payment, point, output.Value, nil, output.Ref)
	case ledger.RunesKind:
		return terms.Account.Coin(vault.TreasuryRunes, point, output.Value, held(terms.Rune, output.Runes), "")
	}
	return terms.Account.Coin(vault.TreasurySats, point, output.Value, nil, "")
}

// recordCurrent records the current version of a payout in the ledger: the confirmed one, else the newest. It marks the
// other versions as vanished. A block that contains one of them restores it. A version of a community that is not
// served is recorded once it is served again.
func (s *Service) recordCurrent(ctx context.Context, tx Tx, watch ledger.WatchList, p Payout, now time.Time) error {
	if len(p.Versions) < 2 {
		return nil
	}
	chosen, err := s.currentVersion(ctx, tx, p)
	if err != nil {
		return err
	}
	missing := false // whether the chosen version must be recorded
	for _, v := range p.Versions {
		tracked, err := tx.Tracked.TrackedTx(ctx, v.Tx.ID.String())
		absent := errors.Is(err, state.ErrNotFound) || tracked.Vanished
		switch {
		case err != nil && !errors.Is(err, state.ErrNotFound):
			return err
		case v.Tx.ID == chosen.Tx.ID:
			missing = missing || absent
		case !absent:
			if err := s.dropVersion(ctx, tx, v, now); err != nil {
				return err
			}
			missing = true // it may have spent the chosen version's inputs
		}
	}
	if missing && chosen.Height == chain.None && s.terms.Has(p.Community) {
		inputs, err := s.inputsOf(ctx, tx, p.Community, chosen)
		if err != nil {
			return err
		}
		if err := s.recordVersion(ctx, tx, watch, inputs, chosen, now); err != nil {
			return err
		}
	}
	return s.setPayoutTx(ctx, tx, p, chosen)
}

// currentVersion returns the confirmed version of a payout, else the newest, and of a OneTx the newest that can still
// spend all of its inputs if there is one.
func (s *Service) currentVersion(ctx context.Context, tx Tx, p Payout) (Version, error) {
	for _, v := range p.Versions {
		if v.Height != chain.None {
			return v, nil
		}
	}
	if p.Kind != OneTx {
		return p.last(), nil
	}
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return Version{}, err
	}
	for _, v := range slices.Backward(p.Versions) {
		if lost, err := s.lostInputsOf(ctx, tx, v, tip); err != nil || len(lost) == 0 {
			return v, err
		}
	}
	return p.last(), nil
}

// setPayoutTx sets the PayoutTx of a payout's orders to the current version.
func (s *Service) setPayoutTx(ctx context.Context, tx Tx, p Payout, v Version) error {
	for _, id := range p.OrderIDs {
		o, err := tx.Orders.Order(ctx, id)
		if err != nil {
			return err
		}
		if txid := v.Tx.ID.String(); o.PayoutID == p.ID && o.PayoutTx != txid {
			o.PayoutTx = txid
			if err := tx.Orders.UpdateOrders(ctx, order.Change{Order: o, From: o.Status}); err != nil {
				return err
			}
		}
	}
	return nil
}
