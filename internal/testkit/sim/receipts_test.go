package sim

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"moonfund/internal/server/publisher"
	"moonfund/internal/testkit"
	"moonfund/internal/verify"
)

// TestReceipts makes the receipts of random scenarios, compares them with the tables of the ledger, and verifies them
// like moonfund-verify.
func TestReceipts(t *testing.T) {
	if racing {
		return // nothing here is concurrent
	}
	start := NewSnapshot(t)
	_, operations := size()
	var verified atomic.Int64
	check := func(w *testkit.World) {
		r := w.Receipts(w.StatementSigner(w.TempDir()))
		r.Update = nil // no injected errors
		testkit.Must(w, r.Issue(w.Context()))
		compareReceipts(w)
		verified.Add(int64(verifyReceipts(w, r)))
	}
	plans := make([]Plan, 4)
	for i := range plans {
		plans[i] = Plan{Seed: *first + uint64(i), Steps: operations, Unaudited: isUnaudited(i), finished: check}
	}
	for _, out := range RunAll(t, start, plans, 1, os.Stderr).Broken {
		t.Errorf("seed %d: %s", out.Seed, out.Broken)
	}
	t.Logf("verified %d receipts", verified.Load())
}

// The facts that have a receipt, from the tables of the ledger: kind and subject.
var receiptFacts = []string{
	`SELECT LOWER(type) || ' ' || id FROM action WHERE used_at <> 0 AND type <> 'STAKE'`,
	`SELECT 'stake ' || id FROM unit WHERE txid <> ''`,
	`SELECT 'payment ' || txid || ':' || vout FROM payment
		WHERE txid NOT IN (SELECT v.txid FROM payout_version v)`, // these outputs keep an overpayment
	`SELECT 'delivery ' || id || ':' || payout_tx FROM payment_order WHERE status IN ('DELIVERED', 'CONSOLIDATED')`,
	`SELECT 'refund ' || id FROM payout WHERE kind = 'refund'`,
}

// compareReceipts requires one receipt for each fact, and no other receipts except for deposits and deliveries that
// were undone.
func compareReceipts(w *testkit.World) {
	w.Helper()
	have := values(w.Rows(`SELECT kind || ' ' || subject FROM receipt`))
	wanted := map[string]bool{}
	for _, query := range receiptFacts {
		for _, fact := range values(w.Rows(query)) {
			wanted[fact] = true
			if n := len(slices.DeleteFunc(slices.Clone(have), func(h string) bool { return h != fact })); n != 1 {
				w.Errorf("%d receipts of %s", n, fact)
			}
		}
	}
	for _, receipt := range have {
		if !wanted[receipt] && !strings.HasPrefix(receipt, "stake ") && !strings.HasPrefix(receipt, "delivery ") {
			w.Errorf("there is no %s", receipt)
		}
	}
	orders := values(w.Rows(`SELECT id FROM payment_order`))
	opened := values(w.Rows(`SELECT order_id FROM receipt WHERE kind IN ('claim', 'withdraw')`))
	slices.Sort(orders)
	slices.Sort(opened)
	if !slices.Equal(orders, opened) {
		w.Errorf("the orders are %v, the orders with a receipt of their creation %v", orders, opened)
	}
}

// values returns the only column of rows.
func values(rows string) (all []string) {
	for line := range strings.Lines(rows) {
		_, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		all = append(all, value)
	}
	return all
}

// verifyReceipts verifies the receipts of every owner, and returns their number.
func verifyReceipts(w *testkit.World, r *publisher.Receipts) (verified int) {
	w.Helper()
	for _, owner := range values(w.Rows(`SELECT DISTINCT owner FROM receipt`)) {
		for skip := int32(0); ; skip += publisher.ReceiptsAtOnce {
			text, err := r.Of(w.Context(), testkit.Prefix, owner, "", "", skip)
			testkit.Must(w, err)
			if text == "[]" {
				break
			}
			file := filepath.Join(w.TempDir(), "receipts.json")
			testkit.Must(w, os.WriteFile(file, []byte(text), 0o600))
			var out bytes.Buffer
			v := verify.Verifier{Out: &out, Key: r.Communities[0].Key, Owner: owner}
			if testkit.Must(w, v.Receipts(w.Context(), []string{file})); v.Failed() > 0 {
				w.Fatal(&out)
			}
			verified += strings.Count(out.String(), "said to")
		}
	}
	if all := values(w.Rows(`SELECT number FROM receipt`)); len(all) != verified {
		w.Errorf("%d of %d receipts are verified", verified, len(all))
	}
	return verified
}
