package runes

import (
	"fmt"
	"math"

	"github.com/btcsuite/btcd/chainhash/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/bitcoin/chain"
)

// Rules are the parameters of the protocol that depend on the network, and the set of runes that the index follows.
type Rules struct {
	Network     chain.Network
	FirstHeight int64 // first block that can contain runes

	// Follow, if not nil, limits the index to these runes, so that it can start at the first of their etchings. Such a
	// partial index does not know other names and the other runes of an output, and numbers only the runes that it
	// follows.
	Follow map[ID]bool
}

// RulesFor returns the rules of a network, following every rune.
func RulesFor(n chain.Network) Rules {
	r := Rules{Network: n}
	switch n.Name {
	case "mainnet":
		r.FirstHeight = 4 * halvingInterval
	case "testnet":
		r.FirstHeight = 12 * halvingInterval
	}
	return r // on testnet4, signet and regtest the genesis block is the first
}

// startAhead is the number of blocks before its first rune at which a partial index starts. A reorg or a wrong header
// time must not affect blocks before the first indexed one.
const startAhead = 144

// Start returns the height of the first block that an index with these rules needs.
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

// Only returns rules for an index that follows only these runes. It needs at least one.
func (r Rules) Only(ids ...ID) Rules {
	r.Follow = map[ID]bool{}
	for _, id := range ids {
		r.Follow[id] = true
	}
	return r
}

// Etched returns the transaction that etches a rune in a block of the best chain, or the zero hash for the rune that
// exists from the start. It returns an error if the block has no such etching. It does not check whether the name was
// free, which requires a full index.
func (r Rules) Etched(id ID, block chain.Block) (txid chainhash.Hash, err error) {
	if entry, exists := r.genesis(); exists && id == entry.ID {
		return txid, nil
	}
	if int64(id.Tx) >= int64(len(block.Txs)) {
		return txid, fmt.Errorf("block %d has only %d transactions", block.Height, len(block.Txs))
	}
	tx := block.Txs[id.Tx]
	if a := Decipher(tx.Msg); a != nil &&
		(a.Runestone != nil && a.Runestone.Etching != nil || a.Cenotaph != nil && a.Cenotaph.Etching != nil) {
		return tx.ID, nil
	}
	return txid, fmt.Errorf("transaction %s in that place etches no rune", tx.ID)
}

// MinimumName returns the smallest name that can be etched in the block of the given height.
func (r Rules) MinimumName(height int64) Name { return minimumName(r.FirstHeight, height) }

func (r Rules) follows(id ID) bool { return r.Follow == nil || r.Follow[id] }

// genesis returns the rune that exists on mainnet from the start, UNCOMMON•GOODS.
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
