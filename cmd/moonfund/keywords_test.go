package main

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/operate/custody"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/server/wiring"
	"moonfund/internal/signer"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

const passed = "the right one"

// TestWordsMakeTheKeyAgain converts a key to words and back without a network. The new file has the same key, and no
// output or leftover file contains a word or the seed.
func TestWordsMakeTheKeyAgain(t *testing.T) {
	dir := t.TempDir()
	first, second := filepath.Join(dir, "first"), filepath.Join(dir, "second")
	t.Setenv(terminal.PassphraseVariable, passed)
	_, err := command(t, "", "key", "new", first)
	testkit.Must(t, err)
	secret, err := signer.ReadSecret(first, passed)
	testkit.Must(t, err)
	seed := secret.Bytes
	words, err := secret.Words()
	testkit.Must(t, err)
	if text, err := command(t, "", "key", "backup", first); err == nil || text != "" {
		t.Errorf("the words were written to a pipe: %v", err)
	}
	stderr, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	testkit.Must(t, err)
	kept := os.Stderr
	os.Stderr = stderr
	text, err := command(t, strings.Join(words[:11], " ")+"\n"+strings.Join(words[11:], "  ")+"\n", "key", "restore",
		"--scheme", "seed", second)
	os.Stderr = kept
	testkit.Must(t, err)
	one, err := command(t, "", "key", "check", first, "--json")
	testkit.Must(t, err)
	two, err := command(t, "", "key", "check", second, "--json")
	testkit.Must(t, err)
	if one != two {
		t.Errorf("the restored key is %s, want %s", two, one)
	}
	if _, err := command(t, strings.Join(words, " "), "key", "restore", second); err == nil ||
		!strings.Contains(err.Error(), "not overwritten") {
		t.Errorf("restore over an existing file: got error %v", err)
	}
	said, err := os.ReadFile(stderr.Name())
	testkit.Must(t, err)
	written, err := os.ReadFile(second)
	testkit.Must(t, err)
	all := text + string(said) + one + two + string(written)
	for i := range 20 {
		if strings.Contains(all, strings.Join(words[i:i+4], " ")) {
			t.Error("the output or a file contains words of the seed")
		}
	}
	if strings.Contains(all, hex.EncodeToString(seed)) || bytes.Contains(written, seed) {
		t.Error("the output or a file contains the seed")
	}
}

// TestRotatePassphrase checks that the file gets a new passphrase and salt, and that the old file stays until the new
// passphrase is confirmed.
func TestRotatePassphrase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	t.Setenv(terminal.PassphraseVariable, passed)
	_, err := command(t, "", "key", "new", path)
	testkit.Must(t, err)
	before, err := command(t, "", "key", "check", path, "--json")
	testkit.Must(t, err)
	t.Setenv(terminal.NewPassphraseVariable, passed)
	if _, err := command(t, "", "key", "rotate", path); err == nil || !strings.Contains(err.Error(), "is the old one") {
		t.Errorf("key rotate with the same passphrase: got error %v", err)
	}
	t.Setenv(terminal.NewPassphraseVariable, "another one")
	_, err = command(t, "", "key", "rotate", path)
	testkit.Must(t, err)
	if _, err := command(t, "", "key", "rotate", "--confirm", path); err == nil ||
		!strings.Contains(err.Error(), "wrong passphrase") {
		t.Errorf("confirmation with the old passphrase: got error %v", err)
	}
	t.Setenv(terminal.PassphraseVariable, "another one")
	_, err = command(t, "", "key", "rotate", "--confirm", path)
	testkit.Must(t, err)
	if _, err := os.Stat(path + ".old"); !os.IsNotExist(err) {
		t.Errorf("the old file still exists: %v", err)
	}
	if after, err := command(t, "", "key", "check", path, "--json"); err != nil || after != before {
		t.Errorf("the file holds key %s (%v), want %s", after, err, before)
	}
}

// worldKey writes the key of a world to a file.
func worldKey(t *testing.T) string { return schemeKey(t, signer.SchemeSeed) }

func schemeKey(t *testing.T, scheme signer.Scheme) string {
	path := filepath.Join(t.TempDir(), "key")
	_, err := signer.WriteKeyFile(path, passed, testkit.Secret(scheme))
	testkit.Must(t, err)
	t.Setenv(terminal.PassphraseVariable, passed)
	return path
}

// TestKeyOfThisLedger checks that a key that does not derive every address of the ledger is refused by key check, by
// key restore and at the start of a server, and that key restore finds the scheme of the ledger's key.
func TestKeyOfThisLedger(t *testing.T) {
	for scheme, world := range map[signer.Scheme]func(testing.TB) *testkit.World{
		signer.SchemeSeed: testkit.NewWorld, signer.SchemeBIP39: testkit.NewStandard,
	} {
		t.Run(string(scheme), func(t *testing.T) { keyOfLedger(t, cli{world(t)}, scheme) })
	}
}

func keyOfLedger(t *testing.T, w cli, scheme signer.Scheme) {
	other := map[signer.Scheme]signer.Scheme{
		signer.SchemeSeed: signer.SchemeBIP39, signer.SchemeBIP39: signer.SchemeSeed,
	}[scheme]
	w.Staked(w.Anna, 5000)
	right := schemeKey(t, scheme)
	wrong := filepath.Join(t.TempDir(), "wrong")
	_, err := signer.NewKeyFile(wrong, passed)
	testkit.Must(t, err)
	if text := w.must("key", "check", right, "--ledger", "--network", "regtest"); !strings.Contains(text,
		"all 3 issued addresses") || !strings.Contains(text, "its scheme is "+string(scheme)) {
		t.Errorf("key check of the ledger's key: output %s", text)
	}
	w.refused("this is another key", "key", "check", wrong, "--ledger", "--network", "regtest")
	w.refused("this is another key", "key", "check", schemeKey(t, other), "--ledger", "--network", "regtest")

	secret, err := signer.ReadSecret(wrong, passed)
	testkit.Must(t, err)
	strange, err := secret.Words()
	testkit.Must(t, err)
	words, err := testkit.Secret(scheme).Words()
	testkit.Must(t, err)
	again := filepath.Join(t.TempDir(), "again")
	for want, row := range map[string]struct {
		words []string
		line  []string
	}{
		"neither scheme derives":                           {strange, []string{"--ledger"}},
		"the scheme " + string(other) + " does not derive": {words, []string{"--ledger", "--scheme", string(other)}},
		"Give --scheme bip39 or --scheme seed":             {words, nil},
		"word 3 is not one":                                {replaced(words, 2, "hunter2"), []string{"--ledger"}},
		"the checksum of the words":                        {replaced(words, 0, words[1]), []string{"--ledger"}},
		"these are 23 words":                               {words[:23], []string{"--ledger"}},
	} {
		line := append([]string{"key", "restore", again}, row.line...)
		_, err := w.command(strings.Join(row.words, " ")+"\n", line...)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("command %v: got error %v, want %q", line, err, want)
		}
	}
	if _, err := os.Stat(again); !os.IsNotExist(err) {
		t.Error("a refused restore wrote a file")
	}
	if text, err := w.command(strings.Join(words, " ")+"\n", "key", "restore", again, "--ledger"); err != nil ||
		!strings.Contains(text, "all 3 issued addresses") || !strings.Contains(text, "its scheme is "+string(scheme)) {
		t.Errorf("key restore: output %s, error %v", text, err)
	}
	opened, err := signer.OpenKeyFile(again, passed)
	if err != nil || opened.Scheme() != scheme {
		t.Errorf("the restored file has the scheme %v, error %v", opened.Scheme(), err)
	}

	keys, err := signer.OpenKeyFile(wrong, passed)
	testkit.Must(t, err)
	xpub, err := keys.AccountXpub(0, w.Network)
	testkit.Must(t, err)
	account, err := vault.NewAccount(xpub, w.Network)
	testkit.Must(t, err)
	testkit.Must(t, w.Store.View(t.Context(), func(tx *store.Tx) error {
		if err := wiring.CheckTreasury(t.Context(), tx, testkit.Prefix, account); err == nil {
			t.Error("a server starts with another key")
		}
		return wiring.CheckTreasury(t.Context(), tx, testkit.Prefix, w.Account)
	}))
}

// replaced returns a copy of words with another word at a position.
func replaced(words []string, at int, word string) []string {
	changed := slices.Clone(words)
	changed[at] = word
	return changed
}

// TestSweep moves the treasury to another key after a theft and records it; units do not change.
func TestSweep(t *testing.T) {
	w := cli{testkit.NewWorld(t)}
	w.GiveSignerIndex()
	w.AddTreasurySats(40_000, 30_000)
	staked := w.Staked(w.Anna, 5000)
	old, fresh := worldKey(t), filepath.Join(t.TempDir(), "fresh")
	keys, err := signer.NewKeyFile(fresh, passed)
	testkit.Must(t, err)
	xpub, err := keys.AccountXpub(0, w.Network)
	testkit.Must(t, err)
	next, err := vault.NewAccount(xpub, w.Network)
	testkit.Must(t, err)
	line := func(more ...string) []string {
		return append([]string{"key", "sweep", old, testkit.Prefix, "--to", xpub, "--rate", "5", "--why", "it was stolen",
			"--by", "olga"}, more...)
	}
	w.refused("'moonfund pause all' first", line()...)
	w.must("pause", "all", "--why", "the key is stolen", "--by", "olga")
	w.refused("nothing was done", line()...)

	var s custody.Sweep
	held := w.Rows(`SELECT SUM(runes) AS runes, SUM(value) AS sats FROM custody WHERE kind IN ('runes', 'sats')
		AND spent_by = ''`)
	opened, err := signer.OpenKeyFile(old, passed)
	testkit.Must(t, err)
	testkit.Must(t, w.Store.View(t.Context(), func(tx *store.Tx) (err error) {
		s, err = custody.NewSweep(t.Context(), tx, opened, keySweep{Community: testkit.Prefix, To: xpub,
			Rate: 5}.plan(opened))
		return err
	}))
	if want := fmt.Sprintf("runes=%d sats=%d \n", s.Runes, s.Sats+s.Cost.Fee); held != want {
		t.Errorf("the sweep moves %s, the treasury held %s", want, held)
	}
	preview := s.Preview(testkit.Prefix)
	to, _ := next.TreasuryRunes()
	for _, part := range []string{to.Text, "on 1 outputs"} {
		if !strings.Contains(preview, part) {
			t.Errorf("the preview does not contain %q:\n%s", part, preview)
		}
	}
	txid := s.Tx.TxHash().String()
	w.refused("the node did not accept it", line("--yes", "--node-url", nobody)...)
	w.Node.MineOnly(chain.NewTx(s.Tx))
	w.must("resume", "all", "--why", "it is swept", "--by", "olga", "--yes")
	w.Settle(ledger.ExplainDepth + 1)
	if got := w.Rows(
		`SELECT COUNT(*) AS n FROM custody WHERE kind IN ('runes', 'sats') AND spent_by = ''`); got != "n=0 \n" {
		t.Errorf("outputs left at the old key: %s", got)
	}
	w.WantStage(staked, ledger.Staked)
	w.must("treasury", "explain", txid, "--why", "our own sweep", "--by", "olga", "--yes")
	w.Audit()
	if text := w.must("log"); !strings.Contains(text, "key sweep") || !strings.Contains(text, "treasury explain") {
		t.Errorf("the log does not contain the sweep and its explanation: %s", text)
	}
}

// TestExplain checks that an operator can assign an unexplained delivery to rewards. Bert unstaked after the copy was
// made, so Anna's reward was larger than the copy computes.
func TestExplain(t *testing.T) {
	w := testkit.NewWorld(t)
	w.GiveSignerIndex()
	bert, _ := w.Deposit(w.Bert, 7001)
	w.Staked(w.Anna, 5000)
	stale := cli{w.Copy()}
	w.Act(w.Bert, action.Unstake, bert)
	w.NextEpoch()
	w.Settle(ledger.SettleDepth)
	claim := *w.Act(w.Anna, action.Claim).Order
	w.Pay(w.Anna, claim, claim.Due())
	w.Settle(1)
	stale.Step()
	txid, rewards := w.Order(claim.ID).PayoutTx, stale.Units(w.Anna, ledger.Claimable)
	line := []string{"treasury", "explain", txid, w.Anna.Ordinals.Text, "--why", "it was this claim", "--by", "olga"}
	for _, id := range rewards {
		line = append(line, "--unit", id)
	}
	stale.refused("it is not an open spend", "treasury", "explain", "00", "--why", "x", "--by", "olga")
	stale.refused("has no reward", append(line, "--unit", "nothing")...)
	stale.refused("named twice", append(line, "--unit", rewards[0])...)
	stale.refused("could still be undone", line...)
	w.Settle(ledger.ExplainDepth)
	stale.Step()
	stale.WantStage(rewards[0], ledger.Claimable)
	if text := stale.must("treasury", "show", testkit.Prefix); !strings.Contains(text, txid) {
		t.Errorf("treasury show does not list the delivery: %s", text)
	}
	stale.refused("nothing was done", line...)
	stale.must(append(line, "--yes")...)
	for _, id := range rewards {
		stale.WantStage(id, ledger.Withdrawn)
	}
	stale.Settle(1)
	stale.Audit()
}
