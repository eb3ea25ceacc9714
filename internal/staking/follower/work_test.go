package follower_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/figures"
)

// writing has the maxima of the database transactions of a world.
type writing struct {
	statements  int
	evaluations int           // number of reads of all payments of orders
	blocks      int           // number of blocks added
	held        time.Duration // from begin to the end of commit
	worked      time.Duration // processor time of the process
}

// measured makes a world record the maxima of its transactions.
func measured(w *testkit.World) *writing {
	most := new(writing)
	w.WrapTransaction = func(
		ctx context.Context, update func(context.Context, func(*store.Tx) error) error, fn func(*store.Tx) error,
	) error {
		var did writing
		var begun time.Time
		var worked time.Duration
		err := update(store.InjectFaults(ctx, func(statement string, _ bool) error {
			did.statements++
			if strings.Contains(statement, "name: PaymentsOf") {
				did.evaluations++
			}
			if strings.Contains(statement, "name: InsertBlock ") {
				did.blocks++
			}
			return nil
		}), func(tx *store.Tx) error {
			did, begun, worked = writing{}, time.Now(), processorTime()
			return fn(tx)
		})
		did.held, did.worked = time.Since(begun), processorTime()-worked
		most.statements = max(most.statements, did.statements)
		most.evaluations = max(most.evaluations, did.evaluations)
		most.blocks = max(most.blocks, did.blocks)
		most.held, most.worked = max(most.held, did.held), max(most.worked, did.worked)
		return err
	}
	return most
}

// processorTime returns the processor time that the process has used.
func processorTime() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// burdens are the most expensive transactions that anyone can send. prepare returns a transaction with n outputs or
// inputs of a kind. fits is the number of these in a standard transaction, or fewer if preparing them takes minutes.
// each is the maximum number of statements that one more of them causes. orders: each pays another order.
var burdens = []struct {
	name       string
	fits, each int
	orders     bool
	prepare    func(w *testkit.World, n int) chain.Tx
}{
	{"payments to one order", 2200, 0, false, func(w *testkit.World, n int) chain.Tx {
		o := withdrawal(w)
		return w.Anna.Spend([]testkit.Coin{granted(w, n*vault.DustSats)}, repeated(n, o.Script)...)
	}},
	{"dust for many orders", 2200, 0, true, func(w *testkit.World, n int) chain.Tx {
		return payments(w, n, vault.DustSats)
	}},
	{"first payments to many orders", 2200, 1, true, func(w *testkit.World, n int) chain.Tx {
		return payments(w, n, 1000)
	}},
	{"full payments to many orders", 2200, 1, true, func(w *testkit.World, n int) chain.Tx {
		return payments(w, n, 10_000)
	}},
	{"full payments to orders of 150 units", 60, 10, true, func(w *testkit.World, n int) chain.Tx {
		var outs []*wire.TxOut
		for ids := range slices.Chunk(unlockedInParts(w, 150*n), 150) {
			outs = append(outs, wire.NewTxOut(10_000, w.Act(w.Anna, action.Withdraw, ids...).Order.Script))
		}
		return w.Anna.Spend([]testkit.Coin{granted(w, n*10_000)}, outs...)
	}},
	{"stakes at one address", 2200, 0, false, func(w *testkit.World, n int) chain.Tx {
		_, script := w.StakeAddress(w.Anna, 5000)
		return stakes(w, repeated(n, script), testkit.MinimumStake)
	}},
	{"stakes at many addresses", 2200, 0, false, func(w *testkit.World, n int) chain.Tx {
		return stakes(w, stakeOutputs(w, n), testkit.MinimumStake)
	}},
	{"outputs for quarantine", 2200, 0, false, func(w *testkit.World, n int) chain.Tx {
		return stakes(w, stakeOutputs(w, n), testkit.MinimumStake-1)
	}},
	{"a payment with many inputs", 1400, 1, false, func(w *testkit.World, n int) chain.Tx {
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
	{"recovered stakes", 1400, 1, false, func(w *testkit.World, n int) chain.Tx {
		return w.RecoverAll(w.Anna, unlocked(w, n), granted(w, 0), 0)
	}},
}

// orderScripts returns the scripts of the withdrawals of units, one order for each. It opens the orders that w does not
// have.
func orderScripts(w *testkit.World, units []string) (scripts [][]byte) {
	w.Helper()
	byUnit := map[string][]byte{}
	w.Update(func(tx *store.Tx) error {
		orders, err := tx.OrdersOf(w.Context(), testkit.Prefix, w.Anna.Ordinals.Text)
		for _, o := range orders {
			byUnit[o.UnitIDs[0]] = o.Script
		}
		return err
	})
	for _, id := range units {
		script, exists := byUnit[id]
		if !exists {
			script = w.Act(w.Anna, action.Withdraw, id).Order.Script
		}
		scripts = append(scripts, script)
	}
	return scripts
}

// payments pays the same amount to n orders.
func payments(w *testkit.World, n, each int) chain.Tx {
	units := w.Units(w.Anna, ledger.POLocked)
	if len(units) != n {
		units = unlocked(w, n)
	}
	var outs []*wire.TxOut
	for _, script := range orderScripts(w, units) {
		outs = append(outs, wire.NewTxOut(int64(each), script))
	}
	return w.Anna.Spend([]testkit.Coin{granted(w, n*each)}, outs...)
}

// granted returns a plain coin of Anna's with sum sats plus 100,000 for a fee.
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

// stakes sends the same number of runes to each output, by an edict to an output that does not exist.
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

// unlocked makes n UNLOCKED units of Anna's from one deposit.
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
		w.Fatalf("got %d unlocked units, want %d", len(ids), n)
	}
	return ids
}

// burden records a transaction in the mempool, then in a block, then in a reorg.
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
	w.WrapTransaction = nil
}

// The work grows linearly with the outputs of a transaction, and each order is evaluated once, whatever the number of
// its payments.
func TestWorkIsLinear(t *testing.T) {
	const (
		few, many = 40, 80
		lists     = 20 // statements for further batches of rows
	)
	for _, b := range burdens {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			did := map[string][2]writing{}
			for i, n := range []int{few, many} {
				w := testkit.NewWorld(t)
				w.MaxTransactionTime = time.Hour // so that the number of blocks in a transaction is always the same
				w.Forget()
				pausePayouts(w)
				burden(w, b.prepare(w, n), func(how string, most writing) {
					both := did[how]
					both[i] = most
					did[how] = both
				})
			}
			for how, both := range did {
				t.Logf("%s: %+v, %+v", how, both[0], both[1])
				if more := both[1].statements - both[0].statements; more > b.each*(many-few)+lists {
					t.Errorf("%s: %d more outputs or inputs cause %d more statements", how, many-few, more)
				}
				parts := 0
				if b.orders {
					parts = (many - few) / follower.EvaluatedAtOnce
				}
				if both[1].evaluations > both[0].evaluations+parts {
					t.Errorf("%s: got %d, then %d reads of payments", how, both[0].evaluations, both[1].evaluations)
				}
			}
		})
	}
}

// With MaxTransactionTime of almost 0, other writers get the lock after each block that is undone or applied, and after
// each 20 orders that the clock moves. The result is the same.
func TestOthersWriteBetweenBlocksAndOrders(t *testing.T) {
	w := testkit.NewWorld(t)
	pausePayouts(w)
	w.MaxTransactionTime = 1
	w.Forget()
	var orders []string
	for _, id := range unlocked(w, 250) {
		orders = append(orders, w.Act(w.Anna, action.Withdraw, id).Order.ID)
	}
	most := measured(w)
	w.Mine(8)
	w.Step()
	if most.blocks != 1 {
		t.Errorf("one transaction applied %d blocks, want 1", most.blocks)
	}
	w.Node.Rewind(5)
	w.Mine(6)
	w.Step()
	if most.blocks != 1 {
		t.Errorf("one transaction of a reorg applied %d blocks, want 1", most.blocks)
	}
	w.Clock.Advance(order.FeeValid + time.Minute)
	*most = writing{}
	w.Step()
	if most.statements > follower.EvaluatedAtOnce*3+50 {
		t.Errorf("one transaction that expires orders made %d statements, want at most 110", most.statements)
	}
	for _, id := range orders {
		w.WantStatus(id, order.Expired)
	}
}

// BenchmarkWriter measures how long the worst standard transactions, blocks, reorgs and requests hold the write lock.
func BenchmarkWriter(b *testing.B) {
	// Creating 2,200 orders takes longer than measuring their payments.
	ordered := sync.OnceValue(func() testkit.Checkpoint {
		w := testkit.NewWorld(b)
		pausePayouts(w)
		orderScripts(w, unlocked(w, 2200))
		return w.Checkpoint()
	})
	for _, worst := range burdens {
		b.Run(worst.name, func(b *testing.B) {
			for b.Loop() {
				var w *testkit.World
				if worst.orders && worst.fits == 2200 {
					w = ordered().Start(b, nil)
				} else {
					w = testkit.NewWorld(b)
					pausePayouts(w)
				}
				burden(w, worst.prepare(w, worst.fits), func(how string, most writing) { report(b, how, most) })
			}
		})
	}
	for i, kind := range ingredients {
		b.Run("a block of "+kind.name, blockOf(i, ordered))
	}
	b.Run("six blocks of payments to one order", sixBlocks)
	b.Run("a request", longestRequest)
	b.Run("the worst block found", worstBlock)
}

// longestHeld is how long a stranger may hold the writer.
const longestHeld = time.Second

func report(b *testing.B, how string, most writing) {
	what := strings.TrimPrefix(strings.ReplaceAll(b.Name(), "_", " "), "BenchmarkWriter/")
	figures.Report(b, figures.Figure{
		Name:     "writer held by " + what + ", " + how,
		Database: figures.Current(), Value: float64(most.held.Milliseconds()), Limit: float64(longestHeld.Milliseconds()),
		Unit:   "ms",
		Beside: fmt.Sprintf("%d ms of processor time, %d statements", most.worked.Milliseconds(), most.statements),
	})
	b.ReportMetric(0, "ns/op") // the default metric includes the preparations
}

// perBlock is the number of the largest standard transactions in a block of 4,000,000 weight units.
const perBlock = 10

// sixBlocks measures the deepest reorg that the follower accepts. Both branches are full blocks of the same payments to
// one order. Then it cancels the order.
func sixBlocks(b *testing.B) {
	for b.Loop() {
		w := testkit.NewWorld(b)
		pausePayouts(w)
		o := withdrawal(w)
		var blocks [follower.MaxReorg][]chain.Tx
		for i := range blocks {
			for range perBlock { // each grant mines a block
				coin := granted(w, 2200*vault.DustSats)
				blocks[i] = append(blocks[i], w.Anna.Spend([]testkit.Coin{coin}, repeated(2200, o.Script)...))
			}
		}
		for _, txs := range blocks {
			for _, tx := range txs {
				w.Send(tx)
			}
			w.Mine(1)
			w.Step()
		}
		w.Node.Rewind(follower.MaxReorg)
		for _, txs := range blocks {
			w.Clock.Advance(time.Minute)
			w.Node.MineOnly(txs...)
		}
		w.Mine(1)
		most := measured(w)
		w.Step()
		report(b, "reorg", *most)
		w.WrapTransaction = nil

		asked, err := w.Actions.PostCancel(b.Context(), testkit.Prefix, w.Anna.Pair(), o.ID, "")
		testkit.Must(b, err)
		request := action.SignRequest{
			Wallet: w.Anna.Pair(), ActionID: asked.ActionID, Signature: w.Anna.Sign(asked.Message),
		}
		most = measured(w)
		_, err = w.Actions.SignCancel(b.Context(), testkit.Prefix, request, o.ID)
		testkit.Must(b, err)
		report(b, "canceling the order", *most)
	}
}

// namedAtMost is the number of units that fit in a request of 64 KiB.
const namedAtMost = 900

// longestRequest measures the signed action that changes the most rows.
func longestRequest(b *testing.B) {
	for b.Loop() {
		w := testkit.NewWorld(b)
		_, script := w.StakeAddress(w.Anna, 5000)
		w.Send(stakes(w, repeated(namedAtMost, script), testkit.MinimumStake))
		w.Settle(4)
		w.NextEpoch()
		ids := w.Units(w.Anna, ledger.Staked)
		most := measured(w)
		w.Act(w.Anna, action.Unstake, ids...)
		report(b, fmt.Sprintf("unstaking %d units", namedAtMost), *most)
	}
}
