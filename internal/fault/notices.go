package fault

// Notice is the text of a notification: a title, and what happened with the command to run next. Package notify fills
// the verbs of Text.
type Notice struct{ Title, Text string }

// Notifications to operators. Each condition has a text for its beginning and one for its end.
var (
	NoticeOrderAudit = Notice{"An order needs your decision",
		"Order %s of %s is in AUDIT: an operator decides what happens to it. A refund of %d sats is due. Its owner waits " +
			"for you. Next: moonfund order show %s"}
	NoticeOrderHeld = Notice{"A refund needs your decision",
		"The refund of order %s of %s, %d sats, is not sent automatically: %s. Next: moonfund order show %s"}
	NoticeOrderEnd = Notice{"An order no longer needs you",
		"Order %s of %s no longer waits for your decision. There is nothing to do."}

	NoticeRefused = Notice{"The node refuses a transaction",
		"The Bitcoin node does not accept transaction %s: %s. Nothing is lost, but its receivers wait. " +
			"Next: moonfund find %s"}
	NoticeRefusedEnd = Notice{"A transaction is no longer refused",
		"The Bitcoin node no longer refuses transaction %s. There is nothing to do."}

	NoticePause = Notice{"Moon Fund is paused",
		"Paused: %s. Reason: %s. It stays paused until you resume it. Next: moonfund help %s, then moonfund resume %s"}
	NoticePauseEnd = Notice{"Moon Fund is resumed", "The pause (%s) ended. There is nothing to do."}

	NoticeViolation = Notice{"The audit found a violation",
		"The server's audit found %d violations. Each stops an order, the payouts of a community, or all payouts. The " +
			"first one: %s. Do not resume before you know the cause. Next: moonfund audit"}
	NoticeViolationEnd = Notice{"The violation ended",
		"Payouts were resumed, or the audit finds no violation any more. If one still exists, the audit stops what it " +
			"concerns again. Next: moonfund audit"}

	NoticeTreasuryLow = Notice{"The treasury is low",
		"The treasury of %s covers %d more epochs. After that, rewards get smaller. Next: fund it at the address of " +
			"moonfund treasury show %s"}
	NoticeTreasuryLowEnd = Notice{"The treasury is funded again",
		"The treasury of %s covers at least four more epochs. There is nothing to do."}

	NoticeBackup = Notice{"A backup failed",
		"The server could not write its automatic backup: %s. It tries again every minute. Next: check the disk and " +
			"the folder of the backups; the server's log has the error."}
	NoticeBackupEnd = Notice{"Backups work again", "The server wrote a backup. There is nothing to do."}

	NoticeStop    = Notice{"Moon Fund: %s", "%s: %s. Next: moonfund help %s"}
	NoticeStopEnd = Notice{"Moon Fund goes on", "This ended: %s. There is nothing to do."}

	NoticeTest = Notice{"Test message of Moon Fund",
		"Notifications work. You requested this message with moonfund notify test. There is nothing to do."}
	NoticeUnknown = Notice{"Moon Fund: %s", "%s changed. Next: moonfund notify list"}
)

// Reasons in notifications.
const (
	NoticeHoldLimit   = "it is above the limits for refunds"
	NoticeHoldRefused = "the signer refused it, or it could not be built"
	NoticeUnknownWhy  = "the server's log has the reason"
	NoticeEverything  = "every change"
	NoticePayouts     = "payouts"
	NoticePayoutsOf   = "the payouts of %s"
)

// Failures of notifications, for the operator. They name no address of the receiver, which may contain a secret.
const (
	NotifyTimeout     = "the receiver did not answer within %s"
	NotifyNoHost      = "the host name of the receiver was not found"
	NotifyRefused     = "the receiver refused the connection"
	NotifyCertificate = "the TLS certificate of the receiver is not valid"
	NotifyConnection  = "the connection to the receiver failed"
	NotifyRedirect    = "the receiver answered with a redirect (HTTP %d): configure the final address"
	NotifyStatus      = "the receiver answered with HTTP %d"
)
