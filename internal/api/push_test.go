package api

import (
	"context"

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
