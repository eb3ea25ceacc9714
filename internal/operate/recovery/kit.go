// Package recovery recovers staked outputs without the server, with the recovery kit that the staker saved, the private
// key of the staker's ordinals address, and any node.
package recovery

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/api"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
)

// Node reads transactions from a Bitcoin node, and whether an output is unspent.
type Node interface {
	Tx(ctx context.Context, txid chainhash.Hash) (chain.Tx, chain.Status, error)
	Unspent(ctx context.Context, out wire.OutPoint) (bool, error)
}

// ReadKit reads a recovery kit from a file: the JSON response of the call recoveryKit, with or without its envelope.
func ReadKit(path string) (kit api.RecoveryKit, err error) {
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

// Output is an output of a recovery kit whose keys, script and addresses are consistent.
type Output struct {
	Stake vault.StakeOutput
	Point wire.OutPoint
	Value amount.Sats // according to the chain; 0 before Find
	To    chain.Address
	Runes []api.RuneBalance
}

// Holding returns the runes on the output according to the kit, as a phrase that begins with a space, or "".
func (o Output) Holding() (text string) {
	for _, b := range o.Runes {
		text += fmt.Sprintf(" with %s base units of rune %s", b.Amount, b.RuneId)
	}
	return text
}

// OpenAll opens every output of a kit. It returns the first error of Open.
func OpenAll(kit api.RecoveryKit, network chain.Network) (all []Output, err error) {
	to, err := Destination(kit, network)
	if err != nil {
		return nil, err
	}
	for _, o := range kit.Outputs {
		output, err := Open(o, to, network)
		if err != nil {
			return nil, fmt.Errorf("the kit's output %s: %w", o.Outpoint, err)
		}
		all = append(all, output)
	}
	return all, nil
}

// Destination returns the ordinals address in a kit, which receives the recovered outputs. It returns an error if the
// address is not one of the network.
func Destination(kit api.RecoveryKit, network chain.Network) (chain.Address, error) {
	to, err := chain.ParseAddress(kit.Destination, network)
	if err != nil {
		return to, fmt.Errorf("the kit's address %s: %w", kit.Destination, err)
	}
	return to, nil
}

// Open derives an output of a kit from its keys. It returns an error if the keys do not derive the address in the kit,
// or if their leaf does not belong to the address to.
func Open(o api.RecoveryOutput, to chain.Address, network chain.Network) (Output, error) {
	found := Output{To: to, Runes: o.Runes}
	var err error
	if found.Point, err = ledger.ParseOutPoint(o.Outpoint); err != nil {
		return found, err
	}
	community, err := decodeHex("community_key", o.CommunityKey)
	if err != nil {
		return found, err
	}
	leafScript, err := decodeHex("leaf_script", o.LeafScript)
	if err != nil {
		return found, err
	}
	if len(leafScript) < 33 || o.Delay < 1 || o.Delay > vault.MaxDelay {
		return found, errors.New("its leaf or its delay is invalid")
	}
	leaf := leafScript[1:33]
	keys := vault.StakeKeys{Leaf: leaf, Delay: uint32(o.Delay), Self: o.CustodyKind == api.CustodyKindSelf}
	if found.Stake, err = vault.OpenStake(community, keys, network); err != nil {
		return found, err
	}
	switch {
	case found.Stake.Address != o.Address || string(found.Stake.LeafScript) != string(leafScript):
		return found, errors.New("its keys do not derive its address: the kit was changed")
	case !vault.OwnsLeaf(to, leaf):
		return found, fmt.Errorf("the kit pays %s, which is not the address of the key in it: the kit was changed", to.Text)
	}
	return found, nil
}

func decodeHex(name, text string) ([]byte, error) {
	raw, err := hex.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("%s is not hex", name)
	}
	return raw, nil
}

// Find returns the outputs of a kit whose recovery delay has passed. It does not check whether they are unspent. only
// restricts the search to some outputs (txid:vout); if it is empty, Find checks all outputs. Find calls waiting with
// the reason for each output that can't be recovered yet.
func Find(
	ctx context.Context, node Node, kit api.RecoveryKit, network chain.Network, only []string,
	waiting func(outpoint, reason string),
) (open []Output, err error) {
	to, err := Destination(kit, network)
	if err != nil {
		return nil, err
	}
	for _, output := range kit.Outputs {
		if len(only) > 0 && !slices.Contains(only, output.Outpoint) {
			continue
		}
		found, err := Open(output, to, network)
		wait := ""
		if err == nil {
			wait, err = found.locate(ctx, node)
		}
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: %w", output.Outpoint, err)
		case wait != "":
			waiting(output.Outpoint, wait)
		default:
			open = append(open, found)
		}
	}
	return open, nil
}

// locate sets the value of the output from the chain instead of from the kit. It returns the reason why the output
// can't be recovered yet, or "".
func (o *Output) locate(ctx context.Context, node Node) (wait string, err error) {
	tx, status, err := node.Tx(ctx, o.Point.Hash)
	if errors.Is(err, chain.ErrUnknown) {
		return "the node does not have its transaction (the node needs a transaction index)", nil
	}
	if err != nil {
		return "", err
	}
	if int(o.Point.Index) >= len(tx.Msg.TxOut) {
		return "", errors.New("its transaction has no such output")
	}
	out := tx.Msg.TxOut[o.Point.Index]
	if string(out.PkScript) != string(o.Stake.Script) {
		return "", errors.New("it is at another address than the kit says")
	}
	o.Value = amount.Sats(out.Value)
	if left := int64(o.Stake.Delay) - status.Confirmations; left > 0 {
		return fmt.Sprintf("%d more blocks must be found first", left), nil
	}
	return "", nil
}
