package console_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"moonfund/internal/operate/console"
	"moonfund/internal/testkit"
)

// answers is a server with fixed responses.
type answers struct {
	status, metrics string
	host            string // of the last request
}

func (a *answers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.host = r.Host
	switch r.URL.Path {
	case "/lobo/status":
		_, _ = fmt.Fprint(w, a.status)
	case "/metrics":
		_, _ = fmt.Fprint(w, a.metrics)
	default:
		http.NotFound(w, r)
	}
}

const (
	wellStatus = `{"success":true,"data":{"tip_height":1234,"node_height":1234,"lag":0,"paused":"none","version":"1.2.3"}}`
	badStatus  = `{"success":true,"data":{"tip_height":1234,"node_height":-1,"lag":7,"paused":"none","version":"1.2.3",
		"catching_up":true,"payouts_waiting":2,"payouts_reason":"the fee account is empty","stops":[
		{"what":"all","reason":"is in the ledger","runbook":"r"},
		{"what":"node","reason":"the node <b>closed</b> the connection","runbook":"docs/operations/node-down.md"},
		{"what":"clock","reason":"75 s off","runbook":"docs/operations/clock.md"},
		{"what":"signer","reason":"the signer's process does not answer","runbook":"docs/operations/signer.md"}]}}`
	wellMetrics = `# TYPE moonfund_leader gauge
moonfund_leader 1
# TYPE moonfund_audit_ok gauge
moonfund_audit_ok 1
# TYPE moonfund_audit_age_seconds gauge
moonfund_audit_age_seconds 120
# TYPE moonfund_audit_height gauge
moonfund_audit_height 1234
# TYPE moonfund_backup_age_seconds gauge
moonfund_backup_age_seconds 600
# TYPE moonfund_signer_up gauge
moonfund_signer_up 1
# TYPE moonfund_fee_rate_sat_per_vbyte gauge
moonfund_fee_rate_sat_per_vbyte 2.5
`
	badMetrics = `# TYPE moonfund_leader gauge
moonfund_leader 0
# TYPE moonfund_audit_ok gauge
moonfund_audit_ok 0
# TYPE moonfund_audit_violations gauge
moonfund_audit_violations 3
# TYPE moonfund_audit_age_seconds gauge
moonfund_audit_age_seconds 20000
# TYPE moonfund_backup_age_seconds gauge
moonfund_backup_age_seconds 90000
# TYPE moonfund_signer_up gauge
moonfund_signer_up 0
`
)

// TestHealth checks that the overview shows the state of the running server: each problem with its reason and the
// advice.
func TestHealth(t *testing.T) {
	w := testkit.NewWorld(t)
	a := &answers{status: wellStatus, metrics: wellMetrics}
	running := httptest.NewServer(a)
	t.Cleanup(running.Close)
	address := strings.TrimPrefix(running.URL, "http://")
	config := of(w)
	config.Server = console.Server{Listen: address, Domain: "example.org", Metrics: address}
	s := entered(t, config)
	shows := func(wants ...string) {
		t.Helper()
		text := s.want(http.StatusOK, "/")
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("the overview does not contain %q:\n%s", want, text)
			}
		}
	}
	shows("All is well", "Block 1,234", "level with the node", "version 1.2.3, leads", "2.5 sat/vB", "2 min ago",
		"no violation, block 1,234", "10 min ago", "Ready")
	if a.host != "example.org" {
		t.Errorf("the Host of the request is %q", a.host)
	}
	a.status, a.metrics = badStatus, badMetrics
	shows("The Bitcoin node can&#39;t be used", "Read: moonfund help operations/node-down.",
		"the node &lt;b&gt;closed&lt;/b&gt; the connection", "another server leads", "3 violations",
		"The last audit was 5 h ago", "The last backup was made 25 h ago", "Nothing is signed", "process does not answer",
		"Read: moonfund help operations/signer.", "Signs nothing", "75 s off", "2 orders or tasks wait",
		"the fee account is empty", "moonfund audit", "moonfund backup moonfund-backup.zip")
	for _, garbage := range []string{"", "{}", `{"success":true}`, "<html>", strings.Repeat("x", 5<<20)} {
		a.status, a.metrics = garbage, garbage+"\n{{{"
		shows("The server does not answer", "Unknown")
	}
}
