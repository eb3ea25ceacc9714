package audit_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"moonfund/internal/audit"
	"moonfund/internal/testkit"
)

// scopes has damage to rows, and what the violations stop at most.
var scopes = []struct {
	scope  audit.Scope
	orders string // the orders that the violations name, as a query; "": none
	text   string
}{
	{audit.OneOrder, `SELECT id FROM payment_order WHERE status = 'SENT' AND reason = 'WITHDRAW'`,
		`UPDATE payment_order SET real_units = real_units + 1 WHERE status = 'SENT' AND reason = 'WITHDRAW'`},
	{audit.OneOrder, `SELECT id FROM payment_order WHERE status = 'CONFIRMED'`,
		`UPDATE payment_order SET amount = amount + 1 WHERE status = 'CONFIRMED'`},
	{audit.OneOrder, `SELECT ref FROM custody WHERE kind = 'payment' AND spent_by = '' LIMIT 1`,
		`UPDATE custody SET spent_by = 'ff' WHERE ref = (SELECT ref FROM custody WHERE kind = 'payment' AND
			spent_by = '' LIMIT 1) AND spent_by = ''`},
	{audit.OneOrder, "", `UPDATE unit SET unlock_epoch = staked_to + 3 WHERE stage = 'STAKED'`},
	{audit.OneCommunity, "", `UPDATE epoch_account SET reserved = planned + 1 WHERE settled = 0`},
	{audit.OneCommunity, "", `UPDATE staked_total SET amount = amount + 1`},
	{audit.OneCommunity, "", `UPDATE custody SET booked = 0 WHERE kind = 'runes'`},
	{audit.WholeServer, "", `DELETE FROM journal WHERE number = 5`},
	{audit.WholeServer, "", `UPDATE block SET time = time + 1 WHERE height = 20`},
	{audit.WholeServer, "", `DELETE FROM rune_entry`},
	{audit.WholeServer, "", `UPDATE journal SET asset = 'gold' WHERE number = (SELECT MAX(number) FROM journal)`},
	{audit.WholeServer, "", `DELETE FROM payout WHERE status = 'live'`},
}

// A violation stops no more than its rule says.
func TestScopes(t *testing.T) {
	w := newAudited(t)
	w.live()
	whole := w.Checkpoint()
	wide := []audit.Scope{audit.OneOrder, audit.OneCommunity, audit.WholeServer}
	for i, c := range scopes {
		if !isTried(i) {
			continue
		}
		t.Run(string(c.scope)+"/"+c.text, func(t *testing.T) {
			var order string
			if c.orders != "" {
				order = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(w.Rows(c.orders), "id="), "ref="))
			}
			address := whole.Copy(t)
			damage(t, address, c.text)
			report, err := w.run(address, w.Node)
			testkit.Must(t, err)
			most := audit.OneOrder
			for _, v := range report.Violations {
				if slices.Index(wide, v.Scope) > slices.Index(wide, most) {
					most = v.Scope
				}
				if order != "" && (len(v.Orders) != 1 || v.Orders[0] != order) {
					t.Errorf("%v %s, not order %s", v, v.Stops(), order)
				}
			}
			if most != c.scope || report.OK() {
				t.Errorf("stops %s, want %s: %v", most, c.scope, report.Violations)
			}
		})
	}
}

// The runbook lists every rule that stops the whole server, and they are few.
func TestServerRulesAreListed(t *testing.T) {
	text, err := os.ReadFile("../../docs/operations/stops.md")
	testkit.Must(t, err)
	if rows := strings.Count(string(text), "\n| ") - 1; rows != len(audit.ServerRules) || rows > 10 {
		t.Errorf("the table has %d rows for %d rules", rows, len(audit.ServerRules))
	}
	for _, rule := range audit.ServerRules {
		if !strings.Contains(string(text), "\n| "+rule+" |") {
			t.Errorf("the runbook does not list %q", rule)
		}
	}
}
