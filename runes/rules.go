package runes

import (
	"fmt"
	"math"

	"github.com/btcsuite/btcd/chainhash/v2"
	"lukechampine.com/uint128"

	"moonfund/chain"
)

// Rules are what the protocol makes depend on the network, and which runes the
// index keeps.
type Rules struct {
	Network     chain.Network
	FirstHeight int64 // blocks below hold no runes

	// Follow, when not nil, keeps the index to these runes; it may then start at the
	// first of their etchings. Names of others can't be proved free, numbers count
	// only what is followed, and an output without a followed rune may hold another.
	Follow map[ID]bool
}

// RulesFor returns the rules of a network with every rune followed.
func RulesFor(n chain.Network) Rules {
	r := Rules{Network: n}
	switch n.Name {
	case "mainnet":
		r.FirstHeight = 4 * halvingInterval
	case "testnet":
		r.FirstHeight = 12 * halvingInterval
	}
	return r // testnet4, signet and regtest have runes from the genesis block on
}

// startAhead is how many blocks before its first rune an index of some runes
// starts, so that no reorg that is followed, and no header's wrong clock, reaches
// below its first block.
const startAhead = 144

// Start returns the height of the first block that an index by these rules needs.
func (r Rules) Start() int64 {
	first := r.FirstHeight
	if r.Follow != nil {
		etched := int64(math.MaxInt64)
		for id := range r.Follow {
			etched = min(etched, int64(min(id.Block, math.MaxInt64)))
		}
		first = max(first, etched-startAhead)
	}
	return max(1, first)
}

// Only returns the rules with an index of these runes alone. It needs one at least.
func (r Rules) Only(ids ...ID) Rules {
	r.Follow = map[ID]bool{}
	for _, id := range ids {
		r.Follow[id] = true
	}
	return r
}

// Etched returns the transaction of a block of the best chain that etches a rune,
// none for the one that was there from the start, and an error when none does.
// Whether its name was free before only an index of every rune knows.
func (r Rules) Etched(id ID, block chain.Block) (txid chainhash.Hash, err error) {
	if entry, exists := r.genesis(); exists && id == entry.ID {
		return txid, nil
	}
	if int64(id.Tx) >= int64(len(block.Txs)) {
		return txid, fmt.Errorf("block %d has only %d transactions", block.Height, len(block.Txs))
	}
	tx := block.Txs[id.Tx]
	if a := Decipher(tx.Msg); a != nil && (a.Runestone != nil && a.Runestone.Etching != nil || a.Cenotaph != nil && a.Cenotaph.Etching != nil) {
		return tx.ID, nil
	}
	return txid, fmt.Errorf("transaction %s in that place etches no rune", tx.ID)
}

// MinimumName returns the least name that can be etched in the block of the given height.
func (r Rules) MinimumName(height int64) Name { return minimumName(r.FirstHeight, height) }

func (r Rules) follows(id ID) bool { return r.Follow == nil || r.Follow[id] }

// genesis returns the rune that mainnet has from the start, UNCOMMON•GOODS.
func (r Rules) genesis() (Entry, bool) {
	id := ID{Block: 1}
	if r.Network.Name != "mainnet" || !r.follows(id) {
		return Entry{}, false
	}
	return Entry{
		ID:      id,
		Name:    Name(uint128.From64(2055900680524219742)),
		Spacers: 1 << 7,
		Symbol:  new('\u29c9'),
		Terms: &Terms{
			Amount:      new(uint128.From64(1)),
			Cap:         new(uint128.Max),
			HeightStart: new(uint64(4 * halvingInterval)),
			HeightEnd:   new(uint64(5 * halvingInterval)),
		},
		Turbo: true,
	}, true
}
