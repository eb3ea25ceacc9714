package e2e

import (
	"strings"
	"testing"

	"moonfund/internal/testkit/engine"
)

// TestRunbookOfAStandby performs docs/operations/standby.md: the primary is lost and the standby promoted, the former
// primary becomes the standby, and is lost as well. After each of them a payout is delivered.
func TestRunbookOfAStandby(t *testing.T) {
	text, _ := runbook(t, "standby")
	types := func(on *engine.PostgresServer, statements ...string) {
		t.Helper()
		for _, statement := range statements {
			if !strings.Contains(text, "`"+statement+"`") {
				t.Fatalf("the runbook has no statement %q", statement)
			}
			on.SQL(statement)
		}
	}
	pair, h, metrics := prepareFailover(t, engine.NewPair)
	p := newStaker(h.site, "Dora", segwit, taproot)
	ids := p.unlock(h, 10*lobo, 20*lobo)
	delivers := func(id string) {
		t.Helper()
		await(t, patience, "the server is ready", func() bool { return h.ready(t.Context()) && !h.catchingUp() })
		o := p.act("WITHDRAW", id)
		p.pay(*o, o.Total)
		h.mine(1)
		checkDelivered(t, h, p, o.ID)
	}

	pair.Primary.Kill()
	checkMetrics(t, metrics, "moonfund_database_up 0")
	types(pair.Standby, `SELECT pg_promote()`, `ALTER SYSTEM RESET synchronous_standby_names`, `SELECT pg_reload_conf()`)
	delivers(ids[0])
	checkMetrics(t, metrics, "moonfund_database_up 1", "moonfund_standby_up 0")
	pair.Join(pair.Primary, pair.Standby) // steps 2 to 4 of the setup
	checkMetrics(t, metrics, "moonfund_standby_up 1")

	pair.Primary.Kill()
	types(pair.Standby, `ALTER SYSTEM RESET synchronous_standby_names`, `SELECT pg_reload_conf()`)
	delivers(ids[1])
	h.audit()
}
