package sim

import (
	"errors"
	"slices"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/epoch"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

// operations are the operations that a step chooses from, by weight.
var operations []operation

type operation struct {
	name   string
	weight int
	do     func(sc *scenario)
}

func init() {
	operations = []operation{
		{"follow the chain", 220, (*scenario).follow},
		{"injected fault", 150, (*scenario).withFault},
		{"mine", 120, (*scenario).mine},
		{"time passes", 50, (*scenario).timePasses},
		{"reorg", 45, (*scenario).reorg},
		{"epoch ends", 12, (*scenario).endEpoch},
		{"deposit", 25, (*scenario).deposit},
		{"deposit of a foreign rune", 6, (*scenario).depositForeign},
		{"dust", 10, (*scenario).dust},
		{"action", 90, (*scenario).act},
		{"economy order", 16, (*scenario).economize},
		{"choice about an economy order", 12, (*scenario).chooseAtLimit},
		{"instruction", 14, (*scenario).instruct},
		{"sign late", 25, (*scenario).signLate},
		{"race", 12, (*scenario).race},
		{"replay", 15, (*scenario).replay},
		{"pay", 110, (*scenario).pay},
		{"runes as a payment", 6, (*scenario).payRunes},
		{"replace", 35, (*scenario).replace},
		{"recover", 22, (*scenario).recover},
		{"cancel", 18, (*scenario).cancel},
		{"rerate", 25, (*scenario).rerate},
		{"operator decides about an order", 35, (*scenario).resolve},
		{"bump", 8, (*scenario).bump},
		{"return from quarantine", 8, (*scenario).requestReturn},
		{"pause", 6, (*scenario).pause},
		{"resume", 18, (*scenario).resume},
		{"book treasury", 4, (*scenario).bookTreasury},
		{"fee rate", 20, func(sc *scenario) { sc.Rate = amount.SatPerVB(sc.between(1, 40)) }},
		{"server restarts", 8, (*scenario).restart},
		{"node restarts", 8, (*scenario).nodeRestarts},
		{"clock jumps", 12, (*scenario).clockJumps},
		{"back up", 4, (*scenario).backUp},
		{"stale backup", 2, (*scenario).startStale},
		{"two leaders", 5, (*scenario).twoLeaders},
		{"change while a payout is signed", 12, (*scenario).signAndChange},
		{"schedule", 22, (*scenario).runSchedule},
	}
	operations = append(append(operations, hostileOperations...), oneTxOperations...)
}

// fee is the fee of a wallet's transaction, in sats. Replacements pay more.
const fee = 1000

// spend is a transaction of a wallet that replace may double-spend.
type spend struct {
	from *testkit.Wallet
	coin testkit.Coin
	fee  int64
}

func (sc *scenario) wallet() *testkit.Wallet { return choose(sc, actors(sc.World)) }

// sats returns a coin of a wallet without runes and with at least 120,000 sats.
func (sc *scenario) sats(from *testkit.Wallet) testkit.Coin {
	coins := slices.DeleteFunc(sc.Node.Coins(from.Payment.Script), func(c testkit.Coin) bool {
		held, other := sc.model.Runes(c.OutPoint)
		return c.Out.Value < 120_000 || held > 0 || other || sc.unminable[c.OutPoint.Hash]
	})
	if len(coins) == 0 {
		sc.Fatal("a wallet ran out of sats") // the snapshot grants enough for thousands of steps
	}
	return choose(sc, coins)
}

// runes returns a coin with at least n of the followed rune, or with a foreign rune.
func (sc *scenario) runes(from *testkit.Wallet, n amount.Runes, foreign bool) (testkit.Coin, bool) {
	coins := slices.DeleteFunc(sc.Node.Coins(from.Ordinals.Script), func(c testkit.Coin) bool {
		held, other := sc.model.Runes(c.OutPoint)
		return other != foreign || (!foreign && held < max(1, int64(n)))
	})
	if len(coins) == 0 {
		return testkit.Coin{}, false
	}
	return choose(sc, coins), true
}

// broadcast sends a transaction and reports whether the node accepted it.
func (sc *scenario) broadcast(tx chain.Tx) bool {
	var refusal *chain.Refusal
	err := sc.Node.Broadcast(sc.Context(), tx.Bytes())
	if err != nil && !errors.As(err, &refusal) {
		sc.Fatal(err)
	}
	if err != nil {
		sc.note("  the node: %v", refusal.Reason)
	}
	return err == nil
}

func (sc *scenario) mine() {
	for range sc.between(1, 3) {
		sc.block()
		if sc.oneIn(3) {
			sc.follow()
			sc.check()
		}
	}
}

// block advances the clocks by up to four minutes and mines a block, which may omit a part of the mempool.
func (sc *scenario) block() {
	sc.synced = false
	sc.pass(time.Duration(sc.between(20, 240)) * time.Second)
	if sc.oneIn(2) {
		sc.mineMempool()
		return
	}
	skipped, out := map[chainhash.Hash]bool{}, map[chainhash.Hash]bool{}
	sc.Node.MineSome(func(tx chain.Tx) bool {
		orphan := slices.ContainsFunc(tx.Msg.TxIn, func(i *wire.TxIn) bool { return out[i.PreviousOutPoint.Hash] })
		if !sc.minable(tx, skipped) || orphan || sc.oneIn(2) {
			out[tx.ID] = true
		}
		return !out[tx.ID]
	})
}

// mineOnly mines a block with only this transaction, and reports whether the transaction is valid.
func (sc *scenario) mineOnly(tx chain.Tx) bool {
	if !sc.Node.Valid(tx) {
		return false
	}
	sc.note("  by a block")
	sc.synced = false
	sc.pass(time.Minute)
	sc.Node.MineOnly(tx)
	return true
}

// reorg replaces up to six blocks. Their transactions may be mined later, be replaced, or never be mined.
func (sc *scenario) reorg() {
	depth := min(sc.between(1, 6), sc.Node.Height()-sc.floor)
	if depth < 1 {
		return
	}
	sc.rewind(depth)
	if sc.oneIn(3) {
		sc.follow() // between the two branches
	}
	if sc.oneIn(3) {
		sc.replace()
	}
	if sc.oneIn(5) {
		sc.nodeRestarts()
	}
	for range depth + 1 {
		sc.block()
	}
}

func (sc *scenario) rewind(depth int64) {
	sc.note("  %d deep", depth)
	sc.synced = false
	sc.faults[[]Fault{reorg1, reorg2, reorg3, reorg4, reorg5, reorg6}[depth-1]]++
	sc.Node.Rewind(int(depth))
	sc.evictUnripe()
}

func (sc *scenario) timePasses() {
	var d time.Duration
	switch sc.rng.IntN(8) {
	case 0, 1:
		d = time.Duration(sc.between(1, 600)) * time.Second
	case 2, 3, 4:
		d = time.Duration(sc.between(20, 45)) * time.Minute
	case 5, 6:
		d = time.Duration(sc.between(1, 30)) * time.Hour
	case 7:
		d = time.Duration(sc.between(1, 16*24)) * time.Hour
	}
	sc.note("  %s", d)
	sc.pass(d)
}

// endEpoch advances to the next epoch and mines up to eight blocks.
func (sc *scenario) endEpoch() {
	sc.nextEpoch()
	for range sc.rng.IntN(9) {
		sc.block()
	}
}

func (sc *scenario) nodeRestarts() {
	sc.faults[mempoolLost]++
	sc.Node.Forget()
}

// moment returns the time of the server's clock, which detects jumps of the machine's clock.
func (sc *scenario) moment() (ledger.Moment, error) {
	now, err := sc.serverClock.Now()
	return testkit.MomentAt(now), err
}

// inDoubt reports whether the server's clock is in doubt.
func (sc *scenario) inDoubt() bool {
	_, err := sc.serverClock.Now()
	return err != nil
}

// clockJumps moves the machine's clock away from the true time. The server must not follow it, and must refuse every
// change while the difference exceeds epoch.Tolerance.
func (sc *scenario) clockJumps() {
	jump := choose(sc, []time.Duration{
		time.Second, -time.Second, 4 * time.Second, -4 * time.Second, time.Minute, -time.Minute, time.Hour, -time.Hour,
		8 * 24 * time.Hour, -8 * 24 * time.Hour,
	})
	if jump > 0 {
		sc.faults[clockForwards]++
	} else {
		sc.faults[clockBackwards]++
	}
	sc.note("  %s", jump)
	sc.Clock.Advance(jump)
	if jump.Abs() > epoch.Tolerance {
		before := sc.head()
		sc.synced = false
		sc.follow()
		sc.act()
		if sc.unchanged(before); sc.synced {
			sc.Fatal("the server follows the chain although the machine's clock is wrong")
		}
	} else {
		sc.follow()
	}
	sc.Clock.Set(sc.trueClock.Now())
}

// withFault injects a fault while the server follows the chain or processes an action.
func (sc *scenario) withFault() {
	var kinds []Fault
	for _, kind := range Faults {
		if kind != twoLeaders && slices.Contains(writeFaults, kind) {
			kinds = append(kinds, kind)
		}
	}
	kinds = append(kinds, effectFaults...)
	kinds = append(kinds, effectFaults...)
	kinds = append(kinds, nodeDown, policyRefuses, timeoutOfRead, signerDown, duplicateEvent, skippedEvent)
	sc.injected = &injection{kind: choose(sc, kinds), after: int(sc.between(1, 7))}
	if slices.Contains(effectFaults, sc.injected.kind) || sc.injected.kind == signerDown {
		sc.injected.after = int(sc.between(1, 2))
	}
	if slices.Contains(writeFaults, sc.injected.kind) && sc.oneIn(4) {
		sc.injected.after = 1
		choose(sc, []func(*scenario){(*scenario).act, (*scenario).cancel, (*scenario).signLate,
			(*scenario).withdrawInOneTx, (*scenario).signAgain})(sc)
	} else {
		sc.follow()
	}
	if sc.injected.fired {
		sc.faults[sc.injected.kind]++
	}
	sc.injected = &injection{}
}

// twoLeaders starts a second server, which takes the lease, while the first one is working.
func (sc *scenario) twoLeaders() {
	sc.injected = &injection{kind: twoLeaders, after: int(sc.between(1, 5))}
	sc.follow()
	if sc.injected.fired {
		sc.faults[twoLeaders]++
		sc.recheck = true
	}
	sc.injected = &injection{}
}

func (sc *scenario) backUp() {
	if sc.backup == "" || sc.oneIn(2) {
		testkit.Must(sc, sc.db.Close()) // Backup requires that there are no other connections
		sc.endDeposed()
		sc.closeAuditor(&sc.auditor)
		sc.backup = sc.Backup()
		sc.beginAudits()
		sc.openDB()
	}
}

// startStale starts a server from an old copy of the database, on a fork of the node. It must not deliver anything
// twice.
func (sc *scenario) startStale() {
	if sc.backup == "" {
		return
	}
	sc.faults[staleBackup]++
	stale := sc.Restored(sc.backup)
	sc.backup = ""
	instructed := sc.restoreInstructions(stale)
	seen, ordered := sc.model.Fork(stale.Node), sc.runeOrders.Fork(stale.Node)
	known := sc.knownTxs
	for range 6 {
		if _, err := stale.Follower.Step(sc.Context()); err != nil {
			sc.note("  the stale server: %v", err) // the backup may be too old for this branch
		}
		stale.Clock.Advance(time.Hour)
		stale.Node.Mine()
		for _, tx := range stale.Node.Known(known) {
			known++
			sc.require(seen.Learn(tx))
			ordered.Learn(tx)
		}
		sc.require(seen.Delivered())
	}
	if sc.plan.Runes {
		books := engine.Connect(sc, stale.URL())
		defer books.Close()
		sc.require(ordered.Delivered(sc.Context(), books))
	}
	sc.countElsewhere(stale)
	instructed()
	testkit.Must(sc, stale.Store.Close())
}

// requestOnce inserts a request of the operator, like a command beside the running server, unless the same request is
// open.
func (sc *scenario) requestOnce(kind payout.RequestKind, subject string) {
	sc.note("  %s %s", kind, subject)
	sc.model.Requested(subject)
	if !slices.Contains(sc.column(`SELECT kind || ' ' || order_id FROM operator_request WHERE status = 'open'`),
		string(kind)+" "+subject) {
		sc.Request(kind, subject)
	}
}

// resolve requests to refund, resume or close an order in AUDIT or with a refund due, or to review a paid order.
func (sc *scenario) resolve() {
	var audit []string
	for _, o := range sc.tables.Orders {
		if paid := []string{"CONFIRMED", "PENDING_RERATE", "PAID"}; slices.Contains(paid, o.Status) && sc.oneIn(40) {
			sc.requestOnce(payout.RequestReview, o.ID)
			return
		}
		if o.Status == string(order.Audit) || o.RefundDue > 0 || (o.Late > 0 && sc.oneIn(8)) {
			audit = append(audit, o.ID)
		}
	}
	if len(audit) > 0 {
		sc.requestOnce(choose(sc, []payout.RequestKind{payout.RequestRefund, payout.RequestRefund, payout.RequestResume,
			payout.RequestResume,
			payout.RequestClose}), choose(sc, audit))
	}
}

func (sc *scenario) bump() {
	if ids := sc.column(`SELECT id FROM payout WHERE status = 'live' ORDER BY id`); len(ids) > 0 {
		sc.Rate = amount.SatPerVB(sc.between(10, 40))
		sc.requestOnce(payout.RequestBump, choose(sc, ids))
	}
}

func (sc *scenario) requestReturn() {
	outputs := sc.column(`SELECT txid || ':' || vout FROM custody WHERE quarantine <> '' AND spent_by = ''
		ORDER BY txid, vout`)
	if len(outputs) > 0 {
		sc.requestOnce(payout.RequestReturn, choose(sc, outputs))
	}
}

func (sc *scenario) column(query string) (all []string) {
	rows, err := sc.db.QueryContext(sc.Context(), query)
	testkit.Must(sc, err)
	defer rows.Close()
	for rows.Next() {
		var text string
		testkit.Must(sc, rows.Scan(&text))
		all = append(all, text)
	}
	testkit.Must(sc, rows.Err())
	return all
}

func (sc *scenario) pause() {
	name := choose(sc, []string{store.PausePayouts, store.PauseAll})
	sc.pausedAll = sc.pausedAll || name == store.PauseAll
	sc.Update(func(tx *store.Tx) error { return tx.Pause(sc.Context(), name, "the operator says so", sc.Clock.Now()) })
}

func (sc *scenario) resume() {
	sc.pausedAll, sc.tables.Paused = false, ""
	for _, name := range []string{store.PausePayouts, store.PauseAll} {
		sc.Update(func(tx *store.Tx) error {
			_, err := tx.Resume(sc.Context(), name, sc.operator())
			return err
		})
	}
}

func (sc *scenario) operator() ledger.Cause {
	return ledger.Cause{Kind: "operator", ID: "test: it is time", At: sc.Clock.Now()}
}

func (sc *scenario) bookTreasury() {
	sc.Update(func(tx *store.Tx) error {
		_, err := tx.BookTreasury(sc.Context(), testkit.Prefix, sc.operator())
		return err
	})
}
