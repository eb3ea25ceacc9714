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

// StakeKeys determine a stake address, besides the community's account key.
type StakeKeys struct {
	Position uint32 // index in the community's key path
	Leaf     []byte // staker's x-only key, 32 bytes
	Delay    uint32 // blocks
	Self     bool   // self-custody: no key path, and the community can't spend without the staker (ADR 68)
}

// StakeOutput is everything needed to identify and spend the outputs of a stake address. In operator custody the
// community spends them through the key path, in self-custody the community and the staker through the leaf Together.
// The staker alone spends them through the script leaf after Delay confirmations.
type StakeOutput struct {
	Path         KeyPath // of the community's key
	Leaf         []byte  // staker's x-only key, 32 bytes
	Delay        uint32  // blocks
	Self         bool
	CommunityKey []byte // x-only, 32 bytes
	InternalKey  []byte // x-only, 32 bytes: CommunityKey, or in self-custody a point without a known private key
	Script       []byte // pkScript
	Address      string
	LeafScript   []byte
	ControlBlock []byte
	Together     TogetherLeaf // zero in operator custody
	MerkleRoot   []byte       // 32 bytes
	Descriptor   string       // with checksum (BIP-380, BIP-386)
}

// TogetherLeaf is the leaf and_v(v:pk(STAKER),pk(COMMUNITY)) of a stake in self-custody.
type TogetherLeaf struct {
	Script       []byte
	ControlBlock []byte
}

// unspendableKey is the x coordinate of BIP-341's point whose discrete logarithm is not known.
var unspendableKey, _ = hex.DecodeString("50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0")

// StakeOutput derives a stake address (BIP-341, BIP-342). COMMUNITY is the account's key on branch 0 at the position:
//
//	operator custody: tr(COMMUNITY,and_v(v:pk(STAKER),older(DELAY)))
//	self-custody:     tr(UNSPENDABLE,{and_v(v:pk(STAKER),pk(COMMUNITY)),and_v(v:pk(STAKER),older(DELAY))})
//
// It returns an error for an invalid key and ErrDelay for an invalid delay.
func (a Account) StakeOutput(k StakeKeys) (StakeOutput, error) {
	path := KeyPath{BranchStake, k.Position}
	key, err := a.InternalKey(path)
	if err != nil {
		return StakeOutput{}, err
	}
	output, err := OpenStake(schnorr.SerializePubKey(key), k, a.network)
	output.Path = path
	return output, err
}

// OpenStake derives a stake output from the community's x-only key of the address, as a recovery kit contains it. It
// uses no data of the server, and of k not the position.
func OpenStake(communityKey []byte, k StakeKeys, n chain.Network) (StakeOutput, error) {
	internal := communityKey
	if k.Self {
		internal = unspendableKey
	}
	point, err := schnorr.ParsePubKey(internal)
	if err != nil {
		return StakeOutput{}, fmt.Errorf("internal key: %w", err)
	}
	alone, err := LeafScript(k.Leaf, k.Delay)
	if err != nil {
		return StakeOutput{}, err
	}
	output := StakeOutput{
		Leaf: bytes.Clone(k.Leaf), Delay: k.Delay, Self: k.Self, CommunityKey: communityKey, InternalKey: internal,
		LeafScript: alone, Descriptor: stakeDescriptor(communityKey, k),
	}
	leaves := []txscript.TapLeaf{txscript.NewBaseTapLeaf(alone)}
	if k.Self {
		if output.Together.Script, err = togetherScript(k.Leaf, communityKey); err != nil {
			return StakeOutput{}, err
		}
		leaves = append(leaves, txscript.NewBaseTapLeaf(output.Together.Script))
	}
	if err := output.commit(point, leaves); err != nil {
		return StakeOutput{}, err
	}
	address, ok := chain.AddressFromScript(output.Script, n)
	if !ok {
		return StakeOutput{}, fmt.Errorf("no address on %s", n.Name)
	}
	output.Address = address.Text
	return output, nil
}

// commit sets the fields of the P2TR output (BIP-341) of an internal key with the leaves: the leaf of the staker alone,
// and in self-custody the leaf Together.
func (s *StakeOutput) commit(internal *btcec.PublicKey, leaves []txscript.TapLeaf) (err error) {
	tree := txscript.AssembleTaprootScriptTree(leaves...)
	hash := tree.RootNode.TapHash()
	s.MerkleRoot = hash[:]
	if s.Script, err = txscript.PayToTaprootScript(txscript.ComputeTaprootOutputKey(internal, hash[:])); err != nil {
		return err
	}
	for i, block := range []*[]byte{&s.ControlBlock, &s.Together.ControlBlock}[:len(leaves)] {
		control := tree.LeafMerkleProofs[tree.LeafProofIndex[leaves[i].TapHash()]].ToControlBlock(internal)
		if *block, err = control.ToBytes(); err != nil {
			return err
		}
	}
	return nil
}

// togetherScript returns `<staker> OP_CHECKSIGVERIFY <community> OP_CHECKSIG`, the miniscript
// and_v(v:pk(staker),pk(community)).
func togetherScript(leafKey, communityKey []byte) ([]byte, error) {
	if _, err := schnorr.ParsePubKey(communityKey); err != nil {
		return nil, fmt.Errorf("community key: %w", err)
	}
	return txscript.NewScriptBuilder().
		AddData(leafKey).AddOp(txscript.OP_CHECKSIGVERIFY).
		AddData(communityKey).AddOp(txscript.OP_CHECKSIG).Script()
}

// LeafScript returns the staker's recovery script `<key> OP_CHECKSIGVERIFY <delay> OP_CHECKSEQUENCEVERIFY`, the
// miniscript and_v(v:pk(key),older(delay)).
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

// stakeDescriptor returns the output descriptor with plain keys. The account's extended key would reveal all other
// addresses of the community.
func stakeDescriptor(communityKey []byte, k StakeKeys) string {
	alone := fmt.Sprintf("and_v(v:pk(%x),older(%d))", k.Leaf, k.Delay)
	text := fmt.Sprintf("tr(%x,%s)", communityKey, alone)
	if k.Self {
		text = fmt.Sprintf("tr(%x,{and_v(v:pk(%x),pk(%x)),%s})", unspendableKey, k.Leaf, communityKey, alone)
	}
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

// OwnsLeaf reports whether the x-only leaf key belongs to the ordinals address. An x-only key has no parity, so it
// tries both for address types that hash the compressed key.
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
