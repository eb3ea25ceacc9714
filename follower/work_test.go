package follower_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/action"
	"moonfund/amount"
	"moonfund/chain"
	"moonfund/ledger"
	"moonfund/runes"
	"moonfund/store"
	"moonfund/testkit"
	"moonfund/vault"
)

// writing is the most that one database transaction of a world did.
type writing struct {
	statements  int
	evaluations int           // reads of all payments of an order
	held        time.Duration // from its begin to the end of its commit
}

// measured makes a world note what its transactions do.
func measured(w *testkit.World) *writing {
	most := new(writing)
	w.Between = func(ctx context.Context, update func(context.Context, func(*store.Tx) error) error, fn func(*store.Tx) error) error {
		var did writing
		var begun time.Time
		err := update(store.InjectFaults(ctx, func(statement string, _ bool) error {
			did.statements++
			if strings.Contains(statement, "name: PaymentsOf ") {
				did.evaluations++
			}
			return nil
		}), func(tx *store.Tx) error {
			did, begun = writing{}, time.Now()
			return fn(tx)
		})
		did.held = time.Since(begun)
		most.statements = max(most.statements, did.statements)
		most.evaluations = max(most.evaluations, did.evaluations)
		most.held = max(most.held, did.held)
		return err
	}
	return most
}

// burdens are transactions that anybody may send, with n of what makes them large.
// outputs is how many such outputs fit into a standard transaction.
var burdens = []struct {
	name    string
	fits    int
	prepare func(w *testkit.World, n int) chain.Tx
}{
	{"payments to one order", 2200, func(w *testkit.World, n int) chain.Tx {
		o := withdrawal(w)
		return w.Anna.Spend([]testkit.Coin{granted(w, n*vault.DustSats)}, repeated(n, o.Script)...)
	}},
	{"payments to many orders", 2200, func(w *testkit.World, n int) chain.Tx {
		var outs []*wire.TxOut
		for _, id := range unlocked(w, n) {
			outs = append(outs, wire.NewTxOut(vault.DustSats, w.Act(w.Anna, action.Withdraw, id).Order.Script))
		}
		return w.Anna.Spend([]testkit.Coin{granted(w, n*vault.DustSats)}, outs...)
	}},
	{"stakes at one address", 2200, func(w *testkit.World, n int) chain.Tx {
		_, script := w.StakeAddress(w.Anna, 5000)
		return stakes(w, repeated(n, script), testkit.MinimumStake)
	}},
	{"stakes at many addresses", 2200, func(w *testkit.World, n int) chain.Tx {
		return stakes(w, stakeOutputs(w, n), testkit.MinimumStake)
	}},
	{"outputs for quarantine", 2200, func(w *testkit.World, n int) chain.Tx {
		return stakes(w, stakeOutputs(w, n), testkit.MinimumStake-1)
	}},
	{"a payment with many inputs", 1400, func(w *testkit.World, n int) chain.Tx {
		o := withdrawal(w)
		out := wire.NewTxOut(1000, w.Anna.Payment.Script)
		var outs []*wire.TxOut
		for range n {
			outs = append(outs, out)
		}
		tx := w.Node.Grant(outs...)
		coins := []testkit.Coin{granted(w, 0)}
		for vout := range n {
			coins = append(coins, testkit.Coin{OutPoint: wire.OutPoint{Hash: tx.ID, Index: uint32(vout)}, Out: out})
		}
		return w.Anna.Spend(coins, wire.NewTxOut(vault.DustSats, o.Script))
	}},
	{"recovered stakes", 1400, func(w *testkit.World, n int) chain.Tx {
		return w.RecoverAll(w.Anna, unlocked(w, n), granted(w, 0), 0)
	}},
}

// granted is a plain coin of Anna's, with enough for a fee beside a sum.
func granted(w *testkit.World, sum int) testkit.Coin {
	out := wire.NewTxOut(int64(sum)+100_000, w.Anna.Payment.Script)
	tx := w.Node.Grant(out)
	return testkit.Coin{OutPoint: wire.OutPoint{Hash: tx.ID}, Out: out}
}

func repeated(n int, script []byte) (outs []*wire.TxOut) {
	for range n {
		outs = append(outs, wire.NewTxOut(vault.DustSats, script))
	}
	return outs
}

func stakeOutputs(w *testkit.World, n int) (outs []*wire.TxOut) {
	for range n {
		_, script := w.StakeAddress(w.Anna, 5000)
		outs = append(outs, wire.NewTxOut(vault.DustSats, script))
	}
	return outs
}

// stakes sends so many runes to each output: an edict to an output that does not exist does that.
func stakes(w *testkit.World, outs []*wire.TxOut, each amount.Runes) chain.Tx {
	all := len(outs) + 1
	pointer := uint32(len(outs))
	stone := runes.Runestone{Pointer: &pointer, Edicts: []runes.Edict{
		{ID: testkit.Rune, Amount: uint128.From64(uint64(each)), Output: uint32(all + 1)},
	}}
	script, err := stone.Script()
	testkit.Must(w, err)
	held := w.Anna.Runes()
	sats := granted(w, all*vault.DustSats)
	return w.Anna.Spend([]testkit.Coin{held, sats}, append(outs[:len(outs):len(outs)],
		wire.NewTxOut(vault.DustSats, w.Anna.Ordinals.Script), wire.NewTxOut(0, script))...)
}

// unlocked makes n units of Anna's that are UNLOCKED, by one deposit.
func unlocked(w *testkit.World, n int) (ids []string) {
	_, script := w.StakeAddress(w.Anna, 5000)
	w.Send(stakes(w, repeated(n, script), testkit.MinimumStake))
	w.Settle(4)
	w.NextEpoch()
	ids = w.Units(w.Anna, ledger.Staked)
	w.Act(w.Anna, action.Unstake, ids...)
	w.NextEpoch()
	w.NextEpoch()
	if ids = w.Units(w.Anna, ledger.Unlocked); len(ids) != n {
		w.Fatalf("%d units are unlocked, want %d", len(ids), n)
	}
	return ids
}

// burden takes a transaction in as it comes: into the mempool, into a block, and by a reorg.
func burden(w *testkit.World, tx chain.Tx, visit func(how string, most writing)) {
	most := measured(w)
	for _, phase := range []struct {
		how    string
		happen func()
	}{
		{"mempool", func() { w.Send(tx) }},
		{"block", func() { w.Mine(1) }},
		{"reorg", func() { w.Node.Rewind(1); w.Mine(2) }},
	} {
		phase.happen()
		*most = writing{}
		w.Step()
		visit(phase.how, *most)
	}
	w.Between = nil
}

// The work of the writer grows with the outputs of a transaction, not with their
// square, and an order is evaluated once however many of them pay it.
func TestWorkIsLinear(t *testing.T) {
	const (
		few, many = 40, 80
		each      = 8  // statements for each further output or input
		perOrder  = 25 // statements for each further order
	)
	for _, b := range burdens {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			did := map[string][2]writing{}
			for i, n := range []int{few, many} {
				w := testkit.NewWorld(t)
				pausePayouts(w)
				burden(w, b.prepare(w, n), func(how string, most writing) {
					both := did[how]
					both[i] = most
					did[how] = both
				})
			}
			allowed := each
			if strings.Contains(b.name, "many orders") {
				allowed = perOrder
			}
			for how, both := range did {
				t.Logf("%s: %+v, %+v", how, both[0], both[1])
				if more := both[1].statements - both[0].statements; more > allowed*(many-few) {
					t.Errorf("%s: %d more make %d more statements", how, many-few, more)
				}
				if !strings.Contains(b.name, "many orders") && both[1].evaluations > both[0].evaluations {
					t.Errorf("%s: %d and %d evaluations", how, both[0].evaluations, both[1].evaluations)
				}
			}
		})
	}
}

// BenchmarkWriter measures how long the worst standard transactions hold the writer.
func BenchmarkWriter(b *testing.B) {
	for _, worst := range burdens {
		b.Run(worst.name, func(b *testing.B) {
			for b.Loop() {
				w := testkit.NewWorld(b)
				pausePayouts(w)
				burden(w, worst.prepare(w, worst.fits), func(how string, most writing) {
					b.ReportMetric(float64(most.held.Milliseconds()), how+"-ms")
					b.ReportMetric(float64(most.statements), how+"-statements")
				})
				b.ReportMetric(0, "ns/op") // of the preparations
			}
		})
	}
}
