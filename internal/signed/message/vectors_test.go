package message

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/chaincfg/v2"
)

// vectors are the official test vectors of BIP-322 2.0.0.
type vectors struct {
	TxHashes []struct {
		Message     string `json:"message"`
		Address     string `json:"address"`
		MessageHash string `json:"message_hash"`
		ToSpend     string `json:"to_spend_tx_hash"`
		ToSign      string `json:"to_sign_tx_hash"`
	} `json:"tx_hashes"`
	Simple        []signedVector `json:"simple"`
	Full          []signedVector `json:"full"`
	ProofsOfFunds []signedVector `json:"proof_of_funds"`
	Error         []struct {
		Description string `json:"description"`
		Message     string `json:"message"`
		Address     string `json:"address"`
		Signature   string `json:"signature"`
	} `json:"error"`
}

type signedVector struct {
	Message    string   `json:"message"`
	Address    string   `json:"address"`
	Type       string   `json:"type"`
	Signatures []string `json:"bip322_signatures"`
}

func readVectors(t testing.TB, name string) (v vectors) {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

var vectorFiles = []string{"basic.json", "generated.json"}

func TestVectorHashes(t *testing.T) {
	hashes := readVectors(t, "basic.json").TxHashes
	if len(hashes) == 0 {
		t.Fatal("no vectors")
	}
	for _, v := range hashes {
		hash := Hash(v.Message)
		if got := hex.EncodeToString(hash[:]); got != v.MessageHash {
			t.Errorf("%q: message hash %s, want %s", v.Message, got, v.MessageHash)
		}
		script, err := outputScript(v.Address, &chaincfg.MainNetParams)
		if err != nil {
			t.Fatal(err)
		}
		spend := toSpend(script, v.Message).TxHash()
		if spend.String() != v.ToSpend {
			t.Errorf("%q: to_spend %s, want %s", v.Message, spend, v.ToSpend)
		}
		if got := toSign(spend).TxHash().String(); got != v.ToSign {
			t.Errorf("%q: to_sign %s, want %s", v.Message, got, v.ToSign)
		}
	}
}

// TestVectorsVerify checks that every official signature verifies, except for scripts that execute a time lock: BIP-322
// calls such a proof "valid at a time", which Verify rejects.
func TestVectorsVerify(t *testing.T) {
	verified := map[string]int{}
	for _, file := range vectorFiles {
		all := readVectors(t, file)
		for _, v := range append(all.Simple, all.Full...) {
			for _, signature := range v.Signatures {
				err := Verify(v.Address, &chaincfg.MainNetParams, v.Message, signature)
				if strings.Contains(v.Type, "time-lock") {
					if !errors.Is(err, ErrSignature) || !strings.Contains(err.Error(), "reserved for soft-fork") {
						t.Errorf("%s: got %v, want an error for the time lock", v.Type, err)
					}
				} else if err != nil {
					t.Errorf("%s %q: %v", v.Type, v.Message, err)
				}
				verified[v.Type]++
				if bare, found := strings.CutPrefix(signature, "smp"); found {
					if err := Verify(v.Address, &chaincfg.MainNetParams, v.Message, bare); err != nil {
						t.Errorf("%s %q without its prefix: %v", v.Type, v.Message, err)
					}
				}
			}
		}
	}
	for _, kind := range []string{
		"p2tr", "p2wpkh", "p2sh-p2wpkh", "p2pkh", "p2wsh-multisig-3of3", "p2sh-multisig-2of2", "p2tr-time-lock",
	} {
		if verified[kind] == 0 {
			t.Errorf("no vector of type %s", kind)
		}
	}
}

func TestVectorErrors(t *testing.T) {
	for _, file := range vectorFiles {
		all := readVectors(t, file)
		if len(all.Error) == 0 {
			t.Fatal("no vectors")
		}
		for _, v := range all.Error {
			err := Verify(v.Address, &chaincfg.MainNetParams, v.Message, v.Signature)
			if !errors.Is(err, ErrSignature) && !errors.Is(err, ErrFormat) {
				t.Errorf("%s: %v", v.Description, err)
			}
		}
		for _, v := range all.ProofsOfFunds {
			err := Verify(v.Address, &chaincfg.MainNetParams, v.Message, v.Signatures[0])
			if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "proof of funds") {
				t.Errorf("proof of funds: %v", err)
			}
		}
	}
}
