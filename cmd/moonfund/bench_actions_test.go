package main

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
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
	signers       = 256 // wallets that sign
)

// unstaking is a signed UNSTAKE of one unit, ready to be handed in.
type unstaking struct {
	action.SignRequest
	unit string
}

// actions measures signed UNSTAKEs by 64 clients at once: the proof is verified,
// the unit moves, the journal and the action are written, all on disk when the
// answer comes. The bare work is the same rows in a ledger of its own, as many in
// a commit as the server had in that turn.
func (t *figures) actions(b *testing.B) {
	l, other := filled(b, 1_000), filled(b, 1_000)
	ours, others := l.unstakes(b), other.unstakes(b)
	var together atomic.Int64
	bare := other.bareActions(b, &together)
	var rounds []round
	var took []time.Duration
	sign := func(p unstaking) {
		signed, err := l.house.actions.Sign(b.Context(), "lobo", p.SignRequest)
		must(b, err)
		if !signed.Applied {
			b.Error("an action was not applied")
		}
	}
	var spent round
	commits := func() int { return int(l.store.Commits()) }
	began := commits()
	for from := 0; from < signedActions; from += roundActions {
		before := commits()
		rounds = append(rounds, race(roundActions, &spent,
			func() { took = append(took, inParallel(ours[from:from+roundActions], sign)...) },
			func() {
				together.Store(int64(math.Round(roundActions / float64(commits()-before))))
				inParallel(others[from:from+roundActions], bare)
			}))
	}
	b.Logf("%.1f actions in each commit, of both", signedActions/float64(commits()-began))
	spent.log(b, signedActions)
	t.rate("signed actions, 64 clients", rounds)
	slices.Sort(took)
	t.within("99 of 100 signed actions answered within", took[len(took)*99/100], 100*time.Millisecond)
}

// unstakes gives many wallets staked units, and signs an UNSTAKE of each.
func (l ledgerFile) unstakes(b *testing.B) []unstaking {
	network, err := chain.NetworkByName("regtest")
	must(b, err)
	wallets := make([]*testkit.Wallet, signers)
	for i := range wallets {
		wallets[i] = testkit.NewWallet(b, fmt.Sprint("signer ", i), network)
		l.exec(b, fmt.Sprintf(`
			INSERT INTO custody (txid, vout, community, kind, ref, owner, script, value, runes, quarantine, booked, coinbase, seen_at,
				height, vanished, spent_by, spent_ours, spent_height)
			WITH RECURSIVE n(i) AS (SELECT %d UNION ALL SELECT i + %d FROM n WHERE i + %[2]d < %d)
			SELECT printf('%%064x', i), 0, 'lobo', 'stake', 'of signer ' || i, '%s', randomblob(34), 546, 5000, '', 0, 0, 1, 1, 0, '', 0, -1 FROM n`,
			i, signers, signedActions, wallets[i].Ordinals.Text))
	}
	l.exec(b, `INSERT INTO unit (community, id, number, owner, origin, amount, stage, not_before, eligible_epoch, staked_to, unlock_epoch,
			reward_epoch, order_id, stage_before, txid, vout, created_at)
		SELECT community, txid || ':' || vout, 10000000 + ROW_NUMBER() OVER (ORDER BY txid), owner, 'STAKE', runes, 'STAKED', 0, 0, -1, -1, -1, '', '', txid, vout, 1
		FROM custody WHERE ref LIKE 'of signer %' ORDER BY txid`)
	proofs := make([]unstaking, signedActions)
	var wait sync.WaitGroup
	for client := range clients {
		wait.Go(func() {
			for i := client; i < signedActions; i += clients {
				wallet, unit := wallets[i%signers], fmt.Sprintf("%064x:0", i)
				posted, err := l.house.actions.Post(b.Context(), "lobo", wallet.Pair(), action.Unstake, []string{unit})
				must(b, err)
				proofs[i] = unstaking{action.SignRequest{
					Wallet: wallet.Pair(), ActionID: posted.ActionID, Type: action.Unstake, Signature: wallet.Sign(posted.Message),
				}, unit}
			}
		})
	}
	wait.Wait()
	return proofs
}

// bareActions writes the same rows: clients wait for the commit that holds theirs,
// and each commit holds so many together.
func (l ledgerFile) bareActions(b *testing.B, together *atomic.Int64) (sign func(unstaking)) {
	ctx := context.Background() // one that can end costs the driver time
	db := l.raw(b)
	conn, err := db.Conn(ctx)
	must(b, err)
	var statements []*sql.Stmt
	for _, text := range []string{
		`UPDATE unit SET stage = 'PENDING_UNLOCK', staked_to = 0, unlock_epoch = 2 WHERE community = 'lobo' AND id = $1 AND stage = 'STAKED'`,
		`INSERT INTO journal (number, community, subject, owner, event, asset, amount, from_account, to_account, cause_kind, cause_id, at)
			VALUES ($1, 'lobo', $2, $3, 'unstake', 'rune', 5000, 'STAKED', 'PENDING_UNLOCK', 'action', $4, 1)`,
		`UPDATE action SET used_at = 2, signature = $2, signer = $3 WHERE id = $1`,
	} {
		statement, err := conn.PrepareContext(ctx, text)
		must(b, err)
		statements = append(statements, statement)
	}
	number := 20_000_000
	write := func(p unstaking) {
		number++
		for k, args := range [][]any{
			{p.unit}, {number, p.unit, p.Wallet.Ordinals, p.ActionID}, {p.ActionID, p.Signature, p.Wallet.Ordinals},
		} {
			_, err := statements[k].ExecContext(ctx, args...)
			must(b, err)
		}
	}
	type job struct {
		unstaking
		done chan struct{}
	}
	jobs := make(chan job, clients)
	b.Cleanup(func() {
		close(jobs)
		_ = conn.Close()
	})
	go func() {
		for first := range jobs {
			group := []job{first}
			for len(jobs) > 0 && len(group) < int(together.Load()) {
				group = append(group, <-jobs)
			}
			_, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE")
			must(b, err)
			for _, j := range group {
				write(j.unstaking)
			}
			_, err = conn.ExecContext(ctx, "COMMIT")
			must(b, err)
			for _, j := range group {
				close(j.done)
			}
		}
	}()
	return func(p unstaking) {
		done := make(chan struct{})
		jobs <- job{p, done}
		<-done
	}
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
