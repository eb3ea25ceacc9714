package server

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"moonfund/api"
	"moonfund/store"
	"moonfund/testkit"
)

// request is a hostile but valid request of the owner of manyOwned units.
type request struct {
	kind   string // type of action, or "stake" or "forged" for a stake address or a long signature that is not valid
	units  int    // number of units that it names
	apart  int    // distance of these units among all units of the owner
	signed bool   // whether both addresses sign
}

const (
	manyOwned       = 30_000
	namedAtMost     = 900 // unit ids that fit in a body of 64 KiB
	requestSeed     = 1
	requestTries    = 40
	longestHeldByMs = 1000 // target
)

var requestKinds = []string{"UNSTAKE", "WITHDRAW", "CLAIM", "AUTO_COMPOUND", "END_AUTO_COMPOUND", "stake", "forged"}

// attacker sends requests to the server's handler and measures how long each holds the writer.
type attacker struct {
	*testing.B
	l       ledgerFile
	handler http.Handler
	wallet  *testkit.Wallet
	units   map[string][]string // ids, by stage
	held    time.Duration       // by the last request
}

func newAttacker(b *testing.B) *attacker {
	l := filled(b, 1_000)
	l.PerSource, l.PerAddress = api.Limit{PerSecond: 1e6, Burst: 1e6}, api.Limit{PerSecond: 1e6, Burst: 1e6}
	config := l.apiConfig(nil)
	config.Services.State = alwaysReady{config.Services.State}
	handler, err := api.New(config)
	must(b, err)
	a := &attacker{
		B: b, l: l, handler: handler, wallet: testkit.NewWallet(b, "attacker", l.Network), units: map[string][]string{},
	}
	l.exec(b, fmt.Sprintf(`
		INSERT INTO custody (txid, vout, community, kind, ref, owner, script, value, runes, quarantine, booked, coinbase,
			seen_at, height, vanished, spent_by, spent_ours, spent_height)
		WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		SELECT %s, 0, 'lobo', 'stake', 'of attacker', '%s', %s, 546, 5000, '', 0, 0, 1, 1, 0, '', 0, -1 FROM n`,
		manyOwned-1, padded("i", 64), a.wallet.Ordinals.Text, currentExpressions().script), `
		INSERT INTO unit (community, id, number, owner, origin, amount, stage, not_before, eligible_epoch, staked_to,
			unlock_epoch, reward_epoch, order_id, stage_before, txid, vout, created_at)
		SELECT community, txid || ':' || vout, 10000000 + ROW_NUMBER() OVER (ORDER BY txid), owner, 'STAKE', runes,
			CASE WHEN txid LIKE '%0' THEN 'UNLOCKED' ELSE 'STAKED' END, 0, 0, -1, -1, -1, '', '', txid, vout, 1
		FROM custody WHERE ref = 'of attacker' ORDER BY txid`)
	for i := range manyOwned {
		stage := "UNSTAKE"
		if i%10 == 0 {
			stage = "WITHDRAW"
		}
		a.units[stage] = append(a.units[stage], fmt.Sprintf("%064d:0", i))
	}
	l.Store.Observe(func(t store.WriterTimes) { a.held = max(a.held, t.Held) })
	return a
}

// alwaysReady is the state of a server that accepts requests although it never called its node.
type alwaysReady struct{ api.State }

// MayChange implements api.State.
func (alwaysReady) MayChange(context.Context) error { return nil }

// call sends a request and returns the data of its answer, and how long it held the writer.
func (a *attacker) call(name string, fields map[string]any) (data map[string]any, held time.Duration) {
	fields["w_wallet_code"], fields["w_wallet_code_ord"] = a.wallet.Payment.Text, a.wallet.Ordinals.Text
	body, err := json.Marshal(fields)
	must(a.B, err)
	r := httptest.NewRequestWithContext(a.Context(), http.MethodPost, "/lobo/"+name, strings.NewReader(string(body)))
	r.Host = "localhost"
	r.Header.Set("Content-Type", "application/json")
	a.held = 0
	answer := httptest.NewRecorder()
	a.handler.ServeHTTP(answer, r)
	var reply struct {
		Success bool
		Message string
		Data    map[string]any
	}
	must(a.B, json.Unmarshal(answer.Body.Bytes(), &reply))
	if answer.Code != http.StatusOK {
		a.Errorf("%s with %d bytes: %d, %s", name, len(body), answer.Code, reply.Message)
	}
	if !reply.Success {
		a.Logf("%s: %s", name, reply.Message)
	}
	return reply.Data, a.held
}

// named removes units of a stage and returns their ids.
func (a *attacker) named(r request) []string {
	ids := []string{}
	var rest []string
	for i, id := range a.units[r.kind] {
		if len(ids) < r.units && i%r.apart == 0 {
			ids = append(ids, id)
		} else {
			rest = append(rest, id)
		}
	}
	a.units[r.kind] = rest
	return ids
}

// send makes a request, with the one for its message, and returns the longer time that one of them held the writer.
func (a *attacker) send(r request) time.Duration {
	if r.kind == "stake" {
		keys := a.wallet.Request(5000)
		_, held := a.call("postDemoStake", map[string]any{
			"w_wallet_code_pk": hex.EncodeToString(keys.PaymentKey), "wa_amount": "150000000000",
			"w_wallet_code_ord_pk": hex.EncodeToString(keys.OrdinalsKey),
		})
		return held
	}
	forged := r.kind == "forged"
	if forged {
		r.kind = "UNSTAKE"
	}
	posted, first := a.call("postAction", map[string]any{"wa_action_type": r.kind, "utxos": a.named(r), "epochs": 104})
	message, id := posted["message"], posted["wa_action_id"]
	if message == nil {
		return first
	}
	fields := map[string]any{"wa_action_type": r.kind, "wa_action_id": id, "signature": a.wallet.Sign(message.(string))}
	if r.signed {
		fields["signature_payment"] = a.wallet.SignPayment(message.(string))
	}
	if forged {
		fields["signature"] = strings.Repeat("A", 8192)
	}
	_, second := a.call("signWalletAction", fields)
	return max(first, second)
}

// BenchmarkRequests searches for the request that holds the writer longest: each kind alone, and then changes of the
// worst one. The server's own handler answers.
func BenchmarkRequests(b *testing.B) {
	for b.Loop() {
		a, random := newAttacker(b), rand.New(rand.NewPCG(requestSeed, 0))
		var worst request
		var longest time.Duration
		try := func(r request) {
			held := a.send(r)
			b.Logf("%s: %+v", held.Round(time.Microsecond), r)
			if held > longest {
				worst, longest = r, held
			}
		}
		for _, kind := range requestKinds {
			try(request{kind: kind, units: namedAtMost, apart: 1})
			try(request{kind: kind, units: 60, apart: 3, signed: true})
		}
		for range requestTries {
			r := worst
			switch random.IntN(3) {
			case 0:
				r.units = 1 + random.IntN(namedAtMost)
			case 1:
				r.apart = 1 + random.IntN(8)
			default:
				r.signed = !r.signed
			}
			try(r)
		}
		b.Logf("seed %d, the worst: %+v", requestSeed, worst)
		reportBound(b, fmt.Sprintf("writer held by the worst request found, %s of %d units", worst.kind, worst.units),
			float64(longest.Milliseconds()), longestHeldByMs, "ms")
		b.ReportMetric(0, "ns/op")
	}
}
