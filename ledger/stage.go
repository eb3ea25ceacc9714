package ledger

import "moonfund/state"

// Stage is where a unit stands in its life. The wire shows these words as they are.
type Stage string

const (
	PendingStake    Stage = "PENDING_STAKE"    // deposited or restaked; earns nothing yet
	Staked          Stage = "STAKED"           // counts for the rewards of every epoch from eligible_epoch on
	PendingUnlock   Stage = "PENDING_UNLOCK"   // unstaked; cools down until unlock_epoch starts
	Unlocked        Stage = "UNLOCKED"         // free to withdraw or restake
	Claimable       Stage = "CLAIMABLE"        // a reward, free to claim or compound
	POLocked        Stage = "PO_LOCKED"        // selected for a withdrawal whose order saw no payment yet
	POClaimed       Stage = "PO_CLAIMED"       // a reward on a claim order that is not paid yet
	PendingWithdraw Stage = "PENDING_WITHDRAW" // on a withdrawal whose payment has begun
	BatchLocked     Stage = "BATCH_LOCKED"     // paid for, waiting for its payout to confirm
	Withdrawn       Stage = "WITHDRAWN"        // delivered, or recovered by its staker: over
	nowhere         Stage = ""                 // before the unit exists and after it was removed
)

// Event is what moves a unit from one stage to another.
type Event string

const (
	Deposited       Event = "deposited"        // a creditable output was seen at a stake address
	Rewarded        Event = "rewarded"         // an epoch settled
	BecameEligible  Event = "became eligible"  // the boundary of its first epoch is on the chain
	LostEligibility Event = "lost eligibility" // that boundary was undone by a reorg
	// a conflict took its inputs, nobody mined it for 14 days, or it holds something else
	DepositVanished   Event = "deposit vanished"
	RecoveredByStaker Event = "recovered" // its output was spent by somebody else, 3 confirmations deep
	// a transaction that this ledger does not remember brought it to its owner
	DeliveredElsewhere Event = "delivered elsewhere"
	RecoveryUndone     Event = "recovery undone"    // that spend fell back under 3 confirmations
	UnstakeSigned      Event = "unstake"            //
	CooldownOver       Event = "cooldown over"      //
	RestakeSigned      Event = "restake"            //
	CompoundSigned     Event = "compound"           //
	WithdrawOrdered    Event = "withdraw ordered"   //
	ClaimOrdered       Event = "claim ordered"      //
	PaymentBegun       Event = "payment begun"      // its order went to CONFIRMED or PENDING_RERATE
	PaymentGone        Event = "payment gone"       // its order went back to PENDING
	PaymentComplete    Event = "payment complete"   // its order went to PAID
	PaymentUndone      Event = "payment undone"     // its order fell from PAID to CONFIRMED or PENDING_RERATE
	PayoutConfirmed    Event = "payout confirmed"   // its order went to DELIVERED
	PayoutUnconfirmed  Event = "payout unconfirmed" // its order fell from DELIVERED to SENT
	OrderClosed        Event = "order closed"       // its order went to CANCELED, EXPIRED, INVALID or AUDIT
	OrderResumed       Event = "order resumed"      // the operator resolved its order from AUDIT to PAID
)

// Reason is the purpose a unit is locked for; some rows of the table depend on it.
type Reason string

const (
	Any         Reason = ""
	ForClaim    Reason = "CLAIM"
	ForWithdraw Reason = "WITHDRAW"
)

// Row is one row of the stage table.
type Row = state.Row[Stage, Event, Reason]

// Stages holds every transition of a unit, with one exception: when a reorg undoes a
// recovery, the unit returns to the stage that it was recovered from. The order of a
// locked unit is closed before the unit is removed or recovered.
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
	{From: PendingWithdraw, Event: PaymentGone, For: ForWithdraw, To: POLocked},
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

// Live reports whether a unit in this stage still exists for its staker.
func (s Stage) Live() bool { return s != Withdrawn && s != nowhere }
