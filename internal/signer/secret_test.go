package signer

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
)

// bip39Vectors are keys, addresses and descriptors that two other libraries derived from words; source names them.
func bip39Vectors(t *testing.T) (all []bip39Vector) {
	t.Helper()
	data, err := os.ReadFile("testdata/bip39.json")
	must(t, err)
	file := struct{ Vectors *[]bip39Vector }{&all}
	must(t, json.Unmarshal(data, &file))
	if len(all) == 0 {
		t.Fatal("no vectors")
	}
	return all
}

type bip39Vector struct {
	Words, Seed, Network, Fingerprint, Xpub string
	Account                                 uint32
	Runes, Sats                             string
	RunesAddress                            string `json:"runes_address"`
	SatsAddress                             string `json:"sats_address"`
}

// TestStandardKeys derives accounts, addresses and descriptors from words as other software does.
func TestStandardKeys(t *testing.T) {
	for _, v := range bip39Vectors(t) {
		words := strings.Fields(v.Words)
		content, err := BytesOf(words)
		must(t, err)
		if seed, err := stretch(words, ""); err != nil || hex.EncodeToString(seed) != v.Seed {
			t.Errorf("stretch(%s): got %x, %v", v.Words, seed, err)
		}
		keys, err := Secret{SchemeBIP39, content}.Keys()
		must(t, err)
		network, err := chain.NetworkByName(v.Network)
		must(t, err)
		xpub, err := keys.AccountXpub(v.Account, network)
		must(t, err)
		account, err := vault.NewAccount(xpub, network)
		must(t, err)
		runesAddress, _ := account.TreasuryRunes()
		satsAddress, _ := account.TreasurySats()
		runes, sats := account.TreasuryDescriptors(vault.Origin{Fingerprint: keys.Fingerprint(), Account: v.Account})
		for got, want := range map[string]string{
			xpub: v.Xpub, runesAddress.Text: v.RunesAddress, satsAddress.Text: v.SatsAddress, runes: v.Runes, sats: v.Sats,
		} {
			if got != want {
				t.Errorf("%s, account %d on %s: got %s, want %s", v.Words, v.Account, v.Network, got, want)
			}
		}
		if !strings.HasPrefix(runes, "tr(["+v.Fingerprint+"/86h/") {
			t.Errorf("the descriptor %s does not contain the fingerprint", runes)
		}
	}
}

// TestStretch checks two of the test vectors of BIP-39, which use a passphrase.
func TestStretch(t *testing.T) {
	for words, want := range map[string]string{
		strings.Repeat("abandon ", 11) + "about": "c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531f09a" +
			"6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04",
		"void come effort suffer camp survey warrior heavy shoot primary clutch crush open amazing screen patrol group " +
			"space point ten exist slush involve unfold": "01f5bced59dec48e362f2c45b5de68b9fd6c92c6634f44d6d40aab69056506f0e" +
			"35524a518034ddc1192e1dacd32c1ed3eaa3c3b131c88ed8e7e54c49a5d0998",
	} {
		seed, err := stretch(strings.Fields(words), "TREZOR")
		if err != nil || hex.EncodeToString(seed) != want {
			t.Errorf("stretch(%s): got %x, %v; want %s", words, seed, err, want)
		}
	}
}

// TestLeadingZeros checks the test vectors 3 and 4 of BIP-32: private keys with leading zeros keep them when children
// are derived.
func TestLeadingZeros(t *testing.T) {
	for _, v := range []struct {
		seed  string
		steps []uint32
		want  string
	}{
		{"4b381541583be4423346c643850da4b320e46a87ae3d2a4e6da11eba819cd4ac" +
			"ba45d239319ac14f863b8d5ab5a0d0c64d2e8a1e7d1457df2e5a3c51c73235be", []uint32{0},
			"xprv9uPDJpEQgRQfDcW7BkF7eTya6RPxXeJCqCJGHuCJ4GiRVLzkTXBAJMu2qaMWPrS7AANYqdq6vcBcBUdJCVVFceUvJFjaPdGZ2y9WACViL4L"},
		{"3ddd5602285899a946114506157c7997e5444528f3003f6134712147db19b678", []uint32{0, 1},
			"xprv9xJocDuwtYCMNAo3Zw76WENQeAS6WGXQ55RCy7tDJ8oALr4FWkuVoHJeHVAcAqiZLE7Je3vZJHxspZdFHfnBEjHqU5hG1Jaj32dVoS6XLT1"},
	} {
		seed, _ := hex.DecodeString(v.seed)
		keys, err := newKeys(seed)
		must(t, err)
		key := keys.master
		for _, step := range v.steps {
			key, err = key.Derive(hardened + step)
			must(t, err)
		}
		if key.String() != v.want {
			t.Errorf("seed %s: got %s, want %s", v.seed, key, v.want)
		}
	}
}

// TestKeyFileNamesItsScheme writes a file per scheme.
func TestKeyFileNamesItsScheme(t *testing.T) {
	folder := t.TempDir()
	fingerprints := map[uint32]bool{}
	for _, scheme := range Schemes() {
		path := filepath.Join(folder, string(scheme))
		made, err := WriteKeyFile(path, passphrase, Secret{scheme, bytes.Repeat([]byte{7}, 32)})
		must(t, err)
		opened, err := OpenKeyFile(path, passphrase)
		must(t, err)
		if opened.Scheme() != scheme || opened.Fingerprint() != made.Fingerprint() {
			t.Errorf("key file of scheme %s: got scheme %s", scheme, opened.Scheme())
		}
		fingerprints[opened.Fingerprint()] = true
		text, err := os.ReadFile(path)
		must(t, err)
		if !strings.Contains(string(text), fmt.Sprintf(`"scheme": %q`, scheme)) {
			t.Errorf("the file does not name its scheme: %s", text)
		}
		for _, other := range Schemes() {
			changed := strings.Replace(string(text), string(scheme), string(other), 1)
			if _, err := unseal(passphrase, []byte(changed)); other != scheme && !errors.Is(err, ErrPassphrase) {
				t.Errorf("key file of scheme %s in the other scheme: got %s, %v", scheme, other, err)
			}
		}
	}
	if len(fingerprints) != 2 {
		t.Error("both schemes derive the same key")
	}
}

func TestSecretRefuses(t *testing.T) {
	for name, s := range map[string]Secret{
		"no scheme": {"", make([]byte, 32)}, "another scheme": {"slip39", make([]byte, 32)},
		"short": {SchemeSeed, make([]byte, 15)}, "no words": {SchemeBIP39, make([]byte, 17)},
		"long": {SchemeBIP39, make([]byte, 64)},
	} {
		if _, err := s.Keys(); err == nil {
			t.Errorf("Keys accepted an invalid secret (%s)", name)
		}
		if _, err := WriteKeyFile(filepath.Join(t.TempDir(), "key"), passphrase, s); err == nil {
			t.Errorf("WriteKeyFile accepted an invalid secret (%s)", name)
		}
	}
	for _, words := range []int{0, 11, 15, 25} {
		if _, err := NewSecret(SchemeBIP39, words); err == nil {
			t.Errorf("NewSecret accepted %d words", words)
		}
	}
	for _, words := range []int{12, 24} {
		s, err := NewSecret(SchemeBIP39, words)
		must(t, err)
		list, err := s.Words()
		if err != nil || len(list) != words {
			t.Errorf("Words: got %d words, want %d: %v", len(list), words, err)
		}
		if text := fmt.Sprintf("%v %+v %s %x %#v", s, s, s, s, s); strings.Contains(text, fmt.Sprintf("%x", s.Bytes)) ||
			strings.Count(text, redacted) != 5 {
			t.Errorf("the secret is printed as %s", text)
		}
	}
}
