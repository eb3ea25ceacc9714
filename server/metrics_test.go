package server

import (
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"moonfund/action"
	"moonfund/amount"
	"moonfund/api"
	"moonfund/audit"
	"moonfund/backup"
	"moonfund/community"
	"moonfund/runes"
	"moonfund/server/auditor"
	"moonfund/server/clock"
	"moonfund/server/feerate"
	"moonfund/server/wiring"
	"moonfund/testkit"
)

// audited returns a world whose follower calls an auditor before it pays.
func audited(t *testing.T) (*testkit.World, *auditor.Auditor) {
	t.Helper()
	w := testkit.NewWorld(t)
	minimum := map[string]amount.Runes{testkit.Prefix: testkit.MinimumStake}
	a, err := auditor.New(auditor.Config{
		Address: w.URL(), Node: w.Chain(), Rules: audit.Config{Rules: runes.RulesFor(w.Network), MinimumStake: minimum},
		Store: w.Store, Now: time.Now, Deadline: time.Now, Log: slog.New(slog.DiscardHandler), Patience: time.Minute,
	})
	testkit.Must(t, err)
	t.Cleanup(func() { _ = a.Close() })
	w.Follower.Audit, w.Follower.Approve = a.Audit, a.Approve
	return w, a
}

// serverOf returns a server with the services of a world.
func serverOf(w *testkit.World, a *auditor.Auditor) *Server {
	w.Helper()
	log := slog.New(slog.DiscardHandler)
	s := &Server{
		Config: Config{
			Store: w.Store, Clock: clock.New(), Communities: []community.Manifest{{
				Prefix: testkit.Prefix, Budgets: []community.Budget{{Amount: testkit.Budget}},
			}},
			Notified: []string{"webhook"},
			Rates:    feerate.Fixed(w.Rate), Backups: backup.NewSchedule(w.TempDir(), time.Hour, nil, log), Log: log,
		},
		Services: wiring.Services{Follower: w.Follower, Orders: w.Orders}, auditor: a,
		measures: newMeasures(), hub: api.NewHub(time.Now()),
	}
	s.lead.lease = w.Store.Lease()
	testkit.Must(w, s.Seize(w.Context()))
	return s
}

// scraped returns the response of /metrics for a world.
func scraped(w *testkit.World, a *auditor.Auditor) string {
	w.Helper()
	handler, err := metrics{serverOf(w, a)}.handler()
	testkit.Must(w, err)
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, httptest.NewRequestWithContext(w.Context(), "GET", "/metrics", nil))
	text, err := io.ReadAll(recorder.Body)
	testkit.Must(w, err)
	return string(text)
}

// TestEconomyMetric checks that a paid economy order counts apart while it waits for its rate, and with the orders that
// wait for their payout once the network's rate is as low.
func TestEconomyMetric(t *testing.T) {
	w, a := audited(t)
	w.SetRecoveryDelay(26_280)
	w.Rate = amount.SatPerVB(10)
	o := w.Economy(w.Anna, action.Withdraw, amount.FeeRate(2500), w.Unlocked(w.Anna, 50_000))
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	for _, row := range []struct {
		rate             amount.FeeRate
		economy, waiting int
	}{{w.Rate, 1, 0}, {o.FeeRate, 0, 1}} {
		w.Rate = row.rate
		text := scraped(w, a)
		for name, want := range map[string]int{"economy_waiting_orders": row.economy,
			"payouts_waiting_orders": row.waiting} {
			if line := fmt.Sprintf("moonfund_%s{community=\"lobo\"} %d\n", name, want); !strings.Contains(text, line) {
				t.Errorf("at %s sat/vB: no line %q in\n%s", row.rate, line, text)
			}
		}
	}
}

func TestMetrics(t *testing.T) {
	w, a := audited(t)
	unit := w.Unlocked(w.Anna, 50_000)
	w.Act(w.Anna, action.Withdraw, unit)
	w.Settle(1)
	text := scraped(w, a)
	for _, line := range []string{
		fmt.Sprintf("moonfund_tip_height %d", w.Node.Height()), "moonfund_tip_lag_blocks 0", "moonfund_synced 1",
		`moonfund_orders_open{community="lobo",status="PENDING"} 1`, `moonfund_payouts_waiting_orders{community="lobo"} 0`,
		"moonfund_audit_ok 1", "moonfund_audit_violations 0", `moonfund_paused{what="payouts"} 0`,
		"moonfund_fee_rate_sat_per_vbyte 2", "moonfund_database_up 1", "moonfund_standby_up 1",
		"moonfund_standby_lag_bytes 0",
		`moonfund_stake_owed_runes{community="lobo"} 50000`, `moonfund_treasury_runes{community="lobo"} 4e+07`,
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("no line %q in\n%s", line, text)
		}
	}
}
