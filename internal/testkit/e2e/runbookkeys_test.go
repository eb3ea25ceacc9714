package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// withSigner restarts the server with a signer in a separate process.
func (r *runbooks) withSigner() *signerProcess {
	r.t.Helper()
	dir, err := os.MkdirTemp("", "k") // the path of a Unix socket has at most 107 bytes
	must(r.t, err)
	k := &signerProcess{t: r.parent, moonfund: "moonfund", data: filepath.Join(dir, "signer"),
		socket: filepath.Join(dir, "socket"), log: filepath.Join(dir, "log")}
	key := filepath.Join(dir, "moonfund.key")
	k.arguments = []string{"signer", "run", "--data", k.data, "--socket", k.socket, "--key", key, "--communities",
		os.Getenv("MOONFUND_COMMUNITIES")}
	r.devServer.stop()
	r.parent.Cleanup(func() { k.kill(); os.RemoveAll(dir) })
	k.do("adopt", "--key", key, "--by", "olga", "--why", "the server signed until now", "--yes")
	r.parent.Setenv("MOONFUND_KEY", key)
	k.start()
	r.parent.Setenv("MOONFUND_SIGNER", k.socket)
	r.serveFrom(os.Getenv("MOONFUND_DATA"))
	return k
}

// nothingIsSigned moves the key to a signer, which is killed, paused and loses its record. Paid orders wait meanwhile.
func (r *runbooks) nothingIsSigned() {
	r.signer = r.withSigner()
	stops := func(text string) {
		r.t.Helper()
		await(r.t, patience, "/status says: "+text, func() bool {
			return strings.Contains(r.curl("/"+prefix+"/status"), text)
		})
	}
	r.signer.kill()
	stops("the signer's process does not answer")
	waiting := r.becomes(r.withdraws(), "PAID")
	r.signer.do("pause", "--by", "olga", "--why", "a look at the machine")
	r.signer.start()
	stops("a look at the machine")
	r.types("Paused since", "moonfund signer status --data ./signer", "./signer", r.signer.data)
	record := filepath.Join(r.signer.data, "outflow.json")
	must(r.t, os.Rename(record, record+".away"))
	r.types("", `moonfund signer resume --data ./signer --why "…"`, "./signer", r.signer.data)
	stops("moonfund signer adopt")
	must(r.t, os.Rename(record+".away", record))
	r.becomes(waiting, "DELIVERED")
}

// stolenKey restores a server that may be compromised, and then moves the treasury from a stolen key to a new one. The
// new community pays.
func (r *runbooks) stolenKey() {
	k := r.signer
	key := os.Getenv("MOONFUND_KEY")
	file := filepath.Join(os.Getenv("MOONFUND_BACKUPS"), "before.zip")
	r.shell("moonfund backup " + file)
	r.delivers()
	r.types("", `moonfund signer pause --data ./signer --why "…"`, "./signer", k.data)
	r.types("Paused", `moonfund pause all --why "…"`)
	r.devServer.kill()
	r.parent.Setenv("MOONFUND_DATA", os.Getenv("MOONFUND_DATA")+"-clean")
	r.shell(`moonfund restore ` + file + ` --why "a new machine"`)
	r.devServer.run("serve")
	r.follows()
	for _, line := range []string{"moonfund log", "moonfund payout list"} {
		r.types("", line)
	}
	r.types("Paused since", "moonfund signer status --data ./signer", "./signer", k.data)
	r.types("", `moonfund signer resume --data ./signer --why "…"`, "./signer", k.data)
	r.continues()
	r.delivers()

	r.types("Paused", `moonfund pause all --why "…"`)
	r.devServer.stop()
	k.kill()
	fresh := key + "-new"
	r.types("", "moonfund key new FILE", "FILE", fresh)
	xpub := regexp.MustCompile(`tpub\w+`).FindString(r.types("tpub", "moonfund key check FILE", "FILE", fresh))
	r.says("moonfund key backup FILE") // on a terminal only
	sweep := r.types("Sent", `moonfund key sweep moonfund.key COMMUNITY --to XPUB --rate 100 --why "the key is stolen"`,
		"moonfund.key", key, "COMMUNITY", prefix, "XPUB", xpub)
	txid := regexp.MustCompile(`Sent (\w+)`).FindStringSubmatch(sweep)[1]
	r.network.mine(1)

	must(r.t, os.Unsetenv("MOONFUND_SIGNER"))
	r.types("", "moonfund serve")
	r.types("", `moonfund treasury explain TXID --why "our own sweep"`, "TXID", txid)
	if found := r.shell("moonfund audit || true"); strings.Contains(found, txid) {
		r.t.Errorf("the explained sweep is a violation:\n%s", found)
	}
	r.devServer.stop()

	r.parent.Setenv("MOONFUND_KEY", fresh)
	r.parent.Setenv("MOONFUND_DATA", os.Getenv("MOONFUND_DATA")+"-new")
	r.types("Created the ledger", `moonfund init --despite-history --why "…"`)
	r.types("", "moonfund serve")
	r.types("Booked", `moonfund treasury credit COMMUNITY --why "…"`, "COMMUNITY", prefix)
	r.held = nil
	r.unlocks(2)
}
