// Package stop says why a server does not do its work, and which runbook ends that. /status, the log, doctor, the
// console, the metrics and the notifications all take reason and runbook from here, so that they agree.
package stop

import (
	"fmt"
	"regexp"
	"strings"

	"moonfund/internal/fault"
	"moonfund/internal/staking/follower"
)

// What can stop, except pauses, whose names are those of store.Pauses and decisions.PayoutsOf: "all", "payouts" and
// "payouts:PREFIX".
const (
	Node       = "node"       // the node can't be used
	Relay      = "relay"      // the node does not relay the server's transactions
	Chain      = "chain"      // the chain is not followed
	Clock      = "clock"      // no decision is made
	Disk       = "disk"       // it is nearly full
	Signer     = "signer"     // nothing is signed
	Statements = "statements" // of epochs, and receipts
)

// Noticed lists the stops that operators are notified of. Pauses have their own notification.
var (
	Noticed = []string{Node, Relay, Chain, Clock, Disk, Signer, Statements}
	titles  = map[string]string{
		Node: fault.StopNode, Relay: fault.StopRelay, Chain: fault.StopChain, Clock: fault.StopClock,
		Disk: fault.StopDisk, Signer: fault.StopSigner, Statements: fault.StopStatements,
	}
)

// NoReceipts is the beginning of the reason of Statements if only receipts can't be signed.
const NoReceipts = "receipts can't be signed: "

// Beginnings of the reasons of pauses by the server and by commands.
const (
	ByClock   = "clock: "
	ByAudit   = "audit: "
	OlderCopy = "this ledger is an older copy"
	Replaced  = "this ledger was replaced"
	Restored  = "restored by "
	Rebuilt   = "rebuilt from the chain by "
)

// Stop is something that does not work, with the reason and the runbook. The reason is public, since /status has it:
// it names no address, no path and no id.
type Stop struct { // with the fields of api.Stop
	Reason  string
	Runbook string // path in the source; the package has it in /usr/share/doc/moonfund/operations
	What    string
}

// Title returns what stopped, as a sentence without a reason. It is "" for a pause.
func (s Stop) Title() string { return titles[s.What] }

// Page returns the name of the runbook for `moonfund help`.
func (s Stop) Page() string {
	return strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(s.Runbook, "docs/"), ".md"), "/README")
}

// Read returns the runbook as advice.
func (s Stop) Read() string { return fmt.Sprintf(fault.StopRunbook, s.Page()) }

// What a reason must not contain: nodeAddress matches URLs, network addresses and names that are looked up; private
// matches names with a port, absolute paths, ids, bitcoin addresses, and what PostgreSQL's driver says of a server.
var (
	nodeAddress = regexp.MustCompile(`"?https?://[^\s"]+"?|\d+\.\d+\.\d+\.\d+:\d+|\[[^\]\s]*:[^\]\s]*\]:\d+|` +
		`\blookup [^\s:]+(?: on [^\s]+)?\b`)
	private = regexp.MustCompile("`user=[^`]*`" + `|\([A-Za-z][\w.-]*\): dial\b|\b[A-Za-z][\w.-]*:\d{2,5}\b|` +
		`\B/[^\s:;,"']+|` +
		`\b[0-9a-f]{16,}\b|\b(?:bc|tb|bcrt)1[0-9a-z]{20,}\b`)
)

// Public returns a reason without what must not be published.
func Public(reason string) string {
	reason = nodeAddress.ReplaceAllString(strings.ToValidUTF8(reason, "?"), "the node")
	return private.ReplaceAllString(reason, "…")
}

// New returns a stop.
func New(what, reason string) Stop {
	return Stop{Public(reason), "docs/operations/" + runbook(what, reason) + ".md", what}
}

// IsPause reports whether an operator ends the stop with `moonfund resume`.
func (s Stop) IsPause() bool { return isPause(s.What) }

func isPause(what string) bool { return what == "all" || strings.HasPrefix(what, "payouts") }

// runbook returns the name of the runbook.
func runbook(what, reason string) string {
	is := func(beginning string) bool { return strings.HasPrefix(reason, beginning) }
	switch {
	case what == Clock, isPause(what) && is(ByClock), what == Signer && strings.Contains(reason, "clock"):
		return "clock"
	case what == Signer, what == Statements && is(NoReceipts):
		return "signer"
	case what == Statements, is(Restored):
		return "restore"
	case is(OlderCopy), is(Replaced):
		return "behind"
	case is(ByAudit), is(Rebuilt):
		return "corrupt-database"
	case isPause(what):
		return "README"
	case strings.Contains(reason, follower.ErrDeepReorg.Error()):
		return "deep-reorg"
	case what == Relay:
		return "refused-payouts"
	}
	return "node-down"
}
