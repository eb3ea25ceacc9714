package message

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/address/v2"
	"github.com/btcsuite/btcd/address/v2/bech32"
	"github.com/btcsuite/btcd/chaincfg/v2"
	"github.com/btcsuite/btcd/txscript/v2"
)

const sampleText = "Stake 1.5 LOBO\nwith a second line, and ümläuts"

var (
	mainnet  = &chaincfg.MainNetParams
	owner    = keyNamed("owner")
	attacker = keyNamed("attacker")
)

func TestEveryTypeAndFormVerifies(t *testing.T) {
	texts := []string{"", sampleText, strings.Repeat("long ", 100)}
	networks := []*chaincfg.Params{mainnet, &chaincfg.TestNet3Params, &chaincfg.SigNetParams,
		&chaincfg.RegressionNetParams}
	for _, c := range kinds {
		for _, params := range networks {
			for _, text := range texts {
				for form, signature := range proofs(t, c, owner, c.script(owner), text) {
					if err := Verify(c.address(t, owner, params), params, text, signature); err != nil {
						t.Errorf("%s %s %s: %v", c.name, form, params.Name, err)
					}
				}
			}
		}
	}
}

// TestForeignSignatures verifies signatures published by other software: Bitcoin Core's test of verifymessage, a
// BIP-137 header, simple signatures of a p2sh-p2wpkh address (not covered by BIP-322), and Taproot with an explicit
// SIGHASH_ALL.
func TestForeignSignatures(t *testing.T) {
	for _, v := range []struct{ address, text, signature string }{
		{"15CRxFdyRpGZLW9w8HnHvVduizdL5jKNbs", "Trust no one",
			"IPojfrX2dfPnH26UegfbGQQLrdK844DlHq5157/P6h57WyuS/Qsl+h/WSVGDF4MUi4rWSswW38oimDYfNNUBUOk="},
		{"11canuhp9X2NocwCq7xNrQYTmUgZAnLK3", "Trust me",
			"IIcaIENoYW5jZWxsb3Igb24gYnJpbmsgb2Ygc2Vjb25kIGJhaWxvdXQgZm9yIGJhbmtzIAaHRtbCeDZINyavx14="},
		{"bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l", "legacy label check#1",
			"KJIp/6BfDrO7CPMCv1Y+uM9kLn1L8y5h/i6pF9fWHx9xc63teDv6pX2Z0L8g6k5eBBXJPKpkMAh65AZVLWo9XZQ="},
		{"37qyp7jQAzqb2rCBpMvVtLDuuzKAUCVnJb", "",
			"AkgwRQIhAJFXl+/g7w+UDxvGex2KulmFJshHi02gQZXGRpZ+9bapAiB5Q/ikazTS7FMewqVFil3R" +
				"LkEErUZ25k6f/xYThoQXogEhAsfxIAMZZEKUPYWI4BruhAQjzFT8FSFSajuFwrDL1Yhy"},
		{"37qyp7jQAzqb2rCBpMvVtLDuuzKAUCVnJb", "Hello World",
			"AkcwRAIgRfq2Gfv9guFcXAf2vQEJSHX8FP5OuiHs1DSK1I0wk/0CIGPzqm6QNPTDJuki148OQ2Db" +
				"JtXyrr71s4xYPwogQUupASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI="},
		{"bc1ppv609nr0vr25u07u95waq5lucwfm6tde4nydujnu8npg4q75mr5sxq8lt3", "Hello World",
			"AUHd69PrJQEv+oKTfZ8l+WROBHuy9HKrbFCJu7U1iK2iiEy1vMU5EfMtjc+VSHM7aU0SDbak5IUZRVno2P5mjSafAQ=="},
	} {
		if err := Verify(v.address, mainnet, v.text, v.signature); err != nil {
			t.Errorf("%s: %v", v.address, err)
		}
		if err := Verify(v.address, mainnet, v.text+" ", v.signature); !errors.Is(err, ErrSignature) {
			t.Errorf("%s with another text: %v", v.address, err)
		}
	}
}

// TestAttackersKey checks that valid signatures of an attacker, made for the owner's address or the attacker's own, do
// not verify for the owner's address of any type.
func TestAttackersKey(t *testing.T) {
	for _, victim := range kinds {
		target := victim.address(t, owner, mainnet)
		for _, c := range kinds {
			for whose, script := range map[string][]byte{"owner's": victim.script(owner), "own": c.script(attacker)} {
				for form, signature := range proofs(t, c, attacker, script, sampleText) {
					if err := Verify(target, mainnet, sampleText, signature); !errors.Is(err, ErrSignature) {
						t.Errorf("%s address, %s %s over the %s script: %v", victim.name, c.name, form, whose, err)
					}
				}
			}
		}
	}
}

// TestAttackersSignatureWithOwnersKey checks that an attacker's signature does not verify with the owner's public key
// in the witness.
func TestAttackersSignatureWithOwnersKey(t *testing.T) {
	for _, c := range []kind{p2wpkh, nested} {
		d := newDraft(c.script(owner), sampleText)
		witness := [][]byte{d.ecdsaV0(attacker, 1), owner.compressed()}
		for _, signature := range []string{
			encode("smp", stack(witness)),
			encode("ful", d.bytes(nil, witness)),
			encode("ful", d.bytes(sized(p2wpkh.script(owner)), witness)),
		} {
			if err := Verify(c.address(t, owner, mainnet), mainnet, sampleText, signature); !errors.Is(err, ErrSignature) {
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}
}

// TestMutatedSignature checks that a change of any bit of a signature or of any letter of its text makes the signature
// invalid.
func TestMutatedSignature(t *testing.T) {
	const letters = "ABab01+/="
	for _, c := range kinds {
		target := c.address(t, owner, mainnet)
		for form, signature := range proofs(t, c, owner, c.script(owner), sampleText) {
			prefix := signature[:len(signature)-len(strings.TrimPrefix(strings.TrimPrefix(signature, "smp"), "ful"))]
			raw, err := base64.StdEncoding.DecodeString(signature[len(prefix):])
			if err != nil {
				t.Fatal(err)
			}
			for i := range raw {
				for bit := range 8 {
					changed := bytes.Clone(raw)
					changed[i] ^= 1 << bit
					refuse(t, c, fmt.Sprintf("%s bit %d of byte %d", form, bit, i), target, sampleText, encode(prefix, changed),
						signature)
				}
			}
			for i := range signature {
				for _, letter := range letters {
					changed := signature[:i] + string(letter) + signature[i+1:]
					if changed != signature {
						refuse(t, c, fmt.Sprintf("%s %q at %d", form, letter, i), target, sampleText, changed, signature)
					}
				}
				refuse(t, c, fmt.Sprintf("%s without letter %d", form, i), target, sampleText, signature[:i]+signature[i+1:],
					signature)
			}
		}
	}
}

// refuse fails the test if the changed signature verifies. One change is allowed: another header of a compact signature
// for a segwit address with the same recovery number identifies the same key.
func refuse(t *testing.T, c kind, what, target, text, changed, original string) {
	t.Helper()
	err := Verify(target, mainnet, text, changed)
	if errors.Is(err, ErrSignature) || errors.Is(err, ErrFormat) {
		return
	}
	was, _ := base64.StdEncoding.DecodeString(original)
	is, _ := base64.StdEncoding.DecodeString(changed)
	if err == nil && (c.name == p2wpkh.name || c.name == nested.name) && len(was) == legacySize && len(is) == legacySize &&
		bytes.Equal(was[1:], is[1:]) && (was[0]-headerFirst)%4 == (is[0]-headerFirst)%4 {
		return
	}
	t.Errorf("%s %s: got %v, want ErrSignature or ErrFormat", c.name, what, err)
}

func TestMutatedTextAndAddress(t *testing.T) {
	const alphabet = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	for _, c := range kinds {
		target := c.address(t, owner, mainnet)
		for form, signature := range proofs(t, c, owner, c.script(owner), sampleText) {
			others := []string{"", sampleText + "\n", sampleText + " ", " " + sampleText, sampleText + "\x00",
				strings.ReplaceAll(sampleText, "\n", "\r\n"), strings.ToUpper(sampleText)}
			for i := range sampleText {
				changed := []byte(sampleText)
				changed[i] ^= 1
				others = append(others, string(changed))
			}
			for _, text := range others {
				if err := Verify(target, mainnet, text, signature); !errors.Is(err, ErrSignature) {
					t.Errorf("%s %s with text %q: %v", c.name, form, text, err)
				}
			}
			for i := range target {
				for _, letter := range alphabet {
					changed := target[:i] + string(letter) + target[i+1:]
					if changed == target {
						continue
					}
					if err := Verify(changed, mainnet, sampleText, signature); err == nil {
						t.Errorf("%s %s verifies for the changed address %s", c.name, form, changed)
					}
				}
			}
		}
	}
}

// TestSighashTypes checks that signatures with a sighash type that does not commit to the whole transaction are
// rejected.
func TestSighashTypes(t *testing.T) {
	for _, c := range []kind{p2tr, p2wpkh, nested} {
		d := newDraft(c.script(owner), sampleText)
		target := c.address(t, owner, mainnet)
		for _, sighash := range []byte{0x01, 0x02, 0x03, 0x81, 0x82, 0x83} {
			if sighash&3 == 3 && c.name != p2tr.name {
				continue // the test signer does not implement BIP-143's SINGLE
			}
			witness := [][]byte{d.ecdsaV0(owner, sighash), owner.compressed()}
			scriptSig := []byte(nil)
			switch c.name {
			case p2tr.name:
				witness = [][]byte{d.schnorr(t, owner, sighash)}
			case nested.name:
				scriptSig = sized(p2wpkh.script(owner))
			}
			raw := d.bytes(scriptSig, witness)
			tx, err := readToSign(raw)
			if err != nil {
				t.Fatal(err)
			}
			if err := execute(d.script, tx); err != nil {
				t.Fatalf("%s: the test's own signature of type %#x is wrong: %v", c.name, sighash, err)
			}
			for _, signature := range []string{encode("smp", stack(witness)), encode("", stack(witness)), encode("ful", raw)} {
				err := Verify(target, mainnet, sampleText, signature)
				if sighash == 0x01 && err != nil {
					t.Errorf("%s with ALL: %v", c.name, err)
				}
				if sighash != 0x01 && (!errors.Is(err, ErrSignature) || !strings.Contains(err.Error(), "sighash")) {
					t.Errorf("%s with %#x: %v", c.name, sighash, err)
				}
			}
		}
	}
}

// TestFullTransaction checks which contents of to_sign a full signature may have. Every variant is correctly signed.
func TestFullTransaction(t *testing.T) {
	target := p2tr.address(t, owner, mainnet)
	sign := func(change func(*draft)) string {
		d := newDraft(p2tr.script(owner), sampleText)
		change(&d)
		return encode("ful", d.bytes(nil, [][]byte{d.schnorr(t, owner, 0)}))
	}
	good := map[string]func(*draft){
		"version 2":              func(d *draft) { d.version = 2 },
		"lock time and sequence": func(d *draft) { d.version, d.lockTime, d.sequence = 2, 2016, 2016 },
	}
	bad := map[string]func(*draft){
		"version 1":           func(d *draft) { d.version = 1 },
		"version -1":          func(d *draft) { d.version = 0xffffffff },
		"a value":             func(d *draft) { d.output[0] = 1 },
		"a payment":           func(d *draft) { d.output = join(make([]byte, 8), sized(p2tr.script(attacker))) },
		"data":                func(d *draft) { d.output = join(make([]byte, 8), []byte{3, 0x6a, 1, 1}) },
		"another output":      func(d *draft) { d.outpoint[32] = 1 },
		"another transaction": func(d *draft) { d.outpoint[0] ^= 1 },
	}
	for what, change := range good {
		if err := Verify(target, mainnet, sampleText, sign(change)); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	for what, change := range bad {
		if err := Verify(target, mainnet, sampleText, sign(change)); !errors.Is(err, ErrSignature) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestOneEncodingOnly checks that encodings that a lenient parser would accept as the same signature are rejected.
func TestOneEncodingOnly(t *testing.T) {
	target := p2tr.address(t, owner, mainnet)
	d := newDraft(p2tr.script(owner), sampleText)
	witness := [][]byte{d.schnorr(t, owner, 0)}
	whole, simpleRaw := d.bytes(nil, witness), stack(witness)
	text := encode("", simpleRaw)
	old := newDraft(p2pkh.script(owner), sampleText)
	for what, signature := range map[string]string{
		"trailing byte":            encode("smp", join(simpleRaw, []byte{0})),
		"long count":               encode("smp", join([]byte{0xfd, 1, 0}, simpleRaw[1:])),
		"long size":                encode("smp", join([]byte{1, 0xfe, 64, 0, 0, 0}, simpleRaw[2:])),
		"huge count":               encode("smp", bytes.Repeat([]byte{0xff}, 9)),
		"empty witness":            encode("smp", []byte{0}),
		"empty":                    "",
		"only a prefix":            "smp",
		"line break":               text[:4] + "\n" + text[4:],
		"final line break":         text + "\n",
		"space":                    " " + text,
		"url alphabet":             strings.NewReplacer("+", "-", "/", "_").Replace(text) + "-",
		"without padding":          strings.TrimRight(encode("", join(simpleRaw, []byte{0})), "="),
		"full as simple":           encode("smp", whole),
		"simple as full":           encode("ful", simpleRaw),
		"full with trailing byte":  encode("ful", join(whole, []byte{0})),
		"full cut short":           encode("ful", whole[:len(whole)-1]),
		"marker without a witness": encode("ful", join(make([]byte, 4), []byte{0, 1}, old.bytes(nil, nil)[4:])),
		"two inputs":               encode("ful", join(whole[:6], []byte{2}, whole[7:])),
		"no inputs":                encode("ful", join(whole[:6], []byte{0}, whole[7:])),
		"too long":                 strings.Repeat("A", maxSignature+1),
	} {
		if err := Verify(target, mainnet, sampleText, signature); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestAnnex checks that a witness with an annex is rejected: BIP-341 signatures cover it, but it has no defined meaning
// yet.
func TestAnnex(t *testing.T) {
	d := newDraft(p2tr.script(owner), sampleText)
	signature := encode("smp", stack([][]byte{d.schnorr(t, owner, 0), {0x50, 1}}))
	err := Verify(p2tr.address(t, owner, mainnet), mainnet, sampleText, signature)
	if !errors.Is(err, ErrSignature) || !strings.Contains(err.Error(), "annex") {
		t.Error(err)
	}
}

// TestLegacyHeaders checks which header groups of compact signatures each address type accepts.
func TestLegacyHeaders(t *testing.T) {
	allowed := map[string][]byte{
		p2pkhUncompressed.name: {27},
		p2pkh.name:             {31},
		nested.name:            {27, 31, 35, 39},
		p2wpkh.name:            {27, 31, 35, 39},
		p2tr.name:              {},
	}
	for _, c := range append(kinds, p2pkhUncompressed) {
		for first := byte(23); first <= 43; first += 4 {
			err := Verify(c.address(t, owner, mainnet), mainnet, sampleText, compact(owner, sampleText, first))
			if bytes.Contains(allowed[c.name], []byte{first}) {
				if err != nil {
					t.Errorf("%s, headers from %d: %v", c.name, first, err)
				}
			} else if !errors.Is(err, ErrSignature) && !errors.Is(err, ErrFormat) {
				t.Errorf("%s, headers from %d: %v", c.name, first, err)
			}
		}
	}
	for _, raw := range [][]byte{make([]byte, 64), bytes.Repeat([]byte{0xff}, 64)} {
		err := Verify(p2pkh.address(t, owner, mainnet), mainnet, sampleText, encode("", join([]byte{31}, raw)))
		if !errors.Is(err, ErrSignature) {
			t.Errorf("a signature of %x…: %v", raw[:2], err)
		}
	}
}

func TestAddresses(t *testing.T) {
	signature := proofs(t, p2tr, owner, p2tr.script(owner), sampleText)["bare"]
	upper := strings.ToUpper(p2tr.address(t, owner, mainnet))
	if err := Verify(upper, mainnet, sampleText, signature); err != nil {
		t.Errorf("upper case: %v", err)
	}
	anchor, err := address.NewAddressPayToAnchor(mainnet)
	if err != nil {
		t.Fatal(err)
	}
	// A version 1 program with the 20 bytes of the owner's p2wpkh program is not the owner's.
	words, err := bech32.ConvertBits(address.Hash160(owner.compressed()), 8, 5, true)
	if err != nil {
		t.Fatal(err)
	}
	odd, err := bech32.EncodeM("bc", append([]byte{1}, words...))
	if err != nil {
		t.Fatal(err)
	}
	for what, text := range map[string]string{
		"empty":                 "",
		"public key":            fmt.Sprintf("%x", owner.compressed()),
		"pay to anchor":         anchor.EncodeAddress(),
		"odd version 1 program": odd,
		"mixed case":            upper[:10] + strings.ToLower(upper[10:]),
		"regtest":               p2tr.address(t, owner, &chaincfg.RegressionNetParams),
		"testnet":               p2tr.address(t, owner, &chaincfg.TestNet3Params),
		"regtest p2pkh":         p2pkh.address(t, owner, &chaincfg.RegressionNetParams),
		"space":                 p2tr.address(t, owner, mainnet) + " ",
	} {
		for _, s := range []string{signature, proofs(t, p2wpkh, owner, p2wpkh.script(owner), sampleText)["bare"]} {
			if err := Verify(text, mainnet, sampleText, s); !errors.Is(err, ErrFormat) {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
	if err := Verify(p2tr.address(t, owner, mainnet), nil, sampleText, signature); !errors.Is(err, ErrFormat) {
		t.Errorf("no network: %v", err)
	}
	if err := Verify(p2tr.address(t, owner, mainnet), &chaincfg.RegressionNetParams, sampleText,
		signature); !errors.Is(err, ErrFormat) {
		t.Errorf("mainnet address on regtest: %v", err)
	}
}

// TestTimeLockedScript checks that a script that executes a time lock is rejected even if to_sign satisfies the lock: a
// key that is valid only after a year does not prove ownership today.
func TestTimeLockedScript(t *testing.T) {
	locked := join([]byte{0x52, txscript.OP_CHECKSEQUENCEVERIFY, txscript.OP_DROP}, sized(owner.compressed()),
		[]byte{txscript.OP_CHECKSIG})
	script := join([]byte{0x00, 0x20}, sha(locked))
	a, err := address.NewAddressWitnessScriptHash(sha(locked), mainnet)
	if err != nil {
		t.Fatal(err)
	}
	d := newDraft(script, sampleText)
	d.version, d.sequence = 2, 2
	err = Verify(a.EncodeAddress(), mainnet, sampleText,
		encode("ful", d.bytes(nil, [][]byte{d.ecdsaV0(owner, 1), locked})))
	if !errors.Is(err, ErrSignature) || !strings.Contains(err.Error(), "reserved") {
		t.Error(err)
	}
}

func BenchmarkVerify(b *testing.B) {
	for _, c := range kinds {
		target := c.address(b, owner, mainnet)
		for form, signature := range proofs(b, c, owner, c.script(owner), sampleText) {
			b.Run(c.name+"/"+form, func(b *testing.B) {
				for b.Loop() {
					if err := Verify(target, mainnet, sampleText, signature); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
