package fault

// What stops a server, for operators. The reason follows in another sentence.
const (
	StopNode       = "The Bitcoin node can't be used"
	StopRelay      = "The Bitcoin node does not relay payouts"
	StopChain      = "The server does not follow the chain to its end"
	StopClock      = "The server's clock is uncertain"
	StopDisk       = "A disk is nearly full"
	StopSigner     = "Nothing is signed"
	StopStatements = "No statements are published"

	StopRunbook = "Read: moonfund help %s."
)
