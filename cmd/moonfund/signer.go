package main

import (
	"context"
	"log/slog"
	"os"

	"moonfund/chain"
	"moonfund/community"
	"moonfund/server/nodecheck"
	"moonfund/signing"
)

type signerCommands struct {
	Run     signerRun     `cmd:"" help:"Sign for a server over a local socket, with an index of the chain of its own."`
	Pause   signerPause   `cmd:"" help:"Sign nothing until 'moonfund signer resume'. Works at once, and without the server."`
	Resume  signerResume  `cmd:"" help:"End the signer's own pause."`
	Status  signerStatus  `cmd:"" help:"Whether the signer is paused, and who paused and resumed it, when and why."`
	Confirm signerConfirm `cmd:"" name:"confirm-limits" help:"Confirm that the record of what was signed in the last 24 hours is lost."`
	Sign    signerSign    `cmd:"" help:"Sign an exported payout by hand, on a machine without a network."`
}

type signerRun struct {
	Network     string `default:"mainnet" env:"MOONFUND_NETWORK" help:"mainnet, testnet, testnet4, signet or regtest; the node must be on it."`
	Communities string `required:"" help:"Folder with the manifests, a copy of its own: the limits are taken from it." type:"path"`
	Data        string `default:"signer" help:"Folder of the signer's index, limits and pause switch; the server must not be able to write there." type:"path"`
	Key         string `required:"" help:"The key file; its passphrase comes from MOONFUND_PASSPHRASE or is asked for." type:"path"`
	Socket      string `required:"" help:"Where to make the socket that 'moonfund serve --signer' opens." type:"path"`
	nodeFlags   `prefix:"node-"`

	indexFlag
	OrdersFeeAddress string `help:"Where the fee of mint and etch orders may go; nowhere when not given." placeholder:"ADDRESS"`
}

// Run is `moonfund signer run`.
func (c signerRun) Run(ctx context.Context) error {
	network, err := chain.NetworkByName(c.Network)
	if err != nil {
		return err
	}
	manifests, err := community.LoadDir(c.Communities, network.Name)
	if err != nil {
		return err
	}
	orders, err := orderFlags{OrdersFeeAddress: c.OrdersFeeAddress}.runeOrders(network)
	if err != nil {
		return err
	}
	node := c.client()
	if err := nodecheck.Suitable(ctx, node, network); err != nil {
		return err
	}
	keys, err := openKeys(c.Key)
	if err != nil {
		return err
	}
	return signing.Process{
		Network: network, Communities: manifests, Data: c.Data, Keys: keys, KeyFile: c.Key, Socket: c.Socket, Node: node,
		Index: c.Index, FeeTo: orders.FeeTo, Log: slog.New(slog.NewJSONHandler(os.Stderr, nil)),
	}.Run(ctx)
}
