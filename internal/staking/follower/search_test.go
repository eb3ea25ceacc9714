package follower_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/testkit"
)

// attack is a block that a stranger may fill, or several that share its weight. The attack is measured in the mempool,
// in its blocks, and in a reorg of these blocks.
type attack struct {
	shares [len(ingredients)]int // parts of partsOfBlock of the weight
	unseen bool                  // the transactions were not in the mempool before their blocks
	depth  int                   // number of further blocks
}

const partsOfBlock = 8

// Sizes of attacks, in thousandths of the largest standard transaction.
const (
	aTest        = 40
	aTransaction = 1000
	aBlock       = perBlock * aTransaction
)

// ingredient is a kind of transaction. build returns transactions with n outputs, inputs or edicts together. units are
// UNLOCKED units of Anna's, at least one, and if eachUnit one for each output or input of a transaction.
type ingredient struct {
	name     string
	fits     int // maximum number of outputs or inputs in 100,000 vB
	eachUnit bool
	build    func(w *testkit.World, n int, units []string) []chain.Tx
}

var ingredients = [...]ingredient{
	{"payments to one order", 2200, false, func(w *testkit.World, n int, units []string) []chain.Tx {
		script := w.Act(w.Anna, action.Withdraw, units[0]).Order.Script
		return eachStandard(n, 2200, func(n int) chain.Tx {
			return w.Anna.Spend([]testkit.Coin{granted(w, n*vault.DustSats)}, repeated(n, script)...)
		})
	}},
	{"dust for many orders", 2200, true, paymentsOf(vault.DustSats)},
	{"first payments to many orders", 2200, true, paymentsOf(1000)},
	{"full payments to many orders", 2200, true, paymentsOf(10_000)},
	{"stakes at one address", 2200, false, func(w *testkit.World, n int, _ []string) []chain.Tx {
		_, script := w.StakeAddress(w.Anna, 5000)
		return eachStandard(n, 2200, func(n int) chain.Tx {
			return sent(w, stakes(w, repeated(n, script), testkit.MinimumStake))
		})
	}},
	{"payments in one transaction", 2200, false, func(w *testkit.World, n int, units []string) []chain.Tx {
		script := w.Act(w.Anna, action.Withdraw, units[0]).Order.Script
		return []chain.Tx{w.Anna.Spend([]testkit.Coin{granted(w, n*vault.DustSats)}, repeated(n, script)...)}
	}},
	{"stakes in one transaction", 2200, false, func(w *testkit.World, n int, _ []string) []chain.Tx {
		_, script := w.StakeAddress(w.Anna, 5000)
		return []chain.Tx{stakes(w, repeated(n, script), testkit.MinimumStake)}
	}},
	{"stakes at many addresses", 2200, false, func(w *testkit.World, n int, _ []string) []chain.Tx {
		return eachStandard(n, 2200, func(n int) chain.Tx {
			return sent(w, stakes(w, stakeOutputs(w, n), testkit.MinimumStake))
		})
	}},
	{"outputs for quarantine", 2200, false, func(w *testkit.World, n int, _ []string) []chain.Tx {
		return eachStandard(n, 2200, func(n int) chain.Tx {
			return sent(w, stakes(w, stakeOutputs(w, n), testkit.MinimumStake-1))
		})
	}},
	{"rune outputs of strangers", 2200, false, func(w *testkit.World, n int, _ []string) []chain.Tx {
		return eachStandard(n, 2200, func(n int) chain.Tx {
			return sent(w, stakes(w, repeated(n, w.Anna.Ordinals.Script), testkit.MinimumStake))
		})
	}},
	{"recovered stakes", 1400, true, func(w *testkit.World, n int, units []string) []chain.Tx {
		return eachStandard(n, 1400, func(n int) chain.Tx {
			tx := w.RecoverAll(w.Anna, units[:n], granted(w, 0), 0)
			units = units[n:]
			return tx
		})
	}},
	{"etchings", 700, false, func(w *testkit.World, n int, _ []string) []chain.Tx {
		return etchings(w, n, runes.Etching{})
	}},
	{"mints of many runes", 700, false, func(w *testkit.World, n int, _ []string) (txs []chain.Tx) {
		most, one := uint128.Max, uint128.From64(1)
		ids := etched(w, etchings(w, n, runes.Etching{Terms: &runes.Terms{Amount: &one, Cap: &most}}))
		for i, coin := range plainCoins(w, n) {
			txs = append(txs, w.Anna.Spend([]testkit.Coin{coin},
				wire.NewTxOut(vault.DustSats, w.Anna.Ordinals.Script), stone(w, runes.Runestone{Mint: &ids[i]})))
		}
		return txs
	}},
	{"edicts to all outputs", 10_000, false, func(w *testkit.World, n int, _ []string) []chain.Tx {
		return eachStandard(n, 10_000, func(n int) chain.Tx {
			outs := repeated(1+n/9, w.Anna.Ordinals.Script)
			edict := runes.Edict{ID: testkit.Rune, Amount: uint128.From64(1), Output: uint32(len(outs) + 1)}
			script := stone(w, runes.Runestone{Edicts: slices.Repeat([]runes.Edict{edict}, n)})
			sats := granted(w, len(outs)*vault.DustSats)
			return sent(w, w.Anna.Spend([]testkit.Coin{w.Anna.Runes(), sats}, append(outs, script)...))
		})
	}},
	{"edicts of many runes", 1800, false, manyRunes},
	{"inputs with many runes", 1700, false, func(w *testkit.World, n int, units []string) (txs []chain.Tx) {
		made := manyRunes(w, n, units)
		w.Node.MineOnly(made...)
		for _, tx := range made {
			var coins []testkit.Coin
			for vout := 1; vout < len(tx.Msg.TxOut)-1; vout++ { // the first one is spent, the last one is the runestone
				coins = append(coins, testkit.Coin{
					OutPoint: wire.OutPoint{Hash: tx.ID, Index: uint32(vout)}, Out: tx.Msg.TxOut[vout],
				})
			}
			for part := range slices.Chunk(coins, 1700) {
				txs = append(txs, w.Anna.Spend(append(part[:len(part):len(part)], granted(w, 0)),
					wire.NewTxOut(vault.DustSats, w.Anna.Ordinals.Script)))
			}
		}
		return txs
	}},
	{"inputs of payments", 1400, false, func(w *testkit.World, n int, units []string) []chain.Tx {
		script := w.Act(w.Anna, action.Withdraw, units[0]).Order.Script
		return eachStandard(n, 1400, func(n int) chain.Tx {
			return w.Anna.Spend(plainCoins(w, n), wire.NewTxOut(vault.DustSats, script))
		})
	}},
	{"parts of one price", 2200, false, func(w *testkit.World, n int, units []string) []chain.Tx {
		script := w.Act(w.Anna, action.Withdraw, units[0]).Order.Script
		return eachStandard(n, 2200, func(n int) chain.Tx {
			var outs []*wire.TxOut
			for range n {
				outs = append(outs, wire.NewTxOut(10_000, script))
			}
			return w.Anna.Spend([]testkit.Coin{granted(w, n*10_000)}, outs...)
		})
	}},
	{"payments of small transactions", 700, false, func(w *testkit.World, n int, units []string) (txs []chain.Tx) {
		script := w.Act(w.Anna, action.Withdraw, units[0]).Order.Script
		for _, coin := range plainCoins(w, n) {
			txs = append(txs, w.Anna.Spend([]testkit.Coin{coin}, wire.NewTxOut(vault.DustSats, script)))
		}
		return txs
	}},
	{"payments that are replaced", 700, false, func(w *testkit.World, n int, units []string) []chain.Tx {
		script := w.Act(w.Anna, action.Withdraw, units[0]).Order.Script
		return eachStandard(n, 700, func(n int) chain.Tx {
			coins := plainCoins(w, n)
			for _, coin := range coins {
				w.Send(w.Anna.Spend([]testkit.Coin{coin}, wire.NewTxOut(vault.DustSats, script)))
			}
			w.Step()
			return w.Anna.Spend(coins, wire.NewTxOut(vault.DustSats, w.Anna.Payment.Script))
		})
	}},
}

// plainCoins returns n coins of Anna's with 1000 sats each, from one transaction.
func plainCoins(w *testkit.World, n int) (coins []testkit.Coin) {
	out := wire.NewTxOut(1000, w.Anna.Payment.Script)
	tx := w.Node.Grant(slices.Repeat([]*wire.TxOut{out}, n)...)
	for vout := range n {
		coins = append(coins, testkit.Coin{OutPoint: wire.OutPoint{Hash: tx.ID, Index: uint32(vout)}, Out: out})
	}
	return coins
}

// stone returns an output with a runestone.
func stone(w *testkit.World, r runes.Runestone) *wire.TxOut {
	script, err := r.Script()
	testkit.Must(w, err)
	return wire.NewTxOut(0, script)
}

// etchings returns n transactions that etch a rune each, with an output to Anna.
func etchings(w *testkit.World, n int, etching runes.Etching) (txs []chain.Tx) {
	for _, coin := range plainCoins(w, n) {
		txs = append(txs, w.Anna.Spend([]testkit.Coin{coin}, wire.NewTxOut(vault.DustSats, w.Anna.Ordinals.Script),
			stone(w, runes.Runestone{Etching: &etching})))
	}
	return txs
}

// etched mines etchings and returns the ids of their runes.
func etched(w *testkit.World, txs []chain.Tx) (ids []runes.ID) {
	block := w.Node.MineOnly(txs...)
	for i := range block.Txs {
		if i > 0 { // the coinbase
			ids = append(ids, runes.ID{Block: uint64(block.Height), Tx: uint32(i)})
		}
	}
	w.Step()
	return ids
}

// manyRunes returns transactions that give each of n outputs a unit of each of n runes, and one more unit of one rune,
// so that no two outputs hold the same.
func manyRunes(w *testkit.World, n int, _ []string) []chain.Tx {
	const most = 1800
	premine := uint128.From64(1 << 40)
	size := min(n, most)
	txs := etchings(w, size, runes.Etching{Premine: &premine})
	var held []testkit.Coin
	for _, tx := range txs {
		held = append(held, testkit.Coin{OutPoint: wire.OutPoint{Hash: tx.ID}, Out: tx.Msg.TxOut[0]})
	}
	ids := etched(w, txs)
	all := w.Anna.Spend(append(held, granted(w, 0)), wire.NewTxOut(vault.DustSats, w.Anna.Ordinals.Script))
	w.Node.MineOnly(all)
	return eachStandard(n, most, func(n int) chain.Tx {
		outs := repeated(n+1, w.Anna.Ordinals.Script)
		var edicts []runes.Edict
		for _, id := range ids[:n] {
			edicts = append(edicts, runes.Edict{ID: id, Amount: uint128.From64(1), Output: uint32(len(outs) + 1)})
		}
		for i := range n {
			edicts = append(edicts, runes.Edict{ID: ids[i], Amount: uint128.From64(1), Output: uint32(i + 1)})
		}
		spent := testkit.Coin{OutPoint: wire.OutPoint{Hash: all.ID}, Out: all.Msg.TxOut[0]}
		pointer := uint32(0)
		all = sent(w, w.Anna.Spend([]testkit.Coin{spent, granted(w, len(outs)*vault.DustSats)},
			append(outs, stone(w, runes.Runestone{Edicts: edicts, Pointer: &pointer}))...))
		return all
	})
}

// paysOrder reports whether the transactions pay one order.
func (i ingredient) paysOrder() bool {
	return slices.Contains([]string{
		"payments to one order", "payments in one transaction", "inputs of payments", "parts of one price",
		"payments of small transactions", "payments that are replaced",
	}, i.name)
}

// manyOrders reports whether the transactions pay an order for each unit.
func (i ingredient) manyOrders() bool { return i.eachUnit && i.name != "recovered stakes" }

// eachStandard returns transactions with n outputs or inputs together, and at most limit of them each.
func eachStandard(n, limit int, next func(n int) chain.Tx) (txs []chain.Tx) {
	for ; n > 0; n -= limit {
		txs = append(txs, next(min(n, limit)))
	}
	return txs
}

// sent sends a transaction, so that the next one does not spend the same coins.
func sent(w *testkit.World, tx chain.Tx) chain.Tx {
	w.Send(tx)
	return tx
}

// paymentsOf pays the same amount to the orders of 2,200 units. Each further transaction pays the same orders again.
func paymentsOf(each int) func(w *testkit.World, n int, units []string) []chain.Tx {
	return func(w *testkit.World, n int, units []string) []chain.Tx {
		var outs []*wire.TxOut
		for _, script := range orderScripts(w, units[:min(n, 2200)]) {
			outs = append(outs, wire.NewTxOut(int64(each), script))
		}
		return eachStandard(n, 2200, func(n int) chain.Tx {
			return w.Anna.Spend([]testkit.Coin{granted(w, n*each)}, outs[:n]...)
		})
	}
}

// outputs returns the number of outputs or inputs of an ingredient in an attack of a size.
func (a attack) outputs(i, size int) int {
	return a.shares[i] * ingredients[i].fits * size / (partsOfBlock * aTransaction)
}

// units returns the number of units that an ingredient uses in an attack of a size. Payments in several transactions
// pay the same orders.
func (a attack) units(i, size int) int {
	if ingredients[i].manyOrders() {
		return min(a.outputs(i, size), ingredients[i].fits)
	}
	return a.outputs(i, size)
}

// String describes the attack.
func (a attack) String() string {
	var parts []string
	for i, share := range a.shares {
		if share > 0 {
			parts = append(parts, fmt.Sprintf("%d/%d %s", share, partsOfBlock, ingredients[i].name))
		}
	}
	if a.unseen {
		parts = append(parts, "not seen in the mempool")
	}
	if a.depth > 0 {
		parts = append(parts, fmt.Sprintf("in %d blocks", a.depth+1))
	}
	return strings.Join(parts, ", ")
}

// run measures an attack in a new world, see runIn.
func (a attack) run(tb testing.TB, size int) writing {
	w := testkit.NewWorld(tb)
	pausePayouts(w)
	if size == aTest {
		w.Follower.MaxTransactionTime = time.Hour // so that equal blocks cause equal numbers of statements
	}
	needed := 1
	for i, kind := range ingredients {
		if kind.eachUnit {
			needed += a.units(i, size)
		} else if kind.paysOrder() {
			needed++
		}
	}
	return a.runIn(w, size, unlockedInParts(w, needed))
}

// runIn sends the transactions of an attack, mines them, replaces their blocks, confirms them, and returns the maxima.
func (a attack) runIn(w *testkit.World, size int, units []string) writing {
	var txs []chain.Tx
	for i, kind := range ingredients {
		n := a.outputs(i, size)
		if n == 0 {
			continue
		}
		txs = append(txs, kind.build(w, n, units)...)
		if kind.eachUnit {
			units = units[a.units(i, size):]
		} else if kind.paysOrder() {
			units = units[1:]
		}
	}
	w.Step() // the blocks in which the coins were granted
	most := measured(w)
	for _, tx := range txs {
		w.Send(tx)
	}
	if !a.unseen {
		w.Step()
	}
	for part := range slices.Chunk(txs, max(1, (len(txs)+a.depth)/(a.depth+1))) {
		w.Clock.Advance(time.Minute)
		w.Node.MineOnly(part...)
	}
	w.Step()
	w.Node.Rewind(a.depth + 1)
	w.Mine(a.depth + 2)
	w.Step()
	w.Settle(ledger.RecoveryDepth) // recovered stakes leave the ledger
	w.WrapTransaction = nil
	return *most
}

// unlockedInParts is unlocked for more units than one standard transaction or one request can name.
func unlockedInParts(w *testkit.World, n int) []string {
	_, script := w.StakeAddress(w.Anna, 5000)
	for left := n; left > 0; left -= 2000 {
		w.Send(stakes(w, repeated(min(left, 2000), script), testkit.MinimumStake))
	}
	w.Settle(4)
	w.NextEpoch()
	for part := range slices.Chunk(w.Units(w.Anna, ledger.Staked), 500) {
		w.Act(w.Anna, action.Unstake, part...)
	}
	w.NextEpoch()
	w.NextEpoch()
	return w.Units(w.Anna, ledger.Unlocked)
}

// found is an attack with its cost.
type found struct {
	attack
	cost int
}

// search returns the worst attack that it finds: it measures each ingredient alone, and then moves parts of the block
// of the worst attack so far from one ingredient to another. With the same seed, size and cost the result is the same,
// unless the cost is a time.
func search(tb testing.TB, seed uint64, tries, size int, cost func(writing) int) (worst found) {
	random := rand.New(rand.NewPCG(seed, 0))
	try := func(a attack) {
		c := cost(a.run(tb, size))
		tb.Logf("%d: %s", c, a)
		if c > worst.cost {
			worst = found{a, c}
		}
	}
	for i := range ingredients {
		var alone attack
		alone.shares[i] = partsOfBlock
		try(alone)
	}
	for range tries {
		a := worst.attack
		if random.IntN(4) == 0 {
			a.unseen = !a.unseen
		}
		if random.IntN(4) == 0 {
			a.depth = random.IntN(follower.MaxReorg)
		}
		for range 1 + random.IntN(3) {
			from, to := random.IntN(len(ingredients)), random.IntN(len(ingredients))
			for a.shares[from] == 0 {
				from = random.IntN(len(ingredients))
			}
			n := 1 + random.IntN(a.shares[from])
			a.shares[from] -= n
			a.shares[to] += n
		}
		try(a)
	}
	return worst
}

func statementsOf(w writing) int    { return w.statements }
func processorTimeOf(w writing) int { return int(w.worked.Microseconds()) }

// A search for blocks that cause many statements finds no block that causes more for an output, input or edict than the
// known blocks. A repeated search finds the same block.
func TestSearchForWorstBlocks(t *testing.T) {
	if testing.Short() {
		t.Skip("it searches for seconds; TestWorkIsLinear has the blocks that it found")
	}
	const seed, tries, lists = 1, 8, 100
	worst := search(t, seed, tries, aTest, statementsOf)
	most := lists
	for i, kind := range ingredients {
		each := 1
		if kind.name == "payments of small transactions" {
			each = 20 // each is a transaction
		}
		most += each * worst.outputs(i, aTest)
	}
	if worst.cost > most {
		t.Errorf("got %d statements, want at most %d: %s", worst.cost, most, worst)
	}
	if again := worst.run(t, aTest); again.statements != worst.cost {
		t.Errorf("got %d statements, then %d: %s", worst.cost, again.statements, worst)
	}
}

// searchSeed and searchTries are the seed and the number of tries of BenchmarkWriter's search.
const (
	searchSeed  = 1
	searchTries = 12
)

// worstBlock searches with half a standard transaction for the attack that takes the most processor time, and then
// measures a whole transaction and a whole block of it.
func worstBlock(b *testing.B) {
	for b.Loop() {
		worst := search(b, searchSeed, searchTries, aTransaction/2, processorTimeOf)
		b.Logf("seed %d, the worst of %d: %s", searchSeed, len(ingredients)+searchTries, worst)
		report(b, "transaction", worst.run(b, aTransaction))
		report(b, "block", worst.run(b, aBlock))
	}
}

// blockOf measures a whole block of one ingredient that the mempool did not show. ordered has 2,200 orders.
func blockOf(i int, ordered func() testkit.Checkpoint) func(*testing.B) {
	return func(b *testing.B) {
		for b.Loop() {
			alone := attack{unseen: true}
			alone.shares[i] = partsOfBlock
			if !ingredients[i].manyOrders() {
				report(b, "not seen before", alone.run(b, aBlock))
				continue
			}
			w := ordered().Start(b, nil)
			report(b, "not seen before", alone.runIn(w, aBlock, w.Units(w.Anna, ledger.POLocked)))
		}
	}
}
