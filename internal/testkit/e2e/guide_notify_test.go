package e2e

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// receiver is an operator's webhook. It accepts only messages that are signed as Standard Webhooks requires.
type receiver struct {
	key []byte

	mutex   sync.Mutex
	types   []string // of the accepted messages, in their order
	refused int
}

// newReceiver starts a webhook and sets the server's settings for it.
func newReceiver(t *testing.T) *receiver {
	r := &receiver{key: []byte("a secret of a test, 32 bytes....")}
	server := httptest.NewServer(http.HandlerFunc(r.receive))
	t.Cleanup(server.Close)
	secret := filepath.Join(t.TempDir(), "webhook.secret")
	must(t, os.WriteFile(secret, []byte("whsec_"+base64.StdEncoding.EncodeToString(r.key)+"\n"), 0o600))
	t.Setenv("MOONFUND_NOTIFY_WEBHOOK", server.URL)
	t.Setenv("MOONFUND_NOTIFY_WEBHOOK_SECRET", secret)
	return r
}

func (r *receiver) receive(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	header := request.Header
	mac := hmac.New(sha256.New, r.key)
	_, _ = io.WriteString(mac, header.Get("webhook-id")+"."+header.Get("webhook-timestamp")+"."+string(body))
	want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	var message struct{ Type string }
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if err != nil || header.Get("webhook-signature") != want || json.Unmarshal(body, &message) != nil {
		r.refused++
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	r.types = append(r.types, message.Type)
}

// wasNotified waits for the messages about the pause of the guide.
func (r *rehearsal) wasNotified() {
	r.t.Helper()
	const want = "ledger.paused.began ledger.paused.ended"
	await(r.t, patience, "the operator is notified of the pause", func() bool {
		r.notified.mutex.Lock()
		defer r.notified.mutex.Unlock()
		if r.notified.refused > 0 {
			r.t.Fatalf("%d messages had a wrong signature", r.notified.refused)
		}
		return strings.Contains(strings.Join(r.notified.types, " "), want)
	})
}
