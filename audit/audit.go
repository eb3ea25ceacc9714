// Package audit checks the invariants of the domain from outside: by SQL of its
// own and by the raw blocks of a node. It shares no code with the ledger, the
// orders, the payouts or the store, so that a bug there cannot hide itself here.
//
// The invariants, numbered as in the design:
//
//  1. Every live unit of origin STAKE is backed by its own output.
//  2. Virtual units are backed by the treasury; every settled epoch paid exactly its budget, by the published rule.
//  3. Every posting balances; replaying the journal gives the units and the orders.
//  4. Every unit is in one stage; every locked unit is on exactly one live order, in the stage its status implies.
//  5. Sats received = applied + surplus + late + abandoned + refunded; each payment is counted once.
//  6. An order has at most one live payout, and every payout allocates exactly what its orders are owed;
//     refunds go to the address that was signed, and give no payment back twice.
//  7. Every change that a user caused cites one consumed, signed action.
//  8. The indexed chain and runes are those of the node.
package audit

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite" // the "sqlite" driver

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/runes"
)

// The invariants by number.
const (
	Stakes = 1 + iota
	Backing
	Journal
	Locks
	Payments
	Payouts
	Proofs
	Chain
)

// Node is the trusted Bitcoin node; *chain.Client is one. It needs its
// transaction index, for the commitments of etchings.
type Node interface {
	Best(ctx context.Context) (chainhash.Hash, int64, error)
	BlockHash(ctx context.Context, height int64) (chainhash.Hash, error) // or chain.ErrUnknown
	Block(ctx context.Context, hash chainhash.Hash, height int64) (chain.Block, error)
	Tx(ctx context.Context, txid chainhash.Hash) (chain.Tx, chain.Status, error)
}

// Config holds what an audit needs and the database does not have.
type Config struct {
	// Rules and Start (height of the first block that is followed) are those of an
	// index of every rune; a ledger whose index follows only some says so itself.
	Rules runes.Rules
	Start int64

	// MinimumStake by community, base units. Of a community that is left out, a
	// quarantined deposit of its rune alone is taken for one below the minimum.
	MinimumStake map[string]amount.Runes

	// Again, when not 0, is how long to wait before a second audit of a running
	// server: between a block and what is due after it, its tables differ for a
	// moment. Only what both audits find is reported.
	RecheckAfter time.Duration
}

// Violation is one broken invariant.
type Violation struct {
	Invariant int    // 1 to 8
	Subject   string // the unit, order, outpoint, transaction, epoch, block or row it is about
	Detail    string
}

// String returns the violation as one line.
func (v Violation) String() string {
	return fmt.Sprintf("invariant %d: %s: %s", v.Invariant, v.Subject, v.Detail)
}

// Counts says how much was checked.
type Counts struct {
	Blocks, Outputs, Units, Orders, Payments, Payouts, Postings, Actions, Epochs, Runes, RuneOutputs int
}

// Totals are what one community owes and what the chain holds against it, in base
// units, and what its orders received, in sats.
type Totals struct {
	StakeUnits, StakeOutputs   int64 // live units of origin STAKE; the outputs behind them
	VirtualUnits, VirtualFunds int64 // live units of origin REWARD not on their way; booked treasury outputs

	Received                                    int64 // sats of payments that count, by the chain
	Applied, Surplus, Late, Abandoned, Refunded int64 // where the journal has them
}

// Report is the result of an audit.
type Report struct {
	Height     int64  // of the last block that the server indexed, -1 for none
	NodeHeight int64  // of the node's best chain
	Behind     int64  // blocks of the node's best chain that the server has yet to index
	Follows    string // the only runes that the server indexes, "" for every rune
	Checked    Counts
	Totals     map[string]Totals // by community
	Violations []Violation
}

// OK reports whether no invariant is violated.
func (r Report) OK() bool { return len(r.Violations) == 0 }

// WriteTo writes the report as text: what was checked, then one line per violation.
func (r Report) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "audit at block %d of %d\n", r.Height, r.NodeHeight)
	if r.Follows != "" {
		fmt.Fprintf(&b, "no runes are indexed but %s: what may bear another is locked\n", r.Follows)
	}
	if r.Behind > 0 {
		fmt.Fprintf(&b, "the server is %d blocks behind its node\n", r.Behind)
	}
	c := r.Checked
	fmt.Fprintf(&b, "checked: %d blocks, %d runes on %d outputs, %d custody outputs, %d units, %d orders, "+
		"%d payments, %d payouts, %d postings, %d actions, %d epochs\n",
		c.Blocks, c.Runes, c.RuneOutputs, c.Outputs, c.Units, c.Orders,
		c.Payments, c.Payouts, c.Postings, c.Actions, c.Epochs)
	for _, prefix := range sortedKeys(r.Totals) {
		t := r.Totals[prefix]
		fmt.Fprintf(&b, "%s: staked units %d on outputs of %d; virtual units %d on a treasury of %d\n",
			prefix, t.StakeUnits, t.StakeOutputs, t.VirtualUnits, t.VirtualFunds)
		fmt.Fprintf(&b, "%s: received %d sats: applied %d, surplus %d, late %d, abandoned %d, refunded %d\n",
			prefix, t.Received, t.Applied, t.Surplus, t.Late, t.Abandoned, t.Refunded)
	}
	for _, v := range r.Violations {
		fmt.Fprintln(&b, v)
	}
	if r.OK() {
		b.WriteString("no violation\n")
	}
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}

// Open opens a database for reading only, by the same address that the server
// has: "sqlite:PATH" or "postgres://…".
func Open(address string) (*sql.DB, error) {
	if path, ok := strings.CutPrefix(address, "sqlite:"); ok {
		// The joins need a larger page cache, 64 MiB, than SQLite's default of 2 MiB.
		// mode=ro can't read beside a server's write-ahead log; rw makes no file, query_only changes none.
		return sql.Open("sqlite", "file:"+path+"?mode=rw&_pragma=busy_timeout(10000)&_pragma=query_only(1)"+
			"&_pragma=cache_size(-65536)")
	}
	if strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://") {
		config, err := pgx.ParseConfig(address)
		if err != nil {
			return nil, errors.New("the database's address can't be read") // the cause may hold its password
		}
		config.RuntimeParams["default_transaction_read_only"] = "on"
		return stdlib.OpenDB(*config), nil
	}
	return nil, errors.New(`the database must be "sqlite:PATH" or "postgres://…"`)
}

// Run checks every invariant on one consistent state of the database, against
// the node's blocks up to the server's tip. An error means that the audit could
// not be made; violations are in the report.
func Run(ctx context.Context, db *sql.DB, node Node, c Config) (Report, error) {
	return NewChecker(db, node, c).Check(ctx)
}

// recheck audits, and audits again after a while when something is wrong.
func recheck(ctx context.Context, again time.Duration, audit func() (Report, error)) (Report, error) {
	first, err := audit()
	if err != nil || first.OK() || again <= 0 {
		return first, err
	}
	select {
	case <-ctx.Done():
		return first, ctx.Err()
	case <-time.After(again):
	}
	second, err := audit()
	if err != nil {
		return second, err
	}
	second.Violations = Persisting(first.Violations, second.Violations)
	return second, nil
}

// Persisting returns those of the second list whose subjects were in the first.
func Persisting(first, second []Violation) (kept []Violation) {
	seen := map[Violation]bool{}
	for _, v := range first {
		seen[Violation{Invariant: v.Invariant, Subject: v.Subject}] = true
	}
	for _, v := range second {
		if seen[Violation{Invariant: v.Invariant, Subject: v.Subject}] {
			kept = append(kept, v)
		}
	}
	return kept
}

// auditor makes one audit: what the database says, what the chain says, and what is wrong.
type auditor struct {
	Config
	rows
	chainState
	journal
	report       Report
	adoptions    adoptions
	partial      bool                 // only what one payout depends on was read
	refunded     map[string]bool      // orders with a confirmed refund
	orderAnchors map[anchorKey]string // the anchor payment of each order

	stakeUnits, stakeOutputs map[string]int64    // by community
	virtualUnits             map[string]int64    // by community
	virtualOf                map[[2]string]int64 // by community and owner, of unexplained spends
	stakedSums               map[string]int64    // units in stage STAKED, by community

	runeIDs    map[string]runes.ID     // of communities
	recomputes func(epochAccount) bool // whose rewards are recomputed
}

func newAuditor(c Config, walked chainState) *auditor {
	return &auditor{
		Config: c, rows: newRows(), chainState: walked, journal: newJournal(), report: Report{Totals: map[string]Totals{}},
		stakeUnits: map[string]int64{}, stakeOutputs: map[string]int64{}, virtualUnits: map[string]int64{},
		virtualOf: map[[2]string]int64{}, stakedSums: map[string]int64{},
		runeIDs: map[string]runes.ID{}, recomputes: func(epochAccount) bool { return true },
	}
}

// read reads what the walk and the checks refer to.
func (a *auditor) read(r *reader) error {
	a.readSettings(r)
	a.adoptions = readAdoptions(r, a.Rules.Network)
	if r.err != nil {
		return r.err
	}
	if a.report.Follows = a.settings["index_follows"]; a.report.Follows != "" {
		if err := a.follow(a.report.Follows); err != nil {
			return err
		}
	}
	for _, c := range a.communities {
		if c.network != a.Rules.Network.Name {
			return fmt.Errorf("audit: community %s is on %s, not on %s", c.prefix, c.network, a.Rules.Network.Name)
		}
	}
	a.readKept(r)
	a.resetIfAdopted(a.Config, a.adoptions.counted())
	return r.err
}

// check makes every check after the chain was walked.
func (a *auditor) check(r *reader) (Report, error) {
	for _, check := range []func(*reader){
		a.checkIndex, a.checkUnits, a.checkCustody, a.checkJournal, a.checkProofs, a.checkEpochs, a.checkOwed,
	} {
		check(r)
	}
	if r.err != nil {
		return a.report, r.err
	}
	for _, check := range []func(){
		a.checkStakes, a.checkLocks, a.checkPayments, a.checkPayouts, a.checkBacking, a.checkUnexplained,
	} {
		check()
	}
	a.report.Checked.Blocks, a.report.Checked.Orders = len(a.headers), len(a.orders)
	a.report.Checked.Payments, a.report.Checked.Payouts = len(a.payments), len(a.payouts)
	slices.SortFunc(a.report.Violations, func(v, w Violation) int {
		return cmp.Or(cmp.Compare(v.Invariant, w.Invariant), cmp.Compare(v.Subject, w.Subject),
			cmp.Compare(v.Detail, w.Detail))
	})
	return a.report, nil
}

func (a *auditor) fail(invariant int, subject, format string, args ...any) {
	a.report.Violations = append(a.report.Violations, Violation{invariant, subject, fmt.Sprintf(format, args...)})
}

// snapshot begins a transaction that reads one consistent state of the database. The caller ends it.
func snapshot(ctx context.Context, db *sql.DB) (*sql.Tx, error) {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true, Isolation: sql.LevelRepeatableRead})
	if err == nil { // the first query fixes the state
		var communities int64
		err = tx.QueryRowContext(ctx, "SELECT COUNT(*) FROM community").Scan(&communities)
	}
	if err != nil {
		return nil, fmt.Errorf("audit: %w", err)
	}
	return tx, nil
}
