package sim

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/audit"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/server/auditor"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// findings is the log of the product's auditor: the errors are what its audits found and stop something for.
type findings struct{ *scenario }

// Enabled implements slog.Handler.
func (findings) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelError }

// WithAttrs implements slog.Handler.
func (f findings) WithAttrs([]slog.Attr) slog.Handler { return f }

// WithGroup implements slog.Handler.
func (f findings) WithGroup(string) slog.Handler { return f }

// Handle implements slog.Handler.
func (f findings) Handle(_ context.Context, record slog.Record) error {
	text := record.Message
	record.Attrs(func(a slog.Attr) bool {
		text += ", " + a.String()
		return true
	})
	if f.isAlarm(text) {
		f.alarmed = true
		return nil
	}
	f.found = append(f.found, text)
	return nil
}

// beginAudits makes the server audit its ledger like a running server: after each block, and each payout before it is
// broadcast. The audit reads the node without faults, in the step that waits for it.
func (sc *scenario) beginAudits() {
	sc.closeAuditor(&sc.auditor)
	if sc.plan.Unaudited {
		return
	}
	a, err := auditor.New(auditor.Config{
		Address: sc.URL(), Node: sc.Chain(), Store: sc.Store, Log: slog.New(findings{sc}),
		Rules: audit.Config{Rules: runes.RulesFor(sc.Network),
			MinimumStake: map[string]amount.Runes{testkit.Prefix: testkit.MinimumStake}},
		Now: sc.trueClock.Now, Deadline: sc.Clock.Now, Patience: time.Hour, Recheck: time.Nanosecond,
	})
	testkit.Must(sc, err)
	sc.auditor, sc.Follower.Audit, sc.Follower.Approve = a, a.Audit, a.Approve
}

// endAudits ends the audits of both servers.
func (sc *scenario) endAudits() {
	sc.closeAuditor(&sc.auditor)
	sc.closeAuditor(&sc.deposedAuditor)
}

func (sc *scenario) closeAuditor(of **auditor.Auditor) {
	if *of != nil {
		testkit.Must(sc, (*of).Close())
		*of = nil
	}
}

// isAlarm reports whether a violation is the use of the community's key by completeOld.
func (sc *scenario) isAlarm(violation string) bool {
	return slices.ContainsFunc(sc.completed, func(txid string) bool {
		return strings.Contains(violation, "the community's key spent its output by "+txid)
	})
}

// Audit fails the scenario if the audit of the present ledger finds anything but the use of the community's key by
// completeOld.
func (sc *scenario) Audit() {
	sc.Helper()
	text, alarm := sc.AuditText(), false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "invariant ") {
			if alarm = sc.isAlarm(line); !alarm {
				break
			}
		}
	}
	if text != "" && !alarm {
		sc.Fatal(text)
	}
}

// checkStops resumes the payouts that the use of the community's key by completeOld stopped, as an operator does. It
// checks that no audit found anything else. Only a bug of the product makes it find something: no operation here
// damages the ledger. What it finds stops payouts until an operator acts, so a stranger or a staker who causes it stops
// others.
func (sc *scenario) checkStops() {
	if sc.alarmed {
		sc.alarmed = false
		sc.Update(func(tx *store.Tx) error {
			_, err := tx.Resume(sc.Context(), store.PausePayoutsOf(testkit.Prefix), sc.operator())
			return err
		})
	}
	if len(sc.found) > 0 {
		sc.Fatalf("no operation makes the audit stop payouts: %s", sc.found[0])
	}
}
