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

// This file holds all that differs between btcd and the nodes of the Core family
// (Bitcoin Core, Knots), so that the rest of the package is one code path:
//
//   - a height out of range is -1 on btcd and -8 on Core;
//   - estimatesmartfee is Core's; btcd has estimatefee, which is 0 or an error
//     until it has seen enough blocks;
//   - sending a mempool transaction again succeeds on Core and is -26 on btcd; a
//     confirmed one is -27 on both while an output is unspent, else -25 on Core;
//   - Core's transaction index keeps what a reorg threw out, with 0 confirmations;
//   - initialblockdownload is Core's; btcd goes by the age of its tip;
//   - testmempoolaccept of Core checks outputs before inputs, btcd after them;
//   - submitblock answers with a word of BIP-22 on Core, with free text on btcd.
//
// What neither lacks is used as both have it: verbosity is always an integer, the
// tip comes from getbestblockhash with getblockheader, and there is no
// getmempoolentry, submitpackage or push; getnetworkinfo only tells Core's version.

const (
	codeMisc         = -1
	codeUnknownHash  = -5
	codeOutOfRange   = -8
	codeDecode       = -22
	codeVerify       = -25
	codeRejected     = -26
	codeInChain      = -27
	codeInternal     = -32603
	codeNoSuchMethod = -32601
)

// maxHeight keeps heights within btcd's 32 bits: beyond, it would wrap around.
const maxHeight = math.MaxInt32

// rpcCode returns the code of the node's own error; 0 when err is none.
func rpcCode(err error) int {
	if answer, ok := errors.AsType[*btcjson.RPCError](err); ok {
		return int(answer.Code)
	}
	return 0
}

func isRPCError(err error) bool { return rpcCode(err) != 0 }

// firstWithV3 is the version of Core that relays transactions of version 3 (TRUC, BIP-431).
const firstWithV3 = 280_000

// RelaysV3 reports whether the node is known to relay transactions of version 3:
// Core since 28.0. Others may be told not to, and to btcd the number means nothing.
func (c *Client) RelaysV3(ctx context.Context) (bool, error) {
	var info struct {
		Version    int64  `json:"version"`
		Subversion string `json:"subversion"`
	}
	err := c.call(ctx, &info, "getnetworkinfo")
	if code := rpcCode(err); code == codeNoSuchMethod || code == codeMisc { // btcd knows the call, and has no answer
		return false, nil
	}
	core := strings.HasPrefix(info.Subversion, "/Satoshi:") && strings.Count(info.Subversion, ":") == 1
	return err == nil && core && info.Version >= firstWithV3, err
}

// heightOutOfRange reads the error of getblockhash.
func heightOutOfRange(err error) bool {
	code := rpcCode(err)
	return code == codeMisc || code == codeOutOfRange
}

// unknownHash reads the error of getblock and getrawtransaction.
func unknownHash(err error) bool { return rpcCode(err) == codeUnknownHash }

// prunedAway reads the error of getblock for a block that the node had once. Only
// Core tells it from a block that it never had, and only in words.
func prunedAway(err error) bool {
	answer, ok := errors.AsType[*btcjson.RPCError](err)
	return ok && strings.Contains(answer.Message, "pruned")
}

// headerOnly reads the error of getblock for a block outside the best chain of
// which Core has the header alone; a pruned one has the same code.
func headerOnly(err error) bool { return rpcCode(err) == codeMisc }

// verdict reads the error of sendrawtransaction and submitblock: nil unless the
// node has looked at what it was sent and refuses it.
func verdict(err error) *Refusal {
	switch code := rpcCode(err); code {
	case codeDecode, codeVerify, codeRejected, codeInChain:
		answer, _ := errors.AsType[*btcjson.RPCError](err)
		return &Refusal{Code: code, Reason: answer.Message}
	}
	return nil
}

// passingWords are parts of refusals that time may end: a fee rate below what the
// mempool takes now, or a mempool or chain that does not allow the transaction yet.
var passingWords = []string{
	"min fee not met", "min relay fee not met", "insufficient fee", "insufficient priority", "mempool-chain", "mempool full",
	"conflict", "replacement", "missing", "already spent", "orphan", "BIP68", "non-final", "sequence locks", "premature",
}

// Passing reports whether waiting can help. Otherwise the node refuses the
// transaction for what it is, by its settings or by consensus.
func (r *Refusal) Passing() bool {
	return slices.ContainsFunc(passingWords, func(word string) bool { return strings.Contains(r.Reason, word) })
}

// RefusalKind is why a node refuses a transaction, as far as its words tell.
type RefusalKind int

const (
	RefusedOther RefusalKind = iota
	RefusedEarly             // a lock time or the age of an input is not reached
	RefusedFee               // the fee rate is below what the mempool takes, or a replacement pays too little more
	RefusedDust              // an output holds too few sats to be relayed
	RefusedSpent             // an input is spent already, or not there
)

// refusalWords are parts of the reasons of Core and btcd, in lower case.
var refusalWords = []struct {
	kind  RefusalKind
	words []string
}{
	{RefusedEarly, []string{"bip68", "non-final", "sequence lock", "not finalized"}},
	{RefusedFee, []string{"fee not met", "insufficient fee", "insufficient priority", "under the required amount", "fee rate"}},
	{RefusedDust, []string{"dust"}},
	{RefusedSpent, []string{"missing", "already spent", "conflict", "orphan"}},
}

// Kind returns why the node refuses.
func (r *Refusal) Kind() RefusalKind {
	reason := strings.ToLower(r.Reason)
	for _, known := range refusalWords {
		if slices.ContainsFunc(known.words, func(word string) bool { return strings.Contains(reason, word) }) {
			return known.kind
		}
	}
	return RefusedOther
}

// downloading tells whether the node is still fetching the chain. Core says so; btcd
// has no such flag and takes itself for current, as here, by the time of its tip.
func downloading(flag *bool, tip time.Time) bool {
	if flag != nil {
		return *flag
	}
	return time.Since(tip) > 24*time.Hour
}

// refusesShape reads a reason of testmempoolaccept: whether the node refuses the
// shape of a transaction that is not meant to be valid. Core checks outputs before
// it looks for the inputs, and witnesses before it runs scripts; btcd looks for the
// inputs first.
func refusesShape(reason string) bool {
	expected := strings.Contains(reason, "script-verify-flag") || strings.Contains(reason, "failed to validate input")
	return !expected && !(&Refusal{Reason: reason}).Passing()
}

// inStaleBlock reads a transaction that has a block: Core shows those of blocks
// that a reorg threw out with 0 confirmations; btcd forgets them.
func inStaleBlock(confirmations int64) bool { return confirmations <= 0 }

// acceptedBlock reads the answer of submitblock that is not null. These words of
// BIP-22 say that the block is known, the second and third on a side chain.
func acceptedBlock(answer string) bool {
	return answer == "duplicate" || answer == "inconclusive" || answer == "duplicate-inconclusive"
}

// estimate returns an estimate in BTC per 1000 vB; ErrNoEstimate or a value that
// is not positive where the node has too little data.
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
