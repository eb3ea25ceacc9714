package fault

// Reasons why the server can't use the Bitcoin node, for the operator (in the log, /readyz and /status). They name a
// setting of the node, or a block and its date.
const (
	NodeDownloading = "The Bitcoin node is still downloading the chain: its last block %d is of %s. " +
		"Nothing can be changed until it is done; what you hold is safe."
	NodeRefusesRunes = "The Bitcoin node does not relay rune transfers (%s). Payouts wait. " +
		"The operator sets %s for the node and restarts it."
	NodeRefusesReveals = "The Bitcoin node does not relay the reveal of an etching (%s). " +
		"The operator sets %s for the node and restarts it."
	NodeRefusesInscriptions = "The Bitcoin node does not relay an etching with an inscription (%s), and relays one " +
		"without. The operator sets %s for the node and restarts it, or uses another node."
)
