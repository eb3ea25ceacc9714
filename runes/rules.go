package runes

import (
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
