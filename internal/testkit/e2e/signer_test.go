package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moonfund/internal/server/signing"
	"moonfund/internal/signer"
	"moonfund/internal/testkit/engine"
)

// signerProcess is a signer in a separate process.
type signerProcess struct {
	t            *testing.T
	moonfund     string
	data, socket string
	arguments    []string
	log          string
	process      *exec.Cmd
}

func newSignerProcess(t *testing.T, first *devServer, manifests string, flags ...string) *signerProcess {
	t.Helper()
	dir, err := os.MkdirTemp("", "k") // the path of a Unix socket has at most 107 bytes
	must(t, err)
	// The first server may have signed with its key file. The signer process starts with copies of the key file and of
	// the record of signed payouts, without which it would sign nothing.
	key := filepath.Join(dir, "signer.key")
	text, err := os.ReadFile(filepath.Join(first.data, "keys.json"))
	must(t, err)
	must(t, os.WriteFile(key, text, 0o600))
	k := &signerProcess{t: t, moonfund: first.programs.moonfund, data: filepath.Join(dir, "signer"),
		socket: filepath.Join(dir, "socket"), log: filepath.Join(dir, "log")}
	k.arguments = slices.Concat([]string{"signer", "run", "--network", "regtest", "--communities", manifests, "--data",
		k.data,
		"--key", key, "--socket", k.socket}, flags, first.node())
	must(t, os.Mkdir(k.data, 0o700))
	if record, err := os.ReadFile(filepath.Join(first.data, signing.OutflowFile)); err == nil {
		must(t, os.WriteFile(filepath.Join(k.data, signing.OutflowFile), record, 0o600))
	}
	k.start()
	t.Cleanup(func() {
		k.kill()
		if t.Failed() {
			text, _ := os.ReadFile(k.log)
			t.Logf("the signer's log:\n%s", text)
		}
		os.RemoveAll(dir)
	})
	return k
}

func (k *signerProcess) start() {
	k.t.Helper()
	log, err := os.OpenFile(k.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	must(k.t, err)
	defer log.Close()
	k.process = exec.Command(k.moonfund, k.arguments...)
	k.process.Env = append(os.Environ(), "MOONFUND_PASSPHRASE="+devPassphrase)
	k.process.Stdout, k.process.Stderr = log, log
	must(k.t, k.process.Start())
	await(k.t, patience, "the signer answers", func() bool {
		_, err := signer.Dial(k.socket).Accounts(context.Background())
		return err == nil
	})
}

func (k *signerProcess) kill() {
	k.process.Process.Kill()
	k.process.Wait()
}

// do runs a command of the signer and returns its output.
func (k *signerProcess) do(arguments ...string) string {
	k.t.Helper()
	output, err := exec.Command(k.moonfund,
		append([]string{"signer"}, append(arguments, "--data", k.data)...)...).CombinedOutput()
	if err != nil {
		k.t.Fatalf("signer %s: %v\n%s", arguments, err, output)
	}
	return string(output)
}

func (k *signerProcess) logged(text string) bool {
	log, err := os.ReadFile(k.log)
	must(k.t, err)
	return strings.Contains(string(log), text)
}

// TestSignerProcess checks that a server without a key pays through the signer process, waits while the signer is
// paused or down, and then continues.
func TestSignerProcess(t *testing.T) {
	first := newDevServerOnPostgres(t, "--communities", manifest(t))
	p := newStaker(first.site, "Nora", segwit, taproot)
	const units = 1_000 * lobo
	withdraw := p.act("WITHDRAW", p.unlock(first, units)...)
	manifests := joining(t, first)
	k := newSignerProcess(t, first, manifests)
	b := join(t, first, manifests, "--signer", k.socket)
	if _, err := os.Stat(filepath.Join(b.data, "keys.json")); err == nil {
		t.Error("the server has a key file")
	}
	b.takesLead()

	k.do("pause", "--by", "olga", "--why", "a rehearsal")
	p.pay(*withdraw, withdraw.Total)
	await(t, patience, "the payment is seen", func() bool { return p.order(withdraw.ID).Due == 0 })
	p.mine(1)
	db := engine.Connect(t, first.database)
	status := func() (status string) {
		must(t, db.QueryRow(`SELECT status FROM payment_order WHERE id = $1`, withdraw.ID).Scan(&status))
		return status
	}
	await(t, patience, "the signer refuses while it is paused", func() bool { return k.logged("a rehearsal") })
	if got := status(); got != "PAID" {
		t.Errorf("while the signer is paused the order is %s, want PAID", got)
	}
	k.kill()
	k.do("resume", "--by", "olga", "--why", "it is over", "--yes")
	k.start()
	await(t, patience, "the payout is stored", func() bool { return status() == "SENT" })
	p.awaitSent(withdraw.ID)
	first.mine(3)
	p.awaitStatus(withdraw.ID, "DELIVERED")
	if got := p.balance(); got != units {
		t.Errorf("the wallet holds %d, want %d", got, units)
	}
	if !k.logged(fmt.Sprintf("%q", "signed")) {
		t.Error("the signer process did not sign")
	}
	b.stop()
	first.audit()
}
