package server

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/api"
	"moonfund/internal/bitcoin/coins"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/follower"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

// attacker sends requests to the server's handler and measures how long each holds the writer.
type attacker struct {
	*testing.B
	l       ledgerFile
	handler http.Handler
	wallet  *testkit.Wallet
	units   map[string][]string // ids, by stage
	beaten  time.Time           // last heartbeat of the leader
	paid    string              // the order that has the prepared payments
	held    time.Duration       // longest time that the last request held the writer
	spent   time.Duration       // processor time of all requests of an attack
}

// newAttacker returns the owner of manyOwned units, whose ledger has many rows of each table that a request of an owner
// reads or writes.
func newAttacker(b *testing.B) *attacker {
	l := filled(b, 1_000)
	l.PerSource, l.PerAddress = api.Limit{PerSecond: 1e6, Burst: 1e6}, api.Limit{PerSecond: 1e6, Burst: 1e6}
	a := &attacker{
		B: b, l: l, wallet: testkit.NewWallet(b, "attacker", l.Network), units: map[string][]string{}, paid: noOrder,
	}
	began := time.Now()
	a.own()
	a.store()
	l.exec(b, a.ended()...)
	engine.Settle(b, l.address)
	b.Logf("the attacker's rows: %s", time.Since(began).Round(time.Millisecond))

	l.OneTx.Coins = ownCoins{a.wallet}
	l.OneTx.Ready = func() error { return nil }
	l.Actions.MinRate = economyRate
	l.Etching.DisabledReason = ""
	l.Etching.Ready = func(context.Context) error { return nil }
	l.Etching.Hint = func(context.Context) {}
	config := l.apiConfig(nil)
	config.Services.State = alwaysReady{config.Services.State}
	var err error
	a.handler, err = api.New(config)
	must(b, err)
	l.Store.Observe(func(t store.WriterTimes) { a.held = max(a.held, t.Held) })
	return a
}

// The fee rates of orders in sat per 1,000 vB: the server's fixed rate, the rate of economy orders, and a rate at which
// the prepared payments cost more to spend than their value.
const (
	normalRate  = 2000
	economyRate = 1000
	dearRate    = 20_000
)

// own inserts the attacker's units, each at its own stake address, and a mintable rune.
func (a *attacker) own() {
	owner, payment := a.wallet.Ordinals.Text, a.wallet.Payment.Text
	keys := a.wallet.Request(0)
	terms, err := a.l.Actions.Terms.Of("lobo")
	must(a, err)
	a.l.exec(a.B, fmt.Sprintf(`
		INSERT INTO custody (txid, vout, community, kind, ref, owner, script, value, runes, quarantine, booked, coinbase,
			seen_at, height, vanished, spent_by, spent_ours, spent_height)
		WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		SELECT %s, 0, 'lobo', 'stake', 'of attacker ' || i, '%s', %s, 546, 5000, '', 0, 0, 1, 1, 0, '', 0, -1 FROM n`,
		manyOwned-1, padded("i", 64), owner, currentExpressions().script), fmt.Sprintf(`
		INSERT INTO stake_address (address, community, position, leaf_key, delay, owner, payment, action_id, created_at)
		WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		SELECT 'of attacker ' || i, 'lobo', 1000000 + i, '%s', %d, '%s', '%s', 'of attacker ' || i, 1 FROM n`,
		manyOwned-1, hex.EncodeToString(keys.OrdinalsKey), terms.Delay, owner, payment), fmt.Sprintf(`
		INSERT INTO unit (community, id, number, owner, origin, amount, stage, not_before, eligible_epoch, staked_to,
			unlock_epoch, reward_epoch, order_id, stage_before, txid, vout, created_at)
		SELECT community, txid || ':' || vout, 10000000 + ROW_NUMBER() OVER (ORDER BY txid), owner, 'STAKE', runes,
			CASE WHEN txid < '%064[1]d' THEN 'UNLOCKED' ELSE 'STAKED' END, 0, 0,
			CASE WHEN txid < '%064[1]d' THEN 1 ELSE -1 END, -1, -1, '', '', txid, vout, 1
		FROM custody WHERE ref LIKE 'of attacker%%' ORDER BY txid`, manyUnlocked), fmt.Sprintf(`
		INSERT INTO unit (community, id, number, owner, origin, amount, stage, not_before, eligible_epoch, staked_to,
			unlock_epoch, reward_epoch, order_id, stage_before, txid, vout, created_at)
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		SELECT 'lobo', 'reward:' || i || ':of attacker', 20000000 + i, '%s', 'REWARD', 5000, 'CLAIMABLE', 0, -1, -1, -1, i,
			'', '', '', 0, 1 FROM n`, manyRewards, owner),
		`UPDATE epoch_account SET settled = 1`)
	for i := range manyOwned {
		stage := "STAKED"
		if i < manyUnlocked {
			stage = "UNLOCKED"
		}
		a.units[stage] = append(a.units[stage], fmt.Sprintf("%064d:0", i))
	}
}

// noOrder is the order id of the prepared payments that no order has.
const noOrder = "none"

// store inserts the payments that pay moves to an order. Their value is above the cost of spending them at normalRate.
func (a *attacker) store() {
	a.l.exec(a.B, fmt.Sprintf(`
		INSERT INTO custody (txid, vout, community, kind, ref, owner, script, value, runes, quarantine, booked, coinbase,
			seen_at, height, vanished, spent_by, spent_ours, spent_height)
		WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		SELECT %s, i, 'lobo', 'payment', 'payments', '%s', %s, 546 + i %% 100, 0, '', 0, 0, %d, 10, 0, '', 0, -1 FROM n`,
		manyPayments-1, padded("900000 + i / 2200", 64), a.wallet.Ordinals.Text, currentExpressions().script,
		figuresBegan.Unix()), fmt.Sprintf(`
		INSERT INTO payment (txid, vout, number, order_id, counted, late, waiting)
		SELECT txid, vout, 1000000 + ROW_NUMBER() OVER (ORDER BY txid, vout), '%s', 1, 0, 0
		FROM custody WHERE ref = 'payments'`, noOrder))
}

// ended returns statements that insert the remains of earlier requests of the attacker: closed claims, and the unsigned
// transactions of withdrawals.
func (a *attacker) ended() []string {
	zeros := "zeroblob(1200)"
	if engine.Current() == engine.Postgres {
		zeros = "decode(repeat('00', 1200), 'hex')"
	}
	return []string{fmt.Sprintf(`
		INSERT INTO payment_order (id, number, community, reason, owner, payment, action_id, unit_ids, real_units, amount,
			fee_rate, network_fee, service_fee, rutxos_fee, per_rutxo, address, script, status, created_at, rate_at,
			deadline, seen, confirmed, late, refunded, payout_id, payout_tx, updated_at)
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		SELECT 'closed ' || i, i, 'lobo', 'CLAIM', '%s', '%s', '', '["reward:1:of attacker"]', 0, 5000, 2000, 300, 0, 0, 58,
			'of closed ' || i, %s, 'CANCELED', 1, 1, 1, 0, 0, 0, 0, '', '', 1 FROM n`,
		manyOrders, a.wallet.Ordinals.Text, a.wallet.Payment.Text, currentExpressions().script), fmt.Sprintf(`
		INSERT INTO one_tx_session (order_id, community, owner, raw, own_coins, fee, vbytes, rate, until_at, signed, ended,
			ended_value)
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		SELECT 'closed ' || i, 'lobo', '%s', %s, '%s', 300, 1000, 2000, 1, 0, '', '' FROM n`,
		manySessions, a.wallet.Ordinals.Text, zeros, strings.Repeat("0", 2600)),
		`INSERT INTO counter (name, value) VALUES ('order', 100000)
			ON CONFLICT (name) DO UPDATE SET value = excluded.value`}
}

// alwaysReady is the state of a server that accepts requests although it never called its node.
type alwaysReady struct{ api.State }

// MayChange implements api.State.
func (alwaysReady) MayChange(context.Context) error { return nil }

// ownCoins finds the maximum number of coins of a payment address for one transaction.
type ownCoins struct{ wallet *testkit.Wallet }

// Find implements onetx.Finder.
func (c ownCoins) Find(context.Context, string, []byte) (found []vault.Coin, err error) {
	for i := range coins.Most {
		found = append(found, vault.Coin{
			OutPoint: wire.OutPoint{Hash: numberHash(9_000_000), Index: uint32(i)}, Kind: vault.Own,
			Output: wire.TxOut{Value: 2000, PkScript: c.wallet.Payment.Script},
		})
	}
	return found, nil
}

// FindFor implements onetx.Finder.
func (c ownCoins) FindFor(ctx context.Context, _, address string, script []byte) ([]vault.Coin, error) {
	return c.Find(ctx, address, script)
}

// Check implements onetx.Finder.
func (ownCoins) Check(context.Context, []vault.Coin, []chainhash.Hash) error { return nil }

// lead stores the heartbeat of a leader that has followed the chain.
func (a *attacker) lead() {
	if time.Since(a.beaten) < time.Second {
		return
	}
	a.l.exec(a.B, fmt.Sprintf(`INSERT INTO lease (name, token, beat, holder, state) VALUES ('leader', 7, 1, 'other', '%s')
		ON CONFLICT (name) DO UPDATE SET token = 7, beat = lease.beat + 1, holder = 'other', state = excluded.state`,
		follower.State{Synced: true}.Record()))
	must(a.B, a.l.lead.lease.AcquireOrRenew(a.Context(), ""))
	a.beaten = time.Now()
}

// post sends a request and returns the status and the body of its answer. It adds to a.held and a.spent.
func (a *attacker) post(path string, body any) (status int, answer []byte) {
	text, err := json.Marshal(body)
	must(a.B, err)
	a.lead()
	r := httptest.NewRequestWithContext(a.Context(), http.MethodPost, path, strings.NewReader(string(text)))
	r.Host = "localhost"
	r.Header.Set("Content-Type", "application/json")
	a.held = 0
	w := httptest.NewRecorder()
	used := processorTime()
	a.handler.ServeHTTP(w, r)
	a.spent += processorTime() - used
	if w.Code != http.StatusOK {
		a.Errorf("%s with %d bytes: %d, %s", path, len(text), w.Code, w.Body)
	}
	return w.Code, w.Body.Bytes()
}

// call sends a request to the community and returns the data of its answer, and how long it held the writer.
func (a *attacker) call(name string, fields map[string]any) (data map[string]any, held time.Duration) {
	fields["w_wallet_code"], fields["w_wallet_code_ord"] = a.wallet.Payment.Text, a.wallet.Ordinals.Text
	_, answer := a.post("/lobo/"+name, fields)
	var reply struct {
		Success bool
		Message string
		Data    map[string]any
	}
	must(a.B, json.Unmarshal(answer, &reply))
	if !reply.Success {
		a.Logf("%s: %s", name, reply.Message)
	}
	return reply.Data, a.held
}
