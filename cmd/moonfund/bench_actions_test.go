package main

import (
	"database/sql"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"moonfund/action"
	"moonfund/testkit"
)

const (
	clients       = 64
	signedActions = 4096
)

// actions measures signed UNSTAKEs by 64 clients at once: the proof is verified,
// the unit moves, the journal and the action are written, all on disk when the
// answer comes. The bare work is the same rows, grouped into commits the same way.
func (t *figures) actions(b *testing.B, l ledgerFile) {
	world := testkit.NewWorld(b)
	anna := world.Anna
	l.exec(b, fmt.Sprintf(`INSERT INTO unit (community, id, number, owner, origin, amount, stage, not_before, eligible_epoch, staked_to,
			unlock_epoch, reward_epoch, order_id, stage_before, txid, vout, created_at)
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		SELECT 'lobo', 'anna ' || i, 10000000 + i, '%s', 'REWARD', 5000, 'STAKED', 0, 0, -1, -1, -1, '', '', '', 0, 1 FROM n`,
		2*signedActions, anna.Ordinals.Text))
	requests := make([]action.SignRequest, signedActions)
	inParallel(signedActions, func(i int) {
		posted, err := l.house.actions.Post(b.Context(), "lobo", anna.Pair(), action.Unstake, []string{fmt.Sprint("anna ", i+1)})
		must(b, err)
		requests[i] = action.SignRequest{
			Wallet: anna.Pair(), ActionID: posted.ActionID, Type: action.Unstake, Signature: anna.Sign(posted.Message),
		}
	})
	ours, p99 := inParallel(signedActions, func(i int) {
		signed, err := l.house.actions.Sign(b.Context(), "lobo", requests[i])
		must(b, err)
		if !signed.Applied {
			b.Error("an action was not applied")
		}
	})
	bare, _ := l.bareActions(b, requests)
	t.rate("signed actions, 64 clients", ours, bare)
	t.bound("signed actions, 99 of 100 answered within", p99.Round(100*time.Microsecond).String(), "100ms")
}

// bareActions writes the same rows: clients wait for the commit that holds theirs,
// and each commit takes all that wait.
func (l ledgerFile) bareActions(b *testing.B, requests []action.SignRequest) (float64, time.Duration) {
	db := l.raw(b)
	defer db.Close()
	conn, err := db.Conn(b.Context())
	must(b, err)
	defer conn.Close()
	var statements []*sql.Stmt
	for _, text := range []string{
		`UPDATE unit SET stage = 'PENDING_UNLOCK', staked_to = 0, unlock_epoch = 2 WHERE community = 'lobo' AND id = $1 AND stage = 'STAKED'`,
		`INSERT INTO journal (number, community, subject, owner, event, asset, amount, from_account, to_account, cause_kind, cause_id, at)
			VALUES ((SELECT MAX(number) FROM journal) + 1, 'lobo', $1, 'anna', 'unstake', 'rune', 5000, 'STAKED', 'PENDING_UNLOCK', 'action', $1, 1)`,
		`UPDATE action SET used_at = 2, signature = $2, signer = 'anna' WHERE id = $1`,
	} {
		statement, err := conn.PrepareContext(b.Context(), text)
		must(b, err)
		statements = append(statements, statement)
	}
	type job struct {
		i    int
		done chan struct{}
	}
	jobs := make(chan job, clients)
	defer close(jobs)
	run := func(j job) {
		unit := fmt.Sprint("anna ", signedActions+j.i+1)
		for k, args := range [][]any{{unit}, {unit}, {requests[j.i].ActionID, requests[j.i].Signature}} {
			_, err := statements[k].ExecContext(b.Context(), args...)
			must(b, err)
		}
	}
	go func() {
		for first := range jobs {
			group := []job{first}
			for len(jobs) > 0 {
				group = append(group, <-jobs)
			}
			_, err := conn.ExecContext(b.Context(), "BEGIN IMMEDIATE")
			must(b, err)
			for _, j := range group {
				run(j)
			}
			_, err = conn.ExecContext(b.Context(), "COMMIT")
			must(b, err)
			for _, j := range group {
				close(j.done)
			}
		}
	}()
	return inParallel(len(requests), func(i int) {
		done := make(chan struct{})
		jobs <- job{i, done}
		<-done
	})
}

// inParallel runs 0 to n-1 by 64 clients and returns how many were done each
// second, and the time within which 99 of 100 were.
func inParallel(n int, work func(i int)) (float64, time.Duration) {
	took := make([]time.Duration, n)
	var wait sync.WaitGroup
	next := make(chan int, n)
	for i := range n {
		next <- i
	}
	close(next)
	began := time.Now()
	for range clients {
		wait.Go(func() {
			for i := range next {
				start := time.Now()
				work(i)
				took[i] = time.Since(start)
			}
		})
	}
	wait.Wait()
	perSecond := float64(n) / time.Since(began).Seconds()
	slices.Sort(took)
	return perSecond, took[n*99/100]
}
