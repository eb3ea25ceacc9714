package stop

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moonfund/internal/staking/follower"
)

// TestRunbooks checks that each stop and each cause of a pause has its own runbook, which exists, and that each kind
// has a title.
func TestRunbooks(t *testing.T) {
	for _, row := range []struct{ what, reason, want string }{
		{Node, "connection refused", "node-down"},
		{Relay, "tokens-runes", "refused-payouts"},
		{Chain, follower.ErrDeepReorg.Error() + ": repair it", "deep-reorg"},
		{Chain, "a block can't be read", "node-down"},
		{Clock, "it jumped", "clock"},
		{Disk, "less than 512 MiB are free", "node-down"},
		{Signer, "the signer's process does not answer", "signer"},
		{Signer, "signer: clock: it jumped", "clock"},
		{Statements, "the record is lost", "restore"},
		{Statements, NoReceipts + "the signer refuses the key", "signer"},
		{"all", ByClock + "it jumped", "clock"},
		{"all", OlderCopy + ": find it", "behind"},
		{"all", Replaced + ": serve that copy", "behind"},
		{"all", Restored + "olga from the backup", "restore"},
		{"all", Rebuilt + "olga: a damaged disk", "corrupt-database"},
		{"payouts", ByAudit + "a sum is wrong", "corrupt-database"},
		{"payouts:lobo", ByAudit + "a sum is wrong", "corrupt-database"},
		{"payouts", "olga: a look at the books", "README"},
	} {
		s := New(row.what, row.reason)
		if s.Runbook != "docs/operations/"+row.want+".md" {
			t.Errorf("%s, %q: %s", row.what, row.reason, s.Runbook)
		}
		if _, err := os.Stat(filepath.Join("../../..", s.Runbook)); err != nil {
			t.Error(err)
		}
		if page := strings.TrimSuffix("operations/"+row.want, "/README"); s.Read() != "Read: moonfund help "+page+"." {
			t.Errorf("%s: %s", row.what, s.Read())
		}
		if s.IsPause() == slices.Contains(Noticed, row.what) || s.IsPause() == (s.Title() != "") {
			t.Errorf("%s: pause %v, title %q", row.what, s.IsPause(), s.Title())
		}
	}
}

// TestReasonsArePublic checks that a reason, which /status publishes, names no address, path or id.
func TestReasonsArePublic(t *testing.T) {
	for text, want := range map[string]string{
		`Post "http://user@10.0.0.1:8332": connection refused`:   "Post the node: connection refused",
		"dial tcp 10.0.0.1:8332: timeout":                        "dial tcp the node: timeout",
		"dial tcp [fe80::1%eth0]:8332: connect: refused":         "dial tcp the node: connect: refused",
		"dial tcp: lookup node.lan on 10.0.0.1:53: no such host": "dial tcp: the node: no such host",
		"dial tcp: lookup bitcoind: no such host":                "dial tcp: the node: no such host",
		"PostgreSQL at db.lan:5432 does not answer":              "PostgreSQL at … does not answer",
		"PostgreSQL at db:5432 does not answer":                  "PostgreSQL at … does not answer",
		"failed to connect to `user=fund database=ledger`: 10.0.0.5:5432 (db.lan): dial error: timeout": "failed to " +
			"connect to …: the node … error: timeout",
		"open /var/lib/moonfund/outflow.json: no such file":            "open …: no such file",
		"audit: order f3380eb42f5ce73cd355ae0189b2e415 has no payment": "audit: order … has no payment",
		"tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx is owed 5 sat/vB":  "… is owed 5 sat/vB",
		"see docs/operations/restore.md and/or the log":                "see docs/operations/restore.md and/or the log",
	} {
		if got := Public(text); got != want {
			t.Errorf("%s: got %q", text, got)
		}
	}
}
