package sim

import (
	"errors"
	"slices"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/epoch"
	"moonfund/ledger"
	"moonfund/order"
	"moonfund/payout"
	"moonfund/store"
	"moonfund/testkit"
	"moonfund/testkit/engine"
)

// deeds are what may happen in a step.
var deeds []deed

type deed struct {
	name   string
	weight int
	do     func(l *life)
}

func init() {
	deeds = []deed{
		{"look", 220, (*life).look},
		{"trouble", 150, (*life).inTrouble},
		{"mine", 120, (*life).mine},
		{"time passes", 50, (*life).timePasses},
		{"reorg", 45, (*life).reorg},
		{"epoch ends", 12, (*life).endEpoch},
		{"deposit", 25, (*life).deposit},
		{"deposit of a foreign rune", 6, (*life).depositForeign},
		{"dust", 10, (*life).dust},
		{"act", 90, (*life).act},
		{"sign late", 25, (*life).signLate},
		{"race", 12, (*life).race},
		{"replay", 15, (*life).replay},
		{"pay", 110, (*life).pay},
		{"runes as a payment", 6, (*life).payRunes},
		{"replace", 35, (*life).replace},
		{"recover", 22, (*life).recover},
		{"cancel", 18, (*life).cancel},
		{"rerate", 25, (*life).rerate},
		{"refund or resume", 35, (*life).resolve},
		{"bump", 8, (*life).bump},
		{"return from quarantine", 8, (*life).giveBack},
		{"pause", 6, (*life).pause},
		{"resume", 18, (*life).resume},
		{"book treasury", 4, (*life).bookTreasury},
		{"fee rate", 20, func(l *life) { l.Rate = amount.SatPerVB(l.from(1, 40)) }},
		{"server restarts", 8, (*life).restart},
		{"node restarts", 8, (*life).nodeRestarts},
		{"clock jumps", 12, (*life).clockJumps},
		{"back up", 4, (*life).backUp},
		{"stale backup", 2, (*life).startStale},
		{"two leaders", 5, (*life).twoLeaders},
		{"change while a payout is signed", 12, (*life).signAndChange},
		{"plot", 22, (*life).plot},
	}
}

// fee is what a wallet's transaction pays; those that replace pay more.
const fee = 1000

// spend is a transaction of a wallet that it may replace.
type spend struct {
	from *testkit.Wallet
	coin testkit.Coin
	fee  int64
}

func (l *life) wallet() *testkit.Wallet { return choose(l, people(l.World)) }

// sats returns a plain coin of a wallet; there is always one, or the node's own coins help.
func (l *life) sats(from *testkit.Wallet) testkit.Coin {
	coins := slices.DeleteFunc(l.Node.Coins(from.Payment.Script), func(c testkit.Coin) bool {
		held, other := l.model.Runes(c.OutPoint)
		return c.Out.Value < 120_000 || held > 0 || other
	})
	if len(coins) == 0 {
		l.Fatal("a wallet ran out of sats") // the town gives enough for thousands of steps
	}
	return choose(l, coins)
}

// runes returns a coin of a wallet that holds at least n of the rune, and no other.
func (l *life) runes(from *testkit.Wallet, n amount.Runes, foreign bool) (testkit.Coin, bool) {
	coins := slices.DeleteFunc(l.Node.Coins(from.Ordinals.Script), func(c testkit.Coin) bool {
		held, other := l.model.Runes(c.OutPoint)
		return other != foreign || (!foreign && held < max(1, int64(n)))
	})
	if len(coins) == 0 {
		return testkit.Coin{}, false
	}
	return choose(l, coins), true
}

// give sends what the node may refuse.
func (l *life) give(tx chain.Tx) bool {
	var refusal *chain.Refusal
	err := l.Node.Broadcast(l.Context(), tx.Bytes())
	if err != nil && !errors.As(err, &refusal) {
		l.Fatal(err)
	}
	if err != nil {
		l.note("  the node: %v", refusal.Reason)
	}
	return err == nil
}

func (l *life) mine() {
	for range l.from(1, 3) {
		l.block()
		if l.one(3) {
			l.look()
			l.check()
		}
	}
}

// block mines a block some minutes later, in which some of the mempool may be left out.
func (l *life) block() {
	l.synced = false
	l.pass(time.Duration(l.from(20, 240)) * time.Second)
	if l.one(2) {
		l.Node.Mine()
		return
	}
	out := map[chainhash.Hash]bool{}
	l.Node.MineSome(func(tx chain.Tx) bool {
		orphan := slices.ContainsFunc(tx.Msg.TxIn, func(i *wire.TxIn) bool { return out[i.PreviousOutPoint.Hash] })
		if orphan || l.one(2) {
			out[tx.ID] = true
		}
		return !out[tx.ID]
	})
}

// alone puts one transaction into the next block, if the chain allows it.
func (l *life) alone(tx chain.Tx) bool {
	if !l.Node.Valid(tx) {
		return false
	}
	l.note("  by a block")
	l.synced = false
	l.pass(time.Minute)
	l.Node.MineOnly(tx)
	return true
}

// reorg replaces up to six blocks by more; what they held may come later, differently or never.
func (l *life) reorg() {
	depth := min(l.from(1, 6), l.Node.Height()-l.floor)
	if depth < 1 {
		return
	}
	l.rewind(depth)
	if l.one(3) {
		l.look() // between the two chains
	}
	if l.one(3) {
		l.replace()
	}
	if l.one(5) {
		l.nodeRestarts()
	}
	for range depth + 1 {
		l.block()
	}
}

func (l *life) rewind(depth int64) {
	l.note("  %d deep", depth)
	l.synced = false
	l.faults[[]Fault{reorg1, reorg2, reorg3, reorg4, reorg5, reorg6}[depth-1]]++
	l.Node.Rewind(int(depth))
	l.unripe()
}

func (l *life) timePasses() {
	var d time.Duration
	switch l.rng.IntN(8) {
	case 0, 1:
		d = time.Duration(l.from(1, 600)) * time.Second
	case 2, 3, 4:
		d = time.Duration(l.from(20, 45)) * time.Minute
	case 5, 6:
		d = time.Duration(l.from(1, 30)) * time.Hour
	case 7:
		d = time.Duration(l.from(1, 16*24)) * time.Hour
	}
	l.note("  %s", d)
	l.pass(d)
}

// endEpoch goes to the next epoch, and some blocks on.
func (l *life) endEpoch() {
	l.nextEpoch()
	for range l.rng.IntN(9) {
		l.block()
	}
}

func (l *life) nodeRestarts() {
	l.faults[mempoolLost]++
	l.Node.Forget()
}

// moment is what the server's own clock makes of a machine whose clock may jump.
func (l *life) moment() (ledger.Moment, error) {
	now, err := l.watch.Now()
	return testkit.MomentAt(now), err
}

// inDoubt reports whether the server takes its clock for wrong.
func (l *life) inDoubt() bool {
	_, err := l.watch.Now()
	return err != nil
}

// clockJumps puts the server's clock off the truth. The server does not follow it, and
// refuses everything when it is more than a few seconds, until somebody corrects it.
func (l *life) clockJumps() {
	jump := choose(l, []time.Duration{
		time.Second, -time.Second, 4 * time.Second, -4 * time.Second, time.Minute, -time.Minute, time.Hour, -time.Hour,
		8 * 24 * time.Hour, -8 * 24 * time.Hour,
	})
	if jump > 0 {
		l.faults[clockForwards]++
	} else {
		l.faults[clockBackwards]++
	}
	l.note("  %s", jump)
	l.Clock.Advance(jump)
	if jump.Abs() > epoch.Tolerance {
		before := l.head()
		l.synced = false
		l.look()
		l.act()
		if l.unchanged(before); l.synced {
			l.Fatal("the server trusts a clock that is off")
		}
	} else {
		l.look()
	}
	l.Clock.Set(l.truth.Now())
}

// inTrouble lets a fault come while the server looks, or while somebody acts.
func (l *life) inTrouble() {
	var kinds []Fault
	for _, kind := range Faults {
		if kind != twoLeaders && slices.Contains(onWrite, kind) {
			kinds = append(kinds, kind)
		}
	}
	kinds = append(kinds, onEffect...)
	kinds = append(kinds, onEffect...)
	kinds = append(kinds, nodeDown, policyRefuses, timeoutOfRead, signerDown, duplicateEvent, skippedEvent)
	l.trouble = &trouble{kind: choose(l, kinds), after: int(l.from(1, 7))}
	if slices.Contains(onEffect, l.trouble.kind) || l.trouble.kind == signerDown {
		l.trouble.after = int(l.from(1, 2))
	}
	if slices.Contains(onWrite, l.trouble.kind) && l.one(4) {
		l.trouble.after = 1
		choose(l, []func(*life){(*life).act, (*life).cancel, (*life).signLate})(l)
	} else {
		l.look()
	}
	if l.trouble.fired {
		l.faults[l.trouble.kind]++
	}
	l.trouble = &trouble{}
}

// twoLeaders lets a second server take the lead while the first one works.
func (l *life) twoLeaders() {
	l.trouble = &trouble{kind: twoLeaders, after: int(l.from(1, 5))}
	l.look()
	if l.trouble.fired {
		l.faults[twoLeaders]++
		l.recheck = true
	}
	l.trouble = &trouble{}
}

func (l *life) backUp() {
	if l.backup == "" || l.one(2) {
		testkit.Must(l, l.books.Close()) // nobody else may be connected
		l.endDeposed()
		l.backup = l.Backup()
		l.openBooks()
	}
}

// startStale starts a server from the old copy, on a node that goes its own way:
// whatever it does not know, it pays nothing twice.
func (l *life) startStale() {
	if l.backup == "" {
		return
	}
	l.faults[staleBackup]++
	stale := l.Restored(l.backup)
	l.backup = ""
	seen, ordered := l.model.Fork(stale.Node), l.runeOrders.Fork(stale.Node)
	known := l.learned
	for range 6 {
		if _, err := stale.Follower.Step(l.Context()); err != nil {
			l.note("  the stale server: %v", err) // its branch may be long gone: it stops, and says so
		}
		stale.Clock.Advance(time.Hour)
		stale.Node.Mine()
		for _, tx := range stale.Node.Known(known) {
			known++
			l.must(seen.Learn(tx))
			ordered.Learn(tx)
		}
		l.must(seen.Delivered())
	}
	if l.plan.Runes {
		books := engine.Connect(l, stale.URL())
		defer books.Close()
		l.must(ordered.Delivered(l.Context(), books))
	}
	l.noteElsewhere(stale)
	testkit.Must(l, stale.Store.Close())
}

// The operator's deeds; each is a command of its own, beside the server.

func (l *life) ask(kind payout.RequestKind, subject string) {
	l.note("  %s %s", kind, subject)
	if !slices.Contains(l.column(`SELECT kind || ' ' || order_id FROM operator_request WHERE status = 'open'`),
		string(kind)+" "+subject) {
		l.Ask(kind, subject)
	}
}

// resolve has an order refunded of which a refund is due, or an AUDIT order taken up again.
func (l *life) resolve() {
	var audit []string
	for _, o := range l.read.Orders {
		if o.Status == string(order.Audit) || o.RefundDue > 0 || (o.Late > 0 && l.one(8)) {
			audit = append(audit, o.ID)
		}
	}
	if len(audit) > 0 {
		l.ask(choose(l, []payout.RequestKind{payout.AskRefund, payout.AskRefund, payout.AskResume, payout.AskResume,
			payout.AskClose}), choose(l, audit))
	}
}

func (l *life) bump() {
	if ids := l.column(`SELECT id FROM payout WHERE status = 'live' ORDER BY id`); len(ids) > 0 {
		l.Rate = amount.SatPerVB(l.from(10, 40))
		l.ask(payout.AskBump, choose(l, ids))
	}
}

func (l *life) giveBack() {
	outputs := l.column(`SELECT txid || ':' || vout FROM custody WHERE quarantine <> '' AND spent_by = ''
		ORDER BY txid, vout`)
	if len(outputs) > 0 {
		l.ask(payout.AskReturn, choose(l, outputs))
	}
}

func (l *life) column(query string) (all []string) {
	rows, err := l.books.QueryContext(l.Context(), query)
	testkit.Must(l, err)
	defer rows.Close()
	for rows.Next() {
		var text string
		testkit.Must(l, rows.Scan(&text))
		all = append(all, text)
	}
	testkit.Must(l, rows.Err())
	return all
}

func (l *life) pause() {
	name := choose(l, []string{store.PausePayouts, store.PauseAll})
	l.Update(func(tx *store.Tx) error { return tx.Pause(l.Context(), name, "the operator says so", l.Clock.Now()) })
}

func (l *life) resume() {
	for _, name := range []string{store.PausePayouts, store.PauseAll} {
		l.Update(func(tx *store.Tx) error {
			_, err := tx.Resume(l.Context(), name, l.operator())
			return err
		})
	}
}

func (l *life) operator() ledger.Cause {
	return ledger.Cause{Kind: "operator", ID: "test: it is time", At: l.Clock.Now()}
}

func (l *life) bookTreasury() {
	l.Update(func(tx *store.Tx) error {
		_, err := tx.BookTreasury(l.Context(), testkit.Prefix, l.operator())
		return err
	})
}
