package server

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"moonfund/action"
	"moonfund/chain"
	"moonfund/testkit"
)

const (
	clients       = 64
	actionRounds  = 9
	roundActions  = 512
	signedActions = actionRounds * roundActions
	pacedActions  = 3 * roundActions
	signers       = 256 // wallets that sign
	leastActions  = 500 // a second
)

// actions measures signed UNSTAKEs: the proof is verified, the unit moves, the journal and the action
// are written, and all is durable when the answer comes. First 64 clients each sign the next one as
// soon as they have an answer. Then 500 actions a second arrive, however long the answers take.
func (t *figures) actions(b *testing.B) {
	l := filled(b, 1_000)
	signed := l.unstakes(b)
	sign := func(request action.SignRequest) {
		answer, err := l.Actions.Sign(b.Context(), "lobo", request)
		must(b, err)
		if !answer.Applied {
			b.Error("an action was not applied")
		}
	}
	var rates []float64
	var took []time.Duration
	commits, used := l.Store.Commits(), processorTime()
	paced := len(signed) - pacedActions
	for round := range slices.Chunk(signed[:paced], roundActions) {
		began := time.Now()
		took = append(took, inParallel(round, sign)...)
		rates = append(rates, roundActions/time.Since(began).Seconds())
	}
	b.Logf("%.1f actions in each commit; processor time each: %s", float64(paced)/float64(l.Store.Commits()-commits),
		((processorTime() - used) / time.Duration(paced)).Round(time.Microsecond))
	slices.Sort(rates)
	t.atLeast("durable signed actions, 64 clients", rates[len(rates)/2], leastActions)
	slices.Sort(took)
	b.Logf("with 64 clients that never pause, 99 of 100 took at most %s", took[len(took)*99/100].Round(time.Millisecond))
	took = atRate(signed[paced:], leastActions, sign)
	slices.Sort(took)
	t.within("99 of 100 signed actions at 500/s answered within", took[len(took)*99/100], 100*time.Millisecond)
}

// unstakes gives many wallets staked units, and signs an UNSTAKE of each.
func (l ledgerFile) unstakes(b *testing.B) []action.SignRequest {
	network, err := chain.NetworkByName("regtest")
	must(b, err)
	wallets := make([]*testkit.Wallet, signers)
	for i := range wallets {
		wallets[i] = testkit.NewWallet(b, fmt.Sprint("signer ", i), network)
		l.exec(b, fmt.Sprintf(`
			INSERT INTO custody (txid, vout, community, kind, ref, owner, script, value, runes, quarantine, booked, coinbase,
				seen_at,
				height, vanished, spent_by, spent_ours, spent_height)
			WITH RECURSIVE n(i) AS (SELECT %d UNION ALL SELECT i + %d FROM n WHERE i + %[2]d < %d)
			SELECT printf('%%064x', i), 0, 'lobo', 'stake', 'of signer ' || i, '%s', randomblob(34), 546, 5000, '', 0, 0, 1, 1,
				0, '', 0, -1 FROM n`,
			i, signers, signedActions, wallets[i].Ordinals.Text))
	}
	l.exec(b, `INSERT INTO unit (community, id, number, owner, origin, amount, stage, not_before, eligible_epoch,
		staked_to, unlock_epoch,
			reward_epoch, order_id, stage_before, txid, vout, created_at)
		SELECT community, txid || ':' || vout, 10000000 + ROW_NUMBER() OVER (ORDER BY txid), owner, 'STAKE', runes, 'STAKED',
			0, 0, -1, -1, -1, '', '', txid, vout, 1
		FROM custody WHERE ref LIKE 'of signer %' ORDER BY txid`)
	proofs := make([]action.SignRequest, signedActions)
	var wait sync.WaitGroup
	for client := range clients {
		wait.Go(func() {
			for i := client; i < signedActions; i += clients {
				wallet, unit := wallets[i%signers], fmt.Sprintf("%064x:0", i)
				posted, err := l.Actions.Post(b.Context(), "lobo", wallet.Pair(), action.Unstake, []string{unit})
				must(b, err)
				proofs[i] = action.SignRequest{
					Wallet: wallet.Pair(), ActionID: posted.ActionID, Type: action.Unstake, Signature: wallet.Sign(posted.Message),
				}
			}
		})
	}
	wait.Wait()
	return proofs
}

// inParallel has 64 clients work through a list and returns how long each piece took.
func inParallel[T any](list []T, work func(T)) (took []time.Duration) {
	took = make([]time.Duration, len(list))
	var wait sync.WaitGroup
	next := make(chan int, len(list))
	for i := range list {
		next <- i
	}
	close(next)
	for range clients {
		wait.Go(func() {
			for i := range next {
				start := time.Now()
				work(list[i])
				took[i] = time.Since(start)
			}
		})
	}
	wait.Wait()
	return took
}

// atRate starts work on so many items a second and returns how long each took, counted from the
// moment at which it was due.
func atRate[T any](list []T, perSecond int, work func(T)) (took []time.Duration) {
	took = make([]time.Duration, len(list))
	var wait sync.WaitGroup
	began := time.Now()
	for i, item := range list {
		due := began.Add(time.Duration(i) * time.Second / time.Duration(perSecond))
		<-time.After(time.Until(due))
		wait.Go(func() {
			work(item)
			took[i] = time.Since(due)
		})
	}
	wait.Wait()
	return took
}
