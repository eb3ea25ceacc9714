package main

import (
	"context"
	"log/slog"
	"os"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/server/nodecheck"
	"moonfund/internal/server/signing"
	"moonfund/internal/staking/community"
)

type signerCommands struct {
	Run     signerRun     `cmd:"" help:"Sign for a server over a local socket, with a separate rune index."`
	Adopt   signerAdopt   `cmd:"" help:"${help_adopt_key}"`
	Pause   signerPause   `cmd:"" help:"Sign nothing until 'moonfund signer resume'. Works without the server."`
	Resume  signerResume  `cmd:"" help:"End the signer's own pause."`
	Status  signerStatus  `cmd:"" help:"Show whether the signer is paused, and who paused it, when and why."`
	Confirm signerConfirm `cmd:"" name:"confirm-limits" help:"${help_confirm_limits}"`
	Sign    signerSign    `cmd:"" help:"Sign an exported payout, on a machine without a network."`
}

type signerRun struct {
	Network     string `default:"mainnet" env:"MOONFUND_NETWORK" help:"${help_node_network}"`
	Communities string `required:"" help:"${help_signer_communities}" type:"path"`
	Data        string `default:"signer" help:"${help_signer_data}" type:"path"`
	Key         string `required:"" help:"${help_key}" type:"path"`
	Socket      string `required:"" help:"Path of the socket, which the server's --signer names." type:"path"`
	nodeFlags   `prefix:"node-"`

	indexFlag
	WithdrawAddress []string `help:"${help_withdraw_address}" placeholder:"ADDRESS"`

	OrdersFeeAddress string `help:"Only address for the fee of mint and etch orders. Default: none." placeholder:"ADDRESS"`
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
		Index: c.Index, FeeTo: orders.FeeTo, WithdrawTo: c.WithdrawAddress,
		Log: slog.New(slog.NewJSONHandler(os.Stderr, nil)),
	}.Run(ctx)
}
