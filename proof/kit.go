// Package proof makes what a person can check, and use, without trusting the
// server: the recovery kit of a staker, and the reserves behind a community.
package proof

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"fmt"
	"slices"

	"moonfund/amount"
	"moonfund/ledger"
	"moonfund/vault"
)

// Deposit is an output at a stake address, with what is needed to spend it.
type Deposit struct {
	Output   ledger.Output
	Position uint32 // of the community's key path
	Leaf     []byte // the staker's x-only key
	Delay    uint32 // blocks
	Runes    []Held // every rune on it, followed by a community or not
}

// Held is an amount of one rune.
type Held struct {
	Rune   string // block:tx
	Amount string // base units, up to 128 bits
}

// Staker is for whom a kit is made.
type Staker struct {
	Address string       // the ordinals address
	Script  []byte       // its script, which every recovery pays
	Virtual amount.Runes // base units of live virtual units: no output backs them alone
}

// RecoveryKit is all that a staker needs to take every output at his stake
// addresses back alone, once their delays are over.
type RecoveryKit struct {
	Network     string
	Destination string // the ordinals address
	Height      int64  // tip at which the kit was made
	Virtual     amount.Runes
	Signers     []string // what can sign such a PSBT
	Outputs     []Output
}

// Output is one output at a stake address and the two ways to recover it.
type Output struct {
	OutPoint     string // txid:vout
	Address      string
	Credited     bool // false for a quarantined output
	Value        amount.Sats
	Runes        []Held
	Delay        int64  // blocks after the deposit's block
	OpenHeight   *int64 // first block that may hold the recovery; nil while the deposit is unconfirmed
	Descriptor   string
	InternalKey  string  // x-only, hex
	LeafScript   string  // hex
	ControlBlock string  // hex
	OwnFee       *string // PSBT, base64, that pays its fee from the output's sats; nil where they don't suffice
	AnyFee       string  // PSBT, base64, SIGHASH_ALL|ANYONECANPAY, to which a fee input can be added and no output
}

// Kit makes the recovery kit from a staker's deposits. Outputs that vanished, or
// that a block spends already, are left out; one that an unconfirmed transaction
// spends is not, for that transaction may never confirm. rate is what the PSBTs
// that pay their own fee pay. It fails when a deposit's keys do not derive its
// own script: such a kit would be worth nothing.
func Kit(account vault.Account, s Staker, height int64, rate amount.FeeRate, deposits []Deposit) (RecoveryKit, error) {
	kit := RecoveryKit{
		Network: account.Network().Name, Destination: s.Address, Height: height, Virtual: s.Virtual, Signers: signers(s.Script),
	}
	for _, d := range deposits {
		if d.Output.Vanished || (d.Output.SpentBy != "" && d.Output.SpentHeight != ledger.None) {
			continue
		}
		output, err := recovery(account, s, rate, d)
		if err != nil {
			return RecoveryKit{}, fmt.Errorf("recovery kit: output %s: %w", d.Output.OutPoint, err)
		}
		kit.Outputs = append(kit.Outputs, output)
	}
	slices.SortFunc(kit.Outputs, func(a, b Output) int { return cmp.Compare(a.OutPoint, b.OutPoint) })
	return kit, nil
}

func recovery(account vault.Account, s Staker, rate amount.FeeRate, d Deposit) (Output, error) {
	stake, err := account.StakeOutput(d.Position, d.Leaf, d.Delay)
	if err != nil {
		return Output{}, err
	}
	if !bytes.Equal(stake.Script, d.Output.Script) {
		return Output{}, fmt.Errorf("its keys derive %s, it is at %s", stake.Address, d.Output.Ref)
	}
	ownFee, anyFee, err := vault.RecoveryPSBTs(stake, d.Output.OutPoint, d.Output.Value, s.Script, rate)
	if err != nil {
		return Output{}, err
	}
	output := Output{
		OutPoint: d.Output.OutPoint.String(), Address: stake.Address, Credited: d.Output.Quarantine == "", Value: d.Output.Value,
		Runes: d.Runes, Delay: int64(d.Delay), Descriptor: stake.Descriptor, InternalKey: hex.EncodeToString(stake.InternalKey),
		LeafScript: hex.EncodeToString(stake.LeafScript), ControlBlock: hex.EncodeToString(stake.ControlBlock),
		OwnFee: ownFee, AnyFee: anyFee,
	}
	if d.Output.Height != ledger.None {
		open := d.Output.Height + int64(d.Delay)
		output.OpenHeight = &open
	}
	return output, nil
}

// signers says what can sign a recovery. The leaf's key is the ordinals
// address's own, untweaked where that is P2TR: wallets that sign script paths
// (BIP-342) take the PSBT as it is. For other addresses wallets do not look for
// their key in a taproot leaf, and the private key must be brought to a node.
func signers(script []byte) []string {
	core := "Bitcoin Core 26 or later: import the descriptor with the private key of your ordinals address in place of the " +
		"second key, then walletprocesspsbt and finalizepsbt"
	if len(script) == 34 && script[0] == 0x51 && script[1] == 0x20 {
		return []string{
			"Xverse: signPsbt with the ordinals address as the signer",
			"UniSat: signPsbt with disableTweakSigner",
			core,
		}
	}
	return []string{core}
}
