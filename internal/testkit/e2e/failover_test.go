package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"moonfund/internal/testkit/engine"
)

// failover limits the time in which the server must serve again after the standby was promoted.
const failover = 60 * time.Second

// failing is a staker who repeats unanswered requests until stop is closed.
type failing struct {
	*workload
	*staker
	stop chan struct{}

	repeated int // number of signed requests that were accepted after a failure
}

// persist sends the same request until the server accepts it. It returns false if the load ends before. A refusal of a
// repeated request is an error, because the first request may have been applied.
func (f *failing) persist(path string, body, into any) bool {
	raw, err := json.Marshal(body)
	must(f.staker.t, err)
	for failed := false; ; {
		a := f.send(http.MethodPost, "/"+prefix+"/"+path, "application/json", raw)
		var e envelope
		must(f.staker.t, json.Unmarshal(a.body, &e))
		switch {
		case a.status == http.StatusOK && e.Success:
			if failed {
				f.repeated++
			}
			must(f.staker.t, json.Unmarshal(e.Data, into))
			return true
		case a.status != http.StatusServiceUnavailable && e.Code != "CATCHING_UP":
			f.staker.t.Errorf("%s: HTTP %d %s", path, a.status, a.body)
			return false
		}
		failed = true
		select {
		case <-f.stop:
			return false
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// claimsAndCancels repeatedly claims all rewards and cancels the claim.
func (f *failing) claimsAndCancels() {
	for {
		select {
		case <-f.stop:
			return
		default:
		}
		var i intent
		var made effect
		if !f.persist("postAction", f.with(fields{"utxos": []string{}, "wa_action_type": "CLAIM"}), &i) ||
			!f.persist("signWalletAction", f.signed("CLAIM", i, f.ordinals.signMessage(f.staker.t, i.Message)), &made) {
			return
		}
		id := made.Order.ID
		f.acknowledged("a signed claim", func(on *staker) bool { return on.order(id).ID == id })
		var canceled struct{ Order *order }
		if !f.persist("cancelPO", f.with(fields{"order_id": id}), &i) || !f.persist("cancelPO", f.with(fields{
			"order_id": id, "action_id": i.ActionID, "signature": f.ordinals.signMessage(f.staker.t, i.Message),
		}), &canceled) {
			return
		}
		f.acknowledged("a signed cancel", func(on *staker) bool { return on.order(id).Status == "CANCELED" })
	}
}

// asks requests stake addresses for new wallets.
func (f *failing) asks(who string) {
	for n := 0; ; n++ {
		p := &staker{f.staker.site, newWallet(f.staker.t, fmt.Sprint(who, " ", n), segwit, taproot), "", false}
		var given stakeTarget
		if !f.persist("postDemoStake", p.stakeRequest(100*lobo), &given) {
			return
		}
		f.acknowledged("a stake address", func(on *staker) bool {
			var again stakeTarget
			on.post("postDemoStake", p.stakeRequest(100*lobo), &again)
			return again == given
		})
		select {
		case <-f.stop:
			return
		default:
		}
	}
}

// loss is a way in which a primary is lost and, in some cases, answers again after the failover.
type loss struct {
	start           func(testing.TB) *engine.Pair
	lose, comesBack func(*engine.PostgresServer)
}

// TestFailover loses a PostgreSQL primary with a payout in flight, under load, and promotes its synchronous standby.
// The server must answer meanwhile, and continue on the new primary: every acknowledged change is stored, no repeated
// request is refused, and the order is paid once. A silent primary answers nothing, and no packet passes between the
// server and a primary that is cut off. Both answer again afterwards, and must not be written to.
func TestFailover(t *testing.T) {
	t.Run("killed", func(t *testing.T) {
		if failOver(t, loss{start: engine.NewPair, lose: (*engine.PostgresServer).Kill}) == 0 {
			t.Error("no request was repeated")
		}
	})
	t.Run("silent", func(t *testing.T) {
		failOver(t, loss{engine.NewPair, (*engine.PostgresServer).Freeze, (*engine.PostgresServer).Thaw})
	})
	t.Run("cut off", func(t *testing.T) {
		failOver(t, loss{engine.NewLinkedPair, (*engine.PostgresServer).Cut, (*engine.PostgresServer).Restore})
	})
}

// prepareFailover starts a dev server with metrics on a primary and its standby.
func prepareFailover(
	t *testing.T, start func(testing.TB) *engine.Pair,
) (pair *engine.Pair, h *devServer, metrics string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	metrics = listener.Addr().String()
	must(t, listener.Close())
	pair, h = start(t), prepareDevServer(t)
	h.database = pair.URL()
	h.flags = []string{"--database", h.database, "--metrics", metrics}
	h.start()
	return pair, h, "http://" + metrics + "/metrics"
}

// scrapeTimeout is Prometheus's default timeout.
const scrapeTimeout = 10 * time.Second

// checkMetrics scrapes /metrics and checks that it contains some lines.
func checkMetrics(t *testing.T, url string, lines ...string) {
	t.Helper()
	client := http.Client{Timeout: scrapeTimeout}
	response, err := client.Get(url)
	must(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	must(t, err)
	for _, line := range lines {
		if !strings.Contains(string(text), line+"\n") {
			t.Errorf("HTTP %d, no line %q in\n%s", response.StatusCode, line, text)
		}
	}
}

// failingLoad starts a staker who claims and cancels, and four who request stake addresses.
func failingLoad(load *workload, q *staker) (people []*failing, stop func()) {
	ended := make(chan struct{})
	people = []*failing{{workload: load, staker: q, stop: ended}}
	var running sync.WaitGroup
	running.Go(people[0].claimsAndCancels)
	for n := range 4 {
		f := &failing{workload: load, staker: q, stop: ended}
		people = append(people, f)
		running.Go(func() { f.asks(fmt.Sprint("stranger ", n)) })
	}
	return people, sync.OnceFunc(func() { close(ended); running.Wait() })
}

// checkPromises checks that every acknowledged change is stored.
func checkPromises(t *testing.T, load *workload, p *staker) {
	t.Helper()
	kept := map[string]int{}
	for _, promise := range load.promises {
		if !promise.kept(p) {
			t.Fatalf("%s was acknowledged but lost", promise.what)
		}
		kept[promise.what]++
	}
	t.Logf("acknowledged: %v", kept)
	if len(kept) < 3 {
		t.Error("the load was too small")
	}
}

// failOver runs TestFailover for one way in which a primary is lost. It returns the number of requests that were
// accepted after a failure.
func failOver(t *testing.T, way loss) (repeated int) {
	t.Helper()
	pair, h, metrics := prepareFailover(t, way.start)
	p, q := newStaker(h.site, "Dora", segwit, taproot), newStaker(h.site, "Erik", segwit, taproot)
	q.endow(500 * lobo)
	h.mine(1)
	// Each commit waits for the standby: a busy machine needs a while for the chain so far.
	await(t, patience, "the server follows the chain", func() bool { return h.ready(t.Context()) })
	q.stake(500 * lobo)
	const units = 1_000 * lobo
	withdraw := p.act("WITHDRAW", p.unlock(h, units)...)
	p.pay(*withdraw, withdraw.Total)
	await(t, patience, "the order is paid", func() bool { return p.order(withdraw.ID).Due == 0 })

	load := &workload{devServer: h}
	people, stopLoad := failingLoad(load, q)
	defer stopLoad()
	await(t, patience, "the load begins", func() bool { return load.count() > 50 })
	mined := make(chan struct{})
	go func() { // the call fails if the primary is killed before its response
		defer close(mined)
		h.send(http.MethodPost, "/dev/mine", "application/json", []byte(`{"blocks":1}`))
	}()
	stored := storedPayouts(t, pair.Primary.URL())
	way.lose(pair.Primary)
	before := load.count()
	status := make(chan int, 1)
	go func() { status <- h.send(http.MethodGet, "/"+prefix+"/status", "", nil).status }()
	checkMetrics(t, metrics, "moonfund_database_up 0")
	pair.Standby.Promote()
	if got := <-status; got != http.StatusServiceUnavailable && got != http.StatusOK {
		t.Errorf("/status: HTTP %d", got)
	}
	await(t, failover, "the load continues", func() bool { return load.count() > before+50 })
	stopLoad()
	<-mined
	await(t, failover, "the server is ready", func() bool { return h.ready(t.Context()) })

	unchanged := way.returns(t, pair.Primary)
	checkMetrics(t, metrics, "moonfund_database_up 1", "moonfund_standby_up 0")
	for _, f := range people {
		repeated += f.repeated
	}
	t.Logf("accepted after a failure: %d", repeated)
	checkPromises(t, load, q)
	checkDelivered(t, h, p, withdraw.ID)
	if got := p.balance(); got != units {
		t.Errorf("the wallet holds %d, want %d", got, units)
	}
	if now := storedPayouts(t, pair.Standby.URL()); !slices.Equal(now, stored) {
		t.Errorf("the payouts are %v; before the failover they were %v", now, stored)
	}
	unchanged()
	if log := h.tail(); strings.Contains(log, "panic") {
		t.Error("the server panicked")
	}
	h.audit()
	return repeated
}

// checkDelivered checks that an order is delivered by the transaction that was sent first.
func checkDelivered(t *testing.T, h *devServer, p *staker, id string) {
	t.Helper()
	sent := p.awaitSent(id)
	h.mine(3)
	if got := p.awaitStatus(id, "DELIVERED"); *got.PayoutTx != *sent.PayoutTx {
		t.Errorf("sent as %s, delivered as %s", *sent.PayoutTx, *got.PayoutTx)
	}
}

// returns lets a former primary answer again. It returns a function that checks that the primary's journal has not
// grown since.
func (way loss) returns(t *testing.T, former *engine.PostgresServer) (unchanged func()) {
	t.Helper()
	if way.comesBack == nil {
		return func() {}
	}
	way.comesBack(former)
	db := engine.Connect(t, former.URL()) // once: each connection is open until the test ends
	ask := func(query string) (number int64) {
		must(t, db.QueryRow(query).Scan(&number))
		return number
	}
	last := func() int64 { return ask(`SELECT max(number) FROM journal`) }
	before, quiet := last(), time.Now()
	await(t, patience, "what it was committing when it was lost has ended", func() bool {
		// A commit that waits for the lost standby waits for ever, and nobody sees it.
		active := ask(`SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND state = 'active'
			AND pid <> pg_backend_pid() AND wait_event IS DISTINCT FROM 'SyncRep'`)
		if now := last(); now != before || active > 0 {
			before, quiet = now, time.Now()
		}
		return time.Since(quiet) > time.Second
	})
	return func() {
		if now := last(); now != before {
			t.Errorf("the former primary's journal grew from %d to %d lines", before, now)
		}
	}
}

// storedPayouts waits for a payout in a database and returns the ids of the transactions of all payouts.
func storedPayouts(t *testing.T, database string) (txids []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, database)
	must(t, err)
	defer conn.Close(context.Background())
	for len(txids) == 0 {
		rows, err := conn.Query(ctx, `SELECT txid FROM payout_version ORDER BY txid`)
		must(t, err)
		txids, err = pgx.CollectRows(rows, pgx.RowTo[string])
		must(t, err)
	}
	return txids
}
