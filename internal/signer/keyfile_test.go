package signer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/btcsuite/btcd/btcutil/v2/hdkeychain"
	"github.com/btcsuite/btcd/chaincfg/v2"

	"moonfund/internal/bitcoin/chain"
)

const passphrase = "correct horse battery"

func TestKeyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key.json")
	made, err := NewKeyFile(path, passphrase)
	must(t, err)
	opened, err := OpenKeyFile(path, passphrase)
	must(t, err)
	network, _ := chain.NetworkByName("mainnet")
	want, _ := made.AccountXpub(3, network)
	got, err := opened.AccountXpub(3, network)
	if err != nil || got != want || !strings.HasPrefix(got, "xpub") {
		t.Errorf("AccountXpub: got %s, %v; want %s", got, err, want)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key file has the mode %v, error %v", info.Mode(), err)
	}
	before, _ := os.ReadFile(path)
	if _, err := NewKeyFile(path, passphrase); !errors.Is(err, ErrKeyFileExists) {
		t.Errorf("NewKeyFile over an existing file: got error %v", err)
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
		t.Error("the key file was changed")
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("%d additional files left behind", len(left)-1)
	}
	if _, err := OpenKeyFile(path, passphrase+"x"); !errors.Is(err, ErrPassphrase) {
		t.Errorf("OpenKeyFile with a wrong passphrase: got error %v", err)
	}
	must(t, os.Chmod(path, 0o640))
	if _, err := OpenKeyFile(path, passphrase); err == nil || !strings.Contains(err.Error(), "0640") {
		t.Errorf("OpenKeyFile of a file that others can read: got error %v", err)
	}
	if _, err := NewKeyFile(filepath.Join(t.TempDir(), "k"), "short"); err == nil {
		t.Error("a short passphrase was accepted")
	}
	if _, err := OpenKeyFile(filepath.Join(t.TempDir(), "none"), passphrase); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("OpenKeyFile of a missing file: got error %v", err)
	}
}

func TestAlteredKeyFile(t *testing.T) {
	good := filepath.Join(t.TempDir(), "key.json")
	_, err := NewKeyFile(good, passphrase)
	must(t, err)
	data, _ := os.ReadFile(good)
	for name, row := range map[string]struct {
		change func(*keyFile)
		want   error
	}{
		"ciphertext": {func(f *keyFile) { f.Ciphertext[0] ^= 1 }, ErrPassphrase},
		"salt":       {func(f *keyFile) { f.Derivation.Salt[0] ^= 1 }, ErrPassphrase},
		"nonce":      {func(f *keyFile) { f.Nonce[0] ^= 1 }, ErrPassphrase},
		"time":       {func(f *keyFile) { f.Derivation.Time++ }, ErrPassphrase},
		"version":    {func(f *keyFile) { f.Version = 2 }, ErrKeyFile},
		"no scheme":  {func(f *keyFile) { f.Scheme = "" }, ErrKeyFile},
		"scheme":     {func(f *keyFile) { f.Scheme = "slip39" }, ErrKeyFile},
		"another":    {func(f *keyFile) { f.Scheme = SchemeBIP39 }, ErrPassphrase},
		"format":     {func(f *keyFile) { f.Format = "other" }, ErrKeyFile},
		"memory":     {func(f *keyFile) { f.Derivation.MemoryKiB = 1 << 31 }, ErrKeyFile},
		"threads":    {func(f *keyFile) { f.Derivation.Threads = 0 }, ErrKeyFile},
		"no nonce":   {func(f *keyFile) { f.Nonce = nil }, ErrKeyFile},
	} {
		var file keyFile
		must(t, json.Unmarshal(data, &file))
		row.change(&file)
		altered, _ := json.Marshal(file)
		if _, err := unseal(passphrase, altered); !errors.Is(err, row.want) {
			t.Errorf("unseal of a file with %s: got error %v, want %v", name, err, row.want)
		}
	}
	if _, err := unseal(passphrase, data[:len(data)/2]); !errors.Is(err, ErrKeyFile) {
		t.Errorf("unseal of a truncated file: got error %v", err)
	}
}

// TestAccountXpubVector checks the account key of the BIP-86 test vectors, which is derived from their master key.
func TestAccountXpubVector(t *testing.T) {
	master, err := hdkeychain.NewKeyFromString(
		"xprv9s21ZrQH143K3GJpoapnV8SFfukcVBSfeCficPSGfubmSFDxo1kuHnLisriDvSnRRuL2Qrg5ggqHKNVpxR86QEC8w35uxmGoggxtQTPvfUu")
	must(t, err)
	keys := &Keys{master: master}
	mainnet, _ := chain.NetworkByName("mainnet")
	got, err := keys.AccountXpub(0, mainnet)
	const want = "xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcL" +
		"teoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ"
	if err != nil || got != want {
		t.Errorf("AccountXpub: got %s, %v; want %s", got, err, want)
	}
	for _, name := range []string{"testnet", "testnet4", "signet", "regtest"} {
		network, _ := chain.NetworkByName(name)
		if got, err := keys.AccountXpub(0, network); err != nil || !strings.HasPrefix(got, "tpub") {
			t.Errorf("AccountXpub on %s: got %s, %v, want a tpub", name, got, err)
		}
	}
	if _, err := keys.AccountXpub(1<<31, mainnet); err == nil {
		t.Error("AccountXpub accepted an account that is out of range")
	}
}

func TestKeysAreSafeForConcurrentUse(t *testing.T) {
	keys, err := newKeys(bytes.Repeat([]byte{0x5a}, 32))
	must(t, err)
	network, _ := chain.NetworkByName("mainnet")
	var group sync.WaitGroup
	for account := range uint32(4) {
		group.Go(func() {
			if _, err := keys.AccountXpub(account, network); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

func TestKeysDoNotPrint(t *testing.T) {
	seed := bytes.Repeat([]byte{0x5a}, 32)
	keys, err := newKeys(seed)
	must(t, err)
	secret := keys.master.String()
	var logged bytes.Buffer
	slog.New(slog.NewJSONHandler(&logged, nil)).Info("x", "keys", keys)
	asJSON, _ := json.Marshal(keys) //lint:ignore SA9005 that nothing is exported is what is tested
	raw, _ := hdkeychain.NewMaster(seed, &chaincfg.MainNetParams)
	private, _ := raw.ECPrivKey()
	for _, text := range []string{fmt.Sprint(keys), fmt.Sprintf("%+v %#v %s %x %q", keys, keys, keys, keys, keys),
		logged.String(), string(asJSON)} {
		if strings.Contains(text, secret) || strings.Contains(text, fmt.Sprintf("%x", private.Serialize())) ||
			strings.Contains(text, "xprv") {
			t.Errorf("the key is printed in %q", text)
		}
	}
}
