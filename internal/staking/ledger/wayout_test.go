package ledger_test

import (
	"testing"

	"moonfund/internal/staking/ledger"
)

// causes has the cause of each event: "owner" for a signature, a payment or a transaction of the owner; "operator";
// "time" for the server, blocks and the clock together; "others" for events that none of these can cause.
var causes = map[ledger.Event]string{
	ledger.Deposited: "owner", ledger.UnstakeSigned: "owner", ledger.RestakeSigned: "owner",
	ledger.CompoundSigned:  "owner",
	ledger.WithdrawOrdered: "owner", ledger.ClaimOrdered: "owner", ledger.PaymentBegun: "owner",
	ledger.PaymentComplete:   "owner",
	ledger.RecoveredByStaker: "owner",
	ledger.OrderClosed:       "owner", // a cancel, until the payout is signed: see order.TestEveryStatusHasAWayOut
	ledger.Rewarded:          "time", ledger.BecameEligible: "time", ledger.CooldownOver: "time",
	ledger.PayoutConfirmed: "operator", // replaces a payout that is stuck
	ledger.OrderResumed:    "operator",
	ledger.LostEligibility: "others", ledger.DepositVanished: "others", ledger.DeliveredElsewhere: "others",
	ledger.PaymentVanished: "others", ledger.PaymentUndone: "others", ledger.PayoutUnconfirmed: "others",
}

// From every stage, events that the owner, the operator or time can cause lead to WITHDRAWN. In every stage in which an
// order locks the unit, one event of the owner unlocks the unit.
func TestEveryStageHasAWayOut(t *testing.T) {
	out := map[ledger.Stage]bool{ledger.Withdrawn: true}
	for range ledger.Stages.Rows {
		for _, row := range ledger.Stages.Rows {
			if by, known := causes[row.Event]; !known {
				t.Fatalf("causes has no entry for %q", row.Event)
			} else if by != "others" && out[row.To] {
				out[row.From] = true
			}
		}
	}
	held := map[ledger.Stage]map[ledger.Reason]bool{}
	for _, row := range ledger.Stages.Rows {
		for _, stage := range []ledger.Stage{row.From, row.To} {
			if !out[stage] {
				t.Errorf("no events lead from %q to WITHDRAWN", stage)
			}
		}
		if row.For != ledger.Any && row.Event != ledger.OrderClosed { // the event opens or continues an order
			if held[row.To] == nil {
				held[row.To] = map[ledger.Reason]bool{}
			}
			held[row.To][row.For] = true
		}
	}
	free := map[ledger.Reason]ledger.Stage{ledger.ForClaim: ledger.Claimable, ledger.ForWithdraw: ledger.Unlocked}
	for stage, reasons := range held {
		for reason := range reasons {
			if to, err := ledger.Stages.Next(stage, ledger.OrderClosed, reason); err != nil || to != free[reason] {
				t.Errorf("closing the order of a %s unit (%s) leads to %q: %v", stage, reason, to, err)
			}
		}
	}
	if len(held) != 4 {
		t.Errorf("orders lock %d stages, want PO_LOCKED, PO_CLAIMED, PENDING_WITHDRAW and BATCH_LOCKED", len(held))
	}
}

// In each stage, the owner can recover a unit with a custody output without the server, unless an order locks the unit
// or it is delivered.
func TestStakesAreRecoveredWithoutTheServer(t *testing.T) {
	for _, stage := range []ledger.Stage{ledger.PendingStake, ledger.Staked, ledger.PendingUnlock, ledger.Unlocked} {
		if to, err := ledger.Stages.Next(stage, ledger.RecoveredByStaker, ledger.Any); err != nil || to != ledger.Withdrawn {
			t.Errorf("a %s unit can't be recovered: %v", stage, err)
		}
	}
}
