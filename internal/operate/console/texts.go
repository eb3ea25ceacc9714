package console

import (
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout/refund"
)

// Texts about access.
const (
	signInTitle = "Open the console with a link"
	signIn      = "Run `moonfund console` on the server's machine, and open the link that it prints. If " +
		"it runs, press Enter there for a new link."
	linkRefusedTitle = "This link can't be used"
	linkRefused      = "A link works once and for five minutes. Press Enter where `moonfund console` runs, " +
		"and open the new link."
	wrongHost   = "Open the console at the address that `moonfund console` printed, with the same port."
	otherOrigin = "Another page opened the console. Open it yourself, at the address that `moonfund " +
		"console` printed."
	onlyReads = "The console only reads."
)

// Texts about pages that can't be shown.
const (
	noPage       = "The console has no page with this address."
	missingTitle = "Not found"
	failedTitle  = "The page can't be read"
	busyTitle    = "The console is busy"
	busy         = "Other pages are being read. Reload in a few seconds."
	tooSlow      = "Reading took too long, and was ended so that the server is not slowed down. Reload in a " +
		"few seconds."
	otherProgram = "another program answers"
	metricsOff   = "the server's metrics are off: set MOONFUND_METRICS"
)

// Titles and advice of incidents.
const (
	incidentsIntro = "What is not as it should be, and what operators did about it."
	noIncidents    = "Nothing is open."
	logIntro       = "Every change by an operator, newest first."
	resumeAdvice   = "Find the cause first. A pause after a violated invariant ends only when an operator " +
		"resumes."
	serverAway  = "The server does not answer"
	startServer = "Start it: systemctl start moonfund. Its log says why it ended: journalctl -u " +
		"moonfund. The pages of this console show the ledger as it was left."
	notFollowing = "The server does not follow the chain to its end"
	nodeAdvice   = "Check the node and its log. See: moonfund help node-down, and " +
		"moonfund help behind."
	auditFailed  = "The last audit found a violated invariant"
	auditAdvice  = "Run an audit now, and read what it finds before anything is resumed."
	backupAdvice = "See the server's log, check the disk of the backups, and make a backup now."
	ledgerBehind = "This ledger is behind its key's high-water mark"
	behindAdvice = "Another copy of the ledger was in use later than this one. Find it before you " +
		"resume. See: moonfund help behind."
	refusedAdvice  = "Waiting does not help. See: moonfund help refused-payouts."
	refusedPassing = "Waiting can help: the server keeps sending it."
	shortfall      = "It holds less than it owes and has reserved. Deposit runes, and find out why."
	runwayAdvice   = "Deposit runes at the treasury's address, then credit them. See: " +
		"moonfund help reward-runway."
	uncredited = "A deposit counts only after an operator credits it. What is in no block yet, or in " +
		"quarantine, is left out."
	explainAdvice = "Find out who made it. If it delivered rewards by hand, name them; until then these " +
		"rewards are on hold."
	auditOrderAdvice = "Deliver, refund or close each one. See: " +
		"moonfund help audit-orders."
	heldRefund = "A refund above a limit, or refused by the signer, is not sent without you."
	bumpAdvice = "The server replaces it by itself when fee rates rise. To replace it now, run this " +
		"command. See: moonfund help stuck-payout."
	requestAdvice = "A running server carries it out when it can: check that it runs, leads and is not paused."
)

// Descriptions of commands.
const (
	emergency = "Stopping loses nothing: orders that are paid wait, and deadlines move when you resume " +
		"everything."
	stopPayouts  = "Stop sending payouts; everything else goes on"
	stopAll      = "Stop every change; stakers can only read"
	checkLedger  = "Check every invariant of the ledger against the chain"
	checkMachine = "Check the server, the node and the machine"
	decide       = "Run one of these commands in a terminal. It shows what it will do, asks for " +
		"confirmation, and records the reason, which you can reword."
)

var (
	pausedTitle     = map[string]string{"all": "Every change is paused", "payouts": "Payouts are paused"}
	pausedCommunity = "The payouts of %s are paused"
	resumes         = map[string]string{"all": "End the pause of everything", "payouts": "End the pause of payouts"}
)

// Introductions and empty states of lists.
const (
	noOrders        = "There are no orders here."
	nothingToDecide = "No order needs a decision."
	payoutsIntro    = "Deliveries, refunds and returns that this server signed."
	noPayouts       = "There are no payouts here."
	refundsIntro    = "The server sends a refund by itself once it returns at least its cost, unless it " +
		"waits for you."
	noRefunds       = "No refund is due."
	quarantineIntro = "Outputs at the server's addresses that can't be credited. An output at a stake or payment " +
		"address can be returned to its owner, and sats at the treasury's address for runes to its address for sats."
	noQuarantine  = "Nothing is in quarantine."
	treasuryIntro = "What the treasury holds, and what it owes."
	surplusText   = "What you may withdraw, as the server computes it. See: moonfund help reference."
	epochsIntro   = "The budget of each epoch, what was distributed, and the stakes that earned it."
	epochEnded    = "settled once its end has 6 confirmations"
	noEpochs      = "No epoch has begun."
	noRewards     = "It has no rewards yet."
	noRuneOrders  = "There are no mint and etch orders here."
	searchIntro   = "Enter an ordinals, payment or stake address, a transaction id, an output (txid:vout), " +
		"or the id of an order, unit or payout."
	searchTooLong     = "That is longer than any address or id. " + searchIntro
	searchUnprintable = "That has characters which no address or id has. " + searchIntro
	searchSend        = "One page of plain text for whoever asks."
)

// refundStates describe the condition that delays a due refund, by its state in the API.
var refundStates = map[string]string{
	string(refund.WaitingPerson): "your decision", string(refund.OverLimit): "you: above a limit",
	string(refund.WaitingConfirmation): "confirmations", string(refund.Due): "a lower fee rate, " +
		"or the next step",
}

var refundTones = map[string]tone{
	string(refund.WaitingPerson): bad, string(refund.OverLimit): bad,
}

// refundHolds describe why the refund of an order is not sent yet.
var refundHolds = map[order.RefundHold]string{
	order.HoldNone:         "sent once its payments are confirmed and it returns at least its cost",
	order.HoldConfirmation: "sent once more of its payments are confirmed",
	order.HoldLimit: "above the limits for refunds: sent when they allow it later, or now by " +
		"`moonfund order refund`",
	order.HoldRefused: "can't be built, or the signer refuses it; it is tried again",
}
