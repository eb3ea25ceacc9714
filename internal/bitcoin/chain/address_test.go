package chain

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/btcutil/v2/hdkeychain"
)

var mainnet, testnet, regtest = networks[0], networks[1], networks[4]

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestNetworks(t *testing.T) {
	genesis := map[string]string{
		"mainnet":  "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f",
		"testnet":  "000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943",
		"testnet4": "00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043",
		"signet":   "00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6",
		"regtest":  "0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206",
	}
	for name, want := range genesis {
		n, err := NetworkByName(name)
		if err != nil || n.Name != name || n.Params.GenesisHash.String() != want {
			t.Errorf("%s: %s, %v", name, n.Params.GenesisHash, err)
		}
	}
	for _, name := range []string{"", "Mainnet", "simnet"} {
		if _, err := NetworkByName(name); err == nil || !strings.Contains(err.Error(), "regtest") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestParseAddress parses the valid addresses of BIP-173 and BIP-350 whose witness version is in use, and base58
// addresses, and compares their output scripts.
func TestParseAddress(t *testing.T) {
	for _, c := range []struct {
		text, script string
		kind         AddressType
		network      Network
	}{
		{"BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", "0014751e76e8199196d454941c45d1b3a323f1433bd6", P2WPKH, mainnet},
		{"tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7",
			"00201863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262", P2WSH, testnet},
		{"tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy",
			"0020000000c4a5cad46221b2a187905e5266362b99d5e91c6ce24d165dab93e86433", P2WSH, testnet},
		{"tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c",
			"5120000000c4a5cad46221b2a187905e5266362b99d5e91c6ce24d165dab93e86433", P2TR, testnet},
		{"bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
			"512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", P2TR, mainnet},
		{"1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "76a91462e907b15cbf27d5425399ebf6f0fb50ebb88f1888ac", P2PKH, mainnet},
		{"3P14159f73E4gFr7JterCCQh9QjiTjiZrG", "a914e9c3dd0c07aac76179ebc76a6c78d4d67c6c160a87", P2SH, mainnet},
		{"2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc", "a9144e9f39ca4688ff102128ea4ccda34105324305b087", P2SH, testnet},
		{"mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn", "76a914243f1394f44554f4ce3fd68649c19adc483ce92488ac", P2PKH, regtest},
	} {
		a, err := ParseAddress(c.text, c.network)
		if err != nil || a.Type != c.kind || !bytes.Equal(a.Script, unhex(t, c.script)) {
			t.Errorf("%s: %+v, %v", c.text, a, err)
			continue
		}
		canonical := c.text
		if a.Type != P2PKH && a.Type != P2SH {
			canonical = strings.ToLower(c.text)
		}
		back, ok := AddressFromScript(a.Script, c.network)
		if a.Text != canonical || !ok || back.Text != a.Text || back.Type != a.Type {
			t.Errorf("%s: canonical %s, from its script %+v", c.text, a.Text, back)
		}
		other := mainnet
		if c.network.Name == mainnet.Name {
			other = testnet
		}
		if _, err := ParseAddress(c.text, other); !errors.Is(err, ErrWrongNetwork) {
			t.Errorf("%s on %s: %v", c.text, other.Name, err)
		}
		typo := []byte(c.text)
		typo[len(typo)/2] ^= 1
		if _, err := ParseAddress(string(typo), c.network); !errors.Is(err, ErrInvalidAddress) {
			t.Errorf("%s: %v, want ErrInvalidAddress", typo, err)
		}
	}
	if _, err := ParseAddress("tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy", regtest); !errors.Is(err,
		ErrWrongNetwork) {
		t.Errorf("a testnet bech32 address on regtest: %v, want ErrWrongNetwork", err)
	}
}

// TestInvalidAddresses parses the invalid addresses of BIP-350, addresses of witness versions that are not in use, and
// other text. Each must return ErrInvalidAddress on every network.
func TestInvalidAddresses(t *testing.T) {
	for _, text := range []string{
		"tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut",
		"bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd",
		"tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf",
		"BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL",
		"bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh",
		"tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47",
		"bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4",
		"BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R",
		"bc1pw5dgrnzv",
		"bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav",
		"BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P",
		"tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq",
		"bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf",
		"tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j",
		"bc1gmk9yu",
		"bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y",
		"BC1SW50QGDZ25J",
		"bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs",
		"bc1pfeessrawgf", // pay to anchor
		"", "1", "bc1", "bc1q", "not an address", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa ",
		" 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
		"1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb",
		"5KYZdUEo39z3FPrtuX2QbbwGnNP5zTd7yyr2SC1j299sBCnWjss", // a private key
		"LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1",                  // another coin
		strings.Repeat("1", 91), "bc1q" + strings.Repeat("q", 100), "bc1q\x00\xff", "１A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
	} {
		for _, n := range networks {
			if a, err := ParseAddress(text, n); !errors.Is(err, ErrInvalidAddress) {
				t.Errorf("%q on %s: %+v, %v", text, n.Name, a, err)
			}
		}
	}
}

// TestDerivesFrom derives keys from the mnemonic of the test vectors of BIP-49, BIP-84 and BIP-86. Each address must
// derive from its own key and from no other.
func TestDerivesFrom(t *testing.T) {
	seed := unhex(t,
		"5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc1"+
			"9a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4")
	const hard = hdkeychain.HardenedKeyStart
	vectors := []struct {
		path    []uint32
		key     string // in hex; x-only for BIP-86
		address string
		network Network
	}{
		{[]uint32{hard + 44, hard, hard, 0, 0}, "03aaeb52dd7494c361049de67cc680e83ebcbbbdbeb13637d92cd845f70308af5e",
			"1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA", mainnet},
		{[]uint32{hard + 49, hard + 1, hard, 0, 0}, "03a1af804ac108a8a51782198c2d034b28bf90c8803f5a53f76276fa69a4eae77f",
			"2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2", testnet},
		{[]uint32{hard + 84, hard, hard, 0, 0}, "0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c",
			"bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu", mainnet},
		{[]uint32{hard + 84, hard, hard, 0, 1}, "03e775fd51f0dfb8cd865d9ff1cca2a158cf651fe997fdc9fee9c1d3b5e995ea77",
			"bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g", mainnet},
		{[]uint32{hard + 84, hard, hard, 1, 0}, "03025324888e429ab8e3dbaf1f7802648b9cd01e9b418485c5fa4c1b9b5700e1a6",
			"bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el", mainnet},
		{[]uint32{hard + 86, hard, hard, 0, 0}, "cc8a4bc64d897bddc5fbc2f670f7a8ba0b386779106cf1223c6fc5d7cd6fc115",
			"bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr", mainnet},
		{[]uint32{hard + 86, hard, hard, 0, 1}, "83dfe85a3151d2517290da461fe2815591ef69f2b18a2ce63f01697a8b313145",
			"bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh", mainnet},
		{[]uint32{hard + 86, hard, hard, 1, 0}, "399f1b2f4393f29a18c937859c5dd8a77350103157eb880f02e8c08214277cef",
			"bc1p3qkhfews2uk44qtvauqyr2ttdsw7svhkl9nkm9s9c3x4ax5h60wqwruhk7", mainnet},
	}
	keys := make([][]byte, len(vectors))
	for i, v := range vectors {
		key, err := hdkeychain.NewMaster(seed, v.network.Params)
		if err != nil {
			t.Fatal(err)
		}
		for _, child := range v.path {
			if key, err = key.Derive(child); err != nil {
				t.Fatal(err)
			}
		}
		public, err := key.ECPubKey()
		if err != nil {
			t.Fatal(err)
		}
		keys[i] = public.SerializeCompressed()
		if want := unhex(t, v.key); !bytes.Equal(keys[i][33-len(want):], want) {
			t.Fatalf("%v derives %x", v.path, keys[i])
		}
	}
	for i, v := range vectors {
		a, err := ParseAddress(v.address, v.network)
		if err != nil {
			t.Fatal(err)
		}
		for k, key := range keys {
			if got := a.DerivesFrom(key); got != (k == i) {
				t.Errorf("%s from %x: %v", v.address, key, got)
			}
		}
		xonly, err := XOnly(keys[i])
		if err != nil || a.DerivesFrom(xonly) != (a.Type == P2TR) {
			t.Errorf("%s from the x-only key: %v", v.address, err)
		}
		if a.Type == P2TR { // the output key is not the internal key
			if a.DerivesFrom(a.Script[2:]) {
				t.Errorf("%s derives from its own output key", v.address)
			}
		}
		for _, bad := range [][]byte{nil, {}, keys[i][:31], append([]byte{4}, keys[i][1:]...),
			append(bytes.Clone(keys[i]), 0), make([]byte, 33), make([]byte, 32)} {
			if a.DerivesFrom(bad) {
				t.Errorf("%s derives from %x", v.address, bad)
			}
		}
	}
	multisig, err := ParseAddress("tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7", testnet)
	if err != nil || multisig.DerivesFrom(keys[0]) {
		t.Errorf("a p2wsh address derives from a key, or failed to parse: %v", err)
	}
}

func TestXOnly(t *testing.T) {
	const generator = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
	for _, text := range []string{generator, "02" + generator, "03" + generator} {
		if key, err := XOnly(unhex(t, text)); err != nil || hex.EncodeToString(key) != generator {
			t.Errorf("%s: %x, %v", text, key, err)
		}
	}
	offCurve := strings.Repeat("00", 31) + "05"
	for _, text := range []string{"", "02", offCurve, "02" + offCurve, "04" + generator, "05" + generator,
		strings.Repeat("ff", 32), "04" + generator + generator} {
		if key, err := XOnly(unhex(t, text)); err == nil {
			t.Errorf("%s: %x, want an error", text, key)
		}
	}
}
