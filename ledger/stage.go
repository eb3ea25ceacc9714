package ledger

import "fmt"

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
	Deposited          Event = "deposited"           // a creditable output was seen at a stake address
	Rewarded           Event = "rewarded"            // an epoch settled
	BecameEligible     Event = "became eligible"     // the boundary of its first epoch is on the chain
	LostEligibility    Event = "lost eligibility"    // that boundary was undone by a reorg
	DepositVanished    Event = "deposit vanished"    // a conflict took its inputs, nobody mined it for 14 days, or it holds something else
	RecoveredByStaker  Event = "recovered"           // its output was spent by somebody else, 3 confirmations deep
	DeliveredElsewhere Event = "delivered elsewhere" // a transaction that this ledger does not remember brought it to its owner
	RecoveryUndone     Event = "recovery undone"     // that spend fell back under 3 confirmations
	UnstakeSigned      Event = "unstake"             //
	CooldownOver       Event = "cooldown over"       //
	RestakeSigned      Event = "restake"             //
	CompoundSigned     Event = "compound"            //
	WithdrawOrdered    Event = "withdraw ordered"    //
	ClaimOrdered       Event = "claim ordered"       //
	PaymentBegun       Event = "payment begun"       // its order went to CONFIRMED or PENDING_RERATE
	PaymentGone        Event = "payment gone"        // its order went back to PENDING
	PaymentComplete    Event = "payment complete"    // its order went to PAID
	PaymentUndone      Event = "payment undone"      // its order fell from PAID to CONFIRMED or PENDING_RERATE
	PayoutConfirmed    Event = "payout confirmed"    // its order went to DELIVERED
	PayoutUnconfirmed  Event = "payout unconfirmed"  // its order fell from DELIVERED to SENT
	OrderClosed        Event = "order closed"        // its order went to CANCELED, EXPIRED, INVALID or AUDIT
	OrderResumed       Event = "order resumed"       // the operator resolved its order from AUDIT to PAID
)

// Reason is the purpose a unit is locked for; some rows of the table depend on it.
type Reason string

const (
	Any         Reason = ""
	ForClaim    Reason = "CLAIM"
	ForWithdraw Reason = "WITHDRAW"
)

// Row is one row of the stage table.
type Row struct {
	From  Stage
	Event Event
	For   Reason
	To    Stage
}

// Stages is the whole life of a unit. Nothing else moves one, except that a
// recovery's undoing returns a unit to the stage that it was recovered from.
var Stages = []Row{
	{nowhere, Deposited, Any, PendingStake},
	{nowhere, Rewarded, Any, Claimable},

	{PendingStake, BecameEligible, Any, Staked},
	{Staked, LostEligibility, Any, PendingStake},
	{Staked, UnstakeSigned, Any, PendingUnlock},
	{PendingUnlock, CooldownOver, Any, Unlocked},
	{Unlocked, RestakeSigned, Any, PendingStake},
	{Claimable, CompoundSigned, Any, PendingStake},

	{Unlocked, WithdrawOrdered, ForWithdraw, POLocked},
	{POLocked, PaymentBegun, ForWithdraw, PendingWithdraw},
	{PendingWithdraw, PaymentGone, ForWithdraw, POLocked},
	{POLocked, PaymentComplete, ForWithdraw, BatchLocked},
	{PendingWithdraw, PaymentComplete, ForWithdraw, BatchLocked},
	{BatchLocked, PaymentUndone, ForWithdraw, PendingWithdraw},
	{POLocked, OrderClosed, ForWithdraw, Unlocked},
	{PendingWithdraw, OrderClosed, ForWithdraw, Unlocked},
	{BatchLocked, OrderClosed, ForWithdraw, Unlocked},
	{Unlocked, OrderResumed, ForWithdraw, BatchLocked},

	{Claimable, ClaimOrdered, ForClaim, POClaimed},
	{POClaimed, PaymentComplete, ForClaim, BatchLocked},
	{BatchLocked, PaymentUndone, ForClaim, POClaimed},
	{POClaimed, OrderClosed, ForClaim, Claimable},
	{BatchLocked, OrderClosed, ForClaim, Claimable},
	{Claimable, OrderResumed, ForClaim, BatchLocked},

	{BatchLocked, PayoutConfirmed, Any, Withdrawn},
	{Withdrawn, PayoutUnconfirmed, Any, BatchLocked},

	{PendingStake, DepositVanished, Any, nowhere},
	{Staked, DepositVanished, Any, nowhere},
	{PendingUnlock, DepositVanished, Any, nowhere},
	{Unlocked, DepositVanished, Any, nowhere},

	{PendingStake, RecoveredByStaker, Any, Withdrawn},
	{Staked, RecoveredByStaker, Any, Withdrawn},
	{PendingUnlock, RecoveredByStaker, Any, Withdrawn},
	{Unlocked, RecoveredByStaker, Any, Withdrawn},

	{Claimable, DeliveredElsewhere, Any, Withdrawn},
	{Unlocked, DeliveredElsewhere, Any, Withdrawn},
}

// Next looks up the stage that an event leads to; the order of a locked unit is
// closed before the unit itself is removed or recovered, so those rows need no lock.
func Next(from Stage, event Event, reason Reason) (Stage, error) {
	for _, row := range Stages {
		if row.From == from && row.Event == event && (row.For == Any || row.For == reason) {
			return row.To, nil
		}
	}
	return nowhere, fmt.Errorf("ledger: no row for a %s unit on %q (for %q)", from, event, reason)
}

// Live reports whether a unit in this stage still exists for its staker.
func (s Stage) Live() bool { return s != Withdrawn && s != nowhere }
