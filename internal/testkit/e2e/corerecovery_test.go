package e2e

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/btcutil/v2"
	"github.com/btcsuite/btcd/btcutil/v2/hdkeychain"
	"github.com/btcsuite/btcd/chaincfg/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/api"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/community"
)

// seedWords are the words of a test vector of BIP-39, and seedHex is their seed.
const (
	seedWords = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"
	seedHex   = "5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc1" +
		"9a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4"
)

// typing types the commands of docs/guide/recover.md in one shell.
type typing struct {
	t           *testing.T
	blocks      map[string]string // by name
	environment []string
	words       map[string]string // values of the page's placeholders
}

// TestRecoveryWithBitcoinCore types the commands of docs/guide/recover.md: it recovers a stake with a WIF, a stake in
// self-custody with the words of a wallet, and an output with two runes whose fee another output pays. The node refuses
// each recovery before the delay has passed. Without a node of the Core family, the test is skipped.
func TestRecoveryWithBitcoinCore(t *testing.T) {
	core := os.Getenv(coreVariable)
	if core == "" {
		t.Skip(coreVariable + " names no node")
	}
	folder := manifests(t)
	other, err := community.Examples.ReadFile("manifests/dev/dummy.toml")
	must(t, err)
	must(t, os.WriteFile(filepath.Join(folder, "dummy.toml"), other, 0o600))
	h := newDevServer(t, core, "--communities", folder)
	anna, walt := newStaker(h.site, "anna", segwit, taproot), newStaker(h.site, "walt", segwit, taproot)
	bert := newStaker(h.site, "bert", nested, segwit)
	walt.ordinals, walt.self = fromWords(t), true
	const staked = 300_000_000
	for _, p := range []*staker{anna, walt, bert} {
		p.endow(staked)
	}
	bert.dev("faucet", fields{"address": bert.ordinals.text, "runes": 700, "prefix": "dummy"}, nil)
	h.mine(1)
	unit, waltsUnit := anna.stake(staked), walt.stake(staked)
	both := bert.stakeTwoRunes()
	h.mine(3)

	byWIF, byWords := newTyping(t, core, h, anna, unit.ID), newTyping(t, core, h, walt, waltsUnit.ID)
	byWIF.run("output", "")
	byWIF.run("wif", wif(t, anna.ordinals))
	byWIF.run("wallet", "")
	byWIF.importKey()
	byWIF.run("build", "")
	if output := byWIF.run("sign", ""); !strings.Contains(output, "non-BIP68-final") {
		t.Errorf("before the end of the delay: %s", output)
	}
	if output, err := byWIF.try("send", ""); err == nil || !strings.Contains(output, "non-BIP68-final") {
		t.Errorf("sent before the end of the delay: %v\n%s", err, output)
	}
	h.mine(26) // one block too few: 29 confirmations
	if output, err := byWIF.try("send", ""); err == nil || !strings.Contains(output, "non-BIP68-final") {
		t.Errorf("sent one block before the end of the delay: %v\n%s", err, output)
	}
	h.mine(1)
	byWIF.signAndSend()

	byWords.environment = byWIF.environment // the same shell
	byWords.run("output", "")
	byWords.edit("words", "0488ade4", "04358394", "86h/0h", "86h/1h")
	byWords.run("words", seedWords)
	byWords.importKey()
	byWords.run("build", "")
	byWords.signAndSend()

	withFee := newTyping(t, core, h, bert, both)
	withFee.environment = byWords.environment
	withFee.payFee(bert)
	withFee.run("done", "")

	h.mine(3)
	anna.wantStage(unit.ID, "WITHDRAWN")
	walt.wantStage(waltsUnit.ID, "WITHDRAWN")
	for _, p := range []*staker{anna, walt, bert} {
		if got := p.balance(); got != staked {
			t.Errorf("%s has %d base units after the recovery, want %d", p.ordinals.text, got, staked)
		}
	}
	if recovered := bert.coins(bert.ordinals); len(recovered) != 1 || len(recovered[0].Runes) != 2 {
		t.Errorf("the recovery of two runes made the outputs %+v", recovered)
	}
	h.audit()
}

// payFee recovers an output at 20 sat/vB with a coin of the payment address.
func (y *typing) payFee(p *staker) {
	y.t.Helper()
	y.run("output", "")
	y.run("wif", wif(y.t, newAccount(y.t, "a stranger", taproot)))
	if output := y.run("derive", ""); strings.Contains(output, y.words["ADDRESS"]) {
		y.t.Errorf("a wrong key derives the address of the stake:\n%s", output)
	}
	y.run("wif", wif(y.t, p.ordinals))
	y.importKey()
	coins := p.coins(p.payment)
	i := slices.IndexFunc(coins, func(c coin) bool { return len(c.Runes) == 0 && c.Value > 100_000 })
	fee := coins[i]
	y.words["FEE_TXID"], y.words["FEE_VOUT"] = fee.TxID, fmt.Sprint(fee.Vout)
	y.words["PAYMENT_ADDRESS"], y.words["CHANGE"] = p.payment.text, btc(fee.Value-5000)
	y.edit("feekey", "wpkh($KEY)", "sh(wpkh($KEY))")
	y.run("feekey", wif(y.t, p.payment))
	y.run("buildfee", "")
	y.signAndSend()
}

// stakeTwoRunes sends all runes of the wallet to a stake address, without a runestone, and returns the outpoint.
func (p *staker) stakeTwoRunes() string {
	p.t.Helper()
	var target stakeTarget
	p.post("postDemoStake", p.stakeRequest(100_000_000), &target)
	s := &spending{tx: wire.NewMsgTx(2)}
	for _, c := range p.coins(p.ordinals) {
		s.add(p.t, p.ordinals, c)
	}
	s.tx.AddTxOut(wire.NewTxOut(postage, scriptOf(p.t, target.Address)))
	return p.broadcast(s.finish(p.t, p.payment, p.coins(p.payment))) + ":0"
}

var typed = regexp.MustCompile("(?ms)^<!-- typed: ([a-z]+) -->\n\n```sh\n(.*?)^```$")

// newTyping reads the page and the recovery kit. Its shell finds a bitcoin-cli that calls the node of the dev network.
func newTyping(t *testing.T, core string, h *devServer, p *staker, outpoint string) *typing {
	t.Helper()
	page, err := os.ReadFile("../../../docs/guide/recover.md")
	must(t, err)
	y := &typing{t: t, blocks: map[string]string{}}
	for _, found := range typed.FindAllStringSubmatch(string(page), -1) {
		y.blocks[found[1]] = found[2]
	}
	if all := strings.Count(string(page), "```sh\n"); all != len(y.blocks) || all == 0 {
		t.Fatalf("the page has %d blocks of commands, but only %d are marked as typed", all, len(y.blocks))
	}
	// The part of the block "import" that shows the address of a key, for a key that must not be imported.
	y.blocks["derive"], _, _ = strings.Cut(y.blocks["import"], "printf '[{")

	var kit api.RecoveryKit
	text, err := os.ReadFile(p.kit())
	must(t, err)
	must(t, json.Unmarshal(text, &kit))
	i := slices.IndexFunc(kit.Outputs, func(o api.RecoveryOutput) bool { return o.Outpoint == outpoint })
	if i < 0 {
		t.Fatalf("the kit has no output %s", outpoint)
	}
	o := kit.Outputs[i]
	txid, vout, _ := strings.Cut(o.Outpoint, ":")
	y.words = map[string]string{"TXID": txid, "VOUT": vout, "ADDRESS": o.Address, "DESCRIPTOR": o.Descriptor,
		"DELAY": fmt.Sprint(o.Delay), "DESTINATION": kit.Destination,
		"AMOUNT": "0.00000400"}

	var running struct{ Node chain.ClientConfig }
	text, err = os.ReadFile(filepath.Join(h.data, "running.json"))
	must(t, err)
	must(t, json.Unmarshal(text, &running))
	address, err := url.Parse(running.Node.URL)
	must(t, err)
	tools := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\nexec %s -regtest -rpcconnect=%s -rpcport=%s -rpcuser=%s -rpcpassword=%s \"$@\"\n",
		filepath.Join(filepath.Dir(core), "bitcoin-cli"), address.Hostname(), address.Port(), running.Node.User,
		running.Node.Password)
	must(t, os.WriteFile(filepath.Join(tools, "bitcoin-cli"), []byte(script), 0o700))
	y.environment = append(os.Environ(), "PATH="+tools+":"+os.Getenv("PATH"))
	return y
}

// edit replaces parts of a block, as the page instructs the reader.
func (y *typing) edit(block string, replaced ...string) {
	y.blocks[block] = strings.NewReplacer(replaced...).Replace(y.blocks[block])
}

// run types a block with its placeholders replaced, and input at its prompt. It returns the output of the commands.
func (y *typing) run(block, input string) string {
	y.t.Helper()
	output, err := y.try(block, input)
	if err != nil {
		y.t.Fatalf("%s: %v\n%s", block, err, output)
	}
	return output
}

func (y *typing) try(block, input string) (string, error) {
	y.t.Helper()
	commands, known := y.blocks[block]
	if !known {
		y.t.Fatalf("the page has no block %q", block)
	}
	for word, value := range y.words {
		commands = regexp.MustCompile(`\b`+word+`\b`).ReplaceAllLiteralString(commands, value)
	}
	after := filepath.Join(y.t.TempDir(), "environment")
	command := exec.Command("bash", "-a", "-e", "-o", "pipefail", "-c", commands+"\nenv -0 >"+after)
	command.Env, command.Stdin = y.environment, strings.NewReader(input+"\n")
	output, err := command.CombinedOutput()
	if err != nil {
		return string(output), err
	}
	environment, err := os.ReadFile(after)
	must(y.t, err)
	y.environment = strings.Split(strings.TrimRight(string(environment), "\x00"), "\x00")
	return string(output), nil
}

// importKey imports the descriptor. It must derive the address of the stake.
func (y *typing) importKey() {
	y.t.Helper()
	output := y.run("import", "")
	if !strings.Contains(output, `"`+y.words["ADDRESS"]+`"`) || !strings.Contains(output, `"success": true`) {
		y.t.Fatalf("import: want the address %s in\n%s", y.words["ADDRESS"], output)
	}
}

// signAndSend signs and sends the transaction that was built, and checks the results that the page describes.
func (y *typing) signAndSend() {
	y.t.Helper()
	output := y.run("sign", "")
	for _, want := range []string{`"version": 2`, `"sequence": ` + y.words["DELAY"], y.words["DESTINATION"],
		`"allowed": true`} {
		if !strings.Contains(output, want) {
			y.t.Fatalf("sign: want %s in\n%s", want, output)
		}
	}
	y.t.Log(regexp.MustCompile(`"vsize": \d+`).FindString(output))
	y.run("send", "")
}

func wif(t testing.TB, a account) string {
	t.Helper()
	encoded, err := btcutil.NewWIF(a.key, &chaincfg.RegressionNetParams, true)
	must(t, err)
	return encoded.String()
}

// fromWords returns the first taproot address of a wallet with the words seedWords.
func fromWords(t testing.TB) account {
	t.Helper()
	seed, err := hex.DecodeString(seedHex)
	must(t, err)
	key, err := hdkeychain.NewMaster(seed, &chaincfg.RegressionNetParams)
	must(t, err)
	const hardened = hdkeychain.HardenedKeyStart
	for _, index := range []uint32{86 + hardened, 1 + hardened, hardened, 0, 0} {
		key, err = key.Derive(index)
		must(t, err)
	}
	private, err := key.ECPrivKey()
	must(t, err)
	return accountOf(t, private, taproot)
}

// btc formats sats in BTC.
func btc(sats int64) string { return fmt.Sprintf("%d.%08d", sats/1e8, sats%1e8) }
