package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"moonfund/internal/testkit/engine"
)

// damage executes a statement on a database of the stopped or running server.
func (r *runbooks) damage(file, statement string) {
	r.t.Helper()
	if engine.Damage(r.t, "sqlite:"+filepath.Join(os.Getenv("MOONFUND_DATA"), file), statement) == 0 {
		r.t.Fatalf("nothing was changed by %s", statement)
	}
}

// serveFrom starts the server on the ledger in a folder.
func (r *runbooks) serveFrom(data string) {
	r.t.Helper()
	r.parent.Setenv("MOONFUND_DATA", data)
	r.devServer.run("serve")
	r.follows()
}

// paused returns what is paused, as the community's status has it.
func (r *runbooks) paused() string {
	var status struct{ Paused string }
	r.devServer.get("status", &status)
	return status.Paused
}

// continues resumes everything on an older ledger, and the payouts when the audit finds nothing any more: the payouts
// that the ledger lacks have then become spends that it knows.
func (r *runbooks) continues() {
	r.t.Helper()
	r.says("moonfund audit")
	r.types("Resumed: all", `moonfund resume all --why "…"`)
	r.mineUntil("the audit finds nothing", func() bool {
		return strings.Contains(r.shell("moonfund audit || true"), "no violation")
	})
	if r.paused() == "payouts" {
		r.types("Resumed", `moonfund resume payouts --community PREFIX --why "…"`, "PREFIX", prefix)
	}
}

// stopped mines blocks until the audit has stopped the payouts.
func (r *runbooks) stopped() {
	r.t.Helper()
	r.mineUntil("the audit stops the payouts", func() bool { return r.paused() == "payouts" })
}

// violations returns the ids of the violations that the audit prints.
func (r *runbooks) violations(output string) []string {
	return regexp.MustCompile(`\b[0-9a-f]{12}\b`).FindAllString(output, -1)
}

// auditStops accepts a difference that stopped the payouts of a community.
func (r *runbooks) auditStops() {
	r.damage("ledger.db", "UPDATE epoch_account SET cut_hash = '00' WHERE settled = 1 AND epoch = 1")
	r.stopped()
	waiting := r.becomes(r.withdraws(), "PAID")
	found := r.fails("moonfund audit")
	for _, id := range r.violations(found) {
		r.types("", `moonfund audit accept 1a2b3c4d5e6f --why "epoch 7 settled before the reorg of November 28"`,
			"1a2b3c4d5e6f", id)
	}
	r.types("Resumed", `moonfund resume payouts --community PREFIX --why "…"`, "PREFIX", prefix)
	r.becomes(waiting, "DELIVERED")
}

// fails runs a command of the runbook that must fail, and returns its output.
func (r *runbooks) fails(line string) string {
	r.t.Helper()
	r.says(line)
	return r.shell("! " + line + " 2>&1")
}

// corruptDatabase repairs a ledger that differs from the chain, and a server whose file of the audit is damaged.
func (r *runbooks) corruptDatabase() {
	r.damage("ledger.db", "UPDATE custody SET runes = runes + 1 WHERE kind = 'runes' AND spent_by = ''")
	r.stopped()
	waiting := r.becomes(r.withdraws(), "PAID")
	r.fails("moonfund audit")
	r.types("Paused", `moonfund pause all --why "the audit found …"`)
	r.types("Wrote", "moonfund backup FILE", "FILE", `"$MOONFUND_BACKUPS/damaged.zip"`)
	r.devServer.stop()
	r.types("", `moonfund rebuild --from-chain --why "…"`)
	r.types("", "moonfund serve")
	r.types("no violation", "moonfund audit")
	r.types("Resumed", `moonfund resume all --why "…"`)
	r.resumes()
	r.becomes(waiting, "DELIVERED")

	r.devServer.stop()
	r.damage("audit.db", "UPDATE output SET value = value + 1")
	r.devServer.run("serve")
	r.stopped()
	r.types("no violation", "moonfund audit")
	r.devServer.stop()
	for _, name := range []string{"audit.db", "audit.db-wal"} {
		_ = os.Remove(filepath.Join(os.Getenv("MOONFUND_DATA"), name)) // the second exists only after a crash
	}
	r.types("", "moonfund serve")
	r.resumes()
}

// resumes resumes the payouts, of the community if only these are paused.
func (r *runbooks) resumes() {
	r.t.Helper()
	line := `moonfund resume payouts --why "…"`
	r.says(line)
	r.says("--community PREFIX")
	if output := r.shell(line + " 2>&1 || true"); strings.Contains(output, "is not paused") {
		r.shell(line + " --community " + prefix)
	}
}

// restoresBackup restores a backup after the disk failed. It contains an order that was paid later, and lacks one.
func (r *runbooks) restoresBackup() {
	known := *r.erin.act("WITHDRAW", r.next())
	file := filepath.Join(os.Getenv("MOONFUND_BACKUPS"), "restore.zip")
	r.types("Wrote", "moonfund backup FILE", "FILE", file)
	r.erin.pay(known, known.Total)
	delivered := r.becomes(known, "DELIVERED")
	r.delivers() // of an order that the backup does not contain
	balance := r.erin.balance()
	r.devServer.kill()
	data := os.Getenv("MOONFUND_DATA")
	ledger, err := os.OpenFile(filepath.Join(data, "ledger.db"), os.O_WRONLY, 0)
	must(r.t, err)
	_, err = ledger.WriteAt(make([]byte, 1<<20), 100)
	must(r.t, err)
	must(r.t, ledger.Close())
	r.refused("malformed", "moonfund serve")

	r.says("sudo moonfund restore FILE")
	if output := r.shell("moonfund restore " + file + ` --why "the disk failed"`); !strings.Contains(output, "Restored") {
		r.t.Errorf("the restore printed %s", output)
	}
	r.types("", "moonfund serve")
	if r.paused() != "all" {
		r.t.Error("a restored ledger is not paused")
	}
	r.continues()
	if again := r.becomes(known, "DELIVERED"); *again.PayoutTx != *delivered.PayoutTx {
		r.t.Errorf("delivered by %s, after the restore by %s", *delivered.PayoutTx, *again.PayoutTx)
	}
	if got := r.erin.balance(); got != balance {
		r.t.Errorf("erin has %d base units after the restore, want %d", got, balance)
	}
}

// ledgerBehind starts the server without its ledger, with another ledger than the key's, and on an older copy of it.
func (r *runbooks) ledgerBehind() {
	data := os.Getenv("MOONFUND_DATA")
	r.devServer.stop()
	r.refused("there is no ledger in", `moonfund serve --data "$MOONFUND_DATA-unmounted"`)
	r.shell(`moonfund key new "$MOONFUND_KEY-other"`)
	r.shell(`moonfund init --data "$MOONFUND_DATA-other" --key "$MOONFUND_KEY-other"`)
	r.refused("the key serves the ledger", `moonfund serve --data "$MOONFUND_DATA-other"`)
	r.says("moonfund ledger show")
	r.shell(`moonfund ledger show --data "$MOONFUND_DATA-other"`)
	r.shell(`cp -r "$MOONFUND_DATA" "$MOONFUND_DATA-copy"`)
	r.serveFrom(data)
	r.delivers()
	r.erin.endow(10 * lobo)
	r.network.mine(1)
	later := r.erin.stake(10 * lobo).ID
	r.mineUntil("the later stake counts", func() bool { return r.erin.stage(later) == "STAKED" })

	r.devServer.stop()
	r.serveFrom(data + "-copy")
	if r.paused() != "all" {
		r.t.Error("an older copy is not paused")
	}
	r.devServer.stop()
	r.serveFrom(data) // the newer copy
	r.delivers()

	r.devServer.stop()
	r.serveFrom(data + "-copy") // the newer copy is lost
	r.continues()
	r.types("", `moonfund ledger adopt --search --why "stakes made before the copy"`)
	r.types("", `moonfund ledger adopt --from /mnt/old/data --why "the other copy, read from its disk"`, "/mnt/old/data",
		data)
	r.mineUntil("the later stake is adopted", func() bool { return r.erin.stage(later) == "STAKED" })
	r.delivers()
	r.devServer.stop()
	r.serveFrom(data)
	if r.paused() != "all" {
		r.t.Error("the replaced ledger is not paused")
	}
	r.devServer.stop()
	r.serveFrom(data + "-copy")
}
