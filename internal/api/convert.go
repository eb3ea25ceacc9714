package api

import (
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout/refund"
)

// each converts a list of domain values to wire values. It never returns nil, so the JSON is [] and not null.
func each[In, Out any](in []In, turn func(In) Out) []Out {
	out := make([]Out, len(in))
	for i, item := range in {
		out[i] = turn(item)
	}
	return out
}

// wireUnit converts a unit. eligible_epoch is the first epoch in which the unit can count if the actual one is unknown.
func wireUnit(u UnitView) Unit {
	unit := Unit{
		RuRutxoId: u.ID, RuRuneAmount: u.Amount.String(), RuStage: Stage(u.Stage), Isvirtual: u.Virtual(),
		RuVoutSpent: u.Stage == ledger.Withdrawn, Timeout: dateOrNull(u.Timeout), RuPoId: textOrNull(u.OrderID),
		Contested: u.Contested, EligibleEpoch: numberOrNull(u.EligibleEpoch), RuDate: u.Created.UTC(),
	}
	if u.EligibleEpoch == chain.None && u.NotBefore > 0 {
		unit.EligibleEpoch = &u.NotBefore
	}
	if !u.Virtual() {
		txid, vout, sats := u.OutPoint.Hash.String(), int64(u.OutPoint.Index), int64(u.Value)
		unit.RuTxid, unit.RuVout, unit.RuValue = &txid, &vout, &sats
		unit.RuHeight = numberOrNull(u.Height)
		unit.CustodyKind = UnitCustodyKind(wireCustody(u.Self))
	}
	return unit
}

func wireCustody(self bool) CustodyKind {
	if self {
		return CustodyKindSelf
	}
	return CustodyKindOperator
}

// wireOrder converts an order, for every call whose response is an order.
func wireOrder(o OrderView) Order {
	wire := Order{
		PoOrderId: o.ID, PoWalletCode: o.Payment, PoWalletCodeOrd: o.Owner, PoWaId: o.ActionID,
		PoRutxos: append([]string{}, o.UnitIDs...), WaAmount: o.Amount.String(), PoFeerate: o.FeeRate.Float(),
		TotalFee: Sats(o.Fees.Total()), NetworkFee: Sats(o.Fees.Network), ServiceFee: Sats(o.Fees.Service),
		RutxosFee: Sats(o.Fees.Rutxos), PerRutxoBtc: Sats(perUnit(o.Order)), PoPaymentAddress: o.Address,
		PoCreationDate: o.Created.UTC(), PoRerateDate: o.RateDate.UTC(), PoStatus: OrderStatus(o.Status),
		PoBalance: int64(o.Balance()), WaActionType: ActionType(o.Reason), PoConfirmedBalance: Sats(o.Confirmed),
		PoDue: int64(o.Due()), PoDeadline: dateOrNull(o.Deadline), PoOverpayment: int64(o.Overpayment()),
		PoPayoutTxid: textOrNull(o.PayoutTx), PoRefundDue: refundOrNull(o.Order),
		PoRefunds: each(o.Refunds, func(r refund.Status) Refund { return wireRefund(r, o.Rate) }),
		PoEconomy: wireEconomy(o), PoOneTx: wireOneTx(o.OneTx),
	}
	if !o.SignUntil.IsZero() {
		wire.PoSignUntil = o.SignUntil.Unix()
	}
	if o.Refusal != nil {
		wire.PoRefusedSince, wire.PoRefusedReason = new(o.Refusal.Since.UTC()), &o.Refusal.Reason
	}
	if o.PayoutHeight > 0 {
		wire.PoPayoutHeight = &o.PayoutHeight
	}
	return wire
}

// perUnit returns the network fee of one unit input, or of one in operator custody if an order has both kinds.
func perUnit(o order.Order) amount.Sats {
	if o.SelfUnits > 0 && o.SelfUnits == o.RealUnits {
		return o.Fees.Rutxos / amount.Sats(o.SelfUnits)
	}
	return o.Fees.PerRutxo
}

func refundOrNull(o order.Order) *RefundDue {
	if o.Owed.Sats == 0 {
		return nil
	}
	return &RefundDue{Amount: Sats(o.Owed.Sats), Address: o.Payment, Reason: RefundDueReason(o.Owed.Reason),
		Since: o.Owed.Since.UTC()}
}

// wireRefund converts a refund. current is the fee rate at which the cost of a due refund is estimated.
func wireRefund(r refund.Status, current amount.FeeRate) Refund {
	wire := Refund{State: RefundState(r.State), Amount: Sats(r.Sats), Cost: Sats(r.Cost), Received: Sats(r.Net),
		Address: r.Address, Feerate: r.Rate.Float(), Txid: textOrNull(r.TxID)}
	if r.TxID == "" {
		reason := string(r.Due.Reason)
		wire.Feerate, wire.MaxFeerate = current.Float(), new(r.Rate.Float())
		wire.Reason, wire.Since = &reason, dateOrNull(r.Due.Since)
	}
	return wire
}

func wirePayment(p order.Payment) Payment {
	wire := Payment{
		Txid: p.OutPoint.Hash.String(), Value: Sats(p.Value), Date: p.SeenAt.UTC(),
		IsConfirmed: p.Height != chain.None && !p.Vanished, Counted: p.Counted,
	}
	if wire.IsConfirmed {
		wire.Height = &p.Height
	}
	return wire
}

func wireEpoch(e EpochView) Epoch {
	budget := e.Reserved
	return Epoch{
		Epoch: e.Account.Epoch, Start: e.Start.UTC(), End: e.End.UTC(), Settled: e.Settled, Budget: budget.String(),
		TotalStaked: e.Staked.String(), Rewarded: e.Rewarded.String(), Owners: e.Owners,
	}
}

func wireEarning(e EarningView) Earning {
	return Earning{
		Epoch: e.Epoch, Start: e.Start.UTC(), End: e.End.UTC(), TotalStaked: e.Staked.String(), Rewarded: e.Rewarded.String(),
		Stake: e.Stake.String(), Reward: e.Reward.String(), Use: EarningUse(e.Use),
	}
}

func wireReward(r ledger.Reward) EpochReward {
	return EpochReward{Owner: r.Owner, Stake: r.Stake.String(), Reward: r.Reward.String(), UnitId: textOrNull(r.UnitID)}
}

func dateOrNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

func textOrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func numberOrNull(n int64) *int64 {
	if n == chain.None {
		return nil
	}
	return &n
}
