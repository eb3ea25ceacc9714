package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/testkit/engine"
	"moonfund/internal/testkit/figures"
)

const (
	pacedStakers = 1_750 // with four units each
	pacedOutputs = 400   // stakes in one transaction
	readRate     = 2_000
	readSeconds  = 10
	signedRate   = 200
	signedLong   = 500
	signedTime   = 10 // seconds at each rate
	pacedSlow    = 1_000

	readLimit   = 50 * time.Millisecond
	signedLimit = 100 * time.Millisecond
)

// BenchmarkPaced sends requests over HTTP at the rates of docs/reliability.md, and fails if the 99th percentile of the
// latencies exceeds its limit. The client runs on the same cores as the server. `make bench` runs it.
func BenchmarkPaced(b *testing.B) {
	for range b.N {
		h := pacedServer(b)
		fund := h.paced()
		lanes := h.openLanes()
		reads := fund.reads(readRate * readSeconds)
		lanes.pace(b, readRate, reads[:readRate]) // the first requests open the connections
		h.measure("reads", readRate, readLimit, func() []time.Duration { return lanes.pace(b, readRate, reads) })
		held := h.holdSlow(pacedSlow)
		h.measure(fmt.Sprintf("reads beside %d slow connections", pacedSlow), readRate, readLimit, func() []time.Duration {
			return lanes.pace(b, readRate, reads[:readRate*readSeconds/2])
		})
		for _, s := range held {
			s.Close()
		}
		lanes = h.openLanes() // the server has closed the idle connections
		signed := fund.signedUnstakes(lanes, signedTime*(signedRate+signedLong))
		h.measure("durable signed actions", signedRate, signedLimit, func() []time.Duration {
			return lanes.pace(b, signedRate, signed[:signedTime*signedRate])
		})
		h.measure("durable signed actions, long run", signedLong, signedLimit, func() []time.Duration {
			return lanes.pace(b, signedLong, signed[signedTime*signedRate:])
		})
		fund.wantUnstaked(b, len(signed))
		h.audit()
	}
}

// pacedServer starts a server on the current engine.
func pacedServer(b *testing.B) *devServer {
	b.Helper()
	if engine.Current() == engine.Postgres {
		return newDevServerOnPostgres(b)
	}
	return newDevServer(b, "")
}

// pacedFund is a community with many staked units.
type pacedFund struct {
	*devServer
	stakers []*staker
	units   []string // ids; unit i belongs to the staker i modulo the number of stakers
}

// paced returns a community whose stakers have enough staked units for the signed actions.
func (h *devServer) paced() *pacedFund {
	h.t.Helper()
	f := &pacedFund{devServer: h}
	var scripts [][]byte
	for i := range pacedStakers {
		p := newStaker(h.site, fmt.Sprint("paced ", i), segwit, taproot)
		var target stakeTarget
		p.post("postDemoStake", p.stakeRequest(lobo), &target)
		f.stakers, scripts = append(f.stakers, p), append(scripts, scriptOf(h.t, target.Address))
	}
	payer := newStaker(h.site, "who pays for all", segwit, taproot)
	for len(f.units) < signedTime*(signedRate+signedLong) {
		h.dev("faucet", fields{"address": payer.ordinals.text, "runes": int64(2 * pacedOutputs * lobo), "prefix": prefix},
			nil)
		h.dev("faucet", fields{"address": payer.payment.text, "sats": 2_000_000}, nil)
		h.mine(1)
		txid := h.broadcast(payer.stakeAll(h.t, scripts, len(f.units)))
		for n := range pacedOutputs {
			f.units = append(f.units, fmt.Sprintf("%s:%d", txid, n))
		}
		h.mine(1)
	}
	h.mine(3)
	h.nextEpoch()
	last := len(f.units) - 1
	await(h.t, patience, "the last stake counts", func() bool {
		return f.stakers[last%pacedStakers].stage(f.units[last]) == "STAKED"
	})
	return f
}

// stakeAll builds a transaction that sends one token to each of many outputs, using the scripts in turn.
func (p *staker) stakeAll(t testing.TB, scripts [][]byte, from int) string {
	t.Helper()
	s := &spending{tx: wire.NewMsgTx(2)}
	for _, c := range p.coins(p.ordinals) {
		s.add(t, p.ordinals, c)
	}
	for n := range pacedOutputs {
		s.tx.AddTxOut(wire.NewTxOut(postage, scripts[(from+n)%len(scripts)]))
	}
	s.tx.AddTxOut(wire.NewTxOut(postage, p.ordinals.script))
	s.tx.AddTxOut(wire.NewTxOut(0, toEach(t, p.rune, lobo, pacedOutputs)))
	return s.finish(t, p.payment, p.coins(p.payment))
}

// toEach returns a runestone that gives every output the same amount of a rune, and the rest to the output at pointer.
func toEach(t testing.TB, rune string, units int64, pointer uint64) []byte {
	t.Helper()
	const tagBody, tagPointer = 0, 22
	var block, index uint64
	_, err := fmt.Sscanf(rune, "%d:%d", &block, &index)
	must(t, err)
	var payload []byte
	// an output index of one past the last output means every output
	for _, n := range []uint64{tagPointer, pointer, tagBody, block, index, uint64(units), pointer + 3} {
		payload = leb128(payload, n)
	}
	return append([]byte{txscript.OP_RETURN, txscript.OP_13, byte(len(payload))}, payload...)
}

// reads returns random requests like an open page's: for the sums of a wallet, its units, and the global figures.
func (f *pacedFund) reads(n int) (requests [][]byte) {
	chance := rand.New(rand.NewPCG(1, 2))
	for range n {
		p := f.stakers[chance.IntN(len(f.stakers))]
		switch chance.IntN(4) {
		case 0:
			requests = append(requests, f.raw(http.MethodGet, "infoGlobals", nil))
		case 1:
			requests = append(requests, f.raw(http.MethodPost, "fetchWalletUtxos",
				f.json(p.with(fields{"include_spent": "false"}))))
		default:
			requests = append(requests, f.raw(http.MethodPost, "postInfoWallet", f.json(p.with(nil))))
		}
	}
	return requests
}

func (f *pacedFund) json(v any) []byte {
	text, err := json.Marshal(v)
	must(f.t, err)
	return text
}

// signedUnstakes requests an UNSTAKE of each of the first n units, and returns the requests with the signatures. The
// lanes share the requests, because the server limits the messages that it issues to a source.
func (f *pacedFund) signedUnstakes(lanes lanes, n int) (requests [][]byte) {
	for i, id := range f.units[:n] {
		p := f.stakers[i%pacedStakers]
		body, err := lanes[i%len(lanes)].ask(f.raw(http.MethodPost, "postAction",
			f.json(p.with(fields{"utxos": []string{id}, "wa_action_type": "UNSTAKE"}))))
		must(f.t, err)
		var answer struct{ Data intent }
		must(f.t, json.Unmarshal(body, &answer))
		signed := p.signed("UNSTAKE", answer.Data, p.ordinals.signMessage(f.t, answer.Data.Message))
		requests = append(requests, f.raw(http.MethodPost, "signWalletAction", f.json(signed)))
	}
	return requests
}

func (f *pacedFund) wantUnstaked(t testing.TB, n int) {
	t.Helper()
	got := 0
	for _, p := range f.stakers {
		got += len(p.in("PENDING_UNLOCK"))
	}
	if got != n {
		t.Errorf("%d units are unstaked, want %d", got, n)
	}
}

// holdSlow opens connections with requests that never end.
func (h *devServer) holdSlow(n int) (held []*slow) {
	h.t.Helper()
	for range n {
		conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", h.port))
		must(h.t, err)
		h.t.Cleanup(func() { conn.Close() })
		_, err = conn.Write([]byte("POST /" + prefix + "/postInfoWallet HTTP/1.1\r\nHost: lobo.localhost\r\nContent-Type: " +
			"application/json\r\nContent-Length: 200\r\n\r\n{"))
		must(h.t, err)
		held = append(held, &slow{conn, strings.Repeat(" ", 100)})
	}
	return held
}

// measure runs requests at a rate and reports the 99th percentile of their latencies.
func (h *devServer) measure(what string, rate int, limit time.Duration, run func() []time.Duration) {
	used := h.processorTime()
	took := run()
	each := (h.processorTime() - used) / time.Duration(len(took))
	at := func(part int) float64 { return float64(took[len(took)*part/1000].Microseconds()) / 1000 }
	figures.Report(h.t, figures.Figure{
		Name:     fmt.Sprintf("99 of 100 %s answered over HTTP, %d a second", what, rate),
		Database: figures.Current(), Value: at(990), Limit: float64(limit.Milliseconds()), Unit: "ms",
		Beside: fmt.Sprintf("half %.1f ms, 999 of 1,000 %.0f ms, %s of the server's processor time each", at(500), at(999),
			each.Round(10*time.Microsecond)),
	})
}
