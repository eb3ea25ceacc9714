package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"
)

var kills = flag.Int("kills", fewestKills, "how often the server is killed under load")

// fewestKills is the required number of kills during calls.
const fewestKills = 20

// promise is an acknowledged write, and a check that it still exists.
type promise struct {
	what string
	kept func(p *staker) bool
}

// workload is the load of one round, until the server is killed: new wallets request stake addresses, and Alice claims
// and cancels.
type workload struct {
	*devServer
	mu       sync.Mutex
	promises []promise
	cut      int // number of calls in progress when the server was killed
}

var errRefused = errors.New("refused")

// call makes one call. Any error other than errRefused means that the server was killed.
func (b *workload) call(path string, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequest(http.MethodPost, fmt.Sprintf("http://127.0.0.1:%d/%s/%s", b.port, prefix, path),
		bytes.NewReader(text))
	if err != nil {
		return err
	}
	request.Host = fmt.Sprintf("lobo.localhost:%d", b.port)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	reply, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	var e envelope
	if err := json.Unmarshal(reply, &e); err != nil || !e.Success {
		return errRefused
	}
	return json.Unmarshal(e.Data, into)
}

func (b *workload) acknowledged(what string, kept func(p *staker) bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.promises = append(b.promises, promise{what, kept})
}

func (b *workload) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.promises)
}

// ask requests stake addresses for new wallets, one after the other.
func (b *workload) ask(who string) {
	for n := 0; ; n++ {
		p := &staker{b.site, newWallet(b.t, who+" "+strconv.Itoa(n), segwit, taproot), "", false}
		var given stakeTarget
		err := b.call("postDemoStake", p.stakeRequest(100*lobo), &given)
		if err == nil {
			b.acknowledged("a stake address", func(on *staker) bool {
				var again stakeTarget
				on.post("postDemoStake", p.stakeRequest(100*lobo), &again)
				return again == given
			})
		} else if !errors.Is(err, errRefused) {
			b.gone()
			return
		}
	}
}

// claimAndCancel repeatedly claims and cancels the claim.
func (b *workload) claimAndCancel(p *staker) {
	for {
		var i intent
		var made effect
		err := b.call("postAction", p.with(fields{"utxos": []string{}, "wa_action_type": "CLAIM"}), &i)
		if err == nil {
			err = b.call("signWalletAction", p.signed("CLAIM", i, p.ordinals.signMessage(b.t, i.Message)), &made)
		}
		if err == nil && made.Order != nil {
			id := made.Order.ID
			b.acknowledged("a signed claim", func(on *staker) bool { return on.order(id).ID == id })
			err = b.cancel(p, id)
		}
		if err != nil && !errors.Is(err, errRefused) {
			b.gone()
			return
		}
		if err != nil { // a claim whose response was lost in an earlier kill may be open
			b.cancelAll(p)
		}
	}
}

func (b *workload) cancel(p *staker, id string) error {
	var i intent
	if err := b.call("cancelPO", p.with(fields{"order_id": id}), &i); err != nil {
		return err
	}
	var closed struct{ Order *order }
	body := p.with(fields{"order_id": id, "action_id": i.ActionID, "signature": p.ordinals.signMessage(b.t, i.Message)})
	if err := b.call("cancelPO", body, &closed); err != nil {
		return err
	}
	b.acknowledged("a signed cancel", func(on *staker) bool { return on.order(id).Status == "CANCELED" })
	return nil
}

func (b *workload) cancelAll(p *staker) {
	var open struct {
		Orders []order `json:"orders"`
	}
	if b.call("fetchClientPOs", p.with(nil), &open) != nil {
		return
	}
	for _, o := range open.Orders {
		if o.Status == "PENDING" {
			_ = b.cancel(p, o.ID)
		}
	}
}

func (b *workload) gone() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cut++
}

// TestKilledUnderLoad repeatedly ends the server with SIGKILL under load. Every acknowledged write must still exist.
func TestKilledUnderLoad(t *testing.T) {
	h := newDevServer(t, "")
	l := &scenario{devServer: h, alice: newStaker(h.site, "Alice", segwit, taproot), bob: newStaker(h.site, "Bob", nested,
		taproot)}
	l.at = func(moment) {}
	l.alice.endow(3_000 * lobo)
	l.bob.endow(777 * lobo)
	l.mine(1)
	a, b := l.alice.stake(1_500*lobo), l.bob.stake(777*lobo)
	l.becomeStaked(a, b)
	l.earn(a, b)
	chance := rand.New(rand.NewPCG(uint64(*kills), 9))
	hits, kept := 0, map[string]int{}
	for round := 0; hits < *kills; round++ {
		if round == 2**kills {
			t.Fatalf("of %d kills only %d happened during calls", round, hits)
		}
		load := &workload{devServer: h}
		var people sync.WaitGroup
		people.Go(func() { load.claimAndCancel(l.alice) })
		for n := range 4 {
			people.Go(func() { load.ask(fmt.Sprintf("stranger %d %d", round, n)) })
		}
		enough := 5 + chance.IntN(20)
		await(t, patience, "the load goes on", func() bool { return load.count() >= enough })
		<-time.After(time.Duration(chance.IntN(15_000)) * time.Microsecond)
		h.kill()
		people.Wait()
		h.start()
		if load.cut > 0 {
			hits++
		}
		for _, p := range load.promises {
			if !p.kept(l.alice) {
				t.Fatalf("kill %d: %s was acknowledged but lost", round+1, p.what)
			}
			kept[p.what]++
		}
	}
	t.Logf("%d kills during calls; acknowledged writes that still exist: %v", hits, kept)
	if hits < fewestKills || len(kept) < 3 {
		t.Errorf("%d kills with %d kinds of acknowledged writes are too few", hits, len(kept))
	}
	h.audit()
}
