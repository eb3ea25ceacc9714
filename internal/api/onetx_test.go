package api

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"moonfund/internal/fault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
)

var stillQuote = action.OneTxQuote{Fee: 1972, VBytes: 263, Rate: 7500, Coins: 1, Change: 97_482}

func (f *fakeServices) EstimateOneTx(_ context.Context, r action.OneTxEstimate) (action.OneTxQuote, error) {
	f.estimated.Store(&r)
	return stillQuote, nil
}

func (f *fakeServices) BeginOneTx(_ context.Context, _ string, w action.Wallet, _ string,
	_ []byte) (action.OneTxDraft, error) {
	f.changes.Add(1)
	return action.OneTxDraft{PSBT: "cHNidP8BAA==", Inputs: []int{1}, Address: w.Payment, Quote: stillQuote,
		Until: still.Add(20 * time.Minute)}, nil
}

func (f *fakeServices) SendOneTx(context.Context, string, action.Wallet, string, string) (order.Order, error) {
	f.changes.Add(1)
	return stillOneTx().Order, nil
}

// stillOneTx returns a fixed order that was delivered in one transaction.
func stillOneTx() OrderView {
	o := stillOrder(14, order.Sent)
	o.Seen, o.Usable, o.Confirmed = 0, 0, 0
	return OrderView{Order: o, Rate: 9000, OneTx: OneTxView{State: OrderOneTxStateSent, Quote: stillQuote}}
}

// oneTxCalls are the calls of a withdrawal in one transaction with valid bodies.
func oneTxCalls() map[string]string {
	return map[string]string{
		"estimateOneTx": wallets(`,"utxos":["a:0"]`), "beginOneTx": wallets(`,"order_id":"1"`),
		"sendOneTx": wallets(`,"order_id":"1","psbt":"cHNidP8="`),
	}
}

func TestOneTxIsOfferedWithACoinFinder(t *testing.T) {
	for _, has := range []bool{false, true} {
		b := build(t, func(c *Config) { c.Services.OwnCoins = has })
		if _, answer := b.call(t, "community", ""); strings.Contains(string(answer), featureOneTx) != has {
			t.Errorf("with a coin finder (%t): %s", has, answer)
		}
	}
}

// The source of a request limits the lookups of coins for an estimate.
func TestEstimateOneTxHasASource(t *testing.T) {
	b := build(t, nil)
	if status, answer := b.call(t, "estimateOneTx", oneTxCalls()["estimateOneTx"]); status != 200 {
		t.Fatalf("HTTP %d %s", status, answer)
	}
	got := b.fake.estimated.Load()
	if want := "127.0.0.1"; got.Source != want || got.Community == "" || !slices.Equal(got.UnitIDs, []string{"a:0"}) {
		t.Errorf("got %+v, want the source %s", got, want)
	}
}

// An estimate without units, or with one unit twice, is not looked up.
func TestEstimateOneTxNeedsDistinctUnits(t *testing.T) {
	b := build(t, nil)
	for units, want := range map[string]fault.Sentence{`[]`: fault.NoUnits, `["a:0","b:1","a:0"]`: fault.UnitTwice} {
		status, answer := b.call(t, "estimateOneTx", wallets(`,"utxos":`+units))
		if got := refusal(t, answer); status != 400 || got != want.Text {
			t.Errorf("%s: HTTP %d %q, want 400 %q", units, status, got, want.Text)
		}
	}
	if b.fake.estimated.Load() != nil {
		t.Error("an estimate reached the service")
	}
}

func TestOneTxChangesNothingWhilePaused(t *testing.T) {
	b := build(t, nil)
	b.fake.refuse = fault.New(fault.Unavailable, fault.Paused)
	for call, body := range oneTxCalls() {
		status, answer := b.call(t, call, body)
		if want := map[bool]int{true: 200, false: 503}[call == "estimateOneTx"]; status != want {
			t.Errorf("%s: HTTP %d %s", call, status, answer)
		}
	}
	if n := b.fake.changes.Load(); n != 0 {
		t.Errorf("%d calls reached the service", n)
	}
}

func TestOneTxStatesOnTheWire(t *testing.T) {
	until := still.Add(time.Minute)
	for want, v := range map[string]OneTxView{
		"null": {},
		`"state":"signed","until":"2026-12-09T12:01:00Z"`: {State: OrderOneTxStateSigned, Until: until},
		`"ended":"ONE_TX_COIN_SPENT"`:                     {State: OrderOneTxStateEnded, Ended: "ONE_TX_COIN_SPENT"},
		`"ended":"ONE_TX_LATE","fee":1972`: {State: OrderOneTxStateSent, Ended: "ONE_TX_LATE",
			Quote: stillQuote},
		`"feerate":7.5,"state":"sent","vbytes":263}`: {State: OrderOneTxStateSent, Quote: stillQuote},
		`"state":"sent","until":"2026-12-09T12:01`:   {State: OrderOneTxStateSent, Until: until},
	} {
		wire, err := json.Marshal(wireOneTx(v))
		if err != nil || !strings.Contains(string(wire), want) {
			t.Errorf("got %s %v, want %s", wire, err, want)
		}
	}
}
