package message

import (
	"errors"
	"testing"
)

// FuzzVerify looks for a panic, for an error of another kind, and for a text
// that the owner never signed.
func FuzzVerify(f *testing.F) {
	targets := make([]string, len(kinds))
	for i, c := range kinds {
		targets[i] = c.address(f, owner, mainnet)
		for _, signature := range proofs(f, c, owner, c.script(owner), sampleText) {
			f.Add(byte(i), "", sampleText, signature)
			f.Add(byte(i), targets[i], sampleText+".", signature)
		}
	}
	for _, name := range vectorFiles {
		all := readVectors(f, name)
		for _, v := range append(all.Full, all.ProofsOfFunds...) {
			f.Add(byte(0), v.Address, v.Message, v.Signatures[0])
		}
		for _, v := range all.Error {
			f.Add(byte(0), v.Address, v.Message, v.Signature)
		}
	}
	f.Fuzz(func(t *testing.T, which byte, anyAddress, text, signature string) {
		for _, target := range []string{anyAddress, targets[int(which)%len(targets)]} {
			err := Verify(target, mainnet, text, signature)
			if err == nil && target != anyAddress && text != sampleText {
				t.Errorf("%s: %q was never signed", target, text)
			}
			if err != nil && !errors.Is(err, ErrFormat) && !errors.Is(err, ErrSignature) {
				t.Errorf("an error of another kind: %v", err)
			}
		}
	})
}

// FuzzParse looks for a panic and for a text that is not in its exact form.
func FuzzParse(f *testing.F) {
	f.Add(sampleIntentText)
	cancel := sampleIntent()
	cancel.Action, cancel.Order, cancel.Status = Cancel, "po_1", "PENDING"
	f.Add(cancel.Text())
	f.Fuzz(func(t *testing.T, text string) {
		x, err := Parse(text)
		if err == nil && x.Text() != text {
			t.Errorf("%q was taken for\n%s", text, x.Text())
		}
		if err != nil && !errors.Is(err, ErrIntent) {
			t.Errorf("an error of another kind: %v", err)
		}
	})
}
