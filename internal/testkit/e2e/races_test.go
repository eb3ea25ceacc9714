package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"moonfund/internal/testkit/engine"
)

// clients is the number of concurrent clients.
const clients = 64

// TestRaces makes 64 concurrent clients withdraw the same unit, cancel the same order, submit the same signed message,
// claim the deposit of the same transaction, and start the same etching. Each must have exactly one effect, in the
// responses and in the journal.
func TestRaces(t *testing.T) {
	for _, database := range []struct {
		name string
		open func(*testing.T) *devServer
	}{
		{"SQLite", func(t *testing.T) *devServer { return newDevServer(t, "") }},
		{"PostgreSQL", func(t *testing.T) *devServer { return newDevServerOnPostgres(t) }},
	} {
		t.Run(database.name, func(t *testing.T) {
			h := database.open(t)
			p := newStaker(h.site, "Racer", segwit, taproot)
			unlocked := p.unlock(h, 400*lobo, 300*lobo)
			r := racers{p, h}
			t.Run("one deposit", r.of(func(r racers) { r.oneDeposit() }))
			t.Run("one unit", r.of(func(r racers) { r.oneUnit(unlocked[0]) }))
			t.Run("one action", r.of(func(r racers) { r.oneAction(unlocked[0]) }))
			t.Run("one order", r.of(func(r racers) { r.oneOrder(unlocked[1]) }))
			t.Run("one paid order", r.of(func(r racers) { r.onePaidOrder(unlocked[1]) }))
			t.Run("one etching", r.of(func(r racers) { r.oneEtching() }))
			h.audit()
		})
	}
}

// racers are concurrent clients with one staker's wallet.
type racers struct {
	*staker
	devServer *devServer
}

func (r racers) of(race func(racers)) func(*testing.T) {
	return func(t *testing.T) { race(racers{r.on(t), r.devServer}) }
}

// reply is the response that one of the clients got.
type reply struct {
	status int
	raw    []byte
	envelope
}

// rush sends all bodies concurrently, each on a separate connection.
func (r racers) rush(path string, bodies []any) (replies []reply) {
	t := r.t
	t.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: len(bodies)}}
	defer client.CloseIdleConnections()
	replies = make([]reply, len(bodies))
	failed := make([]error, len(bodies))
	start := make(chan struct{})
	var all sync.WaitGroup
	for i, body := range bodies {
		raw, err := json.Marshal(body)
		must(t, err)
		all.Go(func() {
			<-start
			replies[i], failed[i] = r.shout(client, path, raw)
		})
	}
	close(start)
	all.Wait()
	must(t, errors.Join(failed...))
	return replies
}

func (r racers) shout(client *http.Client, path string, raw []byte) (got reply, err error) {
	request, err := http.NewRequest(http.MethodPost, fmt.Sprintf("http://127.0.0.1:%d%s", r.port, path),
		bytes.NewReader(raw))
	if err != nil {
		return got, err
	}
	request.Host = fmt.Sprintf("lobo.localhost:%d", r.port)
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return got, err
	}
	defer response.Body.Close()
	got.status = response.StatusCode
	if got.raw, err = io.ReadAll(response.Body); err != nil {
		return got, err
	}
	if response.StatusCode >= 500 || response.StatusCode == http.StatusTooManyRequests {
		return got, fmt.Errorf("%s: HTTP %d %s", path, got.status, got.raw)
	}
	return got, json.Unmarshal(got.raw, &got.envelope)
}

// hand submits signed actions concurrently. It returns the id of the resulting order for each success, "" for an effect
// without an order. It fails the test if a refusal has no message.
func (r racers) hand(bodies []any) (won []string) {
	t := r.t
	t.Helper()
	for _, got := range r.rush("/"+prefix+"/signWalletAction", bodies) {
		var made effect
		if got.Success {
			must(t, json.Unmarshal(got.Data, &made))
		}
		switch {
		case got.Success && made.Order != nil:
			won = append(won, made.Order.ID)
		case got.Success && made.Applied:
			won = append(won, "")
		case got.Success || got.Message == "":
			t.Errorf("neither an effect nor a message: HTTP %d %s", got.status, got.raw)
		}
	}
	return won
}

// each returns one body per client.
func each(body func(i int) any) (bodies []any) {
	for i := range clients {
		bodies = append(bodies, body(i))
	}
	return bodies
}

// proof requests an action and signs its message.
func (r racers) proof(kind string, ids ...string) fields {
	i := r.ask(kind, ids...)
	return r.signed(kind, i, r.ordinals.signMessage(r.t, i.Message))
}

// events returns the journal of a unit or order, oldest first.
func (r racers) events(subject string) (all []string) {
	t := r.t
	t.Helper()
	address := r.devServer.database
	if address == "" {
		address = "sqlite:" + filepath.Join(r.devServer.data, "ledger.db")
	}
	db := engine.Connect(t, address)
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), `SELECT event FROM journal WHERE subject = $1 ORDER BY number`, subject)
	must(t, err)
	defer rows.Close()
	for rows.Next() {
		var event string
		must(t, rows.Scan(&event))
		all = append(all, event)
	}
	must(t, rows.Err())
	return all
}

// wantEvents checks that the journal of a subject consists of the events in before, followed by the events in want.
func (r racers) wantEvents(subject string, before []string, want ...string) {
	r.t.Helper()
	if got := r.events(subject); !slices.Equal(got, append(slices.Clone(before), want...)) {
		r.t.Errorf("the journal of %s is %q, want %q and then %q", subject, got, before, want)
	}
}

// everything returns all data of the wallet that the API returns.
func (r racers) everything() any { return []any{r.units(), r.orders(), r.totals()} }

// oneDeposit makes each client, which has its own stake address, claim the same transaction as its deposit.
func (r racers) oneDeposit() {
	t := r.t
	owner := newStaker(r.site, "Owner", segwit, taproot)
	owner.t = t
	owner.endow(50 * lobo)
	r.mine(1)
	var target stakeTarget
	owner.post("postDemoStake", owner.stakeRequest(50*lobo), &target)
	claims := []*staker{owner}
	targets := []stakeTarget{target}
	for i := 1; i < clients; i++ {
		p := owner.on(t)
		p.wallet = newWallet(t, fmt.Sprintf("claimant %d", i), segwit, taproot)
		p.post("postDemoStake", p.stakeRequest(50*lobo), &target)
		claims, targets = append(claims, p), append(targets, target)
	}
	txid := owner.broadcast(owner.transferRunes(t, owner.rune, 50*lobo, targets[0].Address, owner.coins(owner.ordinals),
		owner.coins(owner.payment)))
	replies := r.rush("/"+prefix+"/signWalletAction", each(func(i int) any {
		return claims[i].with(fields{
			"wa_action_id": targets[i].ActionID, "wa_action_type": "STAKE", "txid": txid, "signature": "", "messageHash": "",
		})
	}))
	for i, got := range replies {
		var made effect
		must(t, json.Unmarshal(got.Data, &made))
		if !got.Success || made.Applied != (i == 0) || made.Order != nil {
			t.Errorf("claimant %d of %s: %s", i, txid, got.raw)
		}
		if units := claims[i].units(); (len(units) == 1) != (i == 0) || len(units) > 1 {
			t.Errorf("claimant %d has the units %+v", i, units)
		}
	}
	r.wantEvents(txid+":0", nil, "deposited")
}

// oneUnit makes each client withdraw the same unit with a different message.
func (r racers) oneUnit(id string) {
	t := r.t
	before, orders := r.events(id), len(r.orders())
	var proofs []any
	for range clients {
		proofs = append(proofs, r.proof("WITHDRAW", id))
	}
	if won := r.hand(proofs); len(won) != 1 || won[0] == "" {
		t.Fatalf("%d withdrawals of one unit: %q", len(won), won)
	}
	r.wantStage(id, "PO_LOCKED")
	if got := r.orders(); len(got) != orders+1 {
		t.Errorf("%d orders, want one more than %d", len(got), orders)
	}
	r.wantEvents(id, before, "withdraw ordered")
	if closed := r.cancel(r.orders()[0]); closed.Status != "CANCELED" {
		t.Errorf("a cancel left %+v", closed)
	}
}

// oneAction makes all clients submit the same signed message, and then submits it a hundred times again.
func (r racers) oneAction(id string) {
	t := r.t
	before := r.events(id)
	proof := r.proof("WITHDRAW", id)
	won := r.hand(each(func(int) any { return proof }))
	if len(won) != clients || len(slices.Compact(won)) != 1 || won[0] == "" {
		t.Fatalf("%d successes of one message, with the orders %q", len(won), slices.Compact(won))
	}
	r.wantEvents(id, before, "withdraw ordered")
	r.wantEvents(won[0], nil, "proof accepted")
	after := r.everything()
	replays := make([]any, 100)
	for i := range replays {
		replays[i] = proof
	}
	if again := r.hand(replays); len(again) != 100 || !slices.Equal(slices.Compact(again), won[:1]) {
		t.Errorf("100 replays returned the orders %q", slices.Compact(again))
	}
	if now := r.everything(); !reflect.DeepEqual(now, after) {
		t.Errorf("a replay changed the state:\n%+v\nbefore:\n%+v", now, after)
	}
	r.wantEvents(id, before, "withdraw ordered")
}

// oneOrder makes each client cancel the same order with a different message.
func (r racers) oneOrder(id string) {
	t := r.t
	o := *r.act("WITHDRAW", id)
	before, units := r.events(o.ID), r.events(id)
	proofs := r.cancels(o)
	closed := 0
	for _, got := range r.rush("/"+prefix+"/cancelPO", proofs) {
		if got.Success {
			closed++
		} else if got.Message == "" {
			t.Errorf("a refusal has no message: %s", got.raw)
		}
	}
	if closed != 1 {
		t.Errorf("%d of %d messages canceled one order", closed, clients)
	}
	r.wantStatus(o.ID, "CANCELED")
	r.wantStage(id, "UNLOCKED")
	r.wantEvents(o.ID, before, "canceled by its owner")
	r.wantEvents(id, units, "order closed")
}

func (r racers) cancels(o order) []any {
	return each(func(int) any {
		var i intent
		r.post("cancelPO", r.with(fields{"order_id": o.ID}), &i)
		return r.with(fields{"order_id": o.ID, "action_id": i.ActionID, "signature": r.ordinals.signMessage(r.t, i.Message)})
	})
}

// onePaidOrder pays an order while all clients cancel it. The order must be either canceled or sent, and its payment
// must be recorded.
func (r racers) onePaidOrder(id string) {
	t := r.t
	o := *r.act("WITHDRAW", id)
	before := r.events(id)
	proofs := r.cancels(o)
	paid := make(chan string)
	go func() { paid <- r.pay(o, o.Total) }()
	closed := 0
	for _, got := range r.rush("/"+prefix+"/cancelPO", proofs) {
		if got.Success {
			closed++
		}
	}
	txid := <-paid
	r.mine(1)
	var status string
	await(t, patience, "the payment is accounted for", func() bool {
		status = r.order(o.ID).Status
		return status == "SENT" || (status == "CANCELED" && len(r.payments(o)) == 1)
	})
	events := r.events(id)[len(before):]
	switch {
	case closed > 1:
		t.Errorf("%d cancels of one order", closed)
	case closed == 1 && (status != "CANCELED" || events[len(events)-1] != "order closed"):
		t.Errorf("a cancel succeeded, but the order is %s and the unit's journal %q", status, events)
	case closed == 0 && (status != "SENT" || slices.Contains(events, "order closed")):
		t.Errorf("no cancel succeeded, but the order is %s and the unit's journal %q", status, events)
	}
	if history := r.payments(o); len(history) != 1 || history[0].TxID != txid || !history[0].Confirmed {
		t.Errorf("the order's payments are %+v", history)
	}
	r.mine(6)
}

// oneEtching makes each client report the payment of the same etch order.
func (r racers) oneEtching() {
	t := r.t
	const to = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"
	var created struct {
		OrderID     string
		FundAddress string
		FundAmount  int64
	}
	r.site.orders(http.MethodPost, "runes/etch/orders", map[string]any{
		"runeName": "SIXTY•FOUR•AT•ONCE", "premine": "1000", "isMintable": false, "destinationAddress": to,
		"refundAddress": to, "feeRate": 2,
	}, &created)
	var funded struct{ TxID string }
	r.dev("faucet", fields{"address": created.FundAddress, "sats": created.FundAmount}, &funded)
	executed := 0
	for _, got := range r.rush(ordersBase+"runes/etch/orders/"+created.OrderID+"/execute", each(func(int) any {
		return fields{"fundTransactionId": funded.TxID}
	})) {
		switch {
		case got.status == http.StatusOK:
			executed++
		case got.status != http.StatusBadRequest || !strings.Contains(got.Message, funded.TxID):
			t.Errorf("HTTP %d %s", got.status, got.raw)
		}
	}
	if executed != 1 {
		t.Errorf("%d of %d calls executed one order", executed, clients)
	}
	o := r.runeOrder(created.OrderID)
	for block := 0; block < 15 && o.State != "complete"; block++ { // commitment, its six confirmations, reveal
		r.mine(1)
		o = r.runeOrder(created.OrderID)
	}
	if len(o.txids()) != 2 || o.State != "complete" {
		t.Errorf("the etching is %+v, want it complete with two transactions", o)
	}
}
