package main

import (
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// TestNotifyCommands checks that notify test, list and replay work on a ledger's events and print no secret.
func TestNotifyCommands(t *testing.T) {
	code := http.StatusOK
	requests := 0
	to := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		requests++
		w.WriteHeader(code)
	}))
	t.Cleanup(to.Close)
	secret := filepath.Join(t.TempDir(), "secret")
	text := base64.StdEncoding.EncodeToString([]byte("a secret of a test, 32 bytes...."))
	testkit.Must(t, os.WriteFile(secret, []byte("whsec_"+text), 0o600))
	flags := notifyFlags{Webhook: to.URL, WebhookSecret: secret}
	testkit.Must(t, notifyTest{notifyFlags: flags}.Run(t.Context()))
	code = http.StatusUnauthorized
	if err := (notifyTest{notifyFlags: flags}).Run(t.Context()); err == nil ||
		strings.Contains(err.Error(), text) || requests != 2 {
		t.Errorf("notify test with a rejected message: %d requests, error %v", requests, err)
	}
	if err := (notifyTest{}).Run(t.Context()); err == nil || !strings.Contains(err.Error(), "no receiver is configured") {
		t.Errorf("notify test without receivers: got error %v", err)
	}

	at := ledgerFlags{Data: t.TempDir()}
	db, err := store.Open(t.Context(), at.address())
	testkit.Must(t, err)
	testkit.Must(t, db.Update(t.Context(), func(tx *store.Tx) error {
		if err := tx.QueueDeliveries(t.Context(), "webhook", time.Now()); err != nil {
			return err
		}
		return tx.BeginCondition(t.Context(), store.EventBackup, store.SubjectBackups, store.EventData{})
	}))
	testkit.Must(t, db.Close())
	testkit.Must(t, notifyList{reading: reading{ledgerFlags: at}, Limit: 5}.Run(t.Context()))
	testkit.Must(t, notifyReplay{reading: reading{ledgerFlags: at}, ID: 1}.Run(t.Context()))
	testkit.Must(t, notifyReplay{reading: reading{ledgerFlags: at}, Since: time.Hour}.Run(t.Context()))
	for what, c := range map[string]notifyReplay{
		"no event": {}, "both": {ID: 1, Since: time.Hour}, "an unknown one": {ID: 9},
	} {
		c.ledgerFlags = at
		if c.Run(t.Context()) == nil {
			t.Errorf("%s was replayed", what)
		}
	}
	db, err = at.existing(t.Context())
	testkit.Must(t, err)
	t.Cleanup(func() { testkit.Must(t, db.Close()) })
	testkit.Must(t, db.View(t.Context(), func(tx *store.Tx) error {
		due, err := tx.DueDeliveries(t.Context(), "webhook", time.Now(), 10)
		if len(due) != 1 {
			t.Errorf("deliveries that are due after the replays: got %+v, want 1", due)
		}
		return err
	}))
}
