package e2e

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/btcsuite/btcd/address/v2"
	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/chaincfg/v2"
	"github.com/btcsuite/btcd/txscript/v2"
)

// kind is a type of address.
type kind int

const (
	taproot kind = iota // p2tr, key path only (BIP-86)
	segwit              // p2wpkh
	nested              // p2sh-p2wpkh
	legacy              // p2pkh
)

// account is an address with its key.
type account struct {
	kind    kind
	key     *btcec.PrivateKey
	text    string
	script  []byte
	program []byte // nested: the p2wpkh redeem script
}

// wallet is a browser wallet: the payment account and the ordinals account.
type wallet struct {
	payment  account
	ordinals account
}

// newWallet derives a wallet from a name, deterministically.
func newWallet(t testing.TB, name string, payment, ordinals kind) wallet {
	return wallet{newAccount(t, name+"/payment", payment), newAccount(t, name+"/ordinals", ordinals)}
}

func newAccount(t testing.TB, seed string, k kind) account {
	t.Helper()
	secret := sha256.Sum256([]byte("a life over HTTP: " + seed))
	key, _ := btcec.PrivKeyFromBytes(secret[:])
	return accountOf(t, key, k)
}

// accountOf returns the address of a kind that a key derives.
func accountOf(t testing.TB, key *btcec.PrivateKey, k kind) account {
	t.Helper()
	a := account{kind: k, key: key}
	hash := address.Hash160(a.key.PubKey().SerializeCompressed())
	net := &chaincfg.RegressionNetParams
	var made address.Address
	var err error
	switch k {
	case taproot:
		made, err = address.NewAddressTaproot(schnorr.SerializePubKey(txscript.ComputeTaprootKeyNoScript(a.key.PubKey())),
			net)
	case segwit:
		made, err = address.NewAddressWitnessPubKeyHash(hash, net)
	case nested:
		a.program = append([]byte{txscript.OP_0, txscript.OP_DATA_20}, hash...)
		made, err = address.NewAddressScriptHash(a.program, net)
	case legacy:
		made, err = address.NewAddressPubKeyHash(hash, net)
	}
	must(t, err)
	a.text = made.EncodeAddress()
	a.script, err = txscript.PayToAddrScript(made)
	must(t, err)
	return a
}

// publicKey returns the public key as wallets report it, in hex: for taproot the untweaked x-only key.
func (a account) publicKey() string {
	if a.kind == taproot {
		return hex.EncodeToString(schnorr.SerializePubKey(a.key.PubKey()))
	}
	return hex.EncodeToString(a.key.PubKey().SerializeCompressed())
}

// scriptOf returns the script that an address of regtest pays to.
func scriptOf(t testing.TB, text string) []byte {
	t.Helper()
	decoded, err := address.DecodeAddress(text, &chaincfg.RegressionNetParams)
	must(t, err)
	script, err := txscript.PayToAddrScript(decoded)
	must(t, err)
	return script
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
