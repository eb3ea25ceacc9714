package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/amount"
	"moonfund/api"
	"moonfund/chain"
	"moonfund/console"
	"moonfund/ledger"
	"moonfund/vault"
)

type recoverCommand struct {
	Kit       string   `arg:"" help:"The recovery kit, as the page saved it." type:"existingfile"`
	Key       string   `env:"MOONFUND_RECOVERY_KEY" help:"Private key of the ordinals address, as WIF or hex; best from the environment. Without it PSBTs are printed for another signer."`
	Signed    []string `help:"File with a PSBT of this command that another signer signed (base64)." type:"existingfile"`
	Only      []string `help:"Recover only these outputs (txid:vout)."`
	Rate      float64  `help:"Fee rate in sat/vB; the node's estimate when not given."`
	Yes       bool     `help:"Send without asking."`
	Data      string   `help:"Data folder of a dev network, whose node is asked." type:"path"`
	nodeFlags `prefix:"node-"`
	feeFlags
}

// Run is `moonfund recover`: a staker alone takes his outputs back, with the kit,
// his key and any node. It needs nothing of the server that he staked with.
func (r recoverCommand) Run(ctx context.Context) error {
	kit, err := readKit(r.Kit)
	if err != nil {
		return err
	}
	network, err := chain.NetworkByName(kit.Network)
	if err != nil {
		return fmt.Errorf("the kit: %w", err)
	}
	node := r.client()
	if r.Data != "" {
		where, err := readRunning(r.Data)
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
		return fmt.Errorf("the kit is of %s, the node is on another network", network.Name)
	}
	if len(r.Signed) > 0 {
		return r.sendSigned(ctx, node)
	}
	rate, err := r.feeRate(ctx, node)
	if err != nil {
		return err
	}
	open, err := r.find(ctx, node, kit, network)
	if err != nil {
		return err
	}
	if len(open) == 0 {
		return errors.New("nothing can be recovered now")
	}
	if len(r.FeeInput) > 0 {
		return r.takeFunded(ctx, node, network, open, rate)
	}
	if r.Key == "" {
		return printPSBTs(open, rate)
	}
	return r.take(ctx, node, network, open, rate)
}

// readKit reads the JSON that recoveryKit returns, with or without its envelope.
func readKit(path string) (kit api.RecoveryKit, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return kit, err
	}
	var envelope struct{ Data *json.RawMessage }
	if err := json.Unmarshal(text, &envelope); err == nil && envelope.Data != nil {
		text = *envelope.Data
	}
	if err := json.Unmarshal(text, &kit); err != nil {
		return kit, fmt.Errorf("%s is not a recovery kit: %w", path, err)
	}
	if kit.Network == "" || kit.Destination == "" {
		return kit, fmt.Errorf("%s is not a recovery kit: it names no network or no address", path)
	}
	return kit, nil
}

func (r recoverCommand) feeRate(ctx context.Context, node *chain.Client) (amount.FeeRate, error) {
	if r.Rate != 0 {
		rate := amount.FeeRate(r.Rate * 1000)
		if rate < amount.SatPerVB(1) || rate > amount.SatPerVB(1000) {
			return 0, fmt.Errorf("--rate is %v; it must be from 1 to 1000 sat/vB", r.Rate)
		}
		return rate, nil
	}
	estimate, err := node.FeeRate(ctx, rateTarget)
	return chain.FeePolicy{Fallback: amount.SatPerVB(1), Min: amount.SatPerVB(1), Max: amount.SatPerVB(200)}.Clamp(estimate, err), nil
}

// recoverable is an output that its staker can spend now.
type recoverable struct {
	stake vault.StakeOutput
	point wire.OutPoint
	value amount.Sats
	to    chain.Address
	runes []api.RuneBalance
}

// find checks every output of the kit against the node, and says why one can't be recovered now.
func (r recoverCommand) find(ctx context.Context, node *chain.Client, kit api.RecoveryKit, network chain.Network) (open []recoverable, err error) {
	to, err := chain.ParseAddress(kit.Destination, network)
	if err != nil {
		return nil, fmt.Errorf("the kit's address %s: %w", kit.Destination, err)
	}
	wanted := map[string]bool{}
	for _, point := range r.Only {
		wanted[point] = true
	}
	for _, output := range kit.Outputs {
		if len(wanted) > 0 && !wanted[output.Outpoint] {
			continue
		}
		found, wait, err := look(ctx, node, output, to, network)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: %w", output.Outpoint, err)
		case wait != "":
			fmt.Printf("%s  not now: %s\n", output.Outpoint, wait)
		default:
			open = append(open, found)
		}
	}
	return open, nil
}

// look opens one output of a kit: everything in it must agree with itself and with the node.
func look(ctx context.Context, node *chain.Client, o api.RecoveryOutput, to chain.Address, network chain.Network) (found recoverable, wait string, err error) {
	if found, err = openOutput(o, to, network); err != nil {
		return found, "", err
	}
	tx, status, err := node.Tx(ctx, found.point.Hash)
	if errors.Is(err, chain.ErrNotFound) {
		return found, "the node does not know its transaction (it needs its transaction index)", nil
	}
	if err != nil {
		return found, "", err
	}
	if int(found.point.Index) >= len(tx.Msg.TxOut) {
		return found, "", errors.New("its transaction has no such output")
	}
	out := tx.Msg.TxOut[found.point.Index]
	if string(out.PkScript) != string(found.stake.Script) {
		return found, "", errors.New("it is at another address than the kit says")
	}
	found.value = amount.Sats(out.Value) // the chain's word, not the kit's
	if left := int64(found.stake.Delay) - status.Confirmations; left > 0 {
		return found, fmt.Sprintf("%d more blocks must be found first", left), nil
	}
	return found, "", nil
}

func openOutput(o api.RecoveryOutput, to chain.Address, network chain.Network) (recoverable, error) {
	found := recoverable{to: to, runes: o.Runes}
	var err error
	if found.point, err = ledger.ParseOutPoint(o.Outpoint); err != nil {
		return found, err
	}
	internal, err := hexOf("internal_key", o.InternalKey)
	if err != nil {
		return found, err
	}
	leafScript, err := hexOf("leaf_script", o.LeafScript)
	if err != nil {
		return found, err
	}
	if len(leafScript) < 33 || o.Delay < 1 || o.Delay > vault.MaxDelay {
		return found, errors.New("its leaf or its delay is not one")
	}
	leaf := leafScript[1:33]
	if found.stake, err = vault.OpenStake(internal, leaf, uint32(o.Delay), network); err != nil {
		return found, err
	}
	switch {
	case found.stake.Address != o.Address || string(found.stake.LeafScript) != string(leafScript):
		return found, errors.New("its keys do not make its address: the kit was changed")
	case !vault.OwnsLeaf(to, leaf):
		return found, fmt.Errorf("the kit pays %s, which is not the address of the key in it: the kit was changed", to.Text)
	}
	return found, nil
}

// printPSBTs prints one PSBT per output for another signer.
func printPSBTs(open []recoverable, rate amount.FeeRate) error {
	for _, o := range open {
		own, anyFee, err := vault.RecoveryPSBTs(o.stake, o.point, o.value, o.to.Script, rate)
		if err != nil {
			return err
		}
		if own != nil {
			fmt.Printf("%s  pays %s sat/vB out of its own sats; sign it and run again with --signed FILE:\n%s\n", o.point, rate, *own)
			continue
		}
		fmt.Printf("%s  its sats do not pay %s sat/vB. Run again with --fee-input TXID:VOUT, an output of yours that pays the fee. Or add an input for the fee, and its change, to this one, then sign. It is signed SIGHASH_ALL|ANYONECANPAY: afterwards inputs can be added, and no output:\n%s\n",
			o.point, rate, anyFee)
	}
	return nil
}

// take signs and sends one transaction for each output.
func (r recoverCommand) take(ctx context.Context, node *chain.Client, network chain.Network, open []recoverable, rate amount.FeeRate) error {
	key, err := privateKey(r.Key, network)
	if err != nil {
		return err
	}
	defer key.Zero()
	var signed []*wire.MsgTx
	for _, o := range open {
		tx, fee, err := o.sign(key, rate)
		if err != nil {
			return fmt.Errorf("%s: %w", o.point, err)
		}
		fmt.Printf("%s  %d sats%s to %s, fee %d sats\n", o.point, o.value-fee, describe(o.runes), o.to.Text, fee)
		signed = append(signed, tx)
	}
	if !r.Yes && !console.Agreed("Send?") {
		return errors.New("nothing was sent")
	}
	for i, tx := range signed {
		recovery := chain.NewTx(tx)
		if err := node.Broadcast(ctx, recovery.Bytes()); err != nil {
			return fmt.Errorf("%s: %w", open[i].point, err)
		}
		fmt.Printf("%s  recovered by %s\n", open[i].point, recovery.ID)
	}
	return nil
}

func describe(runes []api.RuneBalance) (text string) {
	for _, b := range runes {
		text += fmt.Sprintf(" with %s base units of rune %s", b.Amount, b.RuneId)
	}
	return text
}

// sendSigned finishes the PSBTs that another signer signed, and sends them.
func (r recoverCommand) sendSigned(ctx context.Context, node *chain.Client) error {
	for _, path := range r.Signed {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		tx, err := vault.FinishPSBT(string(text))
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		recovery := chain.NewTx(tx)
		if err := node.Broadcast(ctx, recovery.Bytes()); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		fmt.Printf("%s  sent as %s\n", path, recovery.ID)
	}
	return nil
}
