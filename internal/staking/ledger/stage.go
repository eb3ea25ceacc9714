package ledger

import "moonfund/internal/state"

// Stage is the state of a unit, as the API and the database spell it.
type Stage string

const (
	PendingStake    Stage = "PENDING_STAKE"    // deposited or restaked, not eligible yet
	Staked          Stage = "STAKED"           // eligible for the rewards of every epoch from eligible_epoch on
	PendingUnlock   Stage = "PENDING_UNLOCK"   // unstaked, in its cooldown until unlock_epoch starts
	Unlocked        Stage = "UNLOCKED"         // can be withdrawn or restaked
	Claimable       Stage = "CLAIMABLE"        // a reward that can be claimed or compounded
	POLocked        Stage = "PO_LOCKED"        // in a withdrawal order without a payment
	POClaimed       Stage = "PO_CLAIMED"       // a reward in a claim order that is not paid
	PendingWithdraw Stage = "PENDING_WITHDRAW" // in a withdrawal order with a payment, not paid in full
	BatchLocked     Stage = "BATCH_LOCKED"     // in a paid order whose payout has not confirmed
	Withdrawn       Stage = "WITHDRAWN"        // delivered, or recovered by its staker
	nowhere         Stage = ""                 // the unit does not exist yet, or was removed
)

// Event moves a unit from one stage to another.
type Event string

const (
	Deposited       Event = "deposited"        // a creditable output was seen at a stake address
	Rewarded        Event = "rewarded"         // an epoch settled
	BecameEligible  Event = "became eligible"  // the boundary of its first epoch is on the chain
	LostEligibility Event = "lost eligibility" // a reorg undid that boundary
	// its transaction conflicts with another one, was unconfirmed for 14 days, or has another amount of runes in its block
	DepositVanished   Event = "deposit vanished"
	RecoveredByStaker Event = "recovered" // a transaction that is no payout spends its output, with 3 confirmations
	// a transaction that this ledger did not make delivered it to its owner
	DeliveredElsewhere Event = "delivered elsewhere"
	RecoveryUndone     Event = "recovery undone" // that spend has fewer than 3 confirmations again
	UnstakeSigned      Event = "unstake"
	CooldownOver       Event = "cooldown over"
	RestakeSigned      Event = "restake"
	CompoundSigned     Event = "compound"
	WithdrawOrdered    Event = "withdraw ordered"
	ClaimOrdered       Event = "claim ordered"
	PaymentBegun       Event = "payment begun"      // its order went to CONFIRMED or PENDING_RERATE
	PaymentVanished    Event = "payment gone"       // its order went back to PENDING
	PaymentComplete    Event = "payment complete"   // its order went to PAID, or from PENDING to SENT
	PaymentUndone      Event = "payment undone"     // its order went from PAID to CONFIRMED or PENDING_RERATE
	PayoutConfirmed    Event = "payout confirmed"   // its order went to DELIVERED
	PayoutUnconfirmed  Event = "payout unconfirmed" // its order went from DELIVERED to SENT
	OrderClosed        Event = "order closed"       // its order went to CANCELED, EXPIRED, INVALID or AUDIT
	OrderResumed       Event = "order resumed"      // the operator resolved its order from AUDIT to PAID
)

// Reason is the purpose for which an order locks a unit. It is the guard of the stage table.
type Reason string

const (
	Any         Reason = ""
	ForClaim    Reason = "CLAIM"
	ForWithdraw Reason = "WITHDRAW"
)

// Row is one row of the stage table.
type Row = state.Row[Stage, Event, Reason]

// Stages has every transition of a unit, with one exception: when a reorg undoes a recovery, the unit returns to the
// stage before the recovery. No row removes or recovers a unit that an order locks, because the order closes first.
var Stages = state.Must(state.Table[Stage, Event, Reason]{Of: "unit", Ends: []Stage{Withdrawn}, Rows: []Row{
	{From: nowhere, Event: Deposited, To: PendingStake},
	{From: nowhere, Event: Rewarded, To: Claimable},

	{From: PendingStake, Event: BecameEligible, To: Staked},
	{From: Staked, Event: LostEligibility, To: PendingStake},
	{From: Staked, Event: UnstakeSigned, To: PendingUnlock},
	{From: PendingUnlock, Event: CooldownOver, To: Unlocked},
	{From: Unlocked, Event: RestakeSigned, To: PendingStake},
	{From: Claimable, Event: CompoundSigned, To: PendingStake},

	{From: Unlocked, Event: WithdrawOrdered, For: ForWithdraw, To: POLocked},
	{From: POLocked, Event: PaymentBegun, For: ForWithdraw, To: PendingWithdraw},
	{From: PendingWithdraw, Event: PaymentVanished, For: ForWithdraw, To: POLocked},
	{From: POLocked, Event: PaymentComplete, For: ForWithdraw, To: BatchLocked},
	{From: PendingWithdraw, Event: PaymentComplete, For: ForWithdraw, To: BatchLocked},
	{From: BatchLocked, Event: PaymentUndone, For: ForWithdraw, To: PendingWithdraw},
	{From: POLocked, Event: OrderClosed, For: ForWithdraw, To: Unlocked},
	{From: PendingWithdraw, Event: OrderClosed, For: ForWithdraw, To: Unlocked},
	{From: BatchLocked, Event: OrderClosed, For: ForWithdraw, To: Unlocked},
	{From: Unlocked, Event: OrderResumed, For: ForWithdraw, To: BatchLocked},

	{From: Claimable, Event: ClaimOrdered, For: ForClaim, To: POClaimed},
	{From: POClaimed, Event: PaymentComplete, For: ForClaim, To: BatchLocked},
	{From: BatchLocked, Event: PaymentUndone, For: ForClaim, To: POClaimed},
	{From: POClaimed, Event: OrderClosed, For: ForClaim, To: Claimable},
	{From: BatchLocked, Event: OrderClosed, For: ForClaim, To: Claimable},
	{From: Claimable, Event: OrderResumed, For: ForClaim, To: BatchLocked},

	{From: BatchLocked, Event: PayoutConfirmed, To: Withdrawn},
	{From: Withdrawn, Event: PayoutUnconfirmed, To: BatchLocked},

	{From: PendingStake, Event: DepositVanished, To: nowhere},
	{From: Staked, Event: DepositVanished, To: nowhere},
	{From: PendingUnlock, Event: DepositVanished, To: nowhere},
	{From: Unlocked, Event: DepositVanished, To: nowhere},

	{From: PendingStake, Event: RecoveredByStaker, To: Withdrawn},
	{From: Staked, Event: RecoveredByStaker, To: Withdrawn},
	{From: PendingUnlock, Event: RecoveredByStaker, To: Withdrawn},
	{From: Unlocked, Event: RecoveredByStaker, To: Withdrawn},

	{From: Claimable, Event: DeliveredElsewhere, To: Withdrawn},
	{From: Unlocked, Event: DeliveredElsewhere, To: Withdrawn},
}})

// Live reports whether a unit in this stage exists and is not WITHDRAWN.
func (s Stage) Live() bool { return s != Withdrawn && s != nowhere }
