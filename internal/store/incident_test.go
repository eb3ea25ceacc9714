package store

import (
	"fmt"
	"strings"
	"testing"

	"moonfund/internal/staking/ledger"
)

// The public incident log has pauses, resumes, violations and refused broadcasts, each once, and no reasons.
func TestIncidents(t *testing.T) {
	s, ctx := open(t), t.Context()
	must(t, s.Update(ctx, func(tx *Tx) error {
		for _, change := range []func() error{
			func() error { return tx.Pause(ctx, PausePayouts, "anna: secret reason", noon) },
			func() error { return tx.Pause(ctx, PausePayouts, "again", noon) },
			func() error {
				return tx.BeginCondition(ctx, EventViolation, SubjectLedger, EventData{Reason: "secret", Count: 2})
			},
			func() error { return tx.PutRefusal(ctx, ledger.Refusal{TxID: "aa", Reason: "secret", Since: noon}) },
			func() error { return tx.BeginCondition(ctx, EventRunway, "lobo", EventData{Community: "lobo"}) },
			func() error { _, err := tx.Resume(ctx, PausePayouts, ledger.Cause{At: noon}); return err },
			func() error { return tx.RecordIncident(ctx, "wolf", "restore", "of another community", noon) },
			func() error { return tx.RecordIncident(ctx, "lobo", "restore", "line\nand \u2028", noon) },
		} {
			if err := change(); err != nil {
				return err
			}
		}
		return nil
	}))
	var got []string
	must(t, s.View(ctx, func(tx *Tx) error {
		all, err := tx.Incidents(ctx, "lobo", 10)
		for _, i := range all {
			got = append(got, fmt.Sprintf("%s %s", i.Kind, i.Detail))
		}
		return err
	}))
	want := "restore line?and ?, resume payouts, refused aa, violation the audit found 2, pause payouts"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("got %s, want %s", text, want)
	}
}
