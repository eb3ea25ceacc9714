package server

import (
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/api"
	"moonfund/internal/audit"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/server/auditor"
	"moonfund/internal/server/clock"
	"moonfund/internal/server/feerate"
	"moonfund/internal/server/wiring"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/community"
	"moonfund/internal/staking/order"
	"moonfund/internal/store/backup"
	"moonfund/internal/testkit"
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
	s.Backups.CopyWith("true")
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

// TestEconomyMetric checks that a paid economy order and its payout count separately while the network's rate is above
// their own, and with the other orders and payouts afterwards.
func TestEconomyMetric(t *testing.T) {
	w, a := audited(t)
	w.SetRecoveryDelay(26_280)
	w.Rate = amount.SatPerVB(10)
	o := w.Economy(w.Anna, action.Withdraw, amount.FeeRate(2500), w.Unlocked(w.Anna, 50_000))
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	busy := w.Rate
	check := func(rate amount.FeeRate, want map[string]int) {
		w.Rate = rate
		text := scraped(w, a)
		for name, value := range want {
			if line := fmt.Sprintf("moonfund_%s{community=\"lobo\"} %d\n", name, value); !strings.Contains(text, line) {
				t.Errorf("at %s sat/vB: no line %q in\n%s", rate, line, text)
			}
		}
	}
	check(busy, map[string]int{"economy_waiting_orders": 1, "payouts_waiting_orders": 0})
	check(o.FeeRate, map[string]int{"economy_waiting_orders": 0, "payouts_waiting_orders": 1})
	w.Step()
	w.WantStatus(o.ID, order.Sent)
	check(o.FeeRate, map[string]int{"economy_payouts_unconfirmed": 0, "payouts_unconfirmed": 1})
	check(busy, map[string]int{"economy_payouts_unconfirmed": 1, "payouts_unconfirmed": 0})
	w.Settle(order.DeliveryDepth)
	check(busy, map[string]int{"economy_payouts_unconfirmed": 0, "payouts_unconfirmed": 0})
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
		"# TYPE moonfund_backup_copy_age_seconds gauge",
		`moonfund_stake_owed_runes{community="lobo"} 50000`, `moonfund_treasury_runes{community="lobo"} 4e+07`,
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("no line %q in\n%s", line, text)
		}
	}
}
