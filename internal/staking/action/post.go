package action

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/epoch"
	"moonfund/internal/fault"
	"moonfund/internal/signed/message"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/state"
)

// Post stores a new action and returns the message to sign. It locks no unit. For CLAIM and COMPOUND, no unit ids mean
// every claimable unit, for CLAIM at most as many as an order may have, and for COMPOUND the oldest MostCompounded. The
// message names the community's statement with the given id, or the newest one if the id is "".
func (s *Service) Post(ctx context.Context, community string, w Wallet, kind Type, unitIDs []string,
	statement string) (Requested, error) {
	return s.post(ctx, Action{Community: community, Type: kind, Wallet: w}, unitIDs, statement, nil)
}

// post is Post of an action with its community, type and wallet. choose, if not nil, sets its speed.
func (s *Service) post(ctx context.Context, a Action, unitIDs []string, statement string,
	choose func(tx Tx, units []ledger.Unit, m ledger.Moment) (Speed, error)) (Requested, error) {
	w, err := s.canonical(a.Wallet)
	if err != nil {
		return Requested{}, err
	}
	community, kind := a.Community, a.Type
	if kind == Stake || kind.compounding() {
		return Requested{}, fault.Refuse(fault.ActionNotPosted)
	}
	err = s.change(ctx, func(tx Tx, terms Terms, m ledger.Moment) error {
		if err := refuseClosed(ctx, tx, community, kind); err != nil {
			return err
		}
		units, err := s.chooseUnits(ctx, tx, terms, w, kind, unitIDs)
		if err != nil {
			return err
		}
		a = Action{Community: community, Type: kind, Wallet: w, Created: m.Now, Expires: m.Now.Add(Validity)}
		if choose != nil {
			if a.Economy, err = choose(tx, units, m); err != nil {
				return err
			}
		}
		for _, unit := range units {
			a.UnitIDs = append(a.UnitIDs, unit.ID)
		}
		if a.Statement, err = statementFor(ctx, tx, community, statement); err != nil {
			return err
		}
		a, err = s.record(ctx, tx, terms, a, units, order.Order{}, m)
		return err
	}, community)
	return s.requested(a, err)
}

// requested returns the response to a stored action, and caches the action for Sign.
func (s *Service) requested(a Action, err error) (Requested, error) {
	if err != nil {
		return Requested{}, err
	}
	s.recent.add(a)
	return Requested{ActionID: a.ID, Message: a.Message, UnitIDs: a.UnitIDs}, nil
}

// PostCancel stores a request to cancel an order and returns the message to sign. The statement is used as in Post.
func (s *Service) PostCancel(ctx context.Context, community string, w Wallet, orderID, statement string) (Requested,
	error) {
	w, err := s.canonical(w)
	if err != nil {
		return Requested{}, err
	}
	var a Action
	err = s.change(ctx, func(tx Tx, terms Terms, m ledger.Moment) error {
		o, err := s.Orders.Find(ctx, tx.OrderTx(), community, w.Ordinals, orderID)
		if err != nil {
			return err
		}
		if err := o.Cancelable(); err != nil {
			return err
		}
		units, err := tx.Orders.UnitsOfOrder(ctx, o)
		if err != nil {
			return err
		}
		a = Action{
			Community: community, Type: cancel, Wallet: w, UnitIDs: o.UnitIDs, OrderID: o.ID,
			Created: m.Now, Expires: m.Now.Add(Validity),
		}
		if a.Statement, err = statementFor(ctx, tx, community, statement); err != nil {
			return err
		}
		a, err = s.record(ctx, tx, terms, a, units, o, m)
		return err
	}, community)
	return s.requested(a, err)
}

// canonical returns a wallet with both addresses in canonical form, or a fault if one is invalid.
func (s *Service) canonical(w Wallet) (Wallet, error) {
	payment, ordinals, err := s.wallet(w)
	return Wallet{Payment: payment.Text, Ordinals: ordinals.Text}, err
}

// record completes a new action with its id, message, amount and brief, and stores it.
func (s *Service) record(ctx context.Context, tx Tx, terms Terms, a Action, units []ledger.Unit, o order.Order,
	m ledger.Moment) (Action, error) {
	var err error
	if a.ID, err = s.newID(); err != nil {
		return a, err
	}
	a.Created, a.Expires = a.Created.UTC().Truncate(time.Second), a.Expires.UTC().Truncate(time.Second)
	if a.Message, err = s.render(ctx, tx, terms, a, units, o, m); err != nil {
		return a, err
	}
	if a.Amount, err = total(units); err != nil {
		return a, err
	}
	if a.Brief, err = briefOf(ctx, tx, a, units, o); err != nil {
		return a, err
	}
	return a, tx.Actions.InsertAction(ctx, a)
}

func briefOf(ctx context.Context, tx Tx, a Action, units []ledger.Unit, o order.Order) (string, error) {
	if a.Type == cancel {
		return a.briefCancel(o), nil
	}
	if a.Type.compounding() {
		return a.briefCompounding(), nil
	}
	var owned []ledger.Unit
	if len(units) > numberedUnits {
		var err error
		if owned, err = tx.Units.UnitNumbersOf(ctx, a.Community, a.Wallet.Ordinals); err != nil {
			return "", err
		}
	}
	return a.brief(units, owned)
}

func total(units []ledger.Unit) (sum amount.Runes, err error) {
	for _, unit := range units {
		if sum, err = sum.Add(unit.Amount); err != nil {
			return 0, err
		}
	}
	return sum, nil
}

// render returns the message of an action at m. It is called again when the signature arrives: if the message differs
// then, the signed one is out of date.
func (s *Service) render(ctx context.Context, tx Tx, terms Terms, a Action, units []ledger.Unit, o order.Order,
	m ledger.Moment) (string, error) {
	sum, err := total(units)
	if err != nil {
		return "", err
	}
	calendar, err := tx.Epochs.Calendar(ctx, terms.Prefix)
	if err != nil {
		return "", err
	}
	intent := message.Intent{
		Community: terms.Name, Domain: terms.Domain, Network: s.Network.Name, Action: string(a.Type),
		Payment: a.Wallet.Payment, Ordinals: a.Wallet.Ordinals,
		FirstEpoch: a.First, LastEpoch: a.Last, Instruction: a.Ends,
		Follows: follows(a, calendar, m), Statement: a.Statement, Nonce: a.ID, Expires: a.Expires,
	}
	if !a.Type.compounding() {
		intent.Count, intent.Sum, intent.SumText = len(units), sum.String(), runesText(sum, terms)
		intent.Digest = message.Digest(a.UnitIDs)
	}
	if a.Economy.Rate > 0 {
		intent.Rate, intent.Until = int64(a.Economy.Rate), a.Economy.Until
	}
	if a.Type == cancel {
		intent.Order, intent.Status, intent.Seen = o.ID, string(o.Status), int64(o.Seen+o.Late)
	}
	text := intent.Text()
	if text == "" {
		return "", fmt.Errorf("message of action %s: %w", a.ID, intent.Check())
	}
	return text, nil
}

const dateLayout = "2006-01-02 15:04:05 UTC"

// noTransaction is a sentence of the messages that have space for it: see TestLengthOfMessages.
const noTransaction = "Signing sends no transaction."

// follows returns the sentences of a message that state the consequences of the action.
func follows(a Action, calendar epoch.Calendar, m ledger.Moment) []string {
	if a.Economy.Rate > 0 {
		return []string{"First you pay. The runes are sent at this rate."}
	}
	return append(consequences(a, calendar, m), noTransaction)
}

func consequences(a Action, calendar epoch.Calendar, m ledger.Moment) []string {
	now := calendar.At(m.Chain)
	date := func(t time.Time) string { return m.Shown(t).UTC().Format(dateLayout) }
	switch a.Type {
	case AutoCompound:
		return []string{
			"Rewards of these epochs are staked again when they settle.",
			"Not those on an order.",
			"To end it sooner, sign END_AUTO_COMPOUND.",
		}
	case EndAutoCompound:
		return []string{"No further reward is staked without your signature."}
	case Unstake:
		return []string{
			fmt.Sprintf("No rewards from epoch %d on.", now),
			"Unlocks on " + date(calendar.Start(ledger.UnlockEpoch(now))) + ".",
		}
	case Restake, Compound:
		return []string{fmt.Sprintf("Earns rewards from epoch %d on, which starts on %s.", now+1,
			date(calendar.Start(now+1)))}
	case Claim, Withdraw:
		return []string{"First you pay the fees.", "Then the runes go to the ordinals address."}
	}
	return []string{
		"The order is closed and its units are free again.",
		"What was paid, if it is enough to be sent, is returned to the payment address above.",
	}
}

// wanted has the stage that the units of an action must be in, and the fault for other stages.
var wanted = map[Type]struct {
	stage   ledger.Stage
	refusal fault.Sentence
}{
	Unstake:  {ledger.Staked, fault.UnitNotStaked},
	Restake:  {ledger.Unlocked, fault.UnitNotUnlocked},
	Withdraw: {ledger.Unlocked, fault.UnitNotUnlocked},
	Claim:    {ledger.Claimable, fault.UnitNotClaimable},
	Compound: {ledger.Claimable, fault.UnitNotClaimable},
}

// chooseUnits returns the units of an action. It returns a fault if a unit can't be used, or if unexplained spends to
// the owner may have delivered rewards already.
func (s *Service) chooseUnits(ctx context.Context, tx Tx, terms Terms, w Wallet, kind Type,
	ids []string) ([]ledger.Unit, error) {
	units, err := s.pickUnits(ctx, tx, terms, w, kind, ids)
	if err != nil || !slices.ContainsFunc(units, ledger.Unit.Virtual) {
		return units, err
	}
	open, err := tx.Unexplained.UnexplainedSpendsTo(ctx, terms.Prefix, w.Ordinals)
	if err == nil && len(open) > 0 {
		err = fault.Refuse(fault.RewardsHeld, open[0].TxID)
	}
	return units, err
}

// pickUnits returns the units with the ids, or every claimable unit if there are no ids and the action allows that. It
// returns a fault if a unit can't be used.
func (s *Service) pickUnits(ctx context.Context, tx Tx, terms Terms, w Wallet, kind Type,
	ids []string) ([]ledger.Unit, error) {
	if kind == Claim {
		if err := noActiveClaim(ctx, tx, terms.Prefix, w.Ordinals); err != nil {
			return nil, err
		}
	}
	if len(ids) == 0 {
		if kind != Claim && kind != Compound {
			return nil, fault.Refuse(fault.NoUnits)
		}
		return allClaimable(ctx, tx, terms, w, kind)
	}
	if kind == Claim || kind == Withdraw {
		if len(ids) > terms.Limits.Units {
			return nil, fault.Refuse(fault.TooManyUnits, terms.Limits.Units)
		}
	}
	units := make([]ledger.Unit, 0, len(ids))
	seen := map[string]bool{}
	for _, id := range ids {
		if seen[id] {
			return nil, fault.Refuse(fault.UnitTwice)
		}
		seen[id] = true
		unit, err := tx.Units.Unit(ctx, terms.Prefix, id)
		if errors.Is(err, state.ErrNotFound) || (err == nil && unit.Owner != w.Ordinals) {
			return nil, fault.Refuse(fault.UnitUnknown, id)
		}
		if err != nil {
			return nil, err
		}
		if err := s.checkUsable(ctx, tx, unit, kind); err != nil {
			return nil, err
		}
		units = append(units, unit)
	}
	if kind == Withdraw {
		return units, terms.Limits.Check(units)
	}
	return units, nil
}

// checkUsable returns a fault if a unit is in the wrong stage or contested, or if it is restaked before the last epoch
// in which it earned has settled.
func (s *Service) checkUsable(ctx context.Context, tx Tx, unit ledger.Unit, kind Type) error {
	if unit.Stage != wanted[kind].stage {
		return fault.Refuse(wanted[kind].refusal, unit.ID)
	}
	if unit.Contested || unit.Vanished {
		return fault.Refuse(fault.UnitContested, unit.ID)
	}
	if kind != Restake || unit.EligibleEpoch == chain.None || unit.StakedTo <= unit.EligibleEpoch {
		return nil
	}
	account, err := tx.Rewards.AccountOf(ctx, unit.Community, unit.StakedTo-1)
	if err != nil && !errors.Is(err, state.ErrNotFound) {
		return err
	}
	if !account.Settled {
		return fault.Refuse(fault.RestakeUnsettled, unit.StakedTo-1)
	}
	return nil
}

// MostCompounded is the maximum number of units of a COMPOUND that names none. With epochs of an hour, an owner can
// have ten thousand units. To compound all of them would hold the write lock for a second.
const MostCompounded = 1000

// allClaimable returns the claimable units of a wallet, oldest first: for a claim at most terms.Limits.Units, and
// otherwise at most MostCompounded.
func allClaimable(ctx context.Context, tx Tx, terms Terms, w Wallet, kind Type) ([]ledger.Unit, error) {
	units, err := tx.Units.ClaimableUnitsOf(ctx, terms.Prefix, w.Ordinals)
	if err != nil {
		return nil, err
	}
	if len(units) == 0 {
		return nil, fault.Refuse(fault.NothingClaimable)
	}
	limit := MostCompounded
	if kind == Claim {
		limit = terms.Limits.Units
	}
	return units[:min(len(units), limit)], nil
}

// noActiveClaim returns a fault if the owner has an unfinished claim.
func noActiveClaim(ctx context.Context, tx Tx, community, owner string) error {
	active, err := tx.Orders.HasActiveClaim(ctx, community, owner)
	if err == nil && active {
		err = fault.Refuse(fault.ClaimActive)
	}
	return err
}

// Estimate returns the price of a claim or withdrawal of the units at the current fee rate, and that rate. It returns a
// fault for other actions. The unit ids are used as in Post.
func (s *Service) Estimate(ctx context.Context, community string, w Wallet, kind Type,
	unitIDs []string) (order.Fees, amount.FeeRate, error) {
	w, err := s.canonical(w)
	if err != nil {
		return order.Fees{}, 0, err
	}
	if kind != Claim && kind != Withdraw {
		return order.Fees{}, 0, fault.Refuse(fault.EstimateOnlyForOrders, kind)
	}
	terms, err := s.termsOf(community)
	if err != nil {
		return order.Fees{}, 0, err
	}
	rate := s.Rate(ctx)
	var fees order.Fees
	err = s.View(ctx, func(tx Tx) error {
		units, err := s.chooseUnits(ctx, tx, terms, w, kind, unitIDs)
		if err != nil {
			return err
		}
		fees, err = s.Orders.Estimate(community, units, w.Ordinals, rate)
		return err
	})
	return fees, rate, err
}

// TypicalFees returns the prices of a claim of one reward and of a withdrawal of one stake at the current fee rate.
func (s *Service) TypicalFees(ctx context.Context, community string) (claim, withdrawal order.Fees, err error) {
	return s.Orders.TypicalFees(community, s.Rate(ctx))
}
