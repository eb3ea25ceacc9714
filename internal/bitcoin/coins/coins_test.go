package coins

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/testkit"
)

// Every output of these tests can be spent without a signature. script belongs to the staker's payment address.
var (
	script  = []byte{txscript.OP_TRUE, txscript.OP_NOP}
	foreign = []byte{txscript.OP_TRUE, txscript.OP_NOP, txscript.OP_NOP}
)

const address = "bcrt1qpaymentaddress"

// place is a node, an index of its runes and an Esplora server, with a finder that uses them.
type place struct {
	*testkit.Node
	t      *testing.T
	finder *Finder
	answer atomic.Pointer[http.HandlerFunc] // of the Esplora server
	runes  map[wire.OutPoint]bool           // outputs that hold runes
	lag    atomic.Int64                     // blocks that the index is behind the node
	asked  atomic.Int64                     // outputs that were looked up
	fault  error                            // of the index
	claims map[wire.OutPoint]int64          // values that the Esplora server claims
}

func newPlace(t *testing.T) *place {
	t.Helper()
	p := &place{
		t: t, Node: testkit.NewNode(testkit.NewClock(testkit.Genesis)), runes: map[wire.OutPoint]bool{},
		claims: map[wire.OutPoint]int64{},
	}
	p.serve(p.honest)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		(*p.answer.Load())(w, r)
	}))
	t.Cleanup(server.Close)
	var err error
	if p.finder, err = New(server.URL+"/api", p, p.index); err != nil {
		t.Fatal(err)
	}
	return p
}

// serve makes the Esplora server answer with a handler.
func (p *place) serve(answer http.HandlerFunc) { p.answer.Store(&answer) }

// UnspentOutput counts the outputs that are looked up.
func (p *place) UnspentOutput(ctx context.Context, out wire.OutPoint) (chain.UnspentOutput, error) {
	p.asked.Add(1)
	return p.Node.UnspentOutput(ctx, out)
}

func (p *place) index(ctx context.Context, outs []wire.OutPoint) (chainhash.Hash, map[wire.OutPoint]bool, error) {
	tip, err := p.BlockHash(ctx, p.Height()-p.lag.Load())
	held := map[wire.OutPoint]bool{}
	for _, out := range outs {
		held[out] = p.runes[out]
	}
	return tip, held, errors.Join(err, p.fault)
}

// honest answers with the outputs of the script in blocks and mempool, and the values in claims.
func (p *place) honest(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/api/address/"+address+"/utxo" {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	list := []map[string]any{}
	for _, coin := range p.Coins(script) {
		height, _ := p.Locate(coin.OutPoint.Hash)
		list = append(list, entry(coin.OutPoint, coin.Out.Value, height >= 0))
	}
	for out, value := range p.claims {
		list = append(list, entry(out, value, true))
	}
	_ = json.NewEncoder(w).Encode(list)
}

func entry(out wire.OutPoint, value int64, confirmed bool) map[string]any {
	return map[string]any{
		"txid": out.Hash.String(), "vout": out.Index, "value": value, "status": map[string]any{"confirmed": confirmed},
	}
}

// pay mines a transaction with outputs of these values and returns them.
func (p *place) pay(to []byte, values ...int64) []vault.Coin {
	p.t.Helper()
	outs := make([]*wire.TxOut, len(values))
	for i, value := range values {
		outs[i] = wire.NewTxOut(value, to)
	}
	tx := p.Grant(outs...)
	coins := make([]vault.Coin, len(values))
	for i, out := range outs {
		coins[i] = vault.Coin{OutPoint: wire.OutPoint{Hash: tx.ID, Index: uint32(i)}, Output: *out, Kind: vault.Own}
	}
	return coins
}

func (p *place) mine(blocks int) {
	for range blocks {
		p.Mine()
	}
}

// spend broadcasts a transaction that spends coins to the script. fee is in sats.
func (p *place) spend(fee int64, coins ...vault.Coin) chainhash.Hash {
	p.t.Helper()
	tx, total := wire.NewMsgTx(2), int64(0)
	for _, coin := range coins {
		tx.AddTxIn(&wire.TxIn{PreviousOutPoint: coin.OutPoint, Sequence: 0xfffffffd})
		total += coin.Output.Value
	}
	tx.AddTxOut(wire.NewTxOut(total-fee, script))
	if err := p.Broadcast(p.t.Context(), chain.NewTx(tx).Bytes()); err != nil {
		p.t.Fatal(err)
	}
	return tx.TxHash()
}

// find calls Find with a new cache.
func (p *place) find() ([]vault.Coin, error) {
	p.finder.esplora = newEsplora(p.finder.esplora.base)
	return p.finder.Find(p.t.Context(), address, script)
}

// wantFound checks that Find returns exactly these coins in this order.
func (p *place) wantFound(what string, want ...vault.Coin) {
	p.t.Helper()
	found, err := p.find()
	if err != nil {
		p.t.Fatalf("%s: %v", what, err)
	}
	got, wanted := fmt.Sprint(found), fmt.Sprint(slices.Concat([]vault.Coin{}, want))
	if got != wanted {
		p.t.Errorf("%s: found %s, want %s", what, got, wanted)
	}
}

// wantCheck checks that Check gives this reason for the coin, or accepts it if the reason is "".
func (p *place) wantCheck(what string, want Reason, coin vault.Coin, spenders ...chainhash.Hash) {
	p.t.Helper()
	err := p.finder.Check(p.t.Context(), []vault.Coin{coin}, spenders)
	unfit, ok := errors.AsType[*vault.UnfitCoin](err)
	if want == "" && err != nil || want != "" && (!ok || unfit.Reason != string(want) || unfit.OutPoint != coin.OutPoint) {
		p.t.Errorf("%s: %v, want %q", what, err, want)
	}
}

func TestFindOddOutputs(t *testing.T) {
	p := newPlace(t)
	p.wantFound("an address without outputs")
	coinbase := p.MineTo(wire.NewTxOut(70_000, script)).Txs[0]
	mined := vault.Coin{
		OutPoint: wire.OutPoint{Hash: coinbase.ID, Index: 1}, Output: *coinbase.Msg.TxOut[1], Kind: vault.Own,
	}
	p.mine(93)
	all := p.pay(script, 5_000, 20_000, Least, Least-1, 330, 60_000, 50_000, 40_000)
	small, big, least, runes, spent, taken := all[0], all[1], all[2], all[5], all[6], all[7]
	p.runes[runes.OutPoint] = true
	p.spend(1_000, spent)
	p.mine(1) // with the transaction that spends
	other := p.pay(foreign, 90_000)
	p.claims[other[0].OutPoint] = 90_000
	recent := p.pay(script, 80_000)[0]
	p.mine(1)
	p.spend(1_000, taken)
	if output, err := p.Node.UnspentOutput(t.Context(), mined.OutPoint); err != nil || output.Confirmations != 99 {
		t.Fatalf("the coinbase is %+v, %v; want 99 confirmations", output, err)
	}
	change := vault.Coin{Output: *wire.NewTxOut(49_000, script), Kind: vault.Own}
	for _, coin := range p.Coins(script) {
		if height, _ := p.Locate(coin.OutPoint.Hash); coin.Out.Value == 49_000 && height >= 0 {
			change.OutPoint = coin.OutPoint
		}
	}
	p.wantFound("odd outputs", change, big, small, least)
	for what, c := range map[string]struct {
		coin vault.Coin
		want Reason
	}{
		"usual": {big, ""}, "runes": {runes, Runes}, "spent": {spent, Gone}, "recent": {recent, Young},
		"coinbase": {mined, Young}, "taken": {taken, Taken},
	} {
		p.wantCheck(what, c.want, c.coin)
	}
	p.mine(1)
	p.wantFound("later", recent, mined, change, big, small, least)
}

// TestFindLies checks an Esplora server that lists outputs that do not exist, belong to another address, or have wrong
// values and confirmations.
func TestFindLies(t *testing.T) {
	p := newPlace(t)
	coins := p.pay(script, 5_000, 20_000)
	stake := p.pay(foreign, 546)[0]
	p.mine(2)
	young := p.pay(script, 9_000)[0]
	nothing := wire.OutPoint{Hash: chainhash.HashH([]byte("nothing")), Index: 1<<32 - 1}
	list := []map[string]any{
		entry(nothing, 21e14, true), entry(stake.OutPoint, 1e12, true), entry(young.OutPoint, 9_000, true),
		entry(coins[1].OutPoint, 0, false), entry(coins[0].OutPoint, 1e15, true), entry(coins[0].OutPoint, 7, true),
		entry(coins[1].OutPoint, 20_000, true), {}, {"txid": nil, "vout": nil, "status": nil, "more": []int{1}},
	}
	p.serve(func(w http.ResponseWriter, _ *http.Request) { _ = json.NewEncoder(w).Encode(list) })
	p.wantFound("lies", coins[1], coins[0])
}

// TestFindManyOutputs checks that an address with thousands of small outputs from a stranger can still use the largest,
// and that few of the outputs are looked up on the node.
func TestFindManyOutputs(t *testing.T) {
	p := newPlace(t)
	var values []int64
	for i := range 3_000 {
		values = append(values, 1_000+int64(i))
	}
	coins := p.pay(script, values...)
	p.mine(2)
	slices.Reverse(coins)
	p.wantFound("many outputs", coins[:Most]...)
	if asked := p.asked.Load(); asked > maxExamined {
		t.Errorf("%d outputs were looked up, want at most %d", asked, maxExamined)
	}
	for _, coin := range coins[:5] {
		p.runes[coin.OutPoint] = true
	}
	p.wantFound("some with runes", coins[5:5+Most]...)
	p.asked.Store(0)
	for i := range 5_000 {
		p.claims[wire.OutPoint{Hash: chainhash.HashH(fmt.Append(nil, i))}] = 1e9
	}
	p.wantFound("hidden behind invented ones")
	if asked := p.asked.Load(); asked != maxExamined {
		t.Errorf("%d outputs were looked up, want %d", asked, maxExamined)
	}
}

func TestCheckReplacedVersion(t *testing.T) {
	p := newPlace(t)
	coin := p.pay(script, 50_000)[0]
	p.wantCheck("in the last block", Young, coin)
	p.mine(2)
	p.wantCheck("unspent", "", coin)
	first := p.spend(1_000, coin)
	p.wantCheck("our version", "", coin, chainhash.Hash{1}, first)
	p.wantCheck("no version", Taken, coin)
	foreign := p.spend(2_000, coin)
	p.wantCheck("replaced by another transaction", Taken, coin, first)
	p.wantCheck("both", "", coin, first, foreign)
	for what, other := range map[string]wire.TxOut{
		"value": *wire.NewTxOut(50_001, script), "script": *wire.NewTxOut(50_000, []byte{txscript.OP_TRUE}),
	} {
		p.wantCheck(what, Changed, vault.Coin{OutPoint: coin.OutPoint, Output: other}, foreign)
	}
	p.mine(1)
	p.wantCheck("confirmed", Gone, coin, first, foreign)
	if err := p.finder.Check(t.Context(), nil, nil); err != nil {
		t.Errorf("no coins: %v", err)
	}
}

// TestIndexBehindNode checks that nothing is found or accepted while the index may lack the runes of an output.
func TestIndexBehindNode(t *testing.T) {
	p := newPlace(t)
	coin := p.pay(script, 50_000)[0]
	p.mine(5)
	p.lag.Store(1)
	p.finder.indexWait = 30 * time.Millisecond
	if found, err := p.find(); !errors.Is(err, vault.ErrCoinsUnavailable) {
		t.Errorf("Find returns %v, %v; want vault.ErrCoinsUnavailable", found, err)
	}
	began := time.Now()
	p.finder.indexWait = time.Hour
	if err := p.finder.Check(t.Context(), []vault.Coin{coin}, nil); !errors.Is(err, vault.ErrCoinsUnavailable) {
		t.Errorf("Check returns %v, want vault.ErrCoinsUnavailable", err)
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("Check waits %s for the index", took)
	}
	time.AfterFunc(2*indexPoll, func() { p.lag.Store(0) })
	p.wantFound("once the index is at the tip", coin)
	p.fault = errors.New("no index")
	if _, err := p.find(); !errors.Is(err, vault.ErrCoinsUnavailable) || !errors.Is(err, p.fault) {
		t.Errorf("the index fails: %v", err)
	}
	p.fault = nil
	p.Fail(errors.New("no node"))
	if _, err := p.find(); !errors.Is(err, vault.ErrCoinsUnavailable) {
		t.Errorf("the node fails: %v", err)
	}
	if err := p.finder.Check(t.Context(), []vault.Coin{coin}, nil); !errors.Is(err, vault.ErrCoinsUnavailable) {
		t.Errorf("the node fails: Check returns %v", err)
	}
}

// TestSlowServerBlocksFindOnly checks that lookups at a server that does not respond delay further lookups, but not the
// check before a signature.
func TestSlowServerBlocksFindOnly(t *testing.T) {
	p := newPlace(t)
	coin := p.pay(script, 50_000)[0]
	p.mine(2)
	release := make(chan struct{})
	const lookups = ofOrders
	started := make(chan struct{}, 2*lookups)
	p.serve(func(w http.ResponseWriter, r *http.Request) {
		started <- struct{}{}
		<-release
		w.WriteHeader(http.StatusInternalServerError)
	})
	p.finder.timeout = time.Minute
	done := make(chan error)
	for i := range 2 * lookups {
		go func() {
			_, err := p.finder.Find(t.Context(), address+strconv.Itoa(i), script)
			done <- err
		}()
	}
	for range lookups {
		<-started
	}
	p.wantCheck("meanwhile", "", coin)
	time.Sleep(50 * time.Millisecond)
	if len(started) != 0 {
		t.Errorf("%d more lookups than %d run at the same time", len(started), lookups)
	}
	close(release)
	for range 2 * lookups {
		if err := <-done; !errors.Is(err, vault.ErrCoinsUnavailable) || strings.Contains(err.Error(), address) {
			t.Errorf("got %v, want vault.ErrCoinsUnavailable without the address", err)
		}
	}
}
