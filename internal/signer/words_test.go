package signer_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moonfund/internal/signer"
	"moonfund/internal/testkit"
)

// The English test vectors of BIP-39: entropy and words.
var wordVectors = [][2]string{
	{"00000000000000000000000000000000", "abandon abandon abandon abandon abandon abandon abandon abandon abandon " +
		"abandon abandon about"},
	{"7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f", "legal winner thank year wave sausage worth useful legal winner thank yellow"},
	{"80808080808080808080808080808080",
		"letter advice cage absurd amount doctor acoustic avoid letter advice cage above"},
	{"ffffffffffffffffffffffffffffffff", "zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong"},
	{"0000000000000000000000000000000000000000000000000000000000000000", strings.Repeat("abandon ", 23) + "art"},
	{"7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f", "legal winner thank year wave sausage worth " +
		"useful legal winner thank year wave sausage worth useful legal winner thank year wave sausage worth title"},
	{"8080808080808080808080808080808080808080808080808080808080808080", "letter advice cage absurd amount doctor " +
		"acoustic avoid letter advice cage absurd amount doctor acoustic avoid letter advice cage absurd amount doctor " +
		"acoustic bless"},
	{"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", strings.Repeat("zoo ", 23) + "vote"},
	{"9e885d952ad362caeb4efe34a8e91bd2", "ozone drill grab fiber curtain grace pudding thank cruise elder eight picnic"},
	{"68a79eaca2324873eacc50cb9c6eca8cc68ea5d936f98787c60c7ebc74e6ce7c", "hamster diagram private dutch cause delay " +
		"private meat slide toddler razor book happy fancy gospel tennis maple dilemma loan word shrug inflict delay length"},
	{"f585c11aec520db57dd353c69554b21a89b20fb0650966fa0a9d6f74fd989d8f", "void come effort suffer camp survey warrior " +
		"heavy shoot primary clutch crush open amazing screen patrol group space point ten exist slush involve unfold"},
}

func TestWords(t *testing.T) {
	list, err := os.ReadFile("words.txt")
	testkit.Must(t, err)
	if sum := sha256.Sum256(list); hex.EncodeToString(
		sum[:]) != "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda" {
		t.Error("the word list is not the one of BIP-39")
	}
	for _, v := range wordVectors {
		seed, err := hex.DecodeString(v[0])
		testkit.Must(t, err)
		words, err := signer.Words(seed)
		if got := strings.Join(words, " "); err != nil || got != v[1] {
			t.Errorf("Words(%s): got %q, %v, want %q", v[0], got, err, v[1])
		}
		back, err := signer.BytesOf(strings.Fields(strings.ToUpper(v[1])))
		if err != nil || !slices.Equal(back, seed) {
			t.Errorf("BytesOf(%q): got %x, %v, want %s", v[1], back, err, v[0])
		}
	}
}

// TestWrongWords checks that a wrong, missing or misplaced word is detected and not repeated in the error.
func TestWrongWords(t *testing.T) {
	good := strings.Fields(wordVectors[9][1])
	changed := func(change func([]string) []string) []string { return change(slices.Clone(good)) }
	for why, bad := range map[string][]string{
		"these are 23 words":           good[:23],
		"these are 27 words":           append(slices.Clone(good), good[:3]...),
		"these are 0 words":            nil,
		"word 3 is not one of":         changed(func(w []string) []string { w[2] = "hunter2"; return w }),
		"the checksum of the words":    changed(func(w []string) []string { w[0], w[1] = w[1], w[0]; return w }),
		"the checksum of the words is": changed(func(w []string) []string { w[23] = "zoo"; return w }),
	} {
		if _, err := signer.BytesOf(bad); err == nil || !strings.HasPrefix(err.Error(), why) ||
			strings.Contains(err.Error(), "hunter2") {
			t.Errorf("BytesOf(%v): got error %v, want %q", bad, err, why)
		}
	}
	for _, n := range []int{0, 8, 15, 17, 33, 64} {
		if _, err := signer.Words(make([]byte, n)); err == nil {
			t.Errorf("Words accepted %d bytes", n)
		}
	}
}

// TestReencrypt checks that a re-encrypted file opens with the new passphrase only and contains the same key, and that
// the old file is kept aside, readable by its owner only.
func TestReencrypt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	keys, err := signer.NewKeyFile(path, "the old one")
	testkit.Must(t, err)
	before, err := os.ReadFile(path)
	testkit.Must(t, err)
	if _, err := signer.Reencrypt(path, "a wrong one", "the new one"); err == nil {
		t.Error("a wrong passphrase was accepted")
	}
	if _, err := signer.Reencrypt(path, "the old one", "short"); err == nil {
		t.Error("a short passphrase was accepted")
	}
	aside, err := signer.Reencrypt(path, "the old one", "the new one")
	testkit.Must(t, err)
	if _, err := signer.OpenKeyFile(path, "the old one"); err == nil {
		t.Error("the old passphrase still opens the file")
	}
	again, err := signer.OpenKeyFile(path, "the new one")
	testkit.Must(t, err)
	if again.Fingerprint() != keys.Fingerprint() {
		t.Error("the file holds another key")
	}
	kept, err := os.ReadFile(aside)
	testkit.Must(t, err)
	if string(kept) != string(before) {
		t.Error("the old file was changed")
	}
	if _, err := signer.Reencrypt(path, "the new one", "a third one"); err == nil ||
		!strings.Contains(err.Error(), "old") {
		t.Errorf("second Reencrypt before the first one is confirmed: got error %v", err)
	}
	salts := map[string]bool{}
	for _, file := range []string{path, aside} {
		info, err := os.Stat(file)
		testkit.Must(t, err)
		data, err := os.ReadFile(file)
		testkit.Must(t, err)
		salts[string(data[strings.Index(string(data), `"salt"`):][:40])] = true
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %o", file, info.Mode().Perm())
		}
	}
	if len(salts) != 2 {
		t.Error("the salt did not change")
	}
	left, err := os.ReadDir(filepath.Dir(path))
	testkit.Must(t, err)
	if len(left) != 2 {
		t.Errorf("%d files are left behind", len(left))
	}
}
