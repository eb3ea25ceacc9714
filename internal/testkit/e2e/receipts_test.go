package e2e

import (
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"testing"
)

// TestReceiptsOfAServer verifies the receipts of a running server with moonfund-verify over HTTP: of a stake and of the
// signed action that unstakes it.
func TestReceiptsOfAServer(t *testing.T) {
	verifier := buildVerifier(t)
	h := newDevServer(t, "")
	anna := newStaker(h.site, "anna", segwit, taproot)
	anna.endow(2000 * lobo)
	h.mine(1)
	staked := anna.stake(1000*lobo + 1)
	h.mine(3)
	h.nextEpoch()
	anna.act("UNSTAKE", staked.ID)
	path := "/lobo/receipts/" + anna.ordinals.text
	var text string
	await(t, patience, "both receipts", func() bool {
		got := h.site.send(http.MethodGet, path, "", nil)
		text = string(got.body)
		return got.status == http.StatusOK && strings.Contains(text, `"kind":"stake"`) &&
			strings.Contains(text, `"kind":"unstake"`)
	})
	at := strings.LastIndex(text, `"key":"`) + len(`"key":"`)
	url := fmt.Sprintf("http://127.0.0.1:%d%s", h.port, path)
	verify := exec.Command(verifier, "receipt", url, "--key", text[at:at+64], "--owner", anna.ordinals.text)
	if out, err := verify.CombinedOutput(); err != nil || !strings.Contains(string(out), "unstake") {
		t.Errorf("%v: %v\n%s", verify.Args, err, out)
	}
}
