package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"moonfund/internal/staking/community"
)

// TestStatementsOfAServer verifies the statements of a running server with moonfund-verify over HTTP: the chain with
// its rewards, the newest statement, an owner's proof, and that the server allows pages of every origin to read them.
func TestStatementsOfAServer(t *testing.T) {
	verifier := buildVerifier(t)
	h := newDevServer(t, "")
	anna := newStaker(h.site, "anna", segwit, taproot)
	anna.endow(2000 * lobo)
	h.mine(1)
	anna.stake(1000*lobo + 1)
	h.mine(3)
	h.nextEpoch()
	settled := h.nextEpoch() // the epoch before this one is settled
	head := h.site.send(http.MethodGet, "/lobo/statements/head", "", nil)
	await(t, patience, "the statement of the last epoch", func() bool {
		head = h.site.send(http.MethodGet, "/lobo/statements/head", "", nil)
		return head.status == http.StatusOK && epochOf(t, head.body) >= settled-1
	})
	base := fmt.Sprintf("http://127.0.0.1:%d/lobo/statements", h.port)
	verify := func(arguments ...string) {
		t.Helper()
		if out, err := exec.Command(verifier, arguments...).CombinedOutput(); err != nil {
			t.Errorf("moonfund-verify %v: %v\n%s", arguments, err, out)
		}
	}
	var signed struct {
		Key       string
		Statement struct{ Sequence int64 }
	}
	must(t, json.Unmarshal(head.body, &signed))
	verify("chain", base, "--key", signed.Key)
	await(t, patience, "the archived statement", func() bool { // a moment after the server serves it
		_, err := os.Stat(filepath.Join(h.data, "statements", fmt.Sprintf("lobo-%d.json", signed.Statement.Sequence)))
		return err == nil
	})
	verify("chain", filepath.Join(h.data, "statements"), "--community", prefix, "--key", signed.Key)
	newest := fmt.Sprintf("%s/%d", base, signed.Statement.Sequence)
	verify("statement", newest, "--key", signed.Key)
	verify("proof", newest+"/proofs/"+anna.ordinals.text, "--statement", newest, "--owner", anna.ordinals.text, "--key",
		signed.Key)
	response, err := http.Get(newest)
	must(t, err)
	response.Body.Close()
	if origins := response.Header.Get("Access-Control-Allow-Origin"); origins != "*" {
		t.Errorf("pages of the origins %q may read a statement", origins)
	}
	for _, path := range []string{"/9999", "/-1", "/x", "/0/proofs/nobody"} {
		if got := h.site.send(http.MethodGet, "/lobo/statements"+path, "", nil); got.status != http.StatusNotFound {
			t.Errorf("%s: status %d", path, got.status)
		}
	}
	if _, err := os.Stat(filepath.Join(h.data, "statements", "lobo-0-details.json")); err != nil {
		t.Error(err)
	}
}

// buildVerifier builds moonfund-verify and returns its path.
func buildVerifier(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "moonfund-verify")
	if out, err := exec.Command("go", "build", "-o", path, "moonfund/cmd/moonfund-verify").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

// statementsVerify checks that a community that was set up by the guide publishes statements, signed by the key that
// setup wrote into the manifest.
func (r *rehearsal) statementsVerify() {
	r.t.Helper()
	manifests, err := community.LoadDir(os.Getenv("MOONFUND_COMMUNITIES"), "regtest")
	must(r.t, err)
	await(r.t, patience, "a statement", func() bool {
		return r.devServer.site.send(http.MethodGet, "/lobo/statements/head", "", nil).status == http.StatusOK
	})
	base := fmt.Sprintf("http://127.0.0.1:%d/lobo/statements", r.devServer.port)
	verify := exec.Command(buildVerifier(r.t), "chain", base, "--key", manifests[0].StatementKey)
	if out, err := verify.CombinedOutput(); err != nil {
		r.t.Errorf("%v: %v\n%s", verify.Args, err, out)
	}
}

// statement returns the sequence of the newest published statement, -1 if there is none.
func (r *rehearsal) statement() int64 {
	r.t.Helper()
	head := r.devServer.site.send(http.MethodGet, "/lobo/statements/head", "", nil)
	if head.status != http.StatusOK {
		return -1
	}
	var signed struct{ Statement struct{ Sequence int64 } }
	must(r.t, json.Unmarshal(head.body, &signed))
	return signed.Statement.Sequence
}

// epochOf returns the epoch of a signed statement.
func epochOf(t *testing.T, text []byte) int64 {
	t.Helper()
	var signed struct{ Statement struct{ Epoch int64 } }
	must(t, json.Unmarshal(text, &signed))
	return signed.Statement.Epoch
}
