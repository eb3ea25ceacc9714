package e2e

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFollowedIndex runs a server and a signer that index only the community's rune. Withdrawals must be delivered, the
// audits must pass, the mint and etch service must be off, and the server must refuse a full index until the ledger is
// rebuilt.
func TestFollowedIndex(t *testing.T) {
	t.Setenv("USER", "the operator")
	t.Setenv("MOONFUND_PASSPHRASE", devPassphrase)
	first := newDevServerOnPostgres(t, "--communities", manifest(t), "--index", "followed")
	p := newStaker(first.site, "Nora", segwit, taproot)
	const units = 1_000 * lobo
	var orders []*order
	for _, id := range p.unlock(first, units, units, units, units) {
		orders = append(orders, p.act("WITHDRAW", id))
	}
	delivered := func(o *order) {
		t.Helper()
		p.pay(*o, o.Total)
		first.mine(1)
		p.awaitSent(o.ID)
		first.mine(3)
		p.awaitStatus(o.ID, "DELIVERED")
	}
	delivered(orders[0])
	manifests := joining(t, first)
	k := newSignerProcess(t, first, manifests, "--index", "followed")
	b := join(t, first, manifests, "--index", "followed", "--signer", k.socket)
	withdrawn := 1
	for !k.logged(`"signed"`) { // the leader may change again
		if withdrawn == len(orders) {
			t.Fatal("the signer signed nothing")
		}
		b.takesLead()
		delivered(orders[withdrawn])
		withdrawn++
	}
	if got := p.balance(); got != int64(withdrawn)*units {
		t.Errorf("the wallet holds %d base units after %d deliveries", got, withdrawn)
	}
	const to = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"
	etching := `{"runeName":"NOBODY•KNOWS•IF•FREE","premine":"1","isMintable":false,"destinationAddress":"` + to +
		`","refundAddress":"` + to + `","feeRate":2}`
	a := first.send(http.MethodPost, ordersBase+"runes/etch/orders", "application/json", []byte(etching))
	if !strings.Contains(string(a.body), `"code":"RUNE_ORDERS_OFF"`) {
		t.Errorf("an etch order: HTTP %d %s, want RUNE_ORDERS_OFF", a.status, a.body)
	}
	first.operate("no runes are indexed but "+first.runeID()+":", "audit")

	for _, index := range []string{"", "full"} { // the index of the ledger, and the full index
		await(t, patience, "an auditor finds every reward right with the index "+index, func() bool {
			output, _ := first.moonfund("", first.onLedger([]string{"epoch", "verify", "1", "--index", index})...)
			return strings.Contains(output, "Every reward is right.")
		})
	}

	first.changesIndex(t, manifests)
}

// changesIndex starts a server with a separate ledger on the first server's node. With another index the server refuses
// to start until the ledger is rebuilt, and with runes that do not exist it refuses to start.
func (h *devServer) changesIndex(t *testing.T, manifests string) {
	t.Helper()
	own := prepareDevServer(t)
	key := filepath.Join(t.TempDir(), "copied.key") // its high-water mark is not the dev network's
	text, err := os.ReadFile(filepath.Join(h.data, "keys.json"))
	must(t, err)
	must(t, os.WriteFile(key, text, 0o600))
	serve := func(manifests, index string) []string {
		return slices.Concat([]string{"serve", "--network", "regtest", "--communities", manifests, "--key", key,
			"--domain", "localhost", "--listen", fmt.Sprintf("127.0.0.1:%d", own.port), "--index", index}, h.node())
	}
	reindex := func(index, want string) {
		own.operate("were no longer watched",
			slices.Concat([]string{"rebuild", "--from-chain", "--index", index, "--network", "regtest",
				"--communities", manifests, "--key", key, "--why", "another index", "--yes"}, h.node())...)
		own.operate(want, append([]string{"audit", "--network", "regtest"}, h.node()...)...)
	}
	created := slices.Concat([]string{"init", "--network", "regtest", "--communities", manifests, "--key", key}, h.node())
	own.refuses("received the output", created...)
	own.operate("Created the ledger", append(created, "--despite-history", "--why", "another index", "--yes")...)
	own.refuses("it is not etched yet", serve(manifest(t, "[rune]", "[rune]\nid = \"999999:1\""), "followed")...)
	own.refuses("etches no rune", serve(manifest(t, "[rune]", "[rune]\nid = \"1:0\""), "followed")...)
	own.run(own.onLedger(serve(manifests, "followed"))...)
	await(t, patience, "it has followed the chain", func() bool { return !own.catchingUp() })
	own.stop()
	own.refuses("this index of runes was created with --index followed, not full", serve(manifests, "full")...)
	reindex("full", "no violation")
	own.refuses("this index of runes was created with --index full, not followed", serve(manifests, "followed")...)
	reindex("followed", fmt.Sprintf("no runes are indexed but %s:", h.runeID()))
}
