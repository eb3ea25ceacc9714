package vault

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/txscript/v2"

	"moonfund/internal/bitcoin/chain"
)

// bip86Xpub is the account key of the test vectors of BIP-86: account 0 of the "abandon … about" seed.
const bip86Xpub = "xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcL" +
	"teoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ"

func TestBIP86Vectors(t *testing.T) {
	mainnet, _ := chain.NetworkByName("mainnet")
	account, err := NewAccount(bip86Xpub, mainnet)
	must(t, err)
	for path, want := range map[[2]uint32]string{
		{0, 0}: "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr",
		{0, 1}: "bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh",
		{1, 0}: "bc1p3qkhfews2uk44qtvauqyr2ttdsw7svhkl9nkm9s9c3x4ax5h60wqwruhk7",
	} {
		got, err := account.address(path[:])
		if err != nil || got.Text != want {
			t.Errorf("address %v = %s, %v; want %s", path, got.Text, err, want)
		}
	}
	internal, err := account.InternalKey(KeyPath{0, 0})
	must(t, err)
	if got := hex.EncodeToString(schnorr.SerializePubKey(
		internal)); got != "cc8a4bc64d897bddc5fbc2f670f7a8ba0b386779106cf1223c6fc5d7cd6fc115" {
		t.Errorf("internal key = %s, want the one of BIP-86", got)
	}
}

// TestBIP341Vector checks the one-leaf case of the wallet test vectors of BIP-341.
func TestBIP341Vector(t *testing.T) {
	unhex := func(s string) []byte { b, _ := hex.DecodeString(s); return b }
	internal, err := schnorr.ParsePubKey(unhex("187791b6f712a8ea41c8ecdd0ee77fab3e85263b37e1ec18a3651926b3a6cf27"))
	must(t, err)
	var s StakeOutput
	must(t, s.commit(internal, []txscript.TapLeaf{
		txscript.NewBaseTapLeaf(unhex("20d85a959b0290bf19bb89ed43c916be835475d013da4b362117393e25a48229b8ac"))}))
	for name, pair := range map[string][2]string{
		"merkle root": {hex.EncodeToString(s.MerkleRoot),
			"5b75adecf53548f3ec6ad7d78383bf84cc57b55a3127c72b9a2481752dd88b21"},
		"script": {hex.EncodeToString(s.Script),
			"5120147c9c57132f6e7ecddba9800bb0c4449251c92a1e60371ee77557b6620f3ea3"},
		"control block": {hex.EncodeToString(s.ControlBlock),
			"c1187791b6f712a8ea41c8ecdd0ee77fab3e85263b37e1ec18a3651926b3a6cf27"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s = %s, want %s", name, pair[0], pair[1])
		}
	}
}

func TestDescriptorChecksum(t *testing.T) {
	for _, want := range []string{
		"raw(deadbeef)#89f8spxm",
		"wpkh([d34db33f/84h/0h/0h]xpub6DJ2dNUysrn5Vt36jH2KLBT2i1auw1tTSSomg8PhqNiUtx8QX2SvC9nrHu81fT4" +
			"1fvDUnhMjEzQgXnQjKEu3oaqMSzhSrHMxyyoEAmUHQbY/0/*)#cjjspncu",
	} {
		text, _, _ := strings.Cut(want, "#")
		if got := text + "#" + descriptorChecksum(text); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestNewAccountRefuses(t *testing.T) {
	mainnet, _ := chain.NetworkByName("mainnet")
	c := newCustody(t)
	deeper, err := c.key.Derive(0)
	must(t, err)
	for name, key := range map[string]string{
		"private":       c.private.String(),
		"not a key":     "xpub",
		"bad checksum":  bip86Xpub[:len(bip86Xpub)-1] + "R",
		"other network": bip86Xpub,
		"depth":         deeper.String(),
	} {
		if _, err := NewAccount(key, c.network); err == nil {
			t.Errorf("%s: NewAccount succeeded, want an error", name)
		} else if name == "private" && strings.Contains(err.Error(), key) {
			t.Error("the error contains the private key")
		}
	}
	if _, err := NewAccount(" "+bip86Xpub+"\n", mainnet); err != nil {
		t.Errorf("white space around the key: %v", err)
	}
	if _, err := c.InternalKey(KeyPath{1 << 31}); err == nil {
		t.Error("InternalKey accepted a hardened step")
	}
}

func TestPaymentAddressesDoNotRepeat(t *testing.T) {
	c := newCustody(t)
	a, path, err := c.PaymentAddress("order-a")
	must(t, err)
	again, _, _ := c.PaymentAddress("order-a")
	b, _, _ := c.PaymentAddress("order-b")
	if a.Text != again.Text || a.Text == b.Text {
		t.Error("the payment address is not a function of the order id")
	}
	if len(path) != 5 || path[0] != BranchPayment || path.String() == "" {
		t.Errorf("path = %s", path)
	}
	runesAddress, _ := c.TreasuryRunes()
	satsAddress, _ := c.TreasurySats()
	if runesAddress.Text == satsAddress.Text {
		t.Error("treasury runes and sats have the same address")
	}
}

func TestStakeOutput(t *testing.T) {
	c := newCustody(t)
	_, leaf := stakerKey(1)
	out, err := c.StakeOutput(StakeKeys{Position: 17, Leaf: leaf, Delay: 26280})
	must(t, err)
	wantLeaf := "20" + hex.EncodeToString(leaf) + "ad" + "02a866" + "b2"
	if got := hex.EncodeToString(out.LeafScript); got != wantLeaf {
		t.Errorf("leaf = %s, want %s", got, wantLeaf)
	}
	want := "tr(" + hex.EncodeToString(out.InternalKey) + ",and_v(v:pk(" + hex.EncodeToString(leaf) + "),older(26280)))#"
	if !strings.HasPrefix(out.Descriptor, want) || len(out.Descriptor) != len(want)+8 {
		t.Errorf("descriptor = %s", out.Descriptor)
	}
	address, err := chain.ParseAddress(out.Address, c.network)
	if err != nil || !bytes.Equal(address.Script, out.Script) {
		t.Errorf("address %s does not parse to the script: %v", out.Address, err)
	}
	for _, delay := range []uint32{0, MaxDelay + 1, 1 << 31} {
		if _, err := c.StakeOutput(StakeKeys{Position: 17, Leaf: leaf, Delay: delay}); !errors.Is(err, ErrDelay) {
			t.Errorf("delay %d: %v, want ErrDelay", delay, err)
		}
	}
	if _, err := c.StakeOutput(StakeKeys{Position: 17, Leaf: bytes.Repeat([]byte{0xff}, 32), Delay: 26280}); err == nil {
		t.Error("a leaf key off the curve was accepted")
	}
	if _, err := c.StakeOutput(StakeKeys{Position: 17, Leaf: leaf[:31], Delay: 26280}); err == nil {
		t.Error("a short leaf key was accepted")
	}
}

func TestStakerKeyMustDeriveTheAddress(t *testing.T) {
	c := newCustody(t)
	for _, kind := range []chain.AddressType{chain.P2TR, chain.P2WPKH, chain.P2SH, chain.P2PKH} {
		private, leaf := stakerKey(3)
		stranger, strangersLeaf := stakerKey(4)
		public := private.PubKey().SerializeCompressed()
		address := addressOf(t, kind, public, c.network)
		got, err := StakerKey(address, public)
		if err != nil || !bytes.Equal(got, leaf) {
			t.Errorf("%s: StakerKey of the owner's key: %v", kind, err)
		}
		if _, err := StakerKey(address, stranger.PubKey().SerializeCompressed()); !errors.Is(err, ErrForeignKey) {
			t.Errorf("%s: another key: %v, want ErrForeignKey", kind, err)
		}
		if !OwnsLeaf(address, leaf) || OwnsLeaf(address, strangersLeaf) || OwnsLeaf(address, nil) {
			t.Errorf("%s: OwnsLeaf rejects the owner's leaf or accepts another", kind)
		}
		if _, err := StakerKey(address, public[:20]); !errors.Is(err, ErrForeignKey) {
			t.Errorf("%s: short key: %v", kind, err)
		}
	}
	// The output key is not the internal key.
	private, _ := stakerKey(5)
	address := addressOf(t, chain.P2TR, private.PubKey().SerializeCompressed(), c.network)
	if _, err := StakerKey(address, address.Script[2:]); !errors.Is(err, ErrForeignKey) {
		t.Errorf("output key as internal key: %v, want ErrForeignKey", err)
	}
}
