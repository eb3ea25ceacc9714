package inquiry

import (
	"fmt"

	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/staking/payout/refund"
)

// sentence is a text of an answer, with its code.
type sentence struct{ code, text string }

// The sentences of an answer. They are for stakers: they describe the past and the next step, in the words of the web
// pages.
var (
	asOf       = sentence{"AS_OF", "As of %s, at block %s."}
	noBlockYet = sentence{"NO_BLOCK_YET", "As of %s. The server has not followed any block yet."}
	theAddress = sentence{"ADDRESS", "What this server knows about the address %s"}
	theTx      = sentence{"TRANSACTION", "What this server knows about the transaction %s"}
	theOutput  = sentence{"OUTPUT", "What this server knows about the output %s"}
	theOrder   = sentence{"ORDER", "What this server knows about the order %s"}
	theUnit    = sentence{"UNIT", "What this server knows about the unit %s"}
	thePayout  = sentence{"PAYOUT", "What this server knows about the payout %s"}
	theRest    = sentence{"UNKNOWN_KIND", "What this server knows about %s"}
	notKnown   = sentence{"NOT_KNOWN", "Not known to this server. It searched: %s."}
	askAgain   = sentence{"ASK_AGAIN",
		"If the transaction is very new, try again in a few minutes: the server sees it as soon as its node does."}
	otherNetwork = sentence{"OTHER_NETWORK",
		"This is an address of another Bitcoin network. This server uses %s."}
)

// Owners and stake addresses.
var (
	ownerTitle    = sentence{"OWNER_TITLE", "%s, ordinals address %s"}
	signedPayment = sentence{"SIGNED_PAYMENT",
		"Its payment address is %s, by a message that the owner signed."}
	unsignedPayment = sentence{"UNSIGNED_PAYMENT",
		"Its payment address is %s, by a request for a stake address. Such a request is not signed."}
	unsignedPair = sentence{"UNSIGNED_PAIR",
		"Only an unsigned request for a stake address names both addresses. That does not prove that they belong together."}
	heldBack = sentence{"REWARDS_HELD",
		"Its rewards are on hold. Transaction %s brought %s to this address, and this server did not make it. " +
			"An operator has to say which rewards it delivered."}
	stakeTitle    = sentence{"STAKE_ADDRESSES_TITLE", "Stake addresses"}
	stakeGiven    = sentence{"STAKE_ADDRESS", "Stake address %s was given to %s on %s."}
	stakeWatched  = sentence{"STAKE_ADDRESS_WATCHED", "Stake address %s was given to %s."}
	stakeUnused   = sentence{"STAKE_ADDRESS_UNUSED", "Nothing was received there."}
	stakeReceived = sentence{"STAKE_RECEIVED", "It received the output %s with %s, %s."}
	moreStakes    = sentence{"MORE_STAKE_ADDRESSES", "%s more stake addresses are not shown here."}

	instructionTitle  = sentence{"AUTO_COMPOUND_TITLE", "Automatic compounding"}
	instructionActive = sentence{"AUTO_COMPOUND_ACTIVE",
		"On since %s, by instruction %s, which the owner signed. It stakes the rewards of the epochs %s to %s as they " +
			"settle. Next: the reward of epoch %s."}
	instructionOver = sentence{"AUTO_COMPOUND_OVER",
		"Off. The last instruction %s, signed on %s for the epochs %s to %s, ended on %s: %s."}
	instructionRow = sentence{"AUTO_COMPOUND_STAKED", "Rewards that it staked: %s."}

	treasuryAddress = sentence{"TREASURY_ADDRESS",
		"This is the address for %s of the treasury of %s. Only the operator can give back what was sent here by mistake."}
	runesWord = sentence{"WORD_RUNES", "runes"}
	satsWord  = sentence{"WORD_SATS", "sats"}
)

// howEnded describes how an instruction to compound automatically ended, by the event.
var howEnded = map[string]sentence{
	ledger.CompoundingEnded:    {"AUTO_COMPOUND_ENDED", "its owner ended it"},
	ledger.CompoundingReplaced: {"AUTO_COMPOUND_REPLACED", "its owner replaced it"},
	ledger.CompoundingExpired:  {"AUTO_COMPOUND_EXPIRED", "its last epoch settled"},
	ledger.CompoundingRestored: {"AUTO_COMPOUND_RESTORED", "the ledger was restored from a backup"},
}

// Units.
var (
	unitsTitle = sentence{"UNITS_TITLE", "Units"}
	sums       = sentence{"SUM", "%s: %s in %s."}
	noUnits    = sentence{"NO_UNITS", "It has no stake and no rewards."}
	moreUnits  = sentence{"MORE_UNITS", "%s more are not shown here (moonfund unit list --owner %s)."}
	oldUnits   = sentence{"DELIVERED_UNITS",
		"%s delivered or taken back earlier (moonfund unit list --owner %s)."}
	unitLine    = sentence{"UNIT_LINE", "%s (%s): %s"}
	lostDeposit = sentence{"DEPOSIT_REPLACED",
		"Another transaction replaced its deposit, so it does not count."}
	spentByOther = sentence{"STAKE_SPENT",
		"A transaction that is not this server's spends its output. After 3 confirmations it counts as taken back."}
	unitWaitsBlock = sentence{"UNIT_WAITS_BLOCK",
		"the deposit is not in a block yet. It starts to earn with the next epoch%s, if it has 3 confirmations by then."}
	unitWaitsEpoch = sentence{"UNIT_WAITS_EPOCH", "deposited. It starts to earn with epoch %s, which begins %s."}
	unitWaitsStart = sentence{"UNIT_WAITS_START",
		"deposited. It starts to earn with the next epoch%s, if it has 3 confirmations by then."}
	unitEarns      = sentence{"UNIT_EARNS", "staked. It earns rewards since epoch %s."}
	unitUnlocks    = sentence{"UNIT_UNLOCKS", "unstaked. It unlocks when epoch %s begins, %s."}
	unitUnlocked   = sentence{"UNIT_UNLOCKED", "unlocked. It can be withdrawn or staked again."}
	unitClaim      = sentence{"UNIT_CLAIM", "the reward of epoch %s. It can be claimed or compounded."}
	unitAwaitsPay  = sentence{"UNIT_AWAITS_PAYMENT", "part of order %s, which waits for its payment."}
	unitAwaitsSend = sentence{"UNIT_AWAITS_DELIVERY", "part of order %s, which is paid and being delivered."}
	inSelfCustody  = sentence{"UNIT_SELF_CUSTODY",
		"It is in self-custody: nothing moves it without its owner's signature."}
	inOperatorCustody = sentence{"UNIT_OPERATOR_CUSTODY", "It is in operator custody: the community's key can move it."}
	unitDelivered     = sentence{"UNIT_DELIVERED", "delivered by order %s."}
	unitRecovered     = sentence{"UNIT_RECOVERED", "taken back by a transaction that is no delivery of this server."}
	unitElsewhere     = sentence{"UNIT_DELIVERED_ELSEWHERE",
		"delivered by a transaction that another copy of this ledger made."}
	startsNext = sentence{"NEXT_EPOCH", ", which begins %s"}
	onDate     = sentence{"ON_DATE", "on %s"}
	byHand     = sentence{"BY_HAND", "when the operator starts it"}
)

// inStage describes the sum of units in a stage.
var inStage = map[ledger.Stage]sentence{
	ledger.PendingStake:    {"SUM_PENDING_STAKE", "Deposited, not earning yet"},
	ledger.Staked:          {"SUM_STAKED", "Staked"},
	ledger.PendingUnlock:   {"SUM_PENDING_UNLOCK", "Unstaked, not unlocked yet"},
	ledger.Unlocked:        {"SUM_UNLOCKED", "Unlocked"},
	ledger.Claimable:       {"SUM_CLAIMABLE", "Rewards to claim"},
	ledger.POLocked:        {"SUM_PO_LOCKED", "In a withdrawal order that is not paid"},
	ledger.POClaimed:       {"SUM_PO_CLAIMED", "In a claim order that is not paid"},
	ledger.PendingWithdraw: {"SUM_PENDING_WITHDRAW", "In a withdrawal order that is not paid in full"},
	ledger.BatchLocked:     {"SUM_BATCH_LOCKED", "In a paid order that is being delivered"},
	ledger.Withdrawn:       {"SUM_WITHDRAWN", "Delivered or taken back"},
}

// Orders, their payments and refunds.
var (
	ordersTitle = sentence{"ORDERS_TITLE", "Orders"}
	moreOrders  = sentence{"MORE_ORDERS", "%s more orders are not shown here (moonfund order list --owner %s)."}
	orderLine   = sentence{"ORDER_LINE",
		"Order %s of %s delivers %s (%s) to %s, for %s. Its status is %s."}
	orderSpeed  = sentence{"ORDER_ECONOMY", "It has economy delivery at %s sat/vB."}
	orderLimits = sentence{"ORDER_ECONOMY_LIMITS",
		"It has economy delivery: it is sent when the network's fee rate is at most %s sat/vB. Its limit is %s. Then its " +
			"owner can wait longer, pay the difference or cancel. Otherwise it ends on %s%s, with a refund."}
	orderEndBlock = sentence{"ORDER_ECONOMY_BLOCK", ", or at block %s if that is sooner"}
	orderPaid     = sentence{"ORDER_PAYMENT", "It received %[2]s in the output %[1]s on %[3]s, %[4]s%[5]s."}
	noPayment     = sentence{"NO_PAYMENT", "Nothing was received at its payment address %s."}
	paidLate      = sentence{"PAID_LATE", "; after the deadline"}
	notCounted    = sentence{"NOT_COUNTED", "; it does not count, because it is too small or holds runes"}
	replacedPay   = sentence{"PAYMENT_REPLACED", "; another transaction replaced it"}
	delivered     = sentence{"DELIVERY", "The delivery is transaction %s, %s."}
	nodeRefuses   = sentence{"REFUSED_TX",
		"The Bitcoin node does not accept transaction %s since %s: %s. The server keeps sending it."}
	inAudit      = sentence{"IN_AUDIT", "It was put on hold on %s: %s."}
	refundSigned = sentence{"REFUND", "A refund of %s to %s is transaction %s: %s"}
	refundIsDue  = sentence{"REFUND_DUE", "A refund of %s, less the network fee, to %s is due since %s: %s"}
	refundWord   = sentence{"WORD_REFUND", "its refund"}
	recorded     = sentence{"OPERATOR", "On %s %s did: %s."}
)

// next describes the next step of an order, by its status.
var next = map[order.Status]sentence{
	order.Pending: {"ORDER_PENDING",
		"It waits for a payment to %s until %s. Without one it expires, and its units are free again."},
	order.Confirmed: {"ORDER_CONFIRMED",
		"%s of %s were seen at %s. The rest must be paid by %s. It is delivered once the payments are confirmed."},
	order.PendingRerate: {"ORDER_PENDING_RERATE",
		"The network's fee rate changed before the price was paid in full. Update the price on the page, or cancel " +
			"the order, by %s. What was paid is not lost."},
	order.Paid: {"ORDER_PAID", "It is paid. The server delivers it with its next payout. There is nothing to do."},
	order.Sent: {"ORDER_SENT",
		"It is sent. It counts as delivered after 3 confirmations. There is nothing to do."},
	order.Delivered:    {"ORDER_DELIVERED", "It is delivered: the runes are at the ordinals address."},
	order.Consolidated: {"ORDER_CONSOLIDATED", "It is delivered and finished: the runes are at the ordinals address."},
	order.Canceled:     {"ORDER_CANCELED", "It is canceled. Its units are free again. Payments are refunded."},
	order.Expired: {"ORDER_EXPIRED",
		"It was not paid in time. Its units are free again. Payments are refunded."},
	order.Invalid: {"ORDER_INVALID",
		"One of its units was lost, so it can't be delivered. Payments are refunded."},
	order.Audit: {"ORDER_AUDIT",
		"An operator decides whether it is delivered or refunded. There is nothing to do."},
}

// The next steps of an economy order that waits, or that ended because its limits were over.
var (
	economyWaits = sentence{"ORDER_PAID_ECONOMY",
		"It is paid and waits until the network's fee rate is at most %s sat/vB."}
	economyEnded = sentence{"ORDER_EXPIRED_ECONOMY",
		"The network's fee rate did not fall to %s sat/vB in time. Its units are free again. Payments are refunded."}
)

// refundNext describes the next step of a refund, by its state.
var refundNext = map[refund.State]sentence{
	refund.Due: {"REFUND_STATE_DUE",
		"the server sends it once the network's fee rate is at most %s sat/vB."},
	refund.WaitingRate: {"REFUND_STATE_WAITING_RATE",
		"it waits until the network's fee rate is at most %s sat/vB."},
	refund.WaitingConfirmation: {"REFUND_STATE_WAITING_CONFIRMATION",
		"it waits until the payments are confirmed and the network's fee rate is at most %s sat/vB."},
	refund.OverLimit: {"REFUND_STATE_OVER_LIMIT",
		"it exceeds the limits for automatic refunds, so the operator sends it."},
	refund.WaitingPerson: {"REFUND_STATE_WAITING_PERSON", "the operator decides about it."},
	refund.Sending: {"REFUND_STATE_SENDING",
		"it is signed, but the Bitcoin node does not accept it yet. The server keeps sending it."},
	refund.Sent: {"REFUND_STATE_SENT", "it is sent and waits for 3 confirmations."},
	refund.Done: {"REFUND_STATE_DONE", "it is confirmed."},
}

// Outputs in quarantine.
var (
	quarantineTitle = sentence{"QUARANTINE_TITLE", "Received, but not credited"}
	quarantined     = sentence{"QUARANTINED", "The output %s with %s, %s, is not credited: %s."}
	runesInPayment  = sentence{"RUNES_IN_PAYMENT", "runes in a payment"}
	returnable      = sentence{"RETURNABLE", "The operator can return it to %s (moonfund quarantine return %s)."}
	returned        = sentence{"RETURNED", "Transaction %s spends it."}
)

// Transactions and outputs.
var (
	txTitle    = sentence{"TX_TITLE", "The transaction"}
	txState    = sentence{"TX_STATE", "It is %s."}
	txReplaced = sentence{"TX_REPLACED",
		"A conflicting transaction replaced it, or the network dropped it. It moves nothing."}
	txPays    = sentence{"TX_PAYS", "Its output %s pays %s to %s."}
	txSpends  = sentence{"TX_SPENDS", "It spends the output %s of %s."}
	txPayout  = sentence{"TX_PAYOUT", "Transaction %s is a %s of this server (payout %s), status %s, %s."}
	txVersion = sentence{"TX_VERSION",
		"Transaction %s is another version of the same payout. Only one of them can confirm."}
	txServes      = sentence{"TX_SERVES", "For order %s it brings %s to %s."}
	txUnexplained = sentence{"TX_UNEXPLAINED",
		"It took %s from the treasury of %s to %s, and is no payout of this ledger: %s."}
	spendOpen      = sentence{"SPEND_OPEN", "an operator has to explain it"}
	spendExplained = sentence{"SPEND_EXPLAINED", "an explanation is recorded"}
	noAddress      = sentence{"NO_ADDRESS", "no address"}
	txElsewhere    = sentence{"TX_ELSEWHERE", "Its output %s holds %s, at an address that is not this server's."}

	outTitle     = sentence{"OUTPUT_TITLE", "The output"}
	outLine      = sentence{"OUTPUT_LINE", "It holds %s at %s, %s."}
	outSpent     = sentence{"OUTPUT_SPENT", "Transaction %s spends it, %s."}
	outReplaced  = sentence{"OUTPUT_REPLACED", "Its transaction was replaced, so it no longer exists."}
	outElsewhere = sentence{"OUTPUT_ELSEWHERE", "It holds %s, at an address that is not this server's."}
	inNoBlock    = sentence{"UNCONFIRMED", "not in a block yet"}
	inBlock      = sentence{"CONFIRMED", "in block %s with %s"}
)

// places describes the purposes of the server's addresses.
var places = map[ledger.Kind]sentence{
	ledger.StakeKind:   {"AT_STAKE", "the stake address %s"},
	ledger.PaymentKind: {"AT_PAYMENT", "the payment address of order %s"},
	ledger.RunesKind:   {"AT_TREASURY_RUNES", "the treasury's address for runes, %s"},
	ledger.SatsKind:    {"AT_TREASURY_SATS", "the treasury's address for sats, %s"},
}

// payoutKinds are the names of the kinds of payouts.
var payoutKinds = map[payout.Kind]sentence{
	payout.Delivery: {"KIND_DELIVERY", "delivery"},
	payout.Refund:   {"KIND_REFUND", "refund"},
	payout.Return:   {"KIND_RETURN", "return of an output that was not credited"},
	payout.Withdraw: {"KIND_WITHDRAWAL", "withdrawal of surplus by the operator"},
	payout.Split:    {"KIND_SPLIT", "split of the treasury's runes"},
	payout.OneTx:    {"KIND_ONE_TX", "withdrawal in one transaction, which its owner's coins pay"},
}

// Mint and etch orders.
var (
	runeTitle = sentence{"RUNE_ORDERS_TITLE", "Mint and etch orders"}
	runeLine  = sentence{"RUNE_ORDER",
		"Order %s (%s) of %s, for %s, costs %s, paid to %s. Its state is %s%s."}
	runeGoes    = sentence{"RUNE_ORDER_GOES", "The runes go to %s. Sats that are left over go to %s."}
	runeReason  = sentence{"RUNE_ORDER_REASON", ": %s"}
	runePayment = sentence{"RUNE_PAYMENT", "It received the output %s with %s, %s."}
	runeTx      = sentence{"RUNE_TX", "It sent transaction %s (%s), %s."}
)

// searches are the places that are searched for a kind of query.
var searches = map[Kind][]string{
	Address: {"ordinals and payment addresses of stakers", "stake addresses", "payment addresses of orders",
		"treasury addresses", "mint and etch orders"},
	Transaction: {"deposits, payments and spends at this server's addresses", "payouts and refunds",
		"mint and etch orders", "the index of runes"},
	Output: {"outputs at this server's addresses", "mint and etch orders", "the index of runes"},
	Other: {"orders", "mint and etch orders", "units", "payouts",
		"it is no address, transaction id or output of a transaction"},
}

// count returns a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
