package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/operate/recovery"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/server/dev"
	"moonfund/internal/server/feerate"
)

type recoverCommand struct {
	Kit       string   `arg:"" help:"The recovery kit, as the page saved it." type:"existingfile"`
	Key       string   `env:"MOONFUND_RECOVERY_KEY" help:"${help_recovery_key}"`
	Signed    []string `help:"File with a PSBT of this command, signed elsewhere (base64)." type:"existingfile"`
	Only      []string `help:"Recover only these outputs (txid:vout)."`
	Rate      float64  `help:"Fee rate in sat/vB. Default: the node's estimate."`
	Yes       bool     `help:"Do not ask for confirmation."`
	Data      string   `help:"Data folder of a dev network, to use its node." type:"path"`
	nodeFlags `prefix:"node-"`
	feeFlags
}

// feeFlags name outputs of the staker that pay the fee of a recovery.
type feeFlags struct {
	FeeInput  []string `placeholder:"TXID:VOUT" help:"${help_fee_input}"`
	FeeKey    string   `env:"MOONFUND_FEE_KEY" help:"${help_fee_key}"`
	FeeChange string   `help:"Address for the change, instead of the fee input's." placeholder:"ADDRESS"`
}

// Run is `moonfund recover`: it recovers outputs with the kit, the key and any node. It does not contact the server.
func (c recoverCommand) Run(ctx context.Context) error {
	kit, err := recovery.ReadKit(c.Kit)
	if err != nil {
		return err
	}
	network, err := chain.NetworkByName(kit.Network)
	if err != nil {
		return fmt.Errorf("the kit: %w", err)
	}
	node := c.client()
	if c.Data != "" {
		where, err := dev.ReadNode(c.Data)
		if err != nil {
			return err
		}
		node = chain.NewClient(where.Node)
	}
	genesis, err := node.GenesisHash(ctx)
	if err != nil {
		return fmt.Errorf("the node can't be reached: %w", err)
	}
	if genesis != *network.Params.GenesisHash {
		return fmt.Errorf("the kit is for %s, but the node is on another network", network.Name)
	}
	if len(c.Signed) > 0 {
		return c.sendSigned(ctx, node)
	}
	rate, err := c.feeRate(ctx, node)
	if err != nil {
		return err
	}
	open, err := recovery.Find(ctx, node, kit, network, c.Only, func(outpoint, reason string) {
		fmt.Printf("%s  not now: %s\n", outpoint, reason)
	})
	if err != nil {
		return err
	}
	switch {
	case len(open) == 0:
		return errors.New("nothing can be recovered now")
	case len(c.FeeInput) > 0:
		return c.recoverFunded(ctx, node, network, open, rate)
	case c.Key == "":
		return printPSBTs(open, rate)
	}
	return c.recover(ctx, node, network, open, rate)
}

func (c recoverCommand) feeRate(ctx context.Context, node *chain.Client) (amount.FeeRate, error) {
	if c.Rate != 0 {
		rate := amount.FeeRate(c.Rate * 1000)
		if rate < amount.SatPerVB(1) || rate > amount.SatPerVB(1000) {
			return 0, fmt.Errorf("--rate is %v; it must be from 1 to 1000 sat/vB", c.Rate)
		}
		return rate, nil
	}
	estimate, err := node.FeeRate(ctx, feerate.Target)
	policy := chain.FeePolicy{Fallback: amount.SatPerVB(1), Min: amount.SatPerVB(1), Max: amount.SatPerVB(200)}
	return policy.Clamp(estimate, err), nil
}

// printPSBTs prints one PSBT per output for another signer.
func printPSBTs(open []recovery.Output, rate amount.FeeRate) error {
	for _, o := range open {
		text, paid, err := o.PSBT(rate)
		if err != nil {
			return err
		}
		if paid {
			fmt.Printf("%s  pays %s sat/vB out of its own sats; sign it and run again with --signed FILE:\n%s\n",
				o.Point, rate, text)
			continue
		}
		fmt.Printf("%s  its sats do not pay %s sat/vB. Run again with --fee-input TXID:VOUT, an output of yours that pays "+
			"the fee. Or add an input for the fee, and its change, to this one, then sign. It is signed "+
			"SIGHASH_ALL|ANYONECANPAY: afterwards inputs can be added, and no output:\n%s\n", o.Point, rate, text)
	}
	return nil
}

// recover signs and sends one transaction for each output.
func (c recoverCommand) recover(
	ctx context.Context, node *chain.Client, network chain.Network, open []recovery.Output, rate amount.FeeRate,
) error {
	key, err := recovery.PrivateKey(c.Key, network)
	if err != nil {
		return err
	}
	defer key.Zero()
	var signed []*wire.MsgTx
	for _, o := range open {
		tx, fee, err := o.Sign(key, rate)
		if err != nil {
			return fmt.Errorf("%s: %w", o.Point, err)
		}
		fmt.Printf("%s  %d sats%s to %s, fee %d sats\n", o.Point, o.Value-fee, o.Holding(), o.To.Text, fee)
		signed = append(signed, tx)
	}
	if err := terminal.Confirm(fmt.Sprintf("This sends %d transactions.", len(signed)), c.Yes); err != nil {
		return err
	}
	for i, tx := range signed {
		sent := chain.NewTx(tx)
		if err := node.Broadcast(ctx, sent.Bytes()); err != nil {
			return fmt.Errorf("%s: %w", open[i].Point, err)
		}
		fmt.Printf("%s  recovered by %s\n", open[i].Point, sent.ID)
	}
	return nil
}

// recoverFunded previews one transaction that recovers all outputs and pays its fee from the fee inputs. It then signs
// and sends the transaction or, without the key, prints it for wallets to sign.
func (c recoverCommand) recoverFunded(
	ctx context.Context, node *chain.Client, network chain.Network, open []recovery.Output, rate amount.FeeRate,
) error {
	fees := recovery.Fees{Inputs: c.FeeInput, Change: c.FeeChange, Rate: rate}
	funded, err := recovery.Fund(ctx, node, network, open, fees)
	if err != nil {
		return err
	}
	for _, o := range open {
		fmt.Printf("%s  %d sats%s to %s\n", o.Point, o.Value, o.Holding(), o.To.Text)
	}
	fmt.Printf("fee %d sats at %s sat/vB, out of %d fee inputs\n", funded.Fee, rate, len(funded.Fees))
	if c.Key == "" {
		text, err := funded.PSBT()
		if err != nil {
			return err
		}
		fmt.Printf("Sign this with the wallet of your ordinals address and the wallet of the fee inputs, "+
			"one after the other, and run again with --signed FILE:\n%s\n", text)
		return nil
	}
	signed, err := c.sign(funded, network)
	if err != nil {
		return err
	}
	if err := terminal.Confirm("This sends one transaction.", c.Yes); err != nil {
		return err
	}
	sent := chain.NewTx(signed)
	if err := node.Broadcast(ctx, sent.Bytes()); err != nil {
		return err
	}
	for _, o := range open {
		fmt.Printf("%s  recovered by %s\n", o.Point, sent.ID)
	}
	return nil
}

// sign signs a funded recovery with the keys of the flags.
func (c recoverCommand) sign(f vault.FundedRecovery, network chain.Network) (*wire.MsgTx, error) {
	key, err := recovery.PrivateKey(c.Key, network)
	if err != nil {
		return nil, err
	}
	defer key.Zero()
	feeKey := key
	if c.FeeKey != "" {
		if feeKey, err = recovery.PrivateKey(c.FeeKey, network); err != nil {
			return nil, fmt.Errorf("the fee inputs: %w", err)
		}
		defer feeKey.Zero()
	}
	return recovery.SignFunded(f, key, feeKey)
}

// sendSigned finalizes PSBTs that another signer signed, and broadcasts them.
func (c recoverCommand) sendSigned(ctx context.Context, node *chain.Client) error {
	for _, path := range c.Signed {
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		tx, err := vault.FinishPSBT(vault.PSBTText(raw))
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		sent := chain.NewTx(tx)
		if err := node.Broadcast(ctx, sent.Bytes()); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		fmt.Printf("%s  sent as %s\n", path, sent.ID)
	}
	return nil
}
