// Package reserves builds data that a staker can verify and use without trust in the server: the staker's recovery kit,
// and the reserves of a community. It also broadcasts recoveries.
package reserves

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"fmt"
	"slices"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
)

// Deposit is an output at a stake address and the keys needed to spend it.
type Deposit struct {
	Output ledger.Output
	Keys   vault.StakeKeys
	Runes  []Held // every rune on the output, including runes of no community
}

// Held is an amount of one rune.
type Held struct {
	Rune   string // block:tx
	Amount string // base units, up to 128 bits
}

// Staker is the owner of a recovery kit.
type Staker struct {
	Address string       // ordinals address
	Script  []byte       // script of Address; every recovery pays it
	Virtual amount.Runes // base units of live virtual units, which no output of the staker backs
}

// RecoveryKit has the data that a staker needs to recover all outputs at their stake addresses without the server, once
// the recovery delays have passed.
type RecoveryKit struct {
	Network     string       // name of the chain.Network
	Destination string       // ordinals address
	Height      int64        // height of the tip when the kit was built
	Virtual     amount.Runes // see Staker
	Signers     []string     // software that can sign the PSBTs, with the steps to do so
	Outputs     []Output     // ordered by outpoint
}

// Output is one output at a stake address and its two recovery PSBTs.
type Output struct {
	OutPoint     string // txid:vout
	Address      string
	Credited     bool // false for a quarantined output
	Value        amount.Sats
	Runes        []Held
	Delay        int64  // number of blocks after the block of the deposit
	OpenHeight   *int64 // first block that can contain the recovery; nil while the deposit is unconfirmed
	Self         bool   // in self-custody
	Descriptor   string
	InternalKey  string  // x-only, hex
	CommunityKey string  // x-only, hex; also the internal key unless Self
	LeafScript   string  // hex
	ControlBlock string  // hex
	OwnFee       *string // base64 PSBT that pays its fee from the output's sats; nil if they do not suffice
	AnyFee       string  // base64 PSBT, SIGHASH_ALL|ANYONECANPAY: a fee input can be added, an output can't
}

// Kit builds the recovery kit from a staker's deposits. It omits outputs that vanished or that a confirmed transaction
// spends. It includes an output that an unconfirmed transaction spends, because that transaction may never confirm.
// rate is the fee rate of the OwnFee PSBTs. Kit returns an error if the keys of a deposit do not derive its script,
// because the PSBTs would be invalid.
func Kit(account vault.Account, s Staker, height int64, rate amount.FeeRate, deposits []Deposit) (RecoveryKit, error) {
	kit := RecoveryKit{
		Network: account.Network().Name, Destination: s.Address, Height: height, Virtual: s.Virtual,
		Signers: signers(s.Script),
	}
	for _, d := range deposits {
		if d.Output.Vanished || (d.Output.SpentBy != "" && d.Output.SpentHeight != chain.None) {
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
	stake, err := account.StakeOutput(d.Keys)
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
		OutPoint: d.Output.OutPoint.String(), Address: stake.Address, Credited: d.Output.Quarantine == "",
		Value: d.Output.Value,
		Runes: d.Runes, Delay: int64(d.Keys.Delay), Self: d.Keys.Self, Descriptor: stake.Descriptor,
		InternalKey: hex.EncodeToString(stake.InternalKey), CommunityKey: hex.EncodeToString(stake.CommunityKey),
		LeafScript: hex.EncodeToString(stake.LeafScript), ControlBlock: hex.EncodeToString(stake.ControlBlock),
		OwnFee: ownFee, AnyFee: anyFee,
	}
	if d.Output.Height != chain.None {
		open := d.Output.Height + int64(d.Keys.Delay)
		output.OpenHeight = &open
	}
	return output, nil
}

// signers returns the software that can sign a recovery to an ordinals address with the given script. The leaf contains
// the untweaked key of the ordinals address. For a P2TR address, wallets that sign script paths (BIP-342) accept the
// PSBT. For other address types, wallets do not search a taproot leaf for their key, so the staker must import the
// private key into Bitcoin Core.
func signers(script []byte) []string {
	core := "Bitcoin Core 26 or later, with the private key of your ordinals address: the steps are in " +
		"docs/guide/recover.md of the source code"
	if len(script) == 34 && script[0] == 0x51 && script[1] == 0x20 {
		return []string{
			"Xverse: signPsbt with the ordinals address as the signer",
			"UniSat: signPsbt with disableTweakSigner",
			core,
		}
	}
	return []string{core}
}
