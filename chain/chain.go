// Package chain speaks Bitcoin: networks, addresses, transactions, blocks, a
// node's JSON-RPC, fee rates, the mempool and our own standardness check. It
// knows no word of the product.
package chain

import (
	"errors"
	"fmt"

	"github.com/btcsuite/btcd/chaincfg/v2"
)

// None is the height of what is in no block, and an epoch that is not known or does not apply.
const None = -1

var (
	// ErrUnknown is returned for a block, height or transaction the node does not have.
	ErrUnknown = errors.New("not found")
	// ErrInvalidAddress is returned for text that is an address on no network.
	ErrInvalidAddress = errors.New("invalid address")
	// ErrWrongNetwork is returned for an address that is valid, but on another network.
	ErrWrongNetwork = errors.New("the address belongs to another network")
	// ErrNoEstimate is returned when the node has too little data to estimate a fee rate.
	ErrNoEstimate = errors.New("the node has no fee estimate")
)

// Network is one Bitcoin network. Name is mainnet, testnet, testnet4, signet or
// regtest; Params.GenesisHash pins the chain that a node must follow.
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

// NetworkByName returns the network called mainnet, testnet, testnet4, signet
// or regtest. Any other name is an error that lists these.
func NetworkByName(name string) (Network, error) {
	for _, n := range networks {
		if n.Name == name {
			return n, nil
		}
	}
	return Network{}, fmt.Errorf("unknown network %q: use mainnet, testnet, testnet4, signet or regtest", name)
}
