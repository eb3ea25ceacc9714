package chain

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/btcsuite/btcd/btcjson"
)

// This file contains all differences between btcd and the nodes of the Core family (Bitcoin Core, Knots), so that the
// rest of the package has one code path:
//
//   - the error code for a height out of range is -1 on btcd and -8 on Core;
//   - only Core has estimatesmartfee; btcd has estimatefee, which returns 0 or an error until it
//     has seen enough blocks;
//   - sending a mempool transaction again succeeds on Core and fails with -26 on btcd; sending a
//     confirmed one fails with -27 on both while an output is unspent, otherwise with -25 on Core;
//   - Core's transaction index contains transactions of stale blocks, with 0 confirmations;
//   - only Core reports initialblockdownload; for btcd the age of its tip is used;
//   - gettxout with the mempool leaves out outputs that the mempool spends on Core, but not on btcd;
//   - testmempoolaccept checks outputs before inputs on Core, and after them on btcd;
//   - getmempoolinfo contains the minimum fee rate only on Core; btcd's minimum does not change;
//   - submitblock returns a BIP-22 result on Core, and free text on btcd.
//
// All other code uses calls that both support: verbosity is always an integer, the tip comes from getbestblockhash and
// getblockheader, and submitpackage is not used. getnetworkinfo reads only Core's version, getzmqnotifications finds
// only Core's notifications, and getmempoolentry only the fees of descendants, which btcd does not report.

// Error codes of the nodes.
const (
	codeMisc         = -1
	codeUnknownHash  = -5
	codeOutOfRange   = -8
	codeDecode       = -22
	codeVerify       = -25
	codeRejected     = -26
	codeInChain      = -27
	codeWarmingUp    = -28
	codeInternal     = -32603
	codeNoSuchMethod = -32601
)

// maxHeight is the largest height that is sent to a node. Larger heights would wrap around in btcd's 32-bit parameter.
const maxHeight = math.MaxInt32

// rpcCode returns the code of an error that the node returned, or 0 for any other error.
func rpcCode(err error) int {
	if answer, ok := errors.AsType[*btcjson.RPCError](err); ok {
		return int(answer.Code)
	}
	return 0
}

func isRPCError(err error) bool { return rpcCode(err) != 0 }

// firstWithV3 is the first version of Core that relays version 3 transactions (TRUC, BIP-431).
const firstWithV3 = 280_000

// RelaysV3 reports whether the node is known to relay version 3 transactions: Core since 28.0.
// Other Core-family nodes can be configured not to, and btcd ignores the version number.
func (c *Client) RelaysV3(ctx context.Context) (bool, error) {
	var info struct {
		Version    int64  `json:"version"`
		Subversion string `json:"subversion"`
	}
	err := c.call(ctx, &info, "getnetworkinfo")
	if code := rpcCode(err); code == codeNoSuchMethod || code == codeMisc { // unimplemented on btcd
		return false, nil
	}
	core := strings.HasPrefix(info.Subversion, "/Satoshi:") && strings.Count(info.Subversion, ":") == 1
	return err == nil && core && info.Version >= firstWithV3, err
}

// heightOutOfRange reports whether getblockhash failed because of the height.
func heightOutOfRange(err error) bool {
	code := rpcCode(err)
	return code == codeMisc || code == codeOutOfRange
}

// unknownHash reports whether getblock or getrawtransaction failed because the node does not have the hash.
func unknownHash(err error) bool { return rpcCode(err) == codeUnknownHash }

// prunedAway reports whether getblock failed because the node has pruned the block. Only Core distinguishes this from
// an unknown block, and only in the message.
func prunedAway(err error) bool {
	answer, ok := errors.AsType[*btcjson.RPCError](err)
	return ok && strings.Contains(answer.Message, "pruned")
}

// headerOnly reports whether getblock failed because Core has only the header of a block outside the best chain. A
// pruned block has the same code, so prunedAway must be called first.
func headerOnly(err error) bool { return rpcCode(err) == codeMisc }

// rejection returns the refusal in an error of sendrawtransaction or submitblock, or nil if the node did not reject the
// content.
func rejection(err error) *Refusal {
	switch code := rpcCode(err); code {
	case codeDecode, codeVerify, codeRejected, codeInChain:
		answer, _ := errors.AsType[*btcjson.RPCError](err)
		return &Refusal{Code: code, Reason: answer.Message}
	}
	return nil
}

// temporaryReasons are parts of the reasons of temporary refusals: the fee rate is below the current minimum of the
// mempool, or the state of the mempool or the chain does not allow the transaction yet.
var temporaryReasons = []string{
	"min fee not met", "min relay fee not met", "insufficient fee", "insufficient priority", "mempool-chain",
	"mempool full", "too-large-cluster", "TRUC-violation",
	"conflict", "replacement", "missing", "already spent", "orphan", "BIP68", "non-final", "sequence locks", "premature",
}

// Passing reports whether the refusal is temporary, so that sending the transaction again later can succeed. Otherwise
// the transaction violates consensus rules or the node's settings.
func (r *Refusal) Passing() bool {
	return slices.ContainsFunc(temporaryReasons, func(word string) bool { return strings.Contains(r.Reason, word) })
}

// RefusalKind is the category of a refusal.
type RefusalKind int

// The categories.
const (
	RefusedOther RefusalKind = iota
	RefusedEarly             // a lock time or the age of an input is not reached
	RefusedFee               // the fee rate is below the mempool's minimum, or a replacement's fee is too low
	RefusedDust              // an output has too few sats to be relayed
	RefusedSpent             // an input is spent or does not exist
)

// refusalWords are parts of the reasons of Core and btcd, in lower case.
var refusalWords = []struct {
	kind  RefusalKind
	words []string
}{
	{RefusedEarly, []string{"bip68", "non-final", "sequence lock", "not finalized"}},
	{RefusedFee, []string{"fee not met", "insufficient fee", "insufficient priority", "under the required amount",
		"fee rate"}},
	{RefusedDust, []string{"dust"}},
	{RefusedSpent, []string{"missing", "already spent", "conflict", "orphan"}},
}

// Kind returns the category of the refusal.
func (r *Refusal) Kind() RefusalKind {
	reason := strings.ToLower(r.Reason)
	for _, known := range refusalWords {
		if slices.ContainsFunc(known.words, func(word string) bool { return strings.Contains(reason, word) }) {
			return known.kind
		}
	}
	return RefusedOther
}

// downloading reports whether the node is still downloading the chain. Core reports a flag. For btcd, which has none,
// the time of the tip decides by btcd's own rule.
func downloading(flag *bool, tip time.Time) bool {
	if flag != nil {
		return *flag
	}
	return time.Since(tip) > 24*time.Hour
}

// policyAnswer interprets a reason of testmempoolaccept for a transaction with an invalid signature. Core checks
// outputs before it looks up inputs, and witnesses before it runs scripts; btcd looks up inputs first. Both run scripts
// last.
func policyAnswer(reason string) PolicyAnswer {
	switch {
	case strings.Contains(reason, "script-verify-flag"), strings.Contains(reason, "failed to validate input"):
		return PolicyAnswer{Known: true}
	case (&Refusal{Reason: reason}).Passing():
		return PolicyAnswer{}
	}
	return PolicyAnswer{Known: true, Reason: reason}
}

// inStaleBlock reports whether a transaction that has a block is in a stale one. Core lists such a transaction with 0
// confirmations; btcd drops it.
func inStaleBlock(confirmations int64) bool { return confirmations <= 0 }

// acceptedBlock reports whether a non-null result of submitblock means that the node has the block. The results are
// from BIP-22; the second and third mean a block on a side chain.
func acceptedBlock(answer string) bool {
	return answer == "duplicate" || answer == "inconclusive" || answer == "duplicate-inconclusive"
}

// estimate returns the fee rate for confirmation within a number of blocks, in BTC per 1000 vB. If the node has too
// little data, it returns ErrNoEstimate or a value that is not positive.
func (c *Client) estimate(ctx context.Context, targetBlocks int) (float64, error) {
	targetBlocks = max(1, min(targetBlocks, 1008)) // Core's bounds
	c.mu.Lock()
	noSmartFee := c.noSmartFee
	c.mu.Unlock()
	if !noSmartFee {
		var smart struct {
			FeeRate float64 `json:"feerate"`
		}
		err := c.call(ctx, &smart, "estimatesmartfee", targetBlocks)
		if code := rpcCode(err); code != codeNoSuchMethod && code != codeMisc {
			return smart.FeeRate, err
		}
		c.mu.Lock()
		c.noSmartFee = true
		c.mu.Unlock()
	}
	var perKB float64
	err := c.call(ctx, &perKB, "estimatefee", min(targetBlocks, 25)) // btcd's bound
	if code := rpcCode(err); code == codeInternal || code == codeMisc {
		return 0, ErrNoEstimate
	}
	return perKB, err
}
