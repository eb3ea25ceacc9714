package vault

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/txscript/v2"

	"moonfund/internal/bitcoin/chain"
)

// MaxDelay is the maximum relative timelock in blocks that nSequence can encode (BIP-68: 16 bits).
const MaxDelay = 0xffff

var (
	// ErrForeignKey is returned for a public key that does not derive the given address.
	ErrForeignKey = errors.New("the public key does not belong to the address")
	// ErrDelay is returned for a recovery delay that is not 1 to 65,535 blocks.
	ErrDelay = errors.New("recovery delay must be 1 to 65535 blocks")
)

// StakeOutput is everything needed to identify and spend the outputs of a stake address. The community spends them
// through the key path; the staker alone spends them through the script leaf after Delay confirmations.
type StakeOutput struct {
	Path         KeyPath // of the community's internal key
	Leaf         []byte  // staker's x-only key, 32 bytes
	Delay        uint32  // blocks
	InternalKey  []byte  // x-only, 32 bytes
	Script       []byte  // pkScript
	Address      string
	LeafScript   []byte
	ControlBlock []byte
	MerkleRoot   []byte // 32 bytes, the tweak of the key path
	Descriptor   string // with checksum (BIP-380, BIP-386)
}

// StakeOutput derives the stake address tr(COMMUNITY/0/index, and_v(v:pk(leafKey),older(delay))) (BIP-341, BIP-342).
// leafKey is the staker's 32-byte x-only key; delay is in blocks. It returns an error for an invalid key and ErrDelay
// for an invalid delay.
func (a Account) StakeOutput(index uint32, leafKey []byte, delay uint32) (StakeOutput, error) {
	return a.stakeOutput(KeyPath{BranchStake, index}, leafKey, delay)
}

func (a Account) stakeOutput(path KeyPath, leafKey []byte, delay uint32) (StakeOutput, error) {
	internal, err := a.InternalKey(path)
	if err != nil {
		return StakeOutput{}, err
	}
	leafScript, err := LeafScript(leafKey, delay)
	if err != nil {
		return StakeOutput{}, err
	}
	script, root, controlBlock, err := commit(internal, leafScript)
	if err != nil {
		return StakeOutput{}, err
	}
	address, ok := chain.AddressFromScript(script, a.network)
	if !ok {
		return StakeOutput{}, fmt.Errorf("stake output %s: no address on %s", path, a.network.Name)
	}
	xonly := schnorr.SerializePubKey(internal)
	return StakeOutput{
		Path: path, Leaf: bytes.Clone(leafKey), Delay: delay, InternalKey: xonly, Script: script,
		Address: address.Text, LeafScript: leafScript, ControlBlock: controlBlock, MerkleRoot: root,
		Descriptor: stakeDescriptor(xonly, leafKey, delay),
	}, nil
}

// commit returns the P2TR output (BIP-341) of an internal key with one script leaf: its
// pkScript, the merkle root, and the control block for the leaf.
func commit(internal *btcec.PublicKey, leafScript []byte) (script, root, controlBlock []byte, err error) {
	tree := txscript.AssembleTaprootScriptTree(txscript.NewBaseTapLeaf(leafScript))
	hash := tree.RootNode.TapHash()
	script, err = txscript.PayToTaprootScript(txscript.ComputeTaprootOutputKey(internal, hash[:]))
	if err != nil {
		return nil, nil, nil, err
	}
	control := tree.LeafMerkleProofs[0].ToControlBlock(internal)
	controlBlock, err = control.ToBytes()
	return script, hash[:], controlBlock, err
}

// LeafScript returns the staker's recovery script `<key> OP_CHECKSIGVERIFY
// <delay> OP_CHECKSEQUENCEVERIFY`, the miniscript and_v(v:pk(key),older(delay)).
func LeafScript(leafKey []byte, delay uint32) ([]byte, error) {
	if _, err := schnorr.ParsePubKey(leafKey); err != nil {
		return nil, fmt.Errorf("leaf key: %w", err)
	}
	if delay < 1 || delay > MaxDelay {
		return nil, ErrDelay
	}
	return txscript.NewScriptBuilder().
		AddData(leafKey).AddOp(txscript.OP_CHECKSIGVERIFY).
		AddInt64(int64(delay)).AddOp(txscript.OP_CHECKSEQUENCEVERIFY).Script()
}

// stakeDescriptor returns the output descriptor with plain keys. The account's extended key
// would reveal all other addresses of the community.
func stakeDescriptor(internal, leaf []byte, delay uint32) string {
	text := fmt.Sprintf("tr(%s,and_v(v:pk(%s),older(%d)))", hex.EncodeToString(internal), hex.EncodeToString(leaf), delay)
	return text + "#" + descriptorChecksum(text)
}

// StakerKey returns the x-only key for the recovery leaf of a stake of the given ordinals address. The wallet's public
// key must derive the address: for P2TR it is the untweaked internal key (32 or 33 bytes, BIP-86), for p2wpkh,
// p2sh-p2wpkh and p2pkh the compressed public key. It returns ErrForeignKey otherwise, so that no wallet can put its
// key into the leaf of another owner's stake.
func StakerKey(address chain.Address, pubkey []byte) ([]byte, error) {
	if !address.DerivesFrom(pubkey) {
		return nil, ErrForeignKey
	}
	return chain.XOnly(pubkey)
}

// OwnsLeaf reports whether the x-only leaf key belongs to the ordinals address. An x-only key
// has no parity, so it tries both for address types that hash the compressed key.
func OwnsLeaf(address chain.Address, leafKey []byte) bool {
	if len(leafKey) != schnorr.PubKeyBytesLen {
		return false
	}
	for _, parity := range []byte{2, 3} {
		if address.DerivesFrom(append([]byte{parity}, leafKey...)) {
			return true
		}
	}
	return false
}
