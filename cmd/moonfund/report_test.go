package main

import (
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"moonfund/internal/staking/action"
	"moonfund/internal/staking/payout"
	"moonfund/internal/testkit"
)

// TestTreasuryReport checks that the sums of a report equal the journal's accounts, and that each line names its
// posting, its transaction and its order.
func TestTreasuryReport(t *testing.T) {
	w := profitable(t)
	w.AddTreasurySats(30_000)
	_, reward := w.Rewarded(w.Bert, 50_000)
	claim := *w.Act(w.Bert, action.Claim, reward).Order
	w.Pay(w.Bert, claim, claim.Due()+9_000)
	w.Settle(3)
	w.Node.Rewind(4) // undoes the delivery, which is delivered again
	w.Settle(18)
	w.Withdraw(payout.Withdrawal{Sats: 20_000, To: w.Cleo.Payment.Text})
	w.Step()
	w.Settle(14)
	w.Withdraw(payout.Withdrawal{Runes: 700, To: w.Cleo.Payment.Text})
	w.Step()
	w.Settle(14)
	w.Audit()
	sums := map[string]int64{}
	months := map[string]bool{}
	for at := testkit.Genesis; !at.After(w.Clock.Now()); at = at.Add(24 * time.Hour) {
		months[at.Format("2006-01")] = true
	}
	for month := range months {
		text := w.must("treasury", "report", "lobo", "--month", month)
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		testkit.Must(t, err)
		for _, row := range rows[1:] {
			n, err := strconv.ParseInt(row[3], 10, 64)
			testkit.Must(t, err)
			sums[row[1]] += n
			if !strings.HasPrefix(row[0], month) || !strings.HasSuffix(row[0], "Z") {
				t.Errorf("the time %s is not in %s: %v", row[0], month, row)
			}
			if needs := row[1] != "reward credited" && row[1] != "deposit for network fees" && row[1] != "refund"; needs &&
				len(row[4]) != 64 {
				t.Errorf("the line has no transaction: %v", row)
			}
		}
	}
	account := func(condition string) int64 {
		var n int64
		text := w.Rows(`SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) AS n FROM journal WHERE ` + condition)
		_, err := fmt.Sscanf(text, "n=%d", &n)
		testkit.Must(t, err)
		return n
	}
	const fees = `'fees:lobo'`
	for kind, want := range map[string]int64{
		"service fee earned":          2 * 60_000,
		"deposit for network fees":    30_000,
		"network fee collected":       account(`to_account = `+fees) - 30_000,
		"network fee paid":            account(`from_account = ` + fees),
		"sats withdrawn":              20_000 + 546,
		"runes withdrawn":             700,
		"network fee of a withdrawal": account(`to_account = 'withdrawal-fees:lobo'`),
		"reward credited": account(`event <> '' AND from_account = 'outside' AND asset = 'rune'
			AND subject LIKE 'reward:%'`),
		"reward paid": account(`to_account = 'WITHDRAWN' AND subject LIKE 'reward:%'`) -
			account(`from_account = 'WITHDRAWN' AND subject LIKE 'reward:%'`),
		"refund": account(`to_account LIKE 'refunded:%' OR to_account LIKE 'returned:%'`) -
			account(`from_account LIKE 'refunded:%' OR from_account LIKE 'returned:%'`),
	} {
		if sums[kind] != want || want == 0 {
			t.Errorf("%s: got %d, the journal has %d", kind, sums[kind], want)
		}
		delete(sums, kind)
	}
	if len(sums) > 0 {
		t.Errorf("the report has unknown kinds: %v", sums)
	}
	if text := w.must("treasury", "report", "lobo", "--month", "2019-01"); strings.Count(text, "\n") != 1 {
		t.Errorf("report of a month without postings: %s", text)
	}
}
