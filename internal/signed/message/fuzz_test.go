package message

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/chaincfg/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

// FuzzVerify checks that Verify does not panic, returns only its documented errors, accepts no text that the owner did
// not sign, and accepts no signature for two addresses.
func FuzzVerify(f *testing.F) {
	otherKey := keyNamed("otherKey")
	targets, others := make([]string, len(kinds)), make([]string, len(kinds))
	for i, c := range kinds {
		targets[i], others[i] = c.address(f, owner, mainnet), c.address(f, otherKey, mainnet)
		signed := proofs(f, c, owner, c.script(owner), sampleText)
		signed["foreign"] = proofs(f, c, otherKey, c.script(owner), sampleText)["full"]
		for _, signature := range signed {
			f.Add(byte(i), "", sampleText, signature)
			f.Add(byte(i), targets[i], sampleText+".", signature)
			f.Add(byte(i), c.address(f, owner, &chaincfg.TestNet3Params), sampleText, signature)
			f.Add(byte(i), "", sampleText, signature[:len(signature)-4])
		}
		for _, sighash := range []byte{0, 1, 2, 3, 0x81, 0x83} { // Taproot sighash types, for every address type
			d := newDraft(c.script(owner), sampleText)
			f.Add(byte(i), "", sampleText, encode("", stack([][]byte{d.schnorr(f, owner, sighash)})))
			f.Add(byte(i), "", sampleText, encode("", stack([][]byte{d.schnorr(f, owner, sighash), {0x50, 1}})))
			f.Add(byte(i), "", sampleText, encode("", stack([][]byte{d.ecdsaV0(owner, sighash), owner.compressed()})))
		}
		for header := byte(27); header <= 39; header += 4 {
			f.Add(byte(i), "", sampleText, compact(owner, sampleText, header))
		}
	}
	for _, name := range vectorFiles {
		all := readVectors(f, name)
		for _, v := range append(append(all.Simple, all.Full...), all.ProofsOfFunds...) {
			for _, signature := range v.Signatures {
				f.Add(byte(0), v.Address, v.Message, signature)
			}
		}
		for _, v := range all.Error {
			f.Add(byte(0), v.Address, v.Message, v.Signature)
		}
	}
	f.Fuzz(func(t *testing.T, which byte, anyAddress, text, signature string) {
		i := int(which) % len(targets)
		for _, target := range []string{anyAddress, targets[i]} {
			err := Verify(target, mainnet, text, signature)
			if err != nil && !errors.Is(err, ErrFormat) && !errors.Is(err, ErrSignature) {
				t.Errorf("an error of another kind: %v", err)
			}
			if err != nil || target != targets[i] {
				continue
			}
			if text != sampleText {
				t.Errorf("%s: Verify accepts %q, which was not signed", target, text)
			}
			for _, other := range others {
				if Verify(other, mainnet, text, signature) == nil {
					t.Errorf("a signature for %s is also valid for %s", target, other)
				}
			}
		}
	})
}

// FuzzEnvelope parses arbitrary bytes as a BIP-322 signature: a witness stack, and a whole to_sign transaction. What
// parses must encode to the same bytes, and btcd must decode it to the same transaction.
func FuzzEnvelope(f *testing.F) {
	for _, c := range kinds {
		for _, signature := range proofs(f, c, owner, c.script(owner), sampleText) {
			if _, raw, err := decode(signature); err == nil {
				f.Add(raw)
				f.Add(raw[:len(raw)-1])
				f.Add(append(bytes.Clone(raw), 0))
			}
		}
	}
	for _, name := range vectorFiles {
		all := readVectors(f, name)
		for _, v := range append(append(all.Simple, all.Full...), all.ProofsOfFunds...) {
			if _, raw, err := decode(strings.TrimPrefix(v.Signatures[0], "pof")); err == nil {
				f.Add(raw)
			}
		}
	}
	f.Add([]byte{0xfd, 1, 0, 0})                                           // a count that is not in its shortest form
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}) // more items than bytes
	f.Fuzz(func(t *testing.T, raw []byte) {
		r := reader{rest: raw}
		witness := r.witness()
		if r.end() == nil {
			var again bytes.Buffer
			_ = wire.WriteVarInt(&again, 0, uint64(len(witness))) // a bytes.Buffer never fails
			for _, item := range witness {
				_ = wire.WriteVarBytes(&again, 0, item)
			}
			if !bytes.Equal(again.Bytes(), raw) {
				t.Errorf("the witness %x encodes to %x", raw, again.Bytes())
			}
		}
		tx, err := readToSign(raw)
		if err != nil {
			return
		}
		var again bytes.Buffer
		_ = tx.Serialize(&again)
		known := wire.NewMsgTx(0)
		if err := known.Deserialize(bytes.NewReader(raw)); err != nil || known.TxHash() != tx.TxHash() ||
			known.WitnessHash() != tx.WitnessHash() {
			t.Errorf("btcd decodes %x to another transaction, %v, %v", raw, known, err)
		}
		if !bytes.Equal(again.Bytes(), raw) {
			t.Errorf("%x encodes to %x", raw, again.Bytes())
		}
	})
}

// FuzzParse checks that Parse does not panic and accepts only texts in their exact form, which parse to the same Intent
// again.
func FuzzParse(f *testing.F) {
	f.Add(sampleIntentText)
	for _, action := range actions {
		x := sampleIntent()
		x.Action = action
		if action == Cancel {
			x.Order, x.Status, x.Seen = "po_1", "PENDING", 12345
		}
		f.Add(x.Text())
		f.Add(strings.Replace(x.Text(), "\n", "\r\n", 1))
		x.Follows = append(x.Follows, "- Payment: bc1", "Nonce: k3J9-x_0aBcDeFgH", "Units: 9 (1 base units)")
		f.Add(x.Text())
	}
	longest := sampleIntent()
	longest.Follows = nil
	for range maxFollows {
		longest.Follows = append(longest.Follows, strings.Repeat("x", maxFollowLine))
	}
	f.Add(longest.Text())
	for from, to := range map[string]string{
		"Units: 2": "Units: 02", "150000000 base": "+150000000 base", "1.5 LOBO (": "1.50 LOBO (", "WITHDRAW": "CANCEL",
		"12:31:00 UTC":    "12:31:00 CET",
		"Sum: 1.5 LOBO (": "Sum: 1.5 LOBO (1 base units) (", "2026-11-21": "2026-11-31", "regtest": "regtest ",
		"Nonce": "nonce", "lobo.localhost": "lоbo.localhost",
	} {
		f.Add(strings.Replace(sampleIntentText, from, to, 1))
	}
	f.Fuzz(func(t *testing.T, text string) {
		x, err := Parse(text)
		if err != nil {
			if !errors.Is(err, ErrIntent) {
				t.Errorf("an error of another kind: %v", err)
			}
			return
		}
		if x.Text() != text || x.Check() != nil {
			t.Errorf("Parse accepts %q as\n%s", text, x.Text())
		}
		if again, err := Parse(x.Text()); err != nil || !reflect.DeepEqual(again, x) {
			t.Errorf("the text of %+v parses to %+v, %v", x, again, err)
		}
	})
}
