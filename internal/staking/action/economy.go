package action

import (
	"context"
	"fmt"
	"strings"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/fault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
)

// Speed is the speed of an order. The zero value is normal speed.
type Speed struct {
	Rate  amount.FeeRate // that its owner chose for economy delivery
	Until time.Time      // the limit, in whole minutes
}

// EconomyRequest asks for economy delivery. Zero fields mean suggested values, but PostEconomy requires a rate.
type EconomyRequest struct {
	Rate amount.FeeRate
	Days int64 // until the limit
}

// EconomyQuote compares both speeds of an order.
type EconomyQuote struct {
	Normal, Economy  order.Fees
	Rate             amount.FeeRate // of Economy
	Until            time.Time
	MinRate, MaxRate amount.FeeRate // lowest and highest rate that can be chosen; none if MaxRate is below MinRate
	MaxDays          int64          // longest limit that can be chosen; 0 if a unit can be recovered too soon
}

// PostEconomy is Post for a claim or withdrawal with economy delivery. It returns a fault if the rate or the limit
// can't be chosen.
func (s *Service) PostEconomy(ctx context.Context, a Action, unitIDs []string, statement string,
	r EconomyRequest) (Requested, error) {
	if a.Type != Claim && a.Type != Withdraw {
		return Requested{}, fault.Refuse(fault.EconomyOnlyForOrders, a.Type)
	}
	normal := s.Rate(ctx) // before the transaction: the node may be slow
	if r.Rate < s.MinRate || r.Rate >= normal {
		return Requested{}, fault.Refuse(fault.EconomyRate, s.MinRate, normal)
	}
	a = Action{Community: a.Community, Type: a.Type, Wallet: a.Wallet}
	return s.post(ctx, a, unitIDs, statement, func(tx Tx, units []ledger.Unit, m ledger.Moment) (Speed, error) {
		longest, err := maxDays(ctx, tx, units)
		if err != nil {
			return Speed{}, err
		}
		days := r.Days
		if days == 0 {
			days = min(order.EconomyDefault, longest)
		}
		switch {
		case longest < 1:
			return Speed{}, fault.Refuse(fault.EconomyTooLate)
		case days < 1 || days > order.EconomyDays:
			return Speed{}, fault.Refuse(fault.EconomyDays, int64(order.EconomyDays))
		case days > longest:
			return Speed{}, fault.Refuse(fault.EconomyNearRecovery, longest)
		}
		return Speed{r.Rate, limit(m.Now, days)}, nil
	})
}

// EstimateEconomy compares both speeds of a claim or withdrawal of the units, which are used as in Post. Rates and days
// outside of the possible ones are replaced by the nearest possible ones.
func (s *Service) EstimateEconomy(ctx context.Context, a Action, unitIDs []string,
	r EconomyRequest) (q EconomyQuote, err error) {
	w, err := s.canonical(a.Wallet)
	if err != nil {
		return q, err
	}
	if a.Type != Claim && a.Type != Withdraw {
		return q, fault.Refuse(fault.EstimateOnlyForOrders, a.Type)
	}
	terms, err := s.termsOf(a.Community)
	if err != nil {
		return q, err
	}
	m, err := s.Moment()
	if err != nil {
		return q, fault.Refuse(fault.ClockUncertain).Because(err)
	}
	normal := s.Rate(ctx)
	q.MinRate, q.MaxRate = s.MinRate, normal-1
	if q.Rate = r.Rate; q.Rate == 0 {
		q.Rate = normal / 2
	}
	q.Rate = max(q.MinRate, min(q.Rate, q.MaxRate))
	err = s.View(ctx, func(tx Tx) error {
		units, err := s.chooseUnits(ctx, tx, terms, w, a.Type, unitIDs)
		if err != nil {
			return err
		}
		if q.MaxDays, err = maxDays(ctx, tx, units); err != nil {
			return err
		}
		if q.Normal, err = s.Orders.Estimate(a.Community, units, w.Ordinals, normal); err != nil {
			return err
		}
		q.Economy, err = s.Orders.Estimate(a.Community, units, w.Ordinals, q.Rate)
		return err
	})
	days := r.Days
	if days == 0 {
		days = order.EconomyDefault
	}
	q.Until = limit(m.Now, max(1, min(days, q.MaxDays)))
	return q, err
}

func limit(now time.Time, days int64) time.Time {
	return now.UTC().AddDate(0, 0, int(days)).Truncate(time.Minute)
}

// endHeight returns the height at which an economy order of units ends, before the first of them can be recovered, or 0
// if they have no outputs.
func endHeight(ctx context.Context, tx Tx, units []ledger.Unit) (end int64, err error) {
	delays := map[string]uint32{}
	for _, unit := range units {
		if unit.Virtual() {
			continue
		}
		output, err := tx.Outputs.Output(ctx, unit.OutPoint)
		if err != nil {
			return 0, err
		}
		delay, known := delays[output.Ref]
		if !known {
			if delay, err = tx.Stakes.StakeDelay(ctx, output.Ref); err != nil {
				return 0, err
			}
			delays[output.Ref] = delay
		}
		at := unit.Height + int64(delay) - order.RecoveryMargin(delay)
		if end == 0 || at < end {
			end = max(1, at)
		}
	}
	return end, nil
}

// maxDays returns the longest limit of an economy order of units, in days. It is 0 if a unit can be recovered too soon.
func maxDays(ctx context.Context, tx Tx, units []ledger.Unit) (int64, error) {
	end, err := endHeight(ctx, tx, units)
	if err != nil || end == 0 {
		return order.EconomyDays, err
	}
	tip, err := tx.Headers.Tip(ctx)
	return max(0, min(order.EconomyDays, (end-tip.Height)/order.BlocksPerDay)), err
}

// brief returns the end of the brief of an action with a speed, or "".
func (s Speed) brief() string {
	if s.Rate == 0 {
		return ""
	}
	return fmt.Sprintf("|%d,%d", int64(s.Rate), s.Until.Unix())
}

// readSpeed sets the speed of an action from its brief, and returns the list of units in the brief.
func (a *Action) readSpeed(brief string) (list string, err error) {
	list, speed, has := strings.Cut(brief, "|")
	if !has {
		return list, nil
	}
	var rate, until int64
	if _, err := fmt.Sscanf(speed, "%d,%d", &rate, &until); err != nil {
		return list, fmt.Errorf("action %s: its brief has the speed %q: %w", a.ID, speed, err)
	}
	a.Economy = Speed{amount.FeeRate(rate), time.Unix(until, 0).UTC()}
	return list, nil
}
