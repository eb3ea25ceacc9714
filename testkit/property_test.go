package testkit

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"moonfund/action"
	"moonfund/amount"
	"moonfund/ledger"
	"moonfund/order"
	"moonfund/testkit/engine"
)

// A seed that failed is lived again by: go test ./testkit/ -run TestAnyLife -seed N
var (
	seed  = flag.Uint64("seed", 0, "live the random life of this seed only")
	seeds = flag.Uint64("seeds", 0, "how many random lives to live (0: 200 on SQLite, 6 on PostgreSQL, few with -race)")
)

// deedsPerLife bounds a life; its end takes about as long again.
const deedsPerLife = 24

// Whatever stakers, payers, miners and clocks do, the invariants hold after every
// deed, and once all is quiet everything that can finish does.
func TestAnyLife(t *testing.T) {
	base := newTown(t)
	first, last := uint64(1), uint64(200)
	switch postgres := engine.Current() == engine.Postgres; {
	case racing && postgres:
		last = 1
	case racing:
		last = 4
	case postgres:
		last = 6 // the same code on slower ground
	}
	if *seeds != 0 {
		last = *seeds
	}
	if *seed != 0 {
		first, last = *seed, *seed
	}
	var met rows
	t.Run("lives", func(t *testing.T) {
		for n := first; n <= last; n++ {
			t.Run(fmt.Sprintf("seed %d", n), func(t *testing.T) {
				t.Parallel()
				met.add(live(t, base, n))
			})
		}
	})
	met.report(t, last-first >= 199)
}

// rows counts the rows of the order table that were met.
type rows struct {
	sync.Mutex
	met map[order.Row]int
}

func (r *rows) add(found []order.Row) {
	r.Lock()
	defer r.Unlock()
	if r.met == nil {
		r.met = map[order.Row]int{}
	}
	for _, row := range found {
		r.met[row]++
	}
}

// report says what was never met; many lives must reach every status.
func (r *rows) report(t *testing.T, many bool) {
	reached := map[order.Status]int{}
	for _, row := range order.Statuses {
		t.Logf("%5d × %s, %s: %s", r.met[row], row.From, row.Event, row.To)
		reached[row.To] += r.met[row]
	}
	for status, times := range reached {
		if times == 0 && many && status != order.Invalid { // the rarest: a recovery between an order and its payment
			t.Errorf("no order ever was %s: these lives show little", status)
		}
	}
}

// town is a world where stakes, rewards and unlocked units are there already.
type town struct {
	Past
	foreign []Coin // Anna's, of another rune
}

// newTown returns a town with nobody connected to its database.
func newTown(t *testing.T) town {
	w := NewWorld(t)
	w.Informed()
	foreign := w.grantForeign(w.Anna, 4)
	ids := map[*Wallet][]string{}
	for _, wallet := range []*Wallet{w.Anna, w.Bert, w.Cleo} {
		for i := range 3 {
			id, _ := w.Deposit(wallet, MinimumStake*10+amount.Runes(7*i))
			ids[wallet] = append(ids[wallet], id)
		}
	}
	w.Settle(4)
	w.NextEpoch()
	for _, wallet := range []*Wallet{w.Anna, w.Bert, w.Cleo} {
		w.Act(wallet, action.Unstake, ids[wallet][:2]...)
	}
	w.NextEpoch()
	w.NextEpoch()
	w.Settle(10)
	w.Audit()
	return town{w.Past(), foreign}
}

// fork returns a copy of the town that shares nothing with it.
func (b town) fork(t *testing.T) *life {
	w := b.Begin(t, nil)
	w.Informed()
	return &life{World: w, floor: w.Node.Height(), foreign: slices.Clone(b.foreign)}
}

// life is one random life, decided by its seed alone.
type life struct {
	*World
	rng     *rand.Rand
	floor   int64 // height of the last block that stays
	foreign []Coin
	orders  []string
	open    []spend // transactions that may be replaced
	did     []string
}

// live lives the life of a seed and returns what became of its orders.
func live(t *testing.T, base town, n uint64) []order.Row {
	l := base.fork(t)
	l.rng = rand.New(rand.NewPCG(n, 0))
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("to live it again: go test ./testkit/ -run TestAnyLife -seed %d\nwhat was done:\n%s", n, strings.Join(l.did, "\n"))
		}
	})
	l.act()
	l.act()
	for i := range deedsPerLife {
		l.some()
		if i%8 == 7 {
			l.Audit()
		}
	}
	l.finish()
	return l.rows()
}

// rows returns the rows of the order table that were met, from the journal.
func (l *life) rows() (met []order.Row) {
	db := engine.Connect(l, l.url)
	defer db.Close()
	found, err := db.QueryContext(l.Context(), `SELECT from_account, event, to_account FROM journal WHERE to_account LIKE 'order:%'`)
	Must(l, err)
	defer found.Close()
	for found.Next() {
		var from, event, to string
		Must(l, found.Scan(&from, &event, &to))
		if from == ledger.Outside {
			from = ""
		}
		met = append(met, order.Row{
			From: order.Status(strings.TrimPrefix(from, "order:")), Event: order.Event(event),
			To: order.Status(strings.TrimPrefix(to, "order:")),
		})
	}
	Must(l, found.Err())
	return met
}

// some does one deed, drawn by its weight, and often looks.
func (l *life) some() {
	total := 0
	for _, d := range deeds {
		total += d.weight
	}
	at := l.rng.IntN(total)
	for _, d := range deeds {
		if at -= d.weight; at < 0 {
			l.note("%s", d.name)
			d.do(l)
			break
		}
	}
	if l.one(4) { // the server looks later
		l.Check()
		return
	}
	l.note("  look")
	l.Step()
}

// finish lets everything that can finish do so: no more faults, every block full,
// fees low, and time for every deadline.
func (l *life) finish() {
	l.note("finish")
	l.Rate = amount.SatPerVB(1)
	l.Settle(5)
	l.Clock.Advance(order.Unconfirmed + EpochLength)
	l.Settle(9)
	waiting := l.Cashier.Waiting()
	for _, id := range l.orders {
		o := l.Order(id)
		switch o.Status {
		case order.Delivered, order.Consolidated, order.Canceled, order.Expired, order.Invalid, order.Audit:
			continue
		}
		l.Errorf("order %s did not finish: %+v\nwaiting: %v", id, o, waiting)
	}
	if stuck := l.Rows(`SELECT u.id, stage, order_id FROM unit u LEFT JOIN payment_order o ON o.id = u.order_id
		WHERE stage NOT IN ('STAKED', 'UNLOCKED', 'CLAIMABLE', 'WITHDRAWN')`); stuck != "" {
		l.Errorf("units that did not come to rest:\n%s", stuck)
	}
	if late := l.Rows(`SELECT * FROM payout WHERE status = 'live'`); late != "" {
		l.Errorf("payouts that did not confirm:\n%s", late)
	}
	l.Audit()
}

func (l *life) note(format string, args ...any) {
	l.did = append(l.did, fmt.Sprintf(format, args...))
}

// one reports true once in n times.
func (l *life) one(n int) bool { return l.rng.IntN(n) == 0 }

// between returns a number from a to b, both possible.
func (l *life) between(a, b int64) int64 { return a + l.rng.Int64N(b-a+1) }

// choose returns one of some things; there must be one.
func choose[T any](l *life, from []T) T { return from[l.rng.IntN(len(from))] }
