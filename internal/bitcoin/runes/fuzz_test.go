package runes

import (
	"encoding/hex"
	"errors"
	"strings"
	"testing"
)

// everyNth limits the seed corpus to every eighth vector, to keep fuzzing runs short.
// TestReferenceVectors reads all vectors.
const everyNth = 8

// FuzzDecipher decodes arbitrary bytes as a runestone. The result must equal the result of the oracle, which implements
// the reference's rules, and encode and decode to itself.
func FuzzDecipher(f *testing.F) {
	for i, v := range readVectors(f) {
		if i%everyNth == 0 {
			f.Add(v.script, v.plain)
		}
	}
	f.Add([]byte{0x6a, 0x5d, 0x4d, 0xff, 0xff}, 0)
	f.Fuzz(func(t *testing.T, script []byte, plain int) {
		plain &= 7
		a := Decipher(carrier(script, plain))
		got, err := describe(a)
		if err != nil {
			t.Fatalf("a decoded runestone cannot be encoded: %v", err)
		}
		meaning, written := got, ""
		if a != nil && a.Runestone != nil {
			end := strings.LastIndex(got, " ")
			meaning, written = got[:end], got[end+1:]
		}
		if want := oracle(script, plain+1); meaning != want {
			t.Fatalf("%x with %d outputs\n got %s\nwant %s", script, plain+1, meaning, want)
		}
		if written == "" {
			return
		}
		script, err = hex.DecodeString(written)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := describe(Decipher(carrier(script, plain))); err != nil || again != got {
			t.Errorf("%s\nencodes and decodes to\n%s %v", got, again, err)
		}
	})
}

// FuzzNames parses arbitrary text as a rune's name, a spaced name and a rune id. Accepted text must have exactly one
// canonical form, which parses to the same value.
func FuzzNames(f *testing.F) {
	for _, text := range []string{
		"A", "Z", "AA", "LOBO•THE•WOLF•PUP", "LOBO.THE.WOLF.PUP", "UNCOMMON•GOODS", "BCGDENLQRQWDSLRUGSNLBTMFIJAV",
		"BCGDENLQRQWDSLRUGSNLBTMFIJAW",
		"AAAAAAAAAAAAAAAAAAAAAAAAAAA", strings.Repeat("A•", 27) + "A", strings.Repeat("Z", 29), "•A", "A•",
		"A••A", "A.•A", "a", "Ａ", "", "\xff",
		"840000:35", "0:0", "0:1", "1:0", "18446744073709551615:4294967295", "18446744073709551616:0", "1:4294967296",
		"01:002", "+1:2", "1:2:3", "1:", " 1:2",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if name, err := ParseName(text); err == nil && name.String() != text {
			t.Errorf("the name %q is written %q", text, name)
		} else if err != nil && !errors.Is(err, ErrName) {
			t.Errorf("an error of another kind: %v", err)
		}
		spaced, err := ParseSpacedName(text)
		if err == nil && spaced.String() != strings.ReplaceAll(text, ".", "•") {
			t.Errorf("the name %q is written %q", text, spaced)
		} else if err != nil && !errors.Is(err, ErrName) {
			t.Errorf("an error of another kind: %v", err)
		}
		id, err := ParseID(text)
		if err != nil {
			if !errors.Is(err, ErrID) {
				t.Errorf("an error of another kind: %v", err)
			}
			return
		}
		if again, err := ParseID(id.String()); err != nil || again != id || id.Block == 0 && id.Tx != 0 {
			t.Errorf("the id %q parses to %v, whose text parses to %v, %v", text, id, again, err)
		}
	})
}
