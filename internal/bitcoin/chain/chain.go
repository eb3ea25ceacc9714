// Package chain implements Bitcoin primitives: networks, addresses, transactions, blocks, the JSON-RPC client of a
// node, fee rates, the mempool and a standardness check.
package chain

import (
	"errors"
	"fmt"
	"slices"

	"github.com/btcsuite/btcd/chaincfg/v2"
)

// None is the height of a transaction or output that is in no block, and the number of an epoch that is unknown or does
// not apply.
const None = -1

var (
	// ErrUnknown is returned for a block, height or transaction that the node does not have.
	ErrUnknown = errors.New("not found")
	// ErrInvalidAddress is returned for text that is not an address of any network.
	ErrInvalidAddress = errors.New("invalid address")
	// ErrWrongNetwork is returned for a valid address of another network.
	ErrWrongNetwork = errors.New("the address belongs to another network")
	// ErrNoEstimate is returned if the node has too little data to estimate a fee rate.
	ErrNoEstimate = errors.New("the node has no fee estimate")
)

// Network is a Bitcoin network. Name is mainnet, testnet, testnet4, signet or regtest.
// Params.GenesisHash identifies the chain that a node must follow.
type Network struct {
	Name   string
	Params *chaincfg.Params
}

var networks = []Network{
	{"mainnet", &chaincfg.MainNetParams},
	{"testnet", &chaincfg.TestNet3Params},
	{"testnet4", &chaincfg.TestNet4Params},
	{"signet", &chaincfg.SigNetParams},
	{"regtest", &chaincfg.RegressionNetParams},
}

// Networks returns every network.
func Networks() []Network { return slices.Clone(networks) }

// NetworkByName returns the network named mainnet, testnet, testnet4, signet or regtest. For any other name it returns
// an error that lists these names.
func NetworkByName(name string) (Network, error) {
	for _, n := range networks {
		if n.Name == name {
			return n, nil
		}
	}
	return Network{}, fmt.Errorf("unknown network %q: use mainnet, testnet, testnet4, signet or regtest", name)
}
