package api

import (
	"context"
	"strings"
	"testing"

	"moonfund/internal/fault"
	"moonfund/internal/staking/action"
)

// fakeServices has one subscribed browser of the known wallet.

func (f *fakeServices) PushKey() string { return "BPublicKey" }

func (f *fakeServices) IsSubscribed(_ context.Context, _ string, w action.Wallet, endpoint string) (bool, error) {
	return f.known(w) && endpoint == "https://push.example.com/1", nil
}

func (f *fakeServices) Subscribe(_ context.Context, _ string, r PushRequest) error {
	if r.Signature != "c2ln" {
		return fault.Refuse(fault.PushProof)
	}
	f.changes.Add(1)
	return nil
}

func (f *fakeServices) Unsubscribe(context.Context, string) error {
	f.changes.Add(1)
	return nil
}

// pushOff is a server whose messages are off.
type pushOff struct{ Push }

func (pushOff) PushKey() string { return "" }

// TestPushOff checks that the page offers no messages if they are off.
func TestPushOff(t *testing.T) {
	b := build(t, func(c *Config) { c.Services.Push = pushOff{c.Services.Push} })
	_, body := b.call(t, "pushState", wallets(""))
	if !strings.Contains(string(body), fault.PushEndpoint.Code) {
		t.Errorf("the response is %s", body)
	}
}
