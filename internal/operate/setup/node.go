package setup

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/server/nodecheck"
	"moonfund/internal/signer"
)

// Names of the checks of the node.
const (
	checkNode   = "node"
	checkBlocks = "blocks"
	checkIndex  = "txindex"
	checkSync   = "sync"
	checkPolicy = "policy"
)

// CheckNode checks that the node responds, is on the network, has every block and a transaction index, is at the tip of
// the chain, and relays the server's transactions. If the node does not respond, the other checks are skipped.
func CheckNode(ctx context.Context, node *chain.Client, network chain.Network, now time.Time) (all []Finding) {
	if err := nodecheck.SameNetwork(ctx, node, network); err != nil {
		return []Finding{failed(checkNode, err.Error(),
			"Start the node, and compare its address, its user and its network with the settings MOONFUND_NODE_… "+
				"and MOONFUND_NETWORK.")}
	}
	all = append(all, ok(checkNode, "answers on "+network.Name))
	if err := nodecheck.Unpruned(ctx, node); err != nil {
		all = append(all, failed(checkBlocks, err.Error(), "Set prune=0 and txindex=1 in the node's configuration."))
	} else {
		all = append(all, ok(checkBlocks, "the node keeps every block"))
	}
	if err := nodecheck.Indexed(ctx, node); err != nil {
		all = append(all, failed(checkIndex, err.Error(),
			"Set txindex=1 in the node's configuration, restart it, and wait until the index is built."))
	} else {
		all = append(all, ok(checkIndex, "the node finds transactions by their ids"))
	}
	return append(all, inspect(ctx, node, network, now)...)
}

// inspect checks synchronization and relay policy, as a running server does before each step.
func inspect(ctx context.Context, node *chain.Client, network chain.Network, now time.Time) []Finding {
	account, err := probeAccount(network)
	if err != nil {
		return []Finding{failed(checkPolicy, err.Error(), "Report this: it is an error of the program.")}
	}
	checker := nodecheck.New(nodecheck.Config{
		Node: node, Network: network, RuneOrders: account, Limits: chain.DefaultPolicy(),
		Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return now },
	})
	found, err := checker.Inspect(ctx)
	if err != nil {
		return []Finding{failed(checkPolicy, err.Error(), "Check the node's log, and repeat the check.")}
	}
	sync := ok(checkSync, "the node is at the tip of the chain")
	if found.Downloading != "" {
		sync = warn(checkSync, found.Downloading,
			"Wait until the node has the whole chain. You can start the server meanwhile.")
	}
	policy := ok(checkPolicy, "the node relays rune transfers, and reveals of etchings")
	switch {
	case found.NoRunes != "":
		policy = failed(checkPolicy, found.NoRunes, "Change the node's configuration as described, and restart the node.")
	case !checker.PolicyKnown():
		policy = warn(checkPolicy, "whether the node relays rune transfers, and reveals of etchings, is not known yet",
			"Repeat the check once the node is at the tip of the chain. The server asks again in each block.")
	case found.NoReveals != "":
		policy = warn(checkPolicy, found.NoReveals, "Needed for the mint and etch service only (--orders).")
	case found.NoInscriptions != "":
		policy = warn(checkPolicy, found.NoInscriptions, "Needed only for etchings with an inscription (--orders).")
	}
	return []Finding{sync, policy}
}

// probeAccount returns the account of the addresses in the probes of the relay policy. The probes can't be broadcast,
// so the account's key is not secret.
func probeAccount(network chain.Network) (vault.Account, error) {
	keys, err := signer.Secret{Scheme: signer.SchemeSeed, Bytes: make([]byte, 32)}.Keys()
	if err != nil {
		return vault.Account{}, err
	}
	xpub, err := keys.AccountXpub(0, network)
	if err != nil {
		return vault.Account{}, err
	}
	return vault.NewAccount(xpub, network)
}

// maxBlockAhead is the maximum difference between a block's time and the time of nodes that accept the block.
const maxBlockAhead = 2 * time.Hour

// CheckClock compares the system clock with the newest block, and checks whether a time server sets the clock. node is
// nil if it does not respond.
func CheckClock(ctx context.Context, node *chain.Client, now time.Time, synchronized func() (bool, error)) Finding {
	const check = "clock"
	if node != nil {
		condition, err := node.Condition(ctx)
		if err == nil && condition.TipTime.After(now.Add(maxBlockAhead)) {
			return failed(check, fmt.Sprintf("the clock shows %s, but the newest block is of %s", utc(now),
				utc(condition.TipTime)), "Set the clock: timedatectl set-ntp true.")
		}
	}
	set, err := synchronized()
	switch {
	case err != nil:
		return warn(check, "whether a time server sets the clock is unknown: "+err.Error(),
			"Compare it with another clock: "+utc(now)+".")
	case !set:
		return warn(check, "no time server sets the clock, which shows "+utc(now),
			"Run timedatectl set-ntp true. Epochs and deadlines follow the clock.")
	}
	return ok(check, utc(now)+", set by a time server")
}

func utc(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }
