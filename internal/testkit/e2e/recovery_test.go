package e2e

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/txscript/v2"

	"moonfund/internal/staking/community"
)

// recoveryDelay is the recovery delay in blocks, short enough for a test.
const recoveryDelay = "30"

// manifests returns a folder with the manifest of the dev network's community, with a short recovery delay.
func manifests(t *testing.T) string {
	t.Helper()
	text, err := community.Examples.ReadFile("manifests/dev/lobo.toml")
	must(t, err)
	short := regexp.MustCompile(`(?m)^recovery_delay = \d+`).ReplaceAll(text, []byte("recovery_delay = "+recoveryDelay))
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "lobo.toml"), short, 0o600))
	return dir
}

// moonfund runs a command of the operator or of a staker, whose recovery key is key, and returns its output.
func (h *devServer) moonfund(key string, arguments ...string) (string, error) {
	h.t.Helper()
	command := exec.Command(h.programs.moonfund, arguments...)
	command.Env = append(os.Environ(), "MOONFUND_RECOVERY_KEY="+key)
	output, err := command.CombinedOutput()
	return string(output), err
}

// kit saves the recovery kit of a wallet to a file, as the page does, and returns its path.
func (p *staker) kit() string {
	p.t.Helper()
	var kit json.RawMessage
	p.post("recoveryKit", p.with(nil), &kit)
	path := filepath.Join(p.t.TempDir(), "kit.json")
	must(p.t, os.WriteFile(path, kit, 0o600))
	return path
}

// TestRecovery recovers stakes with the recovery kit, the staker's key and a node, without the server: with the key
// given to the command, with a fee input, and with an external signer. The server must detect the recoveries.
func TestRecovery(t *testing.T) {
	t.Run("btcd", func(t *testing.T) { recovery(t, "") })
	if core := os.Getenv(coreVariable); core != "" {
		t.Run("core", func(t *testing.T) { recovery(t, core) })
	}
}

func recovery(t *testing.T, node string) {
	h := newDevServer(t, node, "--communities", manifests(t))
	anna, bert := newStaker(h.site, "anna", segwit, taproot), newStaker(h.site, "bert", segwit, segwit)
	const staked = 300_000_000
	for _, p := range []*staker{anna, bert} {
		for range 2 {
			p.endow(staked)
		}
	}
	h.mine(1)
	first, second, third := anna.stake(staked), anna.stake(staked), bert.stake(staked)
	h.mine(3)
	kits := map[*staker]string{anna: anna.kit(), bert: bert.kit()}
	secret := func(p *staker) string { return hex.EncodeToString(p.ordinals.key.Serialize()) }
	output, err := h.moonfund(secret(anna), "recover", kits[anna], "--data", h.data, "--rate", "1", "--yes")
	if err == nil || !strings.Contains(output, "27 more blocks must be found first") {
		t.Fatalf("recover before the end of the delay: %v\n%s", err, output)
	}
	h.mine(27)
	output, err = h.moonfund(secret(bert), "recover", kits[anna], "--data", h.data, "--rate", "1", "--yes")
	if err == nil || !strings.Contains(output, "not the one that can recover it") {
		t.Fatalf("recover with the key of another staker: %v\n%s", err, output)
	}
	h.changedKit(anna, kits[anna], bert)
	h.paidByAFeeInput(bert, kits[bert], third.ID)
	for p, ids := range map[*staker][]string{anna: {first.ID}} {
		output, err = h.moonfund(secret(p), "recover", kits[p], "--only", ids[0], "--data", h.data, "--rate", "1", "--yes")
		if err != nil || !strings.Contains(output, ids[0]+"  recovered by ") {
			t.Fatalf("recover: %v\n%s", err, output)
		}
	}
	h.signedElsewhere(anna, kits[anna], second.ID)
	await(t, patience, "the recoveries are seen", func() bool {
		return anna.unit(first.ID).Contested && anna.unit(second.ID).Contested && bert.unit(third.ID).Contested
	})
	h.mine(3)
	anna.wantStage(first.ID, "WITHDRAWN")
	anna.wantStage(second.ID, "WITHDRAWN")
	bert.wantStage(third.ID, "WITHDRAWN")
	if a, b := anna.balance(), bert.balance(); a != 2*staked || b != 2*staked {
		t.Errorf("after the recovery anna has %d and bert %d base units", a, b)
	}
	output, err = h.moonfund(secret(anna), "recover", anna.kit(), "--data", h.data, "--rate", "1", "--yes")
	if err == nil || !strings.Contains(output, "nothing can be recovered now") {
		t.Errorf("recover a second time: %v\n%s", err, output)
	}
	h.audit()
}

// paidByAFeeInput recovers a unit with a coin of the payment address, at a fee rate that the unit's 546 sats cannot
// pay.
func (h *devServer) paidByAFeeInput(p *staker, kit, id string) {
	h.t.Helper()
	key := hex.EncodeToString(p.ordinals.key.Serialize())
	output, err := h.moonfund(key, "recover", kit, "--only", id, "--data", h.data, "--rate", "20", "--yes")
	if err == nil || !strings.Contains(output, "--fee-input") {
		h.t.Fatalf("recover at 20 sat/vB without a fee input: %v\n%s", err, output)
	}
	coin, before := p.coins(p.payment)[0], p.sats()
	feeInput := fmt.Sprintf("%s:%d", coin.TxID, coin.Vout)
	output, err = h.moonfund(key, "recover", kit, "--only", id, "--data", h.data, "--rate", "20", "--yes", "--fee-input",
		feeInput)
	if err == nil {
		h.t.Fatalf("recover with a fee input but without its key succeeded:\n%s", output)
	}
	feeKey := hex.EncodeToString(p.payment.key.Serialize())
	output, err = h.moonfund(key, "recover", kit, "--only", id, "--data", h.data, "--rate", "20", "--yes", "--fee-input",
		feeInput, "--fee-key", feeKey)
	if err != nil || !strings.Contains(output, id+"  recovered by ") {
		h.t.Fatalf("recover with a fee input: %v\n%s", err, output)
	}
	if paid := before - p.sats(); paid < 20*200 || paid > 20*300 {
		h.t.Errorf("the fee is %d sats, want 4000 to 6000:\n%s", paid, output)
	}
}

// changedKit checks that a kit with another destination is refused.
func (h *devServer) changedKit(of *staker, path string, thief *staker) {
	h.t.Helper()
	text, err := os.ReadFile(path)
	must(h.t, err)
	changed := filepath.Join(h.t.TempDir(), "changed.json")
	must(h.t, os.WriteFile(changed, []byte(strings.ReplaceAll(string(text), of.ordinals.text, thief.ordinals.text)),
		0o600))
	output, err := h.moonfund(hex.EncodeToString(of.ordinals.key.Serialize()), "recover", changed, "--data", h.data,
		"--rate", "1", "--yes")
	if err == nil || !strings.Contains(output, "the kit was changed") {
		h.t.Fatalf("recover with a changed kit: %v\n%s", err, output)
	}
}

// signedElsewhere recovers a unit with an external signer for PSBTs (BIP-371).
func (h *devServer) signedElsewhere(p *staker, kit, id string) {
	h.t.Helper()
	output, err := h.moonfund("", "recover", kit, "--only", id, "--data", h.data, "--rate", "1")
	must(h.t, err)
	lines := strings.Split(strings.TrimSpace(output), "\n")
	packet, err := psbt.NewFromRawBytes(strings.NewReader(lines[len(lines)-1]), true)
	must(h.t, err)
	in := &packet.Inputs[0]
	fetcher := txscript.NewCannedPrevOutputFetcher(in.WitnessUtxo.PkScript, in.WitnessUtxo.Value)
	leaf := txscript.NewBaseTapLeaf(in.TaprootLeafScript[0].Script)
	signature, err := txscript.RawTxInTapscriptSignature(packet.UnsignedTx, txscript.NewTxSigHashes(packet.UnsignedTx,
		fetcher), 0,
		in.WitnessUtxo.Value, in.WitnessUtxo.PkScript, leaf, txscript.SigHashDefault, p.ordinals.key)
	must(h.t, err)
	hash := leaf.TapHash()
	in.TaprootScriptSpendSig = []*psbt.TaprootScriptSpendSig{{
		XOnlyPubKey: schnorr.SerializePubKey(p.ordinals.key.PubKey()), LeafHash: hash[:], Signature: signature,
		SigHash: txscript.SigHashDefault,
	}}
	text, err := packet.B64Encode()
	must(h.t, err)
	path := filepath.Join(h.t.TempDir(), "signed.psbt")
	must(h.t, os.WriteFile(path, []byte(text), 0o600))
	output, err = h.moonfund("", "recover", kit, "--signed", path, "--data", h.data)
	if err != nil || !strings.Contains(output, "sent as") {
		h.t.Fatalf("recover with a signed PSBT: %v\n%s", err, output)
	}
}
