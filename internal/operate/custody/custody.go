// Package custody manages the funds of a key: it searches the chain for earlier use of the key, adopts stake addresses
// that another ledger issued, and moves a treasury to another key.
package custody

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/community"
	"moonfund/internal/staking/ledger"
)

// Accounts are the communities' accounts of a key, from which addresses are derived.
type Accounts struct {
	Network   chain.Network
	Manifests []community.Manifest
	ByPrefix  ledger.Communities[vault.Account]
}

// NewAccounts returns the accounts of the manifests. xpub returns the extended public key of an account.
func NewAccounts(
	network chain.Network, manifests []community.Manifest, xpub func(account uint32) (string, error),
) (Accounts, error) {
	a := Accounts{Network: network, Manifests: manifests}
	for _, m := range manifests {
		text, err := xpub(m.Account)
		if err != nil {
			return a, err
		}
		account, err := vault.NewAccount(text, network)
		if err != nil {
			return a, err
		}
		a.ByPrefix.Add(m.Prefix, account)
	}
	return a, nil
}

// start returns the height of the first block that etches a community's rune. No earlier block can pay the addresses.
func (a Accounts) start() (int64, error) {
	from := int64(chain.None)
	for _, m := range a.Manifests {
		id, err := m.RuneID()
		if err != nil {
			return from, err
		}
		if at := int64(id.Block); from == chain.None || at < from {
			from = at
		}
	}
	return from, nil
}

// Node searches for outputs at scripts.
type Node interface {
	chain.BlockSource
	ScanUnspent(ctx context.Context, scripts [][]byte) ([]chain.Paid, error)
}

// Search finds outputs at scripts.
type Search struct {
	Node   Node
	Blocks bool              // read every block, which also finds spent outputs, instead of the node's unspent outputs
	Report func(text string) // called with the progress of the search, as text
}

// reportInterval is the interval at which a search of blocks reports its progress.
const reportInterval = 5 * time.Second

// find returns the unspent outputs at the scripts. If the node can't list unspent outputs, it returns all outputs since
// block from.
func (s Search) find(ctx context.Context, scripts [][]byte, from int64) ([]chain.Paid, error) {
	if !s.Blocks {
		s.Report(fmt.Sprintf("Searching the node's unspent outputs for %d addresses; on mainnet that takes some minutes.",
			len(scripts)))
		found, err := s.Node.ScanUnspent(ctx, scripts)
		if !errors.Is(err, chain.ErrNoScan) {
			return found, err
		}
	}
	wanted := make(map[string]bool, len(scripts))
	for _, script := range scripts {
		wanted[string(script)] = true
	}
	s.Report(fmt.Sprintf("Searching the blocks from %d on for %d addresses.", from, len(scripts)))
	reported := time.Now()
	return chain.ScanBlocks(ctx, s.Node, from, func(script []byte) bool { return wanted[string(script)] },
		func(height, best int64) {
			if time.Since(reported) > reportInterval {
				reported = time.Now()
				s.Report(fmt.Sprintf("block %d of %d", height, best))
			}
		})
}

// History returns evidence that a ledger used the key, or "". It searches for the addresses of the treasuries, because
// only these derive from the key alone: a stake address also depends on the staker's key, and a payment address on the
// order's id.
func (a Accounts) History(ctx context.Context, s Search) (string, error) {
	addresses := map[string]string{}
	var scripts [][]byte
	for _, account := range a.ByPrefix.All() {
		runesAddress, _ := account.TreasuryRunes()
		satsAddress, _ := account.TreasurySats()
		for _, address := range []chain.Address{runesAddress, satsAddress} {
			addresses[string(address.Script)] = address.Text
			scripts = append(scripts, address.Script)
		}
	}
	from, err := a.start()
	if err != nil {
		return "", err
	}
	found, err := s.find(ctx, scripts, from)
	if err != nil || len(found) == 0 {
		return "", err
	}
	first := found[0]
	return fmt.Sprintf("the treasury's address %s received the output %s in block %d",
		addresses[string(first.Script)], first.OutPoint, first.Height), nil
}
