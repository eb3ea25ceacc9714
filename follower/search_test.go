package follower_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/action"
	"moonfund/chain"
	"moonfund/ledger"
	"moonfund/runes"
	"moonfund/testkit"
	"moonfund/vault"
)

// attack is a block that a stranger may fill. It is measured in the mempool, as a block, and in a reorg.
type attack struct {
	shares [len(ingredients)]int // parts of partsOfBlock of the block's weight
	unseen bool                  // the transactions were not in the mempool before their block
}

const partsOfBlock = 8

// Sizes of attacks, in thousandths of the largest standard transaction.
const (
	aTest        = 40
	aTransaction = 1000
	aBlock       = perBlock * aTransaction
)

// ingredient is a kind of transaction. build returns transactions with n outputs or inputs together. units are UNLOCKED
// units of Anna's, at least one, and one for each output or input if eachUnit.
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
	{"etchings", 700, false, func(w *testkit.World, n int, _ []string) (txs []chain.Tx) {
		script, err := runes.Runestone{Etching: &runes.Etching{}}.Script()
		testkit.Must(w, err)
		coin := wire.NewTxOut(1000, w.Anna.Payment.Script)
		var coins []*wire.TxOut
		for range n {
			coins = append(coins, coin)
		}
		tx := w.Node.Grant(coins...)
		for vout := range n {
			out := wire.OutPoint{Hash: tx.ID, Index: uint32(vout)}
			txs = append(txs, w.Anna.Spend([]testkit.Coin{{OutPoint: out, Out: coin}}, wire.NewTxOut(0, script)))
		}
		return txs
	}},
}

// eachStandard returns transactions with n outputs or inputs together, at most most each.
func eachStandard(n, most int, next func(n int) chain.Tx) (txs []chain.Tx) {
	for ; n > 0; n -= most {
		txs = append(txs, next(min(n, most)))
	}
	return txs
}

// sent sends a transaction, so that the next one does not spend the same coins.
func sent(w *testkit.World, tx chain.Tx) chain.Tx {
	w.Send(tx)
	return tx
}

func paymentsOf(each int) func(w *testkit.World, n int, units []string) []chain.Tx {
	return func(w *testkit.World, n int, units []string) []chain.Tx {
		return eachStandard(n, 2200, func(n int) chain.Tx {
			var outs []*wire.TxOut
			for _, id := range units[:n] {
				outs = append(outs, wire.NewTxOut(int64(each), w.Act(w.Anna, action.Withdraw, id).Order.Script))
			}
			units = units[n:]
			return w.Anna.Spend([]testkit.Coin{granted(w, n*each)}, outs...)
		})
	}
}

// outputs returns the number of outputs or inputs of an ingredient in an attack of a size.
func (a attack) outputs(i, size int) int {
	return a.shares[i] * ingredients[i].fits * size / (partsOfBlock * aTransaction)
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
	return strings.Join(parts, ", ")
}

// run sends the transactions of an attack, mines them, replaces their block, confirms them, and returns the maxima.
func (a attack) run(tb testing.TB, size int) writing {
	w := testkit.NewWorld(tb)
	pausePayouts(w)
	needed := 1
	for i, kind := range ingredients {
		if kind.eachUnit {
			needed += a.outputs(i, size)
		}
	}
	units := unlockedInParts(w, needed)
	var txs []chain.Tx
	for i, kind := range ingredients {
		n := a.outputs(i, size)
		if n == 0 {
			continue
		}
		txs = append(txs, kind.build(w, n, units)...)
		if kind.eachUnit {
			units = units[n:]
		} else if kind.name == ingredients[0].name {
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
	w.Mine(1)
	w.Step()
	w.Node.Rewind(1)
	w.Mine(2)
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
	most writing
	cost int
}

// search returns the worst attack that it finds: it measures each ingredient alone, and then moves parts of the block
// of the worst attack so far from one ingredient to another. The same seed, size and cost, if it is no time, have the
// same result.
func search(tb testing.TB, seed uint64, tries, size int, cost func(writing) int) (worst found) {
	random := rand.New(rand.NewPCG(seed, 0))
	try := func(a attack) {
		most := a.run(tb, size)
		c := cost(most)
		tb.Logf("%d: %s", c, a)
		if c > worst.cost {
			worst = found{a, most, c}
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

func statementsOf(w writing) int { return w.statements }

// A search for blocks that cause many statements finds none that causes more for an output or input than the known
// ones, and the same search finds the same block again.
func TestSearchForWorstBlocks(t *testing.T) {
	const seed, tries, each, lists = 1, 6, 1, 100
	worst := search(t, seed, tries, aTest, statementsOf)
	n := 0
	for i := range ingredients {
		n += worst.outputs(i, aTest)
	}
	if worst.cost > each*n+lists {
		t.Errorf("%d outputs or inputs cause %d statements: %s", n, worst.cost, worst)
	}
	if again := worst.run(t, aTest); again.statements != worst.cost {
		t.Errorf("got %d statements, then %d: %s", worst.cost, again.statements, worst)
	}
}

// searchSeed and searchTries are those of BenchmarkWriter's search.
const (
	searchSeed  = 1
	searchTries = 12
)

// worstBlock searches with transactions of standard size for the attack that takes the most processor time, and then
// measures a whole block of it.
func worstBlock(b *testing.B) {
	for b.Loop() {
		worst := search(b, searchSeed, searchTries, aTransaction, func(w writing) int { return int(w.worked.Microseconds()) })
		b.Logf("seed %d, the worst of %d: %s", searchSeed, len(ingredients)+searchTries, worst)
		report(b, "transaction", worst.most)
		report(b, "block", worst.run(b, aBlock))
	}
}
