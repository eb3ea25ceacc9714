package e2e

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/btcutil/v2/hdkeychain"
	"github.com/btcsuite/btcd/chaincfg/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/signer"
	"moonfund/internal/testkit/engine"
)

// secrets are texts that must not appear in a log, by name.
type secrets map[string]string

// bytes adds the common text encodings of a secret.
func (s secrets) bytes(name string, secret []byte) {
	s[name+" in hex"] = hex.EncodeToString(secret)
	s[name+" in base64"] = base64.RawStdEncoding.EncodeToString(secret[:len(secret)/3*3])
	s[name+" in decimals"] = strings.Trim(fmt.Sprint(secret[:min(len(secret), 12)]), "[]")
}

// signatures adds the signatures of a transaction.
func (s secrets) signatures(t testing.TB, name string, tx *wire.MsgTx) {
	t.Helper()
	for i, in := range tx.TxIn {
		if len(in.Witness) == 0 {
			t.Fatalf("%s has no signature", name)
		}
		s.bytes(fmt.Sprintf("signature %d of %s", i, name), in.Witness[0])
	}
}

// printedKey matches extended private keys (BIP-32) and private keys in WIF.
var printedKey = regexp.MustCompile(`[xyztuv]prv[1-9A-HJ-NP-Za-km-z]{50,}|\b[5KLc9][1-9A-HJ-NP-Za-km-z]{50,51}\b`)

// TestNothingSecretIsLogged runs a server with its most verbose log. Payouts are signed by the server and by hand, and
// forged requests are refused. The log must not contain keys, seeds, passphrases, passwords, signatures or request
// bodies.
func TestNothingSecretIsLogged(t *testing.T) {
	t.Setenv("USER", "the operator")
	limit := []string{"daily_outflow", "cold_above = \"100000000000\"\ndaily_outflow"}
	h := newDevServer(t, "", "--verbose", "--communities", manifest(t, limit...))
	s := secrets{"the passphrase": devPassphrase, "the node's password": h.node()[5]}

	p := newStaker(h.site, "Sara", segwit, taproot)
	ids := p.unlock(h, 5*lobo, 1_001*lobo)
	forged := p.ask("WITHDRAW", ids[0])
	p.refused("signWalletAction", p.signed("WITHDRAW", forged, p.payment.signMessage(t, forged.Message)))
	canary(t, h.site)
	warm := p.act("WITHDRAW", ids[0])
	p.pay(*warm, warm.Total)
	h.mine(1)
	p.awaitSent(warm.ID)
	h.mine(3)
	p.awaitStatus(warm.ID, "DELIVERED")
	h.kill()
	h.start()
	cold := p.act("WITHDRAW", ids[1])
	p.pay(*cold, cold.Total)
	h.mine(1)
	p.awaitStatus(cold.ID, "PAID")
	dir := t.TempDir()
	draft, signed := filepath.Join(dir, "payout.psbt"), filepath.Join(dir, "signed.psbt")
	h.operate("Wrote", "payout", "export", cold.ID, draft, "--why", "more than the server may sign")
	said := h.signByHand(draft, signed, manifest(t, append(limit, "[rune]", "[rune]\nid = \""+h.runeID()+"\"")...))
	h.operate("is carried out", "payout", "import", cold.ID, signed, "--yes", "--why", "signed by hand")
	psbt, err := os.ReadFile(signed)
	must(t, err)
	s["the signed PSBT"] = strings.TrimSpace(string(psbt))
	p.awaitSent(cold.ID)
	h.mine(3)
	p.awaitStatus(cold.ID, "DELIVERED")
	h.audit()

	s.keys(t, filepath.Join(h.data, "keys.json"), warm.ID, cold.ID)
	s.ledger(t, filepath.Join(h.data, "ledger.db"))
	log, err := os.ReadFile(h.log.Name())
	must(t, err)
	text := strings.ToLower(said + string(log))
	for _, line := range []string{"payout stored", cold.ID} {
		if !strings.Contains(text, line) {
			t.Fatalf("the log is not verbose: no %q in %d bytes", line, len(text))
		}
	}
	for name, secret := range s {
		if len(secret) < 8 {
			t.Fatalf("%s is %q: too short to search for", name, secret)
		}
		if strings.Contains(text, strings.ToLower(secret)) {
			t.Errorf("the log contains %s", name)
		}
	}
	for _, key := range printedKey.FindAllString(said+string(log), -1) {
		t.Errorf("the log contains a private key: %.8s…", key)
	}
	if strings.Contains(text, "canary") {
		t.Error("the log contains the content of a request")
	}
}

// canary sends requests that contain the word "canary", which must not appear in the log.
func canary(t *testing.T, s site) {
	t.Helper()
	for _, b := range []hostileRequest{
		{method: http.MethodGet, path: "/" + prefix + "/infoGlobals?token=canary"},
		{method: http.MethodGet, path: "/canary/../%00"},
		{method: http.MethodPost, path: "/" + prefix + "/postAction", body: []byte(`{"canary":"canary"`)},
		{method: http.MethodPost, path: "/" + prefix + "/signWalletAction",
			body: []byte(`{"signature":"canary","w_wallet_code":"canary"}`)},
	} {
		b.header = map[string]string{"Content-Type": "application/json", "Cookie": "session=canary",
			"Authorization": "Bearer canary", "User-Agent": "canary"}
		b.send(t, s)
	}
}

// keys adds the seed, its words, and the private keys that the server may have used.
func (s secrets) keys(t testing.TB, file string, orders ...string) {
	t.Helper()
	secret, err := signer.ReadSecret(file, devPassphrase)
	must(t, err)
	words, err := secret.Words()
	must(t, err)
	seed := secret.Bytes // dev networks use signer.SchemeSeed
	s.bytes("the seed", seed)
	s["the seed's first words"], s["the seed's last words"] = strings.Join(words[:3], " "),
		strings.Join(words[len(words)-3:], " ")
	key, err := hdkeychain.NewMaster(seed, &chaincfg.MainNetParams)
	must(t, err)
	s.key(t, "the master key", key)
	network, err := chain.NetworkByName("regtest")
	must(t, err)
	key = s.child(t, key, hdkeychain.HardenedKeyStart+86, hdkeychain.HardenedKeyStart+network.Params.HDCoinType,
		hdkeychain.HardenedKeyStart)
	public, err := key.Neuter()
	must(t, err)
	public, err = public.CloneWithVersion(network.Params.HDPublicKeyID[:])
	must(t, err)
	account, err := vault.NewAccount(public.String(), network)
	must(t, err)
	for _, order := range orders {
		coin, err := account.Coin(vault.Payment, wire.OutPoint{}, 1000, nil, order)
		must(t, err)
		s.child(t, key, coin.Path...)
	}
	for branch := range uint32(4) {
		for position := range uint32(8) {
			s.child(t, key, branch, position)
		}
	}
}

// child adds the private keys along a path.
func (s secrets) child(t testing.TB, key *hdkeychain.ExtendedKey, path ...uint32) *hdkeychain.ExtendedKey {
	t.Helper()
	for i, step := range path {
		var err error
		key, err = key.Derive(step)
		must(t, err)
		s.key(t, fmt.Sprint("the key at ", path[:i+1]), key)
	}
	return key
}

func (s secrets) key(t testing.TB, name string, key *hdkeychain.ExtendedKey) {
	t.Helper()
	private, err := key.ECPrivKey()
	must(t, err)
	s.bytes(name, private.Serialize())
}

// ledger adds every signature in the ledger: of stakers and of payouts.
func (s secrets) ledger(t testing.TB, file string) {
	t.Helper()
	db := engine.Connect(t, "sqlite:"+file)
	rows, err := db.Query(`SELECT signature FROM action WHERE signature <> ''`)
	must(t, err)
	defer rows.Close()
	for rows.Next() {
		var signature string
		must(t, rows.Scan(&signature))
		s[fmt.Sprintf("a staker's signature (%d)", len(s))] = signature
	}
	must(t, rows.Err())
	versions, err := db.Query(`SELECT raw FROM payout_version`)
	must(t, err)
	defer versions.Close()
	payouts := 0
	for versions.Next() {
		var raw []byte
		must(t, versions.Scan(&raw))
		tx, err := chain.DecodeTx(raw)
		must(t, err)
		payouts++
		s.signatures(t, fmt.Sprintf("payout %d", payouts), tx.Msg)
	}
	must(t, versions.Err())
	if payouts != 2 {
		t.Fatalf("%d payouts, want one signed by the server and one signed by hand", payouts)
	}
}
