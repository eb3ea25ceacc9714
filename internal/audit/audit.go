// Package audit checks the invariants of the domain independently: with separate SQL queries and with the raw blocks of
// a node. It shares no code with the ledger, the orders, the payouts or the store, so that it does not repeat their
// bugs.
//
// The invariants, numbered as in the design:
//
//  1. Every live unit of origin STAKE is backed by its own output.
//  2. Virtual units are backed by the treasury; every settled epoch paid exactly its budget, by the published rule.
//  3. Every posting balances; replaying the journal results in the units and the orders.
//  4. Every unit is in one stage; every locked unit is on exactly one live order, in the stage its status implies.
//  5. Sats received = applied + overpaid + late + abandoned + refunded; each payment is counted once.
//  6. An order has at most one live payout, and every payout allocates exactly what its orders are owed;
//     refunds go to the address that was signed, and give no payment back twice.
//  7. Every change that a user caused cites one consumed, signed action.
//  8. The indexed chain and runes match the node.
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

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/store/hosts"
	"moonfund/internal/store/stmtcache"
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

// Node is a trusted Bitcoin node, such as *chain.Client. It must have a transaction index, for the commitments of
// etchings.
type Node interface {
	Best(ctx context.Context) (chainhash.Hash, int64, error)
	BlockHash(ctx context.Context, height int64) (chainhash.Hash, error) // or chain.ErrUnknown
	Block(ctx context.Context, hash chainhash.Hash, height int64) (chain.Block, error)
	Tx(ctx context.Context, txid chainhash.Hash) (chain.Tx, chain.Status, error)
}

// Config contains what an audit needs in addition to the database.
type Config struct {
	// Rules and Start (height of the first followed block) belong to an index of every rune. For an index of only some
	// runes, the ledger's own settings replace them.
	Rules runes.Rules
	Start int64

	// MinimumStake is the minimum stake by community, in base units. Without an entry for its community, a quarantined
	// deposit that holds only the community's rune is assumed to be below the minimum.
	MinimumStake map[string]amount.Runes

	// RecheckAfter, if not 0, is the delay before a second audit of a running server, whose tables are inconsistent for
	// a moment between a block and its effects. Only violations that both audits find are reported.
	RecheckAfter time.Duration

	// WalkFile is the path of the file in which a Checker stores the walked chain, so that the next Checker continues
	// from it. It may be missing. "": a temporary file.
	WalkFile string

	// Walking, if not nil, is called during a long walk with the height that the walk has saved, and its last block.
	Walking func(height, last int64)

	// Copying, if not nil, is called during the copy of a large rune index with the number of outputs copied.
	Copying func(outputs int64)
}

// Violation is a violation of an invariant.
type Violation struct {
	Invariant int    // 1 to 8
	Subject   string // the unit, order, outpoint, transaction, epoch, block or row
	Detail    string // the error, with the values that differ

	Scope     Scope    // what it stops
	Community string   // "" if Scope is WholeServer
	Orders    []string // what it stops if Scope is OneOrder
}

// String returns the violation with its ID as one line.
func (v Violation) String() string {
	return fmt.Sprintf("invariant %d: %s: %s (%s)", v.Invariant, v.Subject, v.Detail, v.ID())
}

func (v Violation) compare(w Violation) int {
	return cmp.Or(cmp.Compare(v.Invariant, w.Invariant), cmp.Compare(v.Subject, w.Subject),
		cmp.Compare(v.Detail, w.Detail))
}

// Counts contains the number of checked records.
type Counts struct {
	Blocks, Outputs, Units, Orders, Payments, Payouts, Postings, Actions, Epochs, Runes, RuneOutputs int
}

// Totals are the debts of one community and the funds on the chain that cover them, in base units, and the payments for
// its orders, in sats.
type Totals struct {
	StakeUnits, StakeOutputs   int64 // live units of origin STAKE; the outputs that back them
	VirtualUnits, VirtualFunds int64 // live units of origin REWARD that no payout carries; booked treasury outputs

	Received                                     int64 // sats of counted payments on the chain
	Applied, Overpaid, Late, Abandoned, Refunded int64 // by account of the journal
}

// Report is the result of an audit.
type Report struct {
	Height     int64  // of the last block that the server indexed, -1 if none
	NodeHeight int64  // of the node's best chain
	Behind     int64  // blocks of the node's best chain that the server has not indexed
	Follows    string // the only runes that the server indexes, "" if it indexes every rune
	Checked    Counts
	Totals     map[string]Totals // by community
	Violations []Violation
	Accepted   []Violation // violations that an operator accepted: they stop nothing
}

// OK reports whether no invariant is violated.
func (r Report) OK() bool { return len(r.Violations) == 0 }

// WriteTo writes the report as text: the counts, then one line per violation.
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
		fmt.Fprintf(&b, "%s: received %d sats: applied %d, overpaid %d, late %d, abandoned %d, refunded %d\n",
			prefix, t.Received, t.Applied, t.Overpaid, t.Late, t.Abandoned, t.Refunded)
	}
	for _, v := range r.Violations {
		fmt.Fprintln(&b, v.String()+"; "+v.Stops())
	}
	for _, v := range r.Accepted {
		fmt.Fprintln(&b, "accepted:", v)
	}
	if r.OK() {
		b.WriteString("no violation\n")
	}
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}

// connections is the maximum number of connections to PostgreSQL.
const connections = 8

// settings are PostgreSQL's settings of the connections of an audit. Otherwise one query of an audit takes three cores
// from the server and from PostgreSQL.
var settings = map[string]string{"max_parallel_workers_per_gather": "0"}

// Open opens a database for reading. The address has the same form as the server's: "sqlite:PATH" or "postgres://…".
func Open(address string) (*sql.DB, error) {
	if path, ok := strings.CutPrefix(address, "sqlite:"); ok {
		// The joins need a larger page cache, 64 MiB, than SQLite's default of 2 MiB. mode=ro can't read a database
		// with another process's write-ahead log. mode=rw creates no file, and query_only prevents changes.
		return stmtcache.Open("file:" + path + "?mode=rw&_pragma=busy_timeout(10000)&_pragma=query_only(1)" +
			"&_pragma=cache_size(-65536)")
	}
	if strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://") {
		config, err := pgx.ParseConfig(address)
		if err != nil {
			return nil, errors.New("the database's address can't be read") // the cause may contain the password
		}
		return hosts.New(config, settings).ReadingPool(connections), nil
	}
	return nil, errors.New(`the database must be "sqlite:PATH" or "postgres://…"`)
}

// Run checks every invariant on one consistent state of the database, against the node's blocks up to the server's tip,
// and then each stored transaction as a server does before it broadcasts it. An error means that the audit could not be
// completed; violations are in the report.
func Run(ctx context.Context, db *sql.DB, node Node, c Config) (Report, error) {
	checker := NewChecker(db, node, c)
	report, err := recheck(ctx, c.RecheckAfter, func() (Report, error) {
		report, err := checker.once(ctx)
		if err == nil {
			err = checker.addSending(ctx, &report)
		}
		return report, err
	})
	return report, errors.Join(err, checker.Close())
}

// recheck runs an audit and, if it finds violations and the delay is not 0, a second one after the delay. It then
// reports only violations that both found.
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

// Persisting returns the violations of the second list that have a violation of the same invariant and subject in the
// first.
func Persisting(first, second []Violation) (kept []Violation) {
	type rule struct {
		invariant int
		subject   string
	}
	seen := map[rule]bool{}
	for _, v := range first {
		seen[rule{v.Invariant, v.Subject}] = true
	}
	for _, v := range second {
		if seen[rule{v.Invariant, v.Subject}] {
			kept = append(kept, v)
		}
	}
	return kept
}

// auditor is the state of one audit: the rows of the database, the chain, and the violations.
type auditor struct {
	Config
	rows
	*chainState
	journal
	report       Report
	adoptions    adoptions
	partial      bool                 // only the rows on which one payout depends were read
	refunded     map[string]bool      // orders with a confirmed refund
	orderAnchors map[anchorKey]string // the anchor payment of each order

	stakeUnits, stakeOutputs map[string]int64    // by community
	deposits, unitDeposits   int                 // creditable deposits; deposits of units
	virtualUnits             map[string]int64    // by community
	virtualOf                map[[2]string]int64 // by community and owner, of unexplained spends
	stakedSums               map[string]int64    // units in stage STAKED, by community
	conflicted               map[string]bool     // transactions, see readConflicted

	epochs     []epochAccount        // of all epochs, in order
	members    map[epochKey]*members // of the settled epochs that are recomputed
	recomputed map[string][]*members // the same by community

	runeIDs    map[string]runes.ID     // of communities
	recomputes func(epochAccount) bool // whether the rewards of an epoch are recomputed
}

func newAuditor(c Config, walked *chainState) *auditor {
	return &auditor{
		Config: c, rows: newRows(), chainState: walked, journal: newJournal(), report: Report{Totals: map[string]Totals{}},
		stakeUnits: map[string]int64{}, stakeOutputs: map[string]int64{}, virtualUnits: map[string]int64{},
		virtualOf: map[[2]string]int64{}, stakedSums: map[string]int64{}, conflicted: map[string]bool{},
		refunded: map[string]bool{}, runeIDs: map[string]runes.ID{}, recomputes: func(epochAccount) bool { return true },
	}
}

// read reads the rows that the walk and the checks use.
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
	if a.readKept(r); r.err != nil {
		return r.err
	}
	if err := a.load(r); err != nil {
		return err
	}
	return a.resetIfAdopted(a.Config, a.adoptions.counted())
}

// check runs every check after the walk of the chain.
func (a *auditor) check(r *reader) (Report, error) {
	for _, check := range []func(*reader){
		a.checkIndex, a.readConflicted, a.readEpochs, a.checkJournal, a.checkUnits, a.checkCustody, a.checkReplayed,
		a.checkProofs, a.checkEpochs, a.checkOwed,
	} {
		check(r)
	}
	if err := cmp.Or(r.err, a.file.err); err != nil {
		return a.report, err
	}
	for _, check := range []func(){
		a.checkStakes, a.checkLocks, a.checkPayments, a.checkPayouts, a.checkBacking, a.checkUnexplained, a.checkLeft,
		a.checkWithdrawnSums,
	} {
		check()
	}
	if a.file.err != nil {
		return a.report, a.file.err
	}
	a.report.Checked.Blocks, a.report.Checked.Orders = len(a.headers), len(a.orders)
	a.report.Checked.Payments, a.report.Checked.Payouts = len(a.payments), len(a.payouts)
	slices.SortFunc(a.report.Violations, Violation.compare)
	a.report.accept(a.accepted)
	return a.report, nil
}

// fail adds a violation to the report.
func (a *auditor) fail(invariant int, on subject, format string, args ...any) {
	a.report.Violations = append(a.report.Violations, Violation{Invariant: invariant, Subject: on.name,
		Detail: fmt.Sprintf(format, args...), Scope: on.scope, Community: on.community, Orders: on.orders})
}

// snapshot begins a transaction that reads one consistent state of the database. The caller ends the transaction.
func snapshot(ctx context.Context, db *sql.DB) (tx *sql.Tx, err error) {
	for range snapshotAttempts {
		if tx, err = begin(ctx, db); err == nil {
			return tx, nil
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, fmt.Errorf("audit: %w", err)
}

// snapshotAttempts exceeds the number of pooled connections, each of which may have been to a database that is lost.
const snapshotAttempts = 5

// begin begins a transaction that reads one state, which its first query determines.
func begin(ctx context.Context, db *sql.DB) (*sql.Tx, error) {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true, Isolation: sql.LevelRepeatableRead})
	if err != nil {
		return nil, err
	}
	var communities int64
	if err := tx.QueryRowContext(ctx, "SELECT COUNT(*) FROM community").Scan(&communities); err != nil {
		_ = tx.Rollback()
		return nil, err
	}
	return tx, nil
}
