package server

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/action"
	"moonfund/internal/testkit"
)

const (
	clients       = 64
	actionRounds  = 9
	roundActions  = 512
	signedActions = actionRounds * roundActions
	pacedActions  = 3 * roundActions
	signers       = 256 // number of wallets
	leastActions  = 500 // per second
)

// measureActions measures signed UNSTAKEs: the proof is verified, the unit changes its stage, the journal and the
// action are written, and all writes are durable when the call returns. First 64 clients each sign the next action as
// soon as a call returns. Then 500 actions per second start, regardless of how long the calls take.
func measureActions(b *testing.B) {
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
	reportLeast(b, "durable signed actions, 64 clients", rates[len(rates)/2], leastActions)
	slices.Sort(took)
	b.Logf("with 64 clients that never pause, 99 of 100 took at most %s", took[len(took)*99/100].Round(time.Millisecond))
	took = atRate(signed[paced:], leastActions, sign)
	slices.Sort(took)
	reportWithin(b, "99 of 100 signed actions at 500/s answered within", took[len(took)*99/100], 100*time.Millisecond)
}

// unstakes inserts staked units of many wallets and signs an UNSTAKE of each unit.
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
			SELECT %s, 0, 'lobo', 'stake', 'of signer ' || i, '%s', %s, 546, 5000, '', 0, 0, 1, 1,
				0, '', 0, -1 FROM n`,
			i, signers, signedActions, padded("i", 64), wallets[i].Ordinals.Text, currentExpressions().script))
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
				wallet, unit := wallets[i%signers], fmt.Sprintf("%064d:0", i)
				posted, err := l.Actions.Post(b.Context(), "lobo", wallet.Pair(), action.Unstake, []string{unit}, "")
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

// inParallel processes a list with 64 clients and returns the duration of each call.
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

// atRate starts work at a fixed number of items per second and returns the duration of each call, measured from the
// time at which the item was due.
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
